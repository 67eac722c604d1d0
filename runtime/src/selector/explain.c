/* SPDX-License-Identifier: Apache-2.0 */
/* HEDDLE_EXPLAIN: one line per region run, and a summary at exit. */
#include "trace/record.h"
#include "graph.h"
#include "selector.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static struct account {
    unsigned long regions;
    double busy;
    size_t moved;
    float errors[1024]; /* of predictions from ten runs or more, a sample of them */
    unsigned long predicted;
} accounts[PLACES];
static double began;

static const char *name_of(int place, char *text, size_t size) {
    if (place == HOST)
        snprintf(text, size, "host");
    else
        snprintf(text, size, "device %d", place);
    return text;
}

static const char *time_text(double seconds, char *text, size_t size) {
    if (seconds < 0)
        snprintf(text, size, "?");
    else if (seconds < 1e-3)
        snprintf(text, size, "%.1f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(text, size, "%.2f ms", seconds * 1e3);
    else
        snprintf(text, size, "%.3f s", seconds);
    return text;
}

void heddle__explain_choice(const struct heddle_choice *c, struct sample *s, const char *why) {
    char name[32], run[32], extra[32];
    size_t at = 0;
    s->text[0] = 0;
    for (int k = 0; k < c->count && at < sizeof s->text - 80; k++) {
        const struct heddle_candidate *p = &c->candidates[k];
        at += (size_t)snprintf(s->text + at, sizeof s->text - at, "%s%s %s", k ? ", " : "",
                               name_of(p->device < 0 ? HOST : p->device, name, sizeof name),
                               time_text(p->run, run, sizeof run));
        if (p->transfer > 0 && at < sizeof s->text - 80)
            at += (size_t)snprintf(s->text + at, sizeof s->text - at, " (%s transfers)",
                                   time_text(p->transfer, extra, sizeof extra));
        if (p->move + p->wait > 0)
            at += (size_t)snprintf(s->text + at, sizeof s->text - at, "+%s",
                                   time_text(p->move + p->wait, extra, sizeof extra));
    }
    if (why && at < sizeof s->text - 8)
        snprintf(s->text + at, sizeof s->text - at, " (%s)", why);
}

void heddle__count_migrated(int place, size_t bytes) { accounts[place].moved += bytes; }

/* A region on its place's line of the timeline. */
static void trace_region(const struct sample *s, double seconds) {
    char group[32];
    if (!heddle__trace_on())
        return;
    const int64_t begin = (int64_t)(s->start * 1e9);
    heddle__trace_span(heddle__trace_track(name_of(s->place, group, sizeof group), "regions"),
                       heddle__trace_name(s->region->where), begin, begin + (int64_t)(seconds * 1e9));
}

void heddle__explain_done(const struct sample *s, double seconds) {
    trace_region(s, seconds);
    heddle__record_region(s, seconds);
    struct account *a = &accounts[s->place];
    char name[32], took[32];
    if (!began)
        began = heddle__now() - seconds;
    a->regions++;
    a->busy += seconds;
    a->moved += s->place == HOST ? 0 : (size_t)s->size.bytes;
    if (s->predicted > 0 && s->known && !s->shared) /* what it would have taken alone is an estimate itself */
        a->errors[a->predicted++ % 1024] =
            (float)(s->predicted > s->alone ? s->predicted / s->alone - 1 : s->alone / s->predicted - 1);
    if (heddle__sel.explain)
        heddle__warn(NULL, "%s: n=%.0f, %.0f bytes%s%s -> %s, took %s", s->region->where, s->size.n, s->size.bytes,
                     s->text[0] ? ": " : "", s->text, name_of(s->place, name, sizeof name),
                     time_text(seconds, took, sizeof took));
}

void heddle__explain_summary(void) {
    if (!heddle__sel.summary)
        return;
    const double all = began ? heddle__now() - began : 0;
    bool devices = false;
    fprintf(stderr, "heddle: policy %s, %.3f s since the first region\n", heddle__sel.policy->name, all);
    fprintf(stderr, "heddle: %-10s %10s %7s %14s %16s\n", "place", "regions", "busy", "bytes moved",
            "prediction error");
    for (int d = 0; d < PLACES; d++) {
        struct account *a = &accounts[d];
        char name[32], error[32] = "-";
        if (!a->regions && !a->moved)
            continue;
        devices = devices || d != HOST;
        const double busy = heddle__busy_seconds(d) > 0 ? heddle__busy_seconds(d) : a->busy;
        if (a->predicted)
            snprintf(error, sizeof error, "%.1f %%",
                     100 * heddle__median(a->errors, a->predicted < 1024 ? (int)a->predicted : 1024));
        fprintf(stderr, "heddle: %-10s %10lu %5.1f %% %14zu %16s\n", name_of(d, name, sizeof name), a->regions,
                all > 0 ? 100 * busy / all : 0, a->moved, error);
    }
    heddle__iteration_explain();
    heddle__data_ops_summary(devices);
    if (heddle__data_count_replicas())
        fprintf(stderr, "heddle: %ld copies of mapped data were still on other devices at exit\n",
                heddle__data_count_replicas());
}
