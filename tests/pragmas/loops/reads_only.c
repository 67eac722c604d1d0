/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that write nothing but what they sum up: what they read may overlap, and be wherever it is. */
#include "../run/run.h"

struct atoms {
    long (*p)[3];
    int *kind;
    long **rows;
};
struct boxes {
    int n, *natoms;
};
struct sim {
    struct boxes *boxes;
    struct atoms *atoms;
    long weight[4];
};

enum { BOXES = 40, MOST = 16 };

/* Cells of a molecular dynamics program: places that are known from memory only. */
static long energy(const struct sim *s)
{
    long e = 0;
#pragma heddle for reduction(+: e)
    for (int i = 0; i < s->boxes->n; i++)
        for (int o = MOST * i, k = 0; k < s->boxes->natoms[i]; k++, o++) {
            long v[3];
            for (int m = 0; m < 3; m++)
                v[m] = s->atoms->p[o][m] * s->atoms->p[o][m];
            e += (v[0] + v[1] + v[2]) * s->weight[s->atoms->kind[o]];
        }
    return e;
}

static long of_row(const struct atoms *a, int i)
{
    const long *row = a->rows[i];
    return row ? row[0] - row[i % 3] : -1;
}

/* Pointers that are read from memory, under a condition, by a function. */
static long rows(const struct sim *s, int n)
{
    long least = 1L << 40;
#pragma heddle for reduction(min: least)
    for (int i = 0; i < n; i++) {
        const long x = s->atoms->kind[i] ? of_row(s->atoms, i) : (long)i;
        if (x < least)
            least = x;
    }
    return least;
}

/* The same memory under two names. */
static long overlapping(const int *x, const int *index, int n)
{
    long t = 0;
#pragma heddle for reduction(+: t)
    for (int i = 0; i < n; i++)
        t += x[index[i] & 15] ^ x[i];
    return t;
}

int main(void)
{
    static long p[BOXES * MOST][3], *pointers[BOXES * MOST];
    static int kind[BOXES * MOST], natoms[BOXES];
    struct atoms atoms = {p, kind, pointers};
    struct boxes boxes = {BOXES, natoms};
    struct sim sim = {&boxes, &atoms, {1, 3, 5, 7}};
    for (int i = 0; i < BOXES * MOST; i++) {
        for (int m = 0; m < 3; m++)
            p[i][m] = (i * 37 + m * 11) % 101 - 50;
        kind[i] = i * 7 % 4;
        pointers[i] = i % 5 ? p[i] : NULL;
        natoms[i / MOST] = i / MOST % 3 ? i / MOST % MOST : 0;
    }
    printf("%ld\n", energy(&sim));
    printf("%ld\n", rows(&sim, BOXES * MOST));
    printf("%ld\n", overlapping(kind, kind + 1, BOXES * MOST - 1));
    boxes.n = 0; /* no turn: what it would read may be missing */
    atoms.p = NULL;
    boxes.natoms = NULL;
    printf("%ld\n", energy(&sim));
    return 0;
}
