/* SPDX-License-Identifier: Apache-2.0 */
/* What was done where, for HEDDLE_VERBOSE, HEDDLE_EXPLAIN and heddle_last_report(). */
#include "segment.h"

static void explain_policy(const struct heddle__graph_engine *e) {
    struct heddle_graph_report r = {0};
    if (!e->run || !e->run->state || !e->policy->report)
        return;
    e->policy->report(e->run->state, &r);
    fprintf(stderr, "heddle: %s:%d:   partitions mapped %ld times%s%s; %ld steals, %ld found nothing", e->site->file,
            e->site->line, r.mappings, r.partitioner ? " by " : "", r.partitioner ? r.partitioner : "", r.steals,
            r.failed);
    if (r.threshold > 0)
        fprintf(stderr, "; threshold %.3g", r.threshold);
    fputc('\n', stderr);
}

static void explain_units(const struct heddle__graph_engine *e, double seconds) {
    for (int k = 0; k < e->machine.units; k++) {
        const struct heddle__graph_unit *u = &e->unit[k];
        char name[32] = "a thread of the host";
        if (u->device >= 0)
            snprintf(name, sizeof name, "device %d", u->device);
        fprintf(stderr, "heddle: %s:%d:   %s%s: %ld tasks, busy %.0f %%", e->site->file, e->site->line, name,
                u->gone ? ", lost" : "", u->ran, seconds > 0 ? 100 * u->busy / seconds : 0);
        if (e->machine.memories > 1)
            fprintf(stderr, "; %ld copies, %.1f MB came", u->copies, u->bytes / 1e6);
        fputc('\n', stderr);
    }
}

static void explain(const struct heddle__graph_engine *e, double seconds) {
    fprintf(stderr,
            "heddle: %s:%d: graph, %s: %.6f s; %ld tasks in %ld runs, %ld of them replayed, %ld times another graph; "
            "%d partitions; %.1f MB moved, %.6f s recorded\n",
            e->site->file, e->site->line, e->policy->name, seconds, e->tasks, e->iterations, e->replays, e->shapes,
            e->run ? e->run->g.partitions : 0, e->moved / 1e6, seconds - e->seconds);
    if (e->wholes)
        fprintf(stderr, "heddle: %s:%d:   %ld runs were one launch each\n", e->site->file, e->site->line, e->wholes);
    if (e->segmented)
        fprintf(stderr, "heddle: %s:%d:   %ld runs were a few launches each, the last one %d\n", e->site->file,
                e->site->line, e->segmented, e->run && e->run->whole ? e->run->whole->segments : 0);
    if (e->run && e->run->machine.units && e->run->machine.units < e->machine.units)
        fprintf(stderr, "heddle: %s:%d:   %d of the %d took part in the last run: its tasks are short\n", e->site->file,
                e->site->line, e->run->machine.units, e->machine.units);
    explain_units(e, seconds);
    explain_policy(e);
    for (int t = 0; e->opens && e->run && t < e->run->g.tasks; t++) {
        const struct heddle_graph_type *type = e->run->made.task[t].type;
        if (!type->open)
            continue;
        fprintf(stderr,
                "heddle: %s:%d:   before %ld tasks all data came to the host, as before that of line %d, whose depend "
                "items do not say what it touches of '%s'\n",
                e->site->file, e->site->line, e->opens, type->site.line, type->open);
        break;
    }
}

void heddle__graph_report_all(struct heddle__graph_engine *e, double seconds) {
    struct heddle_report *report = heddle__report();
    *report = (struct heddle_report){.file = e->site->file,
                                     .line = e->site->line,
                                     .device = HEDDLE_DEVICE_HOST,
                                     .schedule = e->policy ? e->policy->name : "serial",
                                     .layout = "",
                                     .rows = e->tasks,
                                     .columns = 1,
                                     .workers = e->machine.units ? e->machine.units : 1,
                                     .seconds = seconds};
    for (int k = e->machine.units - 1; k >= 0; k--)
        if (e->unit[k].device >= 0 && e->unit[k].ran)
            report->device = e->unit[k].device;
    if (!e->policy)
        return;
    if (e->explains)
        explain(e, seconds);
    heddle__verbose("%s:%d: graph, %ld tasks in %ld runs (%ld replayed), %s on %d units, %.6f s", e->site->file,
                    e->site->line, e->tasks, e->iterations, e->replays, e->policy->name, e->machine.units, seconds);
    for (int k = 0; k < e->machine.units; k++) {
        e->unit[k].ran = e->unit[k].copies = 0;
        e->unit[k].busy = e->unit[k].bytes = 0;
    }
}
