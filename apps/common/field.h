/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of n x m numbers with a border on all sides, in float or double, and the loop control of
 * methods that sweep over one until it changes little. */
#ifndef HEDDLE_APP_FIELD_H
#define HEDDLE_APP_FIELD_H

#include "image.h"

#include <stdbool.h>
#include <stddef.h>

struct field {
    int n, m; /* inside; rows 0 and n + 1 and columns 0 and m + 1 are the border */
    bool is_double;
    void *cells; /* [n + 2][m + 2] */
};

/* False: no memory for it. Cells are zero. */
bool field_alloc(struct field *field, int n, int m, bool is_double);
void field_free(struct field *field);
size_t field_count(const struct field *field);
size_t field_bytes(const struct field *field);
double field_get(const struct field *field, int i, int j);
void field_set(struct field *field, int i, int j, double value);
void field_copy(struct field *to, const struct field *from);
/* Least and greatest value inside. */
void field_range(const struct field *field, double *least, double *most);
/* Largest difference inside; 0 if and only if all bits are equal (NaN counts as infinite). */
double field_difference(const struct field *a, const struct field *b);
/* .png and .pgm: grey from least to most; .bin: table.h's format, border included. False: message.
 */
bool field_write(const struct field *field, const char *path, char *message, size_t size);

/* Sweeps over a field; the nests' solve() counts and stops, the app sets limits and hears of
 * progress. */
struct sweeps {
    long most, every; /* the change is measured in each `every`-th sweep and in the last one */
    double tolerance; /* stops where the change is not above it */
    int device;       /* data stays there between sweeps; negative: the runtime chooses, sweep by sweep */
    void (*tell)(void *context, long sweep, double change); /* may be NULL */
    void *context;

    long done; /* results */
    double change;
};

/* For solve(): how many sweeps to run up to the next measured one, with it, and whether more are to
 * follow after they were run and that one's change is known. */
long sweeps_batch(const struct sweeps *sweeps);
bool sweeps_go_on(struct sweeps *sweeps, long batch, double change);

#endif
