/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests for conformance tests. nests.c is compiled twice into one program: by plain clang, which ignores the
 * pragmas, and by `heddle cc`. Both get the same data; everything they leave behind must be equal, byte for byte.
 */
#ifndef NESTS_H
#define NESTS_H
#include <stddef.h>

/* What a problem's arrays are filled with before a nest runs. */
enum fill { FILL_INT, FILL_BYTE, FILL_SHORT, FILL_DOUBLE, FILL_FLOAT };

/* Rows 0 … n and columns 0 … m, and room for a border of 3 on every side of 16-byte elements. */
struct problem {
    int n, m;
    void *x, *y, *z;      /* matrices; compared as a whole */
    size_t bytes;         /* of each */
    unsigned char *a, *b; /* n and m letters 0 … 3, more behind */
    long result[9];       /* reductions */
    double real[2];
};

struct nest {
    const char *name;
    enum fill fill;
    int memory;    /* the memory form is legal: peer and barrier must be what ran */
    int registers; /* legal too; 2: a row reads further along the one above */
    int scan;      /* a prefix sum: what schedule auto runs */
    void (*run)(struct problem *p);
};
/* Of nests_extended.c, in both builds. */
#define NEST_PASTE_(a, b) a##_##b
#define NEST_PASTE(a, b) NEST_PASTE_(a, b)
#define NEST(name) NEST_PASTE(NESTS, name)
#ifdef NESTS
void NEST(skew2)(struct problem *p);
void NEST(wide_rolling)(struct problem *p);
void NEST(wide_left)(struct problem *p);
void NEST(wide_seam)(struct problem *p);
void NEST(wide_mixed)(struct problem *p);
/* Of nests_places.c. */
void NEST(places_first)(struct problem *p);
void NEST(places_last)(struct problem *p);
void NEST(places_wide)(struct problem *p);
/* Ended by a NULL name. */
extern const struct nest NESTS[];
#endif
#endif
