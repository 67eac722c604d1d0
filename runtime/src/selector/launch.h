/* SPDX-License-Identifier: Apache-2.0 */
/* A launch of a target region as the program asked for it, and what a first run of it tells. */
#ifndef HEDDLE_SELECT_LAUNCH_H
#define HEDDLE_SELECT_LAUNCH_H

#include "selector.h"

struct launch {
    struct ident *loc;
    int64_t device; /* as the program said */
    int32_t teams, threads;
    void *id;
    const struct kernel_args *args;
    double asked; /* when the program came; only where regions are recorded */
};

static inline struct map_args heddle__launch_maps(const struct launch *l) {
    const struct kernel_args *a = l->args;
    return (struct map_args){(int32_t)a->count, a->bases, a->args, a->sizes, a->types, a->names, a->mappers};
}

/* execute.c: on a device, and until it is done: only then is it known when the device's data is current. libomptarget
   writes into the record, so each try gets a fresh copy. 0, or it did not run. */
HEDDLE_HIDDEN int heddle__launch_on(const struct launch *l, int device);

/* ---- first_run.c ---- */
enum first_run { FIRST_TELLS_NOTHING, FIRST_LEAVES_ALONE, FIRST_WRITES };
/* As heddle__launch_on, at the sample's place; also tells whether the region leaves its map(to:) data and its pointers
   alone; only then may the host version, which works on the program's own memory, take its place. `seconds`: without
   the look at the data. */
HEDDLE_HIDDEN int heddle__launch_verified(const struct launch *l, const struct sample *s, double *seconds,
                                          enum first_run *tells);
/* A region may tell the program where mapped data lies on the device. So its first run on mapped data is on the default
   device, and what it gives back is searched; if there is an address, the region and its data stay. Lock held. */
HEDDLE_HIDDEN void heddle__look_for_addresses(const struct launch *l, const struct sample *s,
                                              const struct footprint *t);

#endif
