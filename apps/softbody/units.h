/* SPDX-License-Identifier: Apache-2.0 */
/* One of the devices, or the host beside them. */
#ifndef SOFTBODY_UNITS_H
#define SOFTBODY_UNITS_H

#include "device.h"
#include "devices.h"

enum { UNITS_MOST = 65 };

/* Where the arrays of a step are in what it brings, and in what it returns. */
struct step_places {
    size_t body, member, begin, order, pair_list, meeting, pair, row, element, set_parts, body_rows, body_others, team,
        place, dots, inbox, part_first, hold, touch_first, touch, size;
    size_t sums, set, failed, bad, moved, returned;
};
struct step_counts {
    size_t rows, elements, sets, pairs, holds, touch_rows, touches, teams;
};

struct unit {
    int device;
    struct device_facts facts;
    double speed, load, took;    /* rows a second, rows of this step, seconds */
    double started, threads;     /* threads: that have a body each; 1: it has all together */
    struct launcher *launcher;   /* where devices can share a set */
    double phase[DEVICE_PHASES]; /* seconds in all */
    bool warm, measured, shares; /* shares: it has some bodies of a split set */
    bool awake;                  /* threads that wait for it do not sleep, ... */
    int slept;                   /* ... which they did, as heddle_gpu_wait_as says it */
    uint32_t shapes, bodies;     /* of the scene */
    struct shape *shape;         /* [shapes], the device's */
    void **shape_memory, **body_memory;
    struct body *body;          /* [bodies], the host's, with pointers of the device */
    char *block, *block_here;   /* what a step brings: the device's, the host's */
    char *result, *result_here; /* what it returns */
    size_t block_room, result_room;
    struct step_places at;
    struct step_counts counts;
    size_t *place;                /* [bodies] of a body's x in what is returned */
    uint32_t *list, list_count;   /* bodies that are here */
    uint32_t *home;               /* [bodies] its set, by its place in the list, at the last step */
    bool settled;                 /* the last step had no pairs, and what it brought is still there */
    struct work *work;            /* the device's */
    float (*dots)[2];             /* the device's: sums of parts, by their number in the scene */
    uint32_t *inbox, *part_first; /* the device's; the host's */
    const struct devices *all;
    uint32_t teams, failed, turn;
    char *scratch; /* the device's: sums of parts */
    size_t scratch_room;
};

struct devices {
    uint32_t count, units; /* devices; with the host, which comes last */
    double speed_of_all;
    bool dealt, linked;     /* linked: each reads the others' memory */
    uint32_t meets, splits; /* see device_step; sets that several devices have */
    char problem[256];
    struct unit unit[UNITS_MOST];
};

/* unit.c */
bool unit_open(struct unit *u, const struct scene *scene, const struct devices *all);
void unit_close(struct unit *u);
/* What a step needs, for the bodies whose place is `number`; then what it returned, without the new places. */
bool unit_prepare(struct unit *u, int32_t number, const struct scene *scene);
bool unit_results(struct unit *u, int32_t number, struct scene *scene);
/* lists.c: which parts there are, which teams have them; contacts by row. They fill `block_here`. */
void list_parts(const struct unit *u, int32_t number, const struct scene *scene);
uint32_t plan_teams(const struct unit *u, int32_t number, const struct scene *scene);
/* touches.c; false: no memory */
bool list_contacts(struct unit *u, int32_t number, const struct scene *scene);
/* split.c: bodies of a set to several devices, side by side; whether devices read each other's memory. */
void split_set(const struct devices *d, const struct scene *scene, const struct body_set *set, const double *room,
               int32_t *place);
bool link_devices(struct devices *d);
/* devices.c */
/* awake.c: threads that wait for GPUs; how they wait is the process' own otherwise. */
void wait_awake(struct devices *d);
void wait_as_before(struct devices *d);
bool unit_shape(struct unit *u, const struct scene *scene, const struct shape *shape);
bool unit_copy_in(struct unit *u, void *to, const void *from, size_t bytes);
bool unit_copy_out(struct unit *u, void *to, const void *from, size_t bytes);

static inline bool pair_is_here(const struct scene *scene, const struct pair *pair, int32_t number) {
    return pair->count && (scene->body[pair->body[0]].place == number || scene->body[pair->body[1]].place == number);
}
/* Some of its bodies. */
static inline bool set_is_here(const struct scene *scene, const struct body_set *set, int32_t number) {
    bool here = false;
    for (uint32_t k = 0; k < (set->split ? set->count : 1) && !here; k++)
        here = scene->body[scene->member[set->first + k]].place == number;
    return here;
}

#endif
