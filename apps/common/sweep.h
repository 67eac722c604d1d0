/* SPDX-License-Identifier: Apache-2.0 */
/* What the apps share that sweep over a field in place until it changes little (field.h): one driver over grid.h's. An
 * app embeds a struct sweep as its first member, fills it in and returns sweep_main(). */
#ifndef HEDDLE_APP_SWEEP_H
#define HEDDLE_APP_SWEEP_H

#include "field.h"
#include "grid.h"

struct sweep {
    struct grid grid;
    const char *precision, *residuals;
    long random; /* --seed */
    struct sweeps limits;
    /* Of the app. solve: sweeps over `field` in place, `serial` by the program without the pragmas. */
    const char *what; /* "a plate of this size" */
    int (*configure)(struct sweep *s);
    void (*solve)(struct sweep *s, bool serial, struct field *field, struct sweeps *sweeps);
    const struct app_value *(*values)(struct sweep *s); /* for the result, after sweeps and change; ends with NULL */

    struct sweeps done;                /* of the last run */
    struct field start, result, extra; /* extra: the app's own, NULL cells: it has none */
    struct field reference;            /* of --check */
    FILE *list;                        /* of residuals */
};

/* Rows for the app's table of options. */
#define SWEEP_OPTIONS(s)                                                                                               \
    {"sweeps", "N", "at most N sweeps (100)", APP_LONG, &(s).limits.most, 1},                                          \
        {"tolerance", "X", "stop where no point changes by more (0)", APP_REAL, &(s).limits.tolerance, 0},             \
        {"every", "K", "look at the change in every K-th sweep (10)", APP_LONG, &(s).limits.every, 1},                 \
        {"precision", "P", "float or double (float)", APP_TEXT, &(s).precision, 0},                                    \
        {"seed", "N", "of random values (1)", APP_LONG, &(s).random, 0},                                               \
        {"residuals", "FILE", "list of sweep and change, TSV", APP_OUTPUT, &(s).residuals, 0},                         \
        {"out", "FILE", "the field: .png, .pgm or .bin", APP_OUTPUT, &(s).grid.out, 0}

/* The fields of n x m points, `extra` with them or not. -1, or the exit status after a message. */
int sweep_allocate(struct sweep *s, long n, long m, bool extra);
int sweep_main(struct sweep *s, int argc, char **argv);

#endif
