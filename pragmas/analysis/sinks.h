/* SPDX-License-Identifier: Apache-2.0 */
/* Which distances between iterations the sinks of a taskloop keep in order: the sums of theirs. */
#ifndef HEDDLE_SINKS_H
#define HEDDLE_SINKS_H

#include "analysis/nest.h"
#include "function.h"

enum { MAX_SINKS_ADDED = 4 };
struct sinks {
    long by[MAX_SINKS_ADDED + 8][MAX_LOOPS]; /* how far back, sorted by the first loop that counts */
    int n, dims;
    long tries;
    bool lost; /* the last question was too hard */
};
void sinks_of(const struct pragma *p, int dims, struct sinks *out);
void sinks_add(struct sinks *s, const long *by); /* MAX_SINKS_ADDED times at most */
int sinks_leading(const long *by, int dims);     /* the first loop with a distance other than 0; dims: none */
bool sinks_keep(struct sinks *s, const long *by);

#endif
