/* SPDX-License-Identifier: Apache-2.0 */
/* One of the devices, or the host beside them. */
#ifndef SOFTBODY_UNITS_H
#define SOFTBODY_UNITS_H

#include "device.h"
#include "devices.h"

enum { UNITS_MOST = 65 };

struct unit {
    int device;
    struct device_facts facts;
    double speed, load, took;    /* rows a second, rows of this step, seconds */
    double phase[DEVICE_PHASES]; /* seconds in all */
    bool measured;
    uint32_t shapes, bodies; /* of the scene */
    struct shape *shape;     /* [shapes], the device's */
    void **shape_memory, **body_memory;
    struct body *body;            /* [bodies], the host's, with pointers of the device */
    char *block, *block_here;     /* what a step brings: the device's, the host's */
    size_t block_room, back_size; /* what comes back is first; where in it, and the list of parts of rows: */
    size_t results, results_set, results_failed, rows;
    uint32_t row_count;
    float *moved, *moved_here;
    size_t moved_count, moved_room, *place;
    uint32_t *list, list_count; /* bodies that are here */
    struct work *work;          /* the device's */
    uint32_t parts, teams, failed;
    char *scratch; /* the device's: sums of parts */
    size_t scratch_room;
};

struct devices {
    uint32_t count, units; /* devices; with the host, which comes last */
    double speed_of_all;
    bool dealt;
    char problem[256];
    struct unit unit[UNITS_MOST];
};

/* unit.c */
bool unit_open(struct unit *u, const struct scene *scene);
void unit_close(struct unit *u);
/* What a step needs, for the bodies whose place is `number`; then what it brought. */
bool unit_prepare(struct unit *u, int32_t number, const struct scene *scene);
bool unit_results(struct unit *u, struct scene *scene);
/* devices.c */
bool unit_copy_in(struct unit *u, void *to, const void *from, size_t bytes);
bool unit_copy_out(struct unit *u, void *to, const void *from, size_t bytes);

#endif
