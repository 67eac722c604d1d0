/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - `heddle trace`: sums up a timeline that HEDDLE_TRACE wrote, and turns it into a page, a picture or
 * another program's format. Reading and drawing are libheddle's own (runtime/src/trace). */
#include "driver.h"
#include "trace/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Time per name, longest first; and the share of the time in which a track has something. */
struct sum {
    const char *name;
    long spans;
    double time; /* of all spans; whole numbers might not hold it */
    int64_t longest;
};

static int compare_sums(const void *a, const void *b) {
    const struct sum *x = a, *y = b;
    return (x->time < y->time) - (x->time > y->time);
}

static void print_names(const struct trace_document *d) {
    struct sum *sums = calloc(d->name_count + 1, sizeof *sums);
    if (!sums)
        fail("out of memory");
    for (size_t k = 0; k < d->event_count; k++) {
        const struct trace_event *e = &d->events[k];
        struct sum *s = &sums[e->name];
        s->name = d->names[e->name];
        s->spans++;
        s->time += (double)(e->end - e->begin);
        s->longest = e->end - e->begin > s->longest ? e->end - e->begin : s->longest;
    }
    qsort(sums, d->name_count, sizeof *sums, compare_sums);
    printf("%14s %9s %12s %12s  %s\n", "time, ms", "spans", "mean, us", "longest, us", "name");
    for (size_t k = 0; k < d->name_count && k < 40 && sums[k].spans; k++)
        printf("%14.3f %9ld %12.3f %12.3f  %s\n", sums[k].time / 1e6, sums[k].spans,
               sums[k].time / 1e3 / (double)sums[k].spans, (double)sums[k].longest / 1e3, sums[k].name);
}

static void print_busy(const struct trace_document *d, const uint8_t *depth) {
    const double length = (double)trace_length(d);
    size_t event = 0;
    printf("\n%9s %9s  %s\n", "busy", "spans", "track");
    for (size_t k = 0; k < d->track_count; k++) {
        int64_t busy = 0;
        const size_t first = event;
        for (; event < d->event_count && d->events[event].track == (int32_t)k; event++)
            busy += depth[event] ? 0 : d->events[event].end - d->events[event].begin;
        if (k < 64)
            printf("%8.1f%% %9zu  %s, %s\n", 100 * (double)busy / length, event - first, d->tracks[k].group,
                   d->tracks[k].name);
    }
    if (d->track_count > 64)
        printf("… and %zu more tracks\n", d->track_count - 64);
}

static void print_summary(struct trace_document *d) {
    uint8_t *depth;
    if (trace_sort(d, &depth))
        fail("out of memory");
    printf("%s: %zu spans on %zu tracks in %.3f ms", d->title ? d->title : "?", d->event_count, d->track_count,
           (double)trace_length(d) / 1e6);
    if (d->dropped)
        printf("; %llu more did not fit (HEDDLE_TRACE_EVENTS)", (unsigned long long)d->dropped);
    puts("\n");
    print_names(d);
    print_busy(d, depth);
}

static int run(int argc, char **argv) {
    const char *in = NULL, *out = NULL;
    char message[512];
    struct trace_document d;
    for (int k = 1; k < argc; k++) {
        if (!strcmp(argv[k], "-o") && k + 1 < argc) {
            out = argv[++k];
        } else if (argv[k][0] == '-' || in) {
            complain("trace: unexpected '%s'; `heddle trace --help`", argv[k]);
            return 2;
        } else {
            in = argv[k];
        }
    }
    if (!in) {
        complain("trace: which file? HEDDLE_TRACE=FILE ./prog writes one; `heddle trace --help`");
        return 2;
    }
    if (out && !ends_with(out, ".html") && !ends_with(out, ".svg") && !ends_with(out, ".json") &&
        !ends_with(out, ".paje")) {
        complain("trace: -o %s: the name must end in .html, .svg, .json or .paje", out);
        return 2;
    }
    if (out && same_file(in, out)) {
        complain("trace: %s is read, and -o would write over it: give another file", in);
        return 2;
    }
    FILE *f = is_dir(in) ? (errno = EISDIR, NULL) : fopen(in, "r");
    if (!f) {
        complain("trace: cannot read %s: %s", in, strerror(errno));
        return 1;
    }
    if (trace_read(f, &d, message, sizeof message)) {
        complain("trace: %s: %s", in, message);
        return 1;
    }
    fclose(f);
    if (!out) {
        print_summary(&d);
        return fflush(stdout) || ferror(stdout);
    }
    if (trace_write(out, &d, message, sizeof message)) {
        complain("trace: %s", message);
        return 1;
    }
    return 0;
}

const struct command command_trace = {
    .name = "trace",
    .summary = "turn a timeline into a page, a picture or another program's format",
    .usage = "usage: heddle trace FILE [-o OUT.html|OUT.svg|OUT.json|OUT.paje]\n"
             "\n"
             "HEDDLE_TRACE=FILE ./prog writes what ran where and when. Without -o: sums by name and track.\n"
             "With -o: a page to look at (zoom, search; works offline), a picture, Chrome's format for\n"
             "Perfetto, or Paje for ViTE. HEDDLE_TRACE=FILE.html and so on writes these at once.\n",
    .run = run,
};
