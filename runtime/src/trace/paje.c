/* SPDX-License-Identifier: Apache-2.0 */
/* Paje's trace format (for ViTE and others): groups and tracks are containers, spans push and pop states. */
#include "trace.h"
#include "core/text.h"
#include <stdlib.h>

static const char header[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 2\n% Alias string\n% Type string\n% Name string\n% Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n% Time date\n% Alias string\n% Type string\n% Container string\n% Name "
    "string\n%EndEventDef\n"
    "%EventDef PajePushState 4\n% Time date\n% Type string\n% Container string\n% Value string\n%EndEventDef\n"
    "%EventDef PajePopState 5\n% Time date\n% Type string\n% Container string\n%EndEventDef\n"
    "0 G 0 Group\n0 T G Track\n1 S T Span\n";

static void print_letter(FILE *out, char c) { fputc(c == '"' ? '\'' : c, out); }

static void print_name(FILE *out, const char *text) {
    fputc('"', out);
    heddle__print_text(out, text, print_letter);
    fputc('"', out);
}

static void print_definitions(FILE *out, const struct trace_document *d) {
    fputs(header, out);
    for (size_t k = 0; k < d->name_count; k++) {
        char rgb[8];
        unsigned c = 0;
        trace_colour(d->names[k], rgb);
        c = (unsigned)strtoul(rgb + 1, NULL, 16);
        fprintf(out, "2 n%zu S ", k);
        print_name(out, d->names[k]);
        fprintf(out, " \"%.3f %.3f %.3f\"\n", (c >> 16) / 255., (c >> 8 & 255) / 255., (c & 255) / 255.);
    }
    for (size_t k = 0; k < d->track_count; k++) {
        const struct trace_track *t = &d->tracks[k];
        if (!k || t->group_number != t[-1].group_number) {
            fprintf(out, "3 0 g%d G 0 ", t->group_number);
            print_name(out, t->group);
            fputc('\n', out);
        }
        fprintf(out, "3 0 t%zu T g%d ", k, t->group_number);
        print_name(out, t->name);
        fputc('\n', out);
    }
}

struct change {
    int64_t time;
    size_t event;
    bool push;
};

/* In time; at one time pops come first, the inner ones before the outer. */
static int compare(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->push != y->push)
        return x->push ? 1 : -1;
    return x->push == (x->event > y->event) ? 1 : -1;
}

int trace_write_paje(FILE *out, const struct trace_document *d, const uint8_t *depth) {
    struct change *list = malloc((2 * d->event_count + 1) * sizeof *list);
    size_t count = 0;
    (void)depth;
    if (!list)
        return -1;
    print_definitions(out, d);
    for (size_t k = 0; k < d->event_count; k++)
        if (d->events[k].end > d->events[k].begin) {
            list[count++] = (struct change){d->events[k].begin, k, true};
            list[count++] = (struct change){d->events[k].end, k, false};
        }
    qsort(list, count, sizeof *list, compare);
    for (size_t k = 0; k < count; k++) {
        const struct trace_event *e = &d->events[list[k].event];
        if (list[k].push)
            fprintf(out, "4 %.9f S t%d n%d\n", (double)list[k].time / 1e9, (int)e->track, (int)e->name);
        else
            fprintf(out, "5 %.9f S t%d\n", (double)list[k].time / 1e9, (int)e->track);
    }
    free(list);
    return ferror(out);
}
