/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks on the thread that makes them, at once: a pool as it is without its directives. */
#include "pool.h"
#include <string.h>

/* One task on this thread, and those it makes. */
void heddle__pool_run_now(struct heddle_pool *pool, int kind, const void *record, size_t bytes,
                          const struct heddle_taskloop *loop) {
    struct heddle__segment one = {.jobs = 1, .nodes_job = -1};
    struct heddle__run run = {
        .pool = pool, .segment = &one, .schedule = HEDDLE_POOL_SERIAL, .device = HEDDLE_DEVICE_HOST};
    _Alignas(16) char copy[HEDDLE_RECORD_MAX];
    memcpy(copy, record, bytes);
    one.job[0] = (struct heddle_job){
        .form = HEDDLE_FORM_LOOP, .kind = kind, .dims = 1, .count = {1, 1, 1}, .total = 1, .record = copy};
    if (loop) {
        one.job[0].dims = loop->dims;
        for (int d = 0; d < 3; d++)
            one.job[0].total *= one.job[0].count[d] = d >= loop->dims ? 1 : loop->count[d] > 0 ? loop->count[d] : 0;
    }
    if (heddle__pool_run_host(&run))
        heddle__lost(&pool->type->site, "no memory to run a task; ending the program");
}

/* What the program keeps on a device comes to the host for it. */
void heddle__serial_begin(const struct heddle_pool *pool) {
    for (int d = 0; d < heddle__devices_started(); d++)
        heddle__maps_pull(pool->maps, pool->nmaps, d);
}

void heddle__serial_end(const struct heddle_pool *pool) {
    const struct heddle_site *site = &pool->type->site;
    for (int d = 0; d < heddle__devices_started(); d++)
        heddle__maps_push(pool->maps, pool->nmaps, d);
    *heddle__report() = (struct heddle_report){.file = site->file,
                                               .line = site->line,
                                               .device = HEDDLE_DEVICE_HOST,
                                               .schedule = "serial",
                                               .workers = 1,
                                               .rows_per_worker = 1,
                                               .error = HEDDLE_EOVERLAP};
}
