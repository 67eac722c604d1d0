/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"

#include "app.h"

#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>

/* libomptarget ends the program where a mapping does not fit. */
static bool fits(const struct sw_many *many, int device) {
    const size_t each = sizeof *many->first + sizeof *many->length + sizeof *many->found;
    void *room = omp_target_alloc((size_t)many->used + (size_t)many->count * each, device);
    omp_target_free(room, device);
    return room;
}

void sw_resident_enter(struct sw_many *many, int device) {
    if (many->found || device < 0 || device >= omp_get_num_devices() || !many->used || !fits(many, device))
        return;
    const signed char *residues = many->residues;
    const long used = many->used, *first = many->first, count = many->count;
    const int *length = many->length;
    short *found = app_alloc((size_t)count, sizeof *found);
    (void)residues, (void)used, (void)first, (void)length;
#pragma omp target enter data map(to : residues[0 : used], first[0 : count], length[0 : count]) map(alloc : found[0 : count]) \
    device(device)
    many->found = found;
    many->device = device;
}

void sw_resident_fetch(const struct sw_many *many) {
    short *found = many->found;
    const long count = many->count;
    (void)count;
    if (found) {
#pragma omp target update from(found[0 : count]) device(many->device)
    }
}

void sw_resident_leave(struct sw_many *many) {
    const signed char *residues = many->residues;
    const long used = many->used, *first = many->first, count = many->count;
    const int *length = many->length;
    short *found = many->found;
    (void)residues, (void)used, (void)first, (void)length, (void)count;
    if (found) {
#pragma omp target exit data map(release : residues[0 : used], first[0 : count], length[0 : count], found[0 : count]) \
    device(many->device)
    }
    free(found);
    many->found = NULL;
}
#else
void sw_resident_enter(struct sw_many *many, int device) { (void)many, (void)device; }
void sw_resident_fetch(const struct sw_many *many) { (void)many; }
void sw_resident_leave(struct sw_many *many) { (void)many; }
#endif
