/* SPDX-License-Identifier: Apache-2.0 */
#include "sinks.h"

#include <string.h>

enum { MAX_TRIES = 200000 };

int sinks_leading(const long *by, int dims) {
    int i = 0;
    while (i < dims && by[i] == 0)
        i++;
    return i;
}

/* Sinks from `from` on; before the first loop that they count, nothing may be left. */
static bool reaches(struct sinks *s, int from, const long *rest) {
    if (sinks_leading(rest, s->dims) == s->dims)
        return true;
    if (from == s->n || ++s->tries > MAX_TRIES)
        return false;
    const long *by = s->by[from];
    const int lead = sinks_leading(by, s->dims);
    long left[MAX_LOOPS];
    if (sinks_leading(rest, s->dims) < lead)
        return false;
    for (memcpy(left, rest, sizeof left); left[lead] >= 0;) {
        if (reaches(s, from + 1, left))
            return true;
        for (int i = 0; i < s->dims; i++)
            left[i] -= by[i];
    }
    return false;
}

bool sinks_keep(struct sinks *s, const long *by) {
    s->tries = 0;
    const bool kept = reaches(s, 0, by);
    s->lost = s->tries > MAX_TRIES;
    return kept && !s->lost;
}

void sinks_add(struct sinks *s, const long *by) {
    int at = s->n++;
    for (; at > 0 && sinks_leading(s->by[at - 1], s->dims) > sinks_leading(by, s->dims); at--)
        memcpy(s->by[at], s->by[at - 1], sizeof *s->by);
    memcpy(s->by[at], by, sizeof *s->by);
}

void sinks_of(const struct pragma *p, int dims, struct sinks *out) {
    *out = (struct sinks){.dims = dims};
    for (size_t i = 0; i < p->clauses.n; i++) {
        const struct clause *c = &p->clauses.at[i];
        long by[MAX_LOOPS] = {0};
        for (int d = 0; c->id == CLAUSE_SINK && d < dims; d++)
            by[d] = -c->items.at[d].offset;
        if (c->id == CLAUSE_SINK)
            sinks_add(out, by);
    }
}
