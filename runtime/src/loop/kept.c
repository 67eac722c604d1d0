/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that every chunk of a loop needs, to a device. libomptarget copies pageable memory by one thread, at an eighth of what
 * the link carries, and no chunk begins before it is there: large arrays go through page-locked pieces by a crew (staging.c).
 * Where several devices take part they keep libomptarget's copies: two crews side by side have been measured once, and the
 * loops were no faster (docs/design.md).
 */
#include "device.h"
#include "../staging.h"
#include <omp.h>

enum { LARGE = 4 << 20 /* bytes: smaller ones are left to libomptarget */, CREW = 6 };

static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }

static bool alone(const struct heddle__engine *e)
{
    int devices = 0;
    for (int k = 0; k < e->places; k++)
        devices += e->place[k].device >= 0;
    return devices == 1;
}

static bool by_crew(const struct heddle__place *p, const struct heddle_map *m)
{
    return p->cuda && alone(p->engine) && (m->kind & HEDDLE_MAP_TOFROM) == HEDDLE_MAP_TO && m->bytes >= LARGE && !omp_target_is_present(start_of(m), p->device);
}

static int copy(const struct heddle__place *p, const struct heddle_map *m, struct heddle__stage *stage, struct heddle__done *done)
{
    char *there = omp_get_mapped_ptr(start_of(m), p->device);
    if (there == start_of(m)) /* one memory for both */
        return HEDDLE_OK;
    if (there && stage && !heddle__stage_copy(stage, start_of(m), there, m->bytes, done))
        return HEDDLE_OK;
    return there && !omp_target_memcpy(there, start_of(m), m->bytes, 0, 0, p->device, omp_get_initial_device()) ? HEDDLE_OK : HEDDLE_ELAUNCH;
}

int heddle__kept_enter(struct heddle__place *p, const struct heddle_map *kept, int n)
{
    struct heddle_map plain[n + 1];
    bool staged[n + 1], any = false;
    for (int k = 0; k < n; k++) {
        plain[k] = kept[k];
        any |= staged[k] = by_crew(p, &kept[k]);
        if (staged[k])
            plain[k].kind &= ~HEDDLE_MAP_TO; /* room alone */
    }
    int error = heddle__maps_enter(plain, n, p->device, p->env);
    if (error || !any)
        return error;
    struct heddle__done done = {0};
    struct heddle__stage *stage = heddle__stage_open(p->device, false, &p->engine->cores.all, 2, CREW);
    for (int k = 0; k < n && !error; k++)
        if (staged[k])
            error = copy(p, &kept[k], stage, &done);
    const int late = stage ? heddle__stage_wait(stage, &done) : HEDDLE_OK; /* whatever was begun has to end */
    heddle__stage_close(stage);
    error = error ? error : late;
    if (error)
        heddle__maps_exit(kept, n, p->device, false);
    return error;
}
