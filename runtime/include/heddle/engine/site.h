/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a directive stands in the user's program, and which devices hold code for it. Translated text defines one
 * for each directive, static and constant; messages, reports and traces name the directive by it, and the choice of a
 * device asks it. Nobody includes this by hand.
 */
#ifndef HEDDLE_SITE_H
#define HEDDLE_SITE_H

#define HEDDLE_UNUSED __attribute__((__unused__))

/* The program's code for a device, as its probe tells it from there. */
enum { HEDDLE_ARCH_NONE, HEDDLE_ARCH_HOST, HEDDLE_ARCH_GPU };
struct heddle_image {
    int arch; /* HEDDLE_ARCH_*: none, a host processor's, a GPU's */
    int warp; /* lanes of a warp; 1 where the device is no GPU */
    /* of a wavefront nest, on a GPU */
    int shared_bytes[2]; /* of a warp with 4 and with 8 rows a lane (extended stencils: 2); 0: a block may have more
                            warps */
    int rows_per_lane;   /* the number that serves the nest; 0: the runtime chooses */
    int scan_rows;       /* prefix sums: rows of a warp's part of a tile */
};

struct heddle_site {
    const char *file, *function;
    const char *kind; /* the directive's word: "wavefront", "pool", "for" */
    int line;
    struct heddle_image (*probe)(int device); /* runs a small kernel there: HEDDLE_PROBE of device/launch.h */
};
#endif
