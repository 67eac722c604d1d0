/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop did, for heddle_last_loop_report() and HEDDLE_EXPLAIN. */
#include "engine.h"
#include "host_team.h"
#include <stdlib.h>
#include <string.h>

static _Thread_local struct heddle_loop_report last;
static _Thread_local struct heddle_loop_device_report *parts;
static _Thread_local int room;
static _Thread_local struct { /* a loop of the host's threads alone */
    bool pending;             /* nobody has asked yet */
    const struct heddle_loop_type *type;
    const char *schedule;
    long n;
    double start, seconds;
    int threads; /* parts of the team; 0: the calling thread alone */
} team;

static void fill(const struct heddle__engine *e, struct heddle_loop_device_report *d,
                 const struct heddle__participant *p) {
    *d = (struct heddle_loop_device_report){.device = p->device,
                                            .iterations = p->iterations,
                                            .chunks = p->chunks,
                                            .compute = p->clock.computed,
                                            .move = p->clock.moved,
                                            .ready = p->ready,
                                            .begin = p->chunks ? p->first : 0,
                                            .end = p->chunks ? p->last : 0,
                                            .lost = p->gone};
    (void)e;
}

/* Ideal: every device works all the time at the speed that it had, n / sum of rates (Weber 2012, section 4.3). */
static void figures(struct heddle_loop_report *r) {
    double rates = 0, first = 0, final = 0;
    for (int k = 0; k < r->devices; k++) {
        const struct heddle_loop_device_report *d = &r->device[k];
        if (!d->chunks)
            continue;
        if (d->compute + d->move > 0)
            rates += (double)d->iterations / (d->compute + d->move);
        first = first == 0 || d->end < first ? d->end : first;
        final = d->end > final ? d->end : final;
    }
    r->efficiency = rates > 0 && r->seconds > 0 ? (double)r->iterations / rates / r->seconds : 0;
    r->balance = final > 0 ? first / final : 0;
}

/* Devices of a class together: "host 15 x: 120 in 30 chunks, 93 %". */
static void explain(const struct heddle__engine *e, const struct heddle_loop_report *r) {
    char text[900];
    int n = 0;
    for (int c = 0; c < e->classes; c++) {
        int devices = 0, chunks = 0, number = 0;
        long iterations = 0;
        double busy = 0;
        for (int k = 0; k < e->participants; k++)
            if (e->participant[k].class == c) {
                devices++;
                number = e->participant[k].device;
                chunks += e->participant[k].chunks;
                iterations += e->participant[k].iterations;
                busy += e->participant[k].clock.computed;
            }
        if (devices && n < (int)sizeof text - 200)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "; %d x %s%s: %ld (%.1f %%) in %d chunk%s, computing %.0f %%", devices,
                          number < 0 ? "thread of " : "", e->class_name[c], iterations,
                          100 * (double)iterations / (double)e->n, chunks, chunks == 1 ? "" : "s",
                          r->seconds > 0 ? 100 * busy / devices / r->seconds : 0);
    }
    if (e->left_out && n < (int)sizeof text - 60)
        snprintf(text + n, sizeof text - (size_t)n, "; %d left out: they would not pay", e->left_out);
    fprintf(stderr, "heddle: %s:%d: for, %ld iterations, %s: %.6f s, efficiency %.2f, balance %.2f%s\n", r->file,
            r->line, r->iterations, r->schedule, r->seconds, r->efficiency, r->balance, text);
}

static bool has_room(int participants) {
    if (participants <= room)
        return true;
    struct heddle_loop_device_report *more = realloc(parts, (size_t)participants * sizeof *parts);
    if (!more)
        return false;
    parts = more;
    room = participants;
    return true;
}

void heddle__loop_report_team(const struct heddle_loop *l, const struct heddle__team *t, long n, double start,
                              double seconds) {
    struct heddle_report *report = heddle__report();
    report->schedule = l->schedule ? l->schedule : "auto";
    report->workers = t ? t->threads : 1;
    report->seconds = seconds;
    team.pending = true;
    team.type = l->type;
    team.schedule = report->schedule;
    team.n = n;
    team.start = start;
    team.seconds = seconds;
    team.threads = t ? t->threads : 0;
}

static void write_team(void) {
    const struct heddle__team_part *part = team.threads ? heddle__team_parts(team.threads) : NULL;
    const int threads = team.threads ? team.threads : 1;
    team.pending = false;
    if (!has_room(threads))
        return;
    last = (struct heddle_loop_report){.file = team.type->site.file,
                                       .line = team.type->site.line,
                                       .schedule = team.schedule,
                                       .iterations = team.n,
                                       .seconds = team.seconds,
                                       .devices = threads,
                                       .device = parts};
    for (int k = 0; k < threads; k++)
        parts[k] = !part ? (struct heddle_loop_device_report){.device = HEDDLE_DEVICE_HOST,
                                                              .iterations = team.n,
                                                              .chunks = 1,
                                                              .compute = team.seconds,
                                                              .end = team.seconds}
                         : (struct heddle_loop_device_report){.device = HEDDLE_DEVICE_HOST,
                                                              .iterations = part[k].iterations,
                                                              .chunks = part[k].pieces,
                                                              .compute = part[k].end - part[k].begin,
                                                              .begin = part[k].pieces ? part[k].begin - team.start : 0,
                                                              .end = part[k].pieces ? part[k].end - team.start : 0};
    figures(&last);
}

void heddle_last_loop_report(struct heddle_loop_report *report) {
    if (team.pending)
        write_team();
    *report = last;
}

void heddle__loop_write_report(struct heddle__engine *e, int error) {
    struct heddle_report *report = heddle__report();
    char option[HEDDLE__OPTION_MAX];
    team.pending = false;
    if (!has_room(e->participants))
        return;
    last = (struct heddle_loop_report){.file = e->type->site.file,
                                       .line = e->type->site.line,
                                       .schedule = e->policy->name,
                                       .iterations = e->n,
                                       .seconds = heddle__now() - e->start,
                                       .devices = e->participants,
                                       .device = parts,
                                       .error = error};
    for (int k = 0; k < e->participants; k++)
        fill(e, &parts[k], &e->participant[k]);
    figures(&last);
    report->schedule = e->policy->name;
    report->workers = e->participants;
    report->device = e->participants && e->participant[0].device >= 0 && e->participant[0].chunks
                         ? e->participant[0].device
                         : HEDDLE_DEVICE_HOST;
    heddle__option_read("explain", option, sizeof option);
    if (!strcmp(option, "1"))
        explain(e, &last);
    heddle__verbose("%s:%d: for, %ld iterations, %s on %d devices and threads, %.6f s%s%s", last.file, last.line,
                    last.iterations, last.schedule, last.devices, last.seconds, e->type->order ? "; on the host, " : "",
                    e->type->order ? e->type->order : "");
}
