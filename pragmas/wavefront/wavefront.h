/* SPDX-License-Identifier: Apache-2.0 */
/* What a wavefront demands of its nest: dep.c, dep_clause.c, legal.c, stream.c, sweeps.c, prefix.c */
#ifndef HEDDLE_WAVEFRONT_WAVEFRONT_H
#define HEDDLE_WAVEFRONT_WAVEFRONT_H

#include "analysis/nest.h"

bool wavefront_analyse(struct unit *u, const struct pragma *p, struct nest *w); /* wavefront.c: all steps */

bool dep_classify(struct nest *w);
bool dep_prepare(struct nest *w); /* what is asked of every nest, however its dependences are found */
bool dep_error(struct nest *w, const struct ref *r, const char *what); /* says it of a reference; false */
void dep_add_vector(struct nest *w, const struct ref *r, long di, long dj, bool anti);
bool dep_apply_keep(struct nest *w);                /* dep_clause.c, and the next one */
bool dep_apply_sinks(struct nest *w);               /* when the vectors are known */
bool dep_references(struct nest *w, struct var *v); /* of a written array: all of them can be seen */
bool dep_legal(struct nest *w);
bool dep_find(struct nest *w);       /* wavefront/ordered.c: by one of the two */
void dep_hint(const struct nest *w); /* ordered.c: where the order is kept, and little gained */
/* how far below and to the right of `base` the element of the same array is that r names; false when not at a
   constant distance, or when an array's rows are not contiguous */
bool dep_offset(const struct ref *base, const struct ref *r, long *di, long *dj);

/* wavefront/rows.c: rows behind pointers; in a nest that stays on the host they are an array of two dimensions */
void rows_find(struct nest *w);  /* before references are collected */
bool rows_check(struct nest *w); /* when their dependences are known */

/* wavefront/stream.c: reads that may be done ahead of time */
struct stream { /* the rows and columns of an array that cells read, relative to `base` */
    const struct var *v;
    const struct ref *base;
    long row_first, row_last, col_first, col_last;
};
struct early { /* one value */
    const char *name;
    const struct stream *stream;
    long di, dj;
};

void stream_collect(struct nest *w);

/* wavefront/sweeps.c: nests with a loop over sweeps around them */
bool sweeps_check(struct nest *w);
enum { SIDE_TOP = 1, SIDE_BOTTOM = 2, SIDE_LEFT = 4, SIDE_RIGHT = 8 };
int sweeps_side(const struct ref *r);                        /* SIDE_* of a carried neighbour, 0 for the cell itself */
int sweeps_sides(const struct nest *w, const struct var *v); /* of all that are read of v */

/* wavefront/prefix.c: the values are HEDDLE_PREFIX_* of the emitted code */
enum {
    PREFIX_ROW = 1,
    PREFIX_COLUMN = 2,
    PREFIX_GUARD_I = 4,
    PREFIX_GUARD_J = 8,
    PREFIX_INT = 16,
    PREFIX_UNIT = 32,
    PREFIX_ANY_ORDER = 64
};
void prefix_recognise(struct nest *w);
bool prefix_check(const struct nest *w); /* of schedule(scan) */

#endif
