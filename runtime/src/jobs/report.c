/* SPDX-License-Identifier: Apache-2.0 */
/* What was done where, for HEDDLE_VERBOSE, HEDDLE_EXPLAIN and heddle_last_report(). */
#include "engine.h"
#include <string.h>

static long all(const struct heddle__jobs_engine *e) {
    long sum = 0;
    for (int t = 0; t < e->types; t++)
        sum += e->kind[t].done;
    return sum;
}

static void explain(const struct heddle__jobs_engine *e, double seconds) {
    fprintf(
        stderr,
        "heddle: %s:%d: jobs, %s: %.6f s; %ld decisions took %.6f s (%.1f %%), %d linear programs; %ld steals; lists "
        "held %.1f MB at most\n",
        e->site.file, e->site.line, e->policy->name, seconds, e->decisions, e->deciding,
        seconds > 0 ? 100 * e->deciding / seconds : 0, e->rounds, e->steals, (double)e->most / 1e6);
    for (int k = 0; k < e->devices; k++) {
        const struct heddle__jobs_device *d = &e->device[k];
        for (int t = 0; t < e->types; t++)
            fprintf(stderr, "heddle: %s:%d:   %s (%s)%s: %ld of %ld jobs, %.3g s and %.3g s each, correlation %.2f\n",
                    e->site.file, e->kind[t].loop->site.line, e->class_name[d->class],
                    d->device < 0 ? "host" : "device", d->gone ? ", lost" : "", d->done[t], e->kind[t].done,
                    d->costs[t].setup, d->costs[t].each, heddle__jobs_correlation(&d->costs[t]));
        fprintf(stderr, "heddle: %s:%d:   %ld batches, %ld run again, busy %.0f %%\n", e->site.file, e->site.line,
                d->batches, d->again, seconds > 0 ? 100 * d->busy / d->threads / seconds : 0);
    }
}

void heddle__jobs_write_report(struct heddle__jobs_engine *e) {
    struct heddle_report *report = heddle__report();
    char option[HEDDLE__OPTION_MAX];
    const double seconds = heddle__now() - e->start;
    report->schedule = e->policy->name;
    report->workers = 0;
    report->rows = all(e);
    for (int k = 0; k < e->devices; k++) {
        report->workers += e->device[k].threads;
        if (e->device[k].device >= 0 && e->device[k].batches && report->device < 0)
            report->device = e->device[k].device;
    }
    heddle__option_read("explain", option, sizeof option);
    if (!strcmp(option, "1"))
        explain(e, seconds);
    heddle__verbose("%s:%d: jobs, %ld of %d types, %s on %d devices, %.6f s", e->site.file, e->site.line, all(e),
                    e->types, e->policy->name, e->devices, seconds);
}
