/* SPDX-License-Identifier: Apache-2.0 */
/* What the first run of a region on a device tells: does it leave data alone that is not to come back, and does it give
   addresses of that device to the program? */
#include "launch.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What a device must leave alone in one argument: the data of map(to:), the pointer of a section. */
enum { LOOK_DATA = 1, LOOK_POINTER = 2 };

static int worth_a_look(const struct map_args *m, int k) {
    const int64_t type = m->types[k];
    if (type & (MAP_LITERAL | MAP_PRIVATE) || type & MAP_MEMBER_OF || !m->sizes[k])
        return 0;
    return ((type & (MAP_TO | MAP_FROM)) == MAP_TO ? LOOK_DATA : 0) | (type & MAP_PTR_AND_OBJ ? LOOK_POINTER : 0);
}

static bool has_same_data(const char *at, const char *there, int64_t size, char *buffer, size_t part, int place) {
    for (int64_t done = 0; done < size; done += (int64_t)part) {
        const size_t bytes = (size_t)(size - done < (int64_t)part ? size - done : (int64_t)part);
        if (heddle__real()->copy(buffer, there + done, bytes, 0, 0, omp_get_initial_device(), place) ||
            memcmp(buffer, at + done, bytes))
            return false;
    }
    return true;
}

/* The device's copy of a pointer still points where the mapping made it point. */
static bool same_pointer(const char *pointer, const char *at, const char *there, int place) {
    const char *value, *host, *copy = heddle__real()->mapped_ptr(pointer, place);
    memcpy(&host, pointer, sizeof host);
    if (!copy)
        return true; /* it was not mapped: the region had its value only */
    return !heddle__real()->copy(&value, copy, sizeof value, 0, 0, omp_get_initial_device(), place) &&
           value - there == host - at;
}

int heddle__launch_verified(const struct launch *l, const struct sample *s, double *seconds, enum first_run *tells) {
    const struct map_args m = heddle__launch_maps(l);
    enum { PART = 1 << 20, MOST = 256 };
    char *buffer = malloc(PART);
    bool same = buffer && m.count <= MOST;
    int64_t type[MOST];
    heddle__inside++;
    for (int k = 0; k < m.count && same; k++) {
        /* held as the region's own map has it, so that it is there to be looked at afterwards; the region's end then
           copies nothing back, ours does */
        type[k] = m.types[k] & (MAP_PTR_AND_OBJ | MAP_TO);
        if (worth_a_look(&m, k))
            heddle__real()->begin(l->loc, s->place, 1, &m.bases[k], &m.args[k], &m.sizes[k], &type[k], NULL, NULL);
    }
    const bool held = same;
    const int rc = heddle__launch_on(l, s->place);
    *seconds = heddle__now() - s->start; /* the look at the data is not the region's time */
    for (int k = 0; k < m.count && held; k++) {
        const int look = worth_a_look(&m, k);
        const char *at = m.args[k], *there = look ? heddle__real()->mapped_ptr(at, s->place) : NULL;
        if (!look)
            continue;
        same = same && there && (!(look & LOOK_DATA) || has_same_data(at, there, m.sizes[k], buffer, PART, s->place)) &&
               (!(look & LOOK_POINTER) || same_pointer(m.bases[k], at, there, s->place));
        type[k] = m.types[k] & (MAP_PTR_AND_OBJ | (rc ? 0 : MAP_FROM));
        heddle__real()->end(l->loc, s->place, 1, &m.bases[k], &m.args[k], &m.sizes[k], &type[k], NULL, NULL);
    }
    heddle__inside--;
    if (!rc) /* a device that did not run it tells nothing */
        *tells = same ? FIRST_LEAVES_ALONE : FIRST_WRITES;
    free(buffer);
    return rc;
}

void heddle__look_for_addresses(const struct launch *l, const struct sample *s, const struct footprint *t) {
    const struct map_args m = heddle__launch_maps(l);
    for (int k = 0; k < m.count; k++)
        if (m.types[k] & MAP_FROM && !(m.types[k] & MAP_LITERAL) && m.sizes[k] > 0 &&
            !heddle__entry_find((uintptr_t)m.args[k], (uintptr_t)m.args[k]) &&
            heddle__data_addresses_in(m.args[k], (size_t)m.sizes[k], s->default_device))
            s->region->addresses = true;
    EACH_ENTRY (e, t, s->region->addresses)
        if (e->default_device == s->default_device)
            heddle__entry_expose(e);
    s->region->address_free = !s->region->addresses;
}
