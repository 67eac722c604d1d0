/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the reader of traces and every form that is written; the text form is read again as it was. */
#include "fuzz.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS("\t\n\te0123456789-track\tname\tdropped\ttitle\0\1\377\303<&\""),
                                      .changes_least = 1,
                                      .changes_most = 5,
                                      .keep_first = 15,
                                      .cut = true,
                                      .digits = true};

/* A form of the document in memory; freed by the caller. */
static char *form(const struct trace_form *f, const struct trace_document *d, const uint8_t *depth, size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    FUZZ_PROMISE(out);
    const int error = f->write(out, d, depth);
    FUZZ_PROMISE(!fclose(out) && (!error || !strcmp(f->ending, ".html")));
    for (size_t k = 0; k < *size;
         k++) /* no byte that no document may hold, but the text form keeps names as they are */
        FUZZ_PROMISE(f == trace_forms || (uint8_t)text[k] >= ' ' || text[k] == '\n' || text[k] == '\t' ||
                     text[k] == '\r');
    return text;
}

static bool load(const void *data, size_t size, struct trace_document *d) {
    char message[256] = "";
    FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
    FUZZ_PROMISE(in);
    const int error = trace_read(in, d, message, sizeof message);
    fclose(in);
    FUZZ_PROMISE(!error == !*message);
    return !error;
}

static void look(struct trace_document *d) {
    uint8_t *depth;
    size_t size, again;
    FUZZ_PROMISE(!trace_sort(d, &depth));
    for (size_t k = 0; k < d->event_count; k++) {
        const struct trace_event *e = &d->events[k];
        FUZZ_PROMISE(e->begin >= 0 && e->end >= e->begin && e->end <= trace_length(d));
        FUZZ_PROMISE((size_t)e->track < d->track_count && (size_t)e->name < d->name_count &&
                     (!k || e->track >= e[-1].track));
    }
    for (const struct trace_form *f = trace_forms + 1; f->ending; f++)
        free(form(f, d, depth, &size));
    char *text = form(trace_forms, d, depth, &size);
    free(depth);
    struct trace_document twin;
    FUZZ_PROMISE(load(text, size, &twin) && twin.event_count == d->event_count && !trace_sort(&twin, &depth));
    char *second = form(trace_forms, &twin, depth, &again);
    FUZZ_PROMISE(size == again && !memcmp(text, second, size));
    free(text);
    free(second);
    free(depth);
    trace_free(&twin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct trace_document d;
    if (load(data, size, &d))
        look(&d);
    trace_free(&d);
    return 0;
}
