/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a directive stands in the user's program, and which devices hold code for it. Translated text defines one
 * for each directive, static and constant; messages, reports and traces name the directive by it, and the choice of a
 * device asks it. Nobody includes this by hand.
 */
#ifndef HEDDLE_SITE_H
#define HEDDLE_SITE_H

#define HEDDLE_UNUSED __attribute__((__unused__))

/* Which kind of device the directive's code runs on. */
enum { HEDDLE_ARCH_NONE = 0, HEDDLE_ARCH_HOST = 1, HEDDLE_ARCH_NVPTX = 2 };

struct heddle_site {
    const char *file, *function;
    const char *kind; /* the directive's word: "wavefront", "pool", "for" */
    int line;
    int (*probe)(int device); /* runs an empty kernel there: HEDDLE_ARCH_* of the code that the device took */
};

/* Defines `name`, the probe of a directive. The kernel's host version, where no device took it, says NONE. */
#ifdef __NVPTX__
#define HEDDLE_ARCH_HERE HEDDLE_ARCH_NVPTX
#else
#define HEDDLE_ARCH_HERE (omp_is_initial_device() ? HEDDLE_ARCH_NONE : HEDDLE_ARCH_HOST)
#endif
#define HEDDLE_PROBE(name)                                                                                             \
    static HEDDLE_UNUSED int name(int device) {                                                                        \
        int arch = HEDDLE_ARCH_NONE;                                                                                   \
        _Pragma("omp target teams ompx_bare num_teams(1) thread_limit(1) map(tofrom : arch) device(device)") {         \
            arch = HEDDLE_ARCH_HERE;                                                                                   \
        }                                                                                                              \
        return arch;                                                                                                   \
    }
#endif
