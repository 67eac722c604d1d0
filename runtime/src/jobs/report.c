/* SPDX-License-Identifier: Apache-2.0 */
/* What was done where, for HEDDLE_VERBOSE, HEDDLE_EXPLAIN and heddle_last_report(). */
#include "engine.h"

static long all(const struct heddle__jobs_engine *e) {
    long sum = 0;
    for (int t = 0; t < e->types; t++)
        sum += e->kind[t].done;
    return sum;
}

enum { DECISIONS = 50 /* lines of one execution */ };

static void name_of(const struct heddle__jobs_device *d, char *name, size_t room) {
    if (d->device < 0)
        snprintf(name, room, "host");
    else
        snprintf(name, room, "device %d", d->device);
}

void heddle__jobs_explain(const struct heddle__jobs_engine *e, const struct heddle_jobs_choice *c, const long *placed) {
    char text[1000], asked[32];
    size_t n = 0;
    if (e->decisions > DECISIONS)
        return;
    if (c->asking < 0)
        snprintf(asked, sizeof asked, "the beginning");
    else
        name_of(&e->device[c->asking], asked, sizeof asked);
    for (int k = 0; k < c->kinds; k++) {
        const char *list = e->call->lists[e->kind[c->kind[k].type].call->list].name;
        char from[32] = "";
        if (c->kind[k].source >= 0)
            name_of(&e->device[c->kind[k].source], from, sizeof from);
        n += n < sizeof text ? (size_t)snprintf(text + n, sizeof text - n, "; %ld of %.40s%s%s:", c->kind[k].count,
                                                list, *from ? " by " : "", from)
                             : 0;
        for (int d = 0; d < e->devices; d++)
            if (placed[k * e->devices + d] && n < sizeof text) {
                char name[32];
                name_of(&e->device[d], name, sizeof name);
                n += (size_t)snprintf(text + n, sizeof text - n, " %s %ld", name, placed[k * e->devices + d]);
            }
    }
    fprintf(stderr, "heddle: %s:%d:   decision %ld at %.6f s, for %s%s", e->site.file, e->site.line, e->decisions,
            c->now, asked, text);
    if (c->report->rounds)
        fprintf(stderr, "; done in %.3g s, %.3g s before refinement, %d rounds%s", c->report->last, c->report->first,
                c->report->rounds, c->report->timed_out ? ", stopped by the clock" : "");
    fputs(e->decisions == DECISIONS ? "; further ones are not shown\n" : "\n", stderr);
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
        fprintf(stderr, "heddle: %s:%d:   %ld batches, %ld run again, busy %.0f %%", e->site.file, e->site.line,
                d->batches, d->again, seconds > 0 ? 100 * d->busy / d->threads / seconds : 0);
        if (d->device >= 0)
            fprintf(stderr, "; %.1f MB of memory for lists, %.1f MB came or went", (double)d->most / 1e6,
                    d->moved / 1e6);
        fputc('\n', stderr);
    }
}

void heddle__jobs_write_report(struct heddle__jobs_engine *e) {
    struct heddle_report *report = heddle__report();
    const double seconds = heddle__now() - e->start;
    report->schedule = e->policy->name;
    report->workers = 0;
    report->rows = all(e);
    for (int k = 0; k < e->devices; k++) {
        report->workers += e->device[k].threads;
        if (e->device[k].device >= 0 && e->device[k].batches && report->device < 0)
            report->device = e->device[k].device;
    }
    if (e->explains)
        explain(e, seconds);
    heddle__verbose("%s:%d: jobs, %ld of %d types, %s on %d devices, %.6f s", e->site.file, e->site.line, all(e),
                    e->types, e->policy->name, e->devices, seconds);
}
