/* SPDX-License-Identifier: Apache-2.0 */
/* Chrome's trace event format (JSON), as Perfetto and chrome://tracing read it: complete events in microseconds,
   a group is a process, a track a thread. */
#include "trace.h"
#include "core/text.h"

static void print_tracks(FILE *out, const struct trace_document *d) {
    for (size_t k = 0; k < d->track_count; k++) {
        const struct trace_track *t = &d->tracks[k];
        fprintf(out,
                "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":%zu,\"args\":{\"name\":", t->group_number,
                k);
        heddle__print_json(out, t->group);
        fprintf(out, "}},\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%zu,\"args\":{\"name\":",
                t->group_number, k);
        heddle__print_json(out, t->name);
        fprintf(out,
                "}},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,\"tid\":%zu,\"args\":{\"sort_index\":%zu}"
                "},\n",
                t->group_number, k, k);
    }
}

int trace_write_chrome(FILE *out, const struct trace_document *d, const uint8_t *depth) {
    (void)depth; /* spans of a track nest by their times */
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out);
    print_tracks(out, d);
    for (size_t k = 0; k < d->event_count; k++) {
        const struct trace_event *e = &d->events[k];
        fputs("{\"ph\":\"X\",\"name\":", out);
        heddle__print_json(out, d->names[e->name]);
        fprintf(out, ",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f},\n", d->tracks[e->track].group_number,
                (int)e->track, (double)e->begin / 1e3, (double)(e->end - e->begin) / 1e3);
    }
    /* JSON has no comma after the last one */
    fprintf(out, "{\"ph\":\"M\",\"name\":\"heddle_dropped\",\"pid\":0,\"tid\":0,\"args\":{\"count\":%llu}}]}\n",
            (unsigned long long)d->dropped);
    return ferror(out);
}
