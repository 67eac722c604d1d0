/* SPDX-License-Identifier: Apache-2.0 */
/* The page: viewer.html with the trace put in as base64 of packed arrays, which a browser reads a million of in a
   moment. Times are 32 bits of a unit that makes the whole trace fit. */
#include "trace.h"
#include "viewer.h"
#include "core/text.h"
#include <stdlib.h>
#include <string.h>

struct base64 {
    FILE *out;
    uint32_t bits;
    int count;
};

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put(struct base64 *b, uint32_t value, int bytes) {
    for (int k = 0; k < bytes; k++, value >>= 8) { /* little end first, as typed arrays have it */
        b->bits = b->bits << 8 | (value & 255);
        if (++b->count == 3) {
            for (int q = 18; q >= 0; q -= 6)
                fputc(digits[b->bits >> q & 63], b->out);
            b->bits = 0, b->count = 0;
        }
    }
}

static void finish(struct base64 *b) {
    if (b->count) {
        const uint32_t bits = b->bits << (b->count == 1 ? 16 : 8);
        fputc(digits[bits >> 18 & 63], b->out);
        fputc(digits[bits >> 12 & 63], b->out);
        fputc(b->count == 2 ? digits[bits >> 6 & 63] : '=', b->out);
        fputc('=', b->out);
    }
    b->bits = 0, b->count = 0;
    fputs("\"", b->out);
}

static void print_tracks(FILE *out, const struct trace_document *d) {
    size_t event = 0;
    fputs("\"tracks\":[", out);
    for (size_t k = 0; k < d->track_count; k++) {
        const size_t start = event;
        while (event < d->event_count && d->events[event].track == (int32_t)k)
            event++;
        fputs(k ? ",\n{\"group\":" : "{\"group\":", out);
        heddle__print_json(out, d->tracks[k].group);
        fputs(",\"name\":", out);
        heddle__print_json(out, d->tracks[k].name);
        fprintf(out, ",\"count\":%zu}", event - start);
    }
    fputs("],\n", out);
}

static void print_names(FILE *out, const struct trace_document *d) {
    fputs("\"names\":[", out);
    for (size_t k = 0; k < d->name_count; k++) {
        fputs(k ? "," : "", out);
        heddle__print_json(out, d->names[k]);
    }
    fputs("],\n\"colours\":[", out);
    for (size_t k = 0; k < d->name_count; k++) {
        char rgb[8];
        trace_colour(d->names[k], rgb);
        fprintf(out, "%s\"%s\"", k ? "," : "", rgb);
    }
    fputs("],\n", out);
}

static void print_events(FILE *out, const struct trace_document *d, const uint8_t *depth, int64_t unit) {
    struct base64 b = {.out = out};
    fputs("\"begin\":\"", out);
    for (size_t k = 0; k < d->event_count; k++)
        put(&b, (uint32_t)(d->events[k].begin / unit), 4);
    finish(&b);
    fputs(",\n\"dur\":\"", out);
    for (size_t k = 0; k < d->event_count; k++) /* from the rounded begin, so that neighbours do not overlap */
        put(&b, (uint32_t)(d->events[k].end / unit - d->events[k].begin / unit), 4);
    finish(&b);
    fputs(",\n\"name\":\"", out);
    for (size_t k = 0; k < d->event_count; k++)
        put(&b, (uint32_t)d->events[k].name, 2);
    finish(&b);
    fputs(",\n\"depth\":\"", out);
    for (size_t k = 0; k < d->event_count; k++)
        put(&b, depth[k], 1);
    finish(&b);
}

int trace_write_page(FILE *out, const struct trace_document *d, const uint8_t *depth) {
    static const char slot[] = "/*HEAD*/";
    const char *page = (const char *)trace_viewer, *at = strstr(page, slot);
    const int64_t length = trace_length(d), unit = length / UINT32_MAX + 1;
    if (!at || d->name_count > 65536)
        return -1;
    fwrite(page, 1, (size_t)(at - page), out);
    fputs("{\"title\":", out);
    heddle__print_json(out, d->title ? d->title : "");
    fprintf(out, ",\"dropped\":%llu,\"unit\":%lld,\"length\":%lld,\n", (unsigned long long)d->dropped, (long long)unit,
            (long long)length);
    print_tracks(out, d);
    print_names(out, d);
    print_events(out, d, depth, unit);
    fputs("}", out);
    fputs(at + strlen(slot), out);
    return ferror(out);
}
