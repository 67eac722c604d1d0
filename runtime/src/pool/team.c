/* SPDX-License-Identifier: Apache-2.0 */
/* Around a pool whose tasks are OpenMP's: how many threads it has, and what is said of it. */
#include "pool.h"
#include "trace/record.h"
#include <heddle/engine/pool/team.h>
#include <stdio.h>
#include <string.h>

void heddle_pool_team_begin(struct heddle_pool_team *team, const struct heddle_site *site, int serial) {
    char option[HEDDLE__OPTION_MAX];
    *team = (struct heddle_pool_team){.site = site, .threads = 1, .entered = heddle__enter(site)};
    if (!team->entered) /* a child of fork has no threads */
        return;
    heddle__option_read("pool", option, sizeof option);
    serial |= !strcmp(option, "serial");
    team->threads = serial ? 1 : heddle__host_threads();
    team->start = heddle__now();
    team->begin = heddle__trace_now();
}

int heddle_pool_team_threads(const struct heddle_pool_team *team) { return team->threads; }

void heddle_pool_team_end(struct heddle_pool_team *team) {
    struct heddle_report *report = heddle__report();
    char text[512];
    if (!team->entered)
        return;
    *report = (struct heddle_report){.file = team->site->file,
                                     .line = team->site->line,
                                     .device = HEDDLE_DEVICE_HOST,
                                     .schedule = "team",
                                     .workers = team->threads,
                                     .seconds = heddle__now() - team->start};
    if (heddle__trace_on()) {
        snprintf(text, sizeof text, "%s:%d pool team", team->site->file, team->site->line);
        heddle__trace_span(heddle__trace_thread(), heddle__trace_name(text), team->begin, heddle__trace_now());
    }
    heddle__verbose("%s:%d: pool of OpenMP's tasks on the host, %d threads, %.6f s", report->file, report->line,
                    report->workers, report->seconds);
    heddle__leave();
}
