/* SPDX-License-Identifier: Apache-2.0 */
/* What the apps over a grid share: a seeded grid of --size or one from a picture, timed runs, --check, the result, the
 * boxes of --query. An app embeds a struct grid as its first member, fills it in and calls grid_main(). */
#ifndef HEDDLE_APP_GRID_H
#define HEDDLE_APP_GRID_H

#include "app.h"
#include "image.h"

struct grid {
    struct app app;
    const char *out, *query;     /* --out and --query; NULL: not given */
    const char *without_picture; /* one of its options that says what a picture does; NULL: there is none */
    bool without_given;          /* ... and it was given */
    bool pictures;               /* --out may be a picture, too */

    /* These return -1, or the exit status after a message. */
    int (*configure)(struct grid *g); /* looks at the options */
    int (*seed)(struct grid *g);      /* allocates and fills the grid of --size */
    int (*take)(struct grid *g, const struct image *image);
    int (*finish)(struct grid *g, struct app_result *result); /* writes, answers, reports */

    void (*begin)(struct grid *g), (*end)(struct grid *g);       /* around the runs; NULL: nothing to do */
    double (*run)(struct grid *g, bool last);                    /* seconds */
    void (*describe)(struct grid *g, struct app_result *result); /* rows, cols, work, checksum */
    enum app_verdict (*check)(struct grid *g);
};

/* Options, the input, --repeat runs, the check and the result. The exit status. */
int grid_main(struct grid *g, int argc, char **argv);
bool grid_out_is_picture(const struct grid *g); /* .png or .pgm */

/* A box of pixels, ends included, counted from 0. */
struct box {
    int x0, y0, x1, y1;
};
/* The boxes of --query, separated by colons, each inside n x m; n = 0: only their form is looked at. -1, or status. */
int grid_boxes(struct grid *g, int n, int m, void (*print)(struct grid *g, struct box box));
/* The result, on stderr after the answers to --query, and not at all where these are all that was asked for. */
int grid_report(const struct grid *g, const struct app_result *result, const char *key, double value);

#endif
