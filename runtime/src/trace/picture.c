/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture: one line per track, spans as boxes, in the manner of figures 2 and 3 of Tzeng, Lloyd and Owens,
 * "A GPU task-parallel model with dependency resolution" (2012): workers down, time across, so that idle time is
 * the white between boxes. Spans thinner than a quarter of a pixel are drawn together, or a large trace would
 * make a picture that no program opens.
 */
#include "trace.h"
#include "core/text.h"
#include <stdlib.h>
#include <string.h>

enum { LABEL = 150, WIDE = 1200, TOP = 40, BELOW = 52, MOST_TALL = 16, LEGEND = 12 };

struct scale {
    double x, row; /* pixels a nanosecond; height of a track */
    int64_t length;
};

static void print_axis(FILE *out, const struct scale *s, double bottom) {
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "\xc2\xb5s"}, {1, "ns"}};
    int u = 0;
    while (u < 3 && (double)s->length < 2 * units[u].ns)
        u++;
    double step = units[u].ns;
    while ((double)s->length / step > 16)
        step *= (double)s->length / step > 40 ? 5 : 2;
    for (double t = 0; t <= (double)s->length; t += step)
        fprintf(out,
                "<path d=\"M%.1f %dV%.1f\" stroke=\"#ccc\" stroke-width=\".5\"/><text x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"middle\">%g %s</text>\n",
                LABEL + t * s->x, TOP - 6, bottom, LABEL + t * s->x, bottom + 14, t / units[u].ns, units[u].name);
}

/* Spans of one track and depth, joined where they would be thinner than a quarter of a pixel. */
static void print_track(FILE *out, const struct trace_document *d, const uint8_t *depth, size_t first, size_t end,
                        const struct scale *s, double y) {
    for (size_t k = first; k < end; k++) {
        const struct trace_event *e = &d->events[k];
        const int level = depth[k] < 4 ? depth[k] : 4;
        int64_t until = e->end, busy = e->end - e->begin;
        size_t last = k;
        const int64_t pixel = (int64_t)(0.25 / s->x);
        while (!level && last + 1 < end && depth[last + 1] == 0 && d->events[last + 1].end - e->begin < pixel) {
            last++;
            until = d->events[last].end;
            busy += d->events[last].end - d->events[last].begin;
        }
        char rgb[8];
        trace_colour(d->names[e->name], rgb);
        const double inset = s->row * 0.12 * level, w = (double)(until - e->begin) * s->x;
        fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"",
                LABEL + (double)e->begin * s->x, y + inset, w > 0.25 ? w : 0.25, s->row * 0.86 - inset, rgb);
        if (last > k)
            fprintf(out, " opacity=\"%.2f\"", until > e->begin ? (double)busy / (double)(until - e->begin) : 1.);
        if (w > 3) {
            fputs("><title>", out);
            heddle__print_xml(out, d->names[e->name]);
            fprintf(out, ", %.3f ms</title></rect>\n", (double)(e->end - e->begin) / 1e6);
        } else {
            fputs("/>\n", out);
        }
        k = last;
    }
}

/* Which colour is what: the names with the most time, as many as the line holds. */
static void print_legend(FILE *out, const struct trace_document *d, double y) {
    double *time = calloc(d->name_count + 1, sizeof *time); /* sums of whole numbers might not fit */
    double x = LABEL;
    for (size_t k = 0; time && k < d->event_count; k++)
        time[d->events[k].name] += (double)(d->events[k].end - d->events[k].begin) + 1;
    for (int n = 0; time && n < LEGEND; n++) {
        size_t most = 0;
        for (size_t k = 1; k < d->name_count; k++)
            most = time[k] > time[most] ? k : most;
        if (!d->name_count || !(time[most] > 0))
            break;
        const double w = 24 + 6.2 * (double)strlen(d->names[most]);
        time[most] = 0;
        if (x + w > LABEL + WIDE)
            continue;
        char rgb[8];
        trace_colour(d->names[most], rgb);
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%.1f\" y=\"%.1f\">",
                x, y - 9, rgb, x + 14, y);
        heddle__print_xml(out, d->names[most]);
        fputs("</text>\n", out);
        x += w;
    }
    free(time);
}

int trace_write_picture(FILE *out, const struct trace_document *d, const uint8_t *depth) {
    const int groups = d->track_count ? d->tracks[d->track_count - 1].group_number + 1 : 0;
    struct scale s = {.length = trace_length(d)};
    s.x = (double)WIDE / (double)s.length;
    s.row = d->track_count > 60 ? 960. / (double)d->track_count : MOST_TALL;
    s.row = s.row < 1.5 ? 1.5 : s.row;
    const double bottom = TOP + (double)d->track_count * s.row + 18. * groups;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"18\" font-size=\"14\">",
            LABEL + WIDE + 40, bottom + BELOW);
    heddle__print_xml(out, d->title ? d->title : "");
    fprintf(out, ": %zu spans on %zu tracks</text>\n", d->event_count, d->track_count);
    print_axis(out, &s, bottom);
    print_legend(out, d, bottom + 38);
    double y = TOP;
    size_t event = 0;
    for (size_t k = 0; k < d->track_count; k++) {
        const struct trace_track *t = &d->tracks[k];
        if (!k || t->group_number != t[-1].group_number) {
            fputs("<text x=\"8\" fill=\"#667\" font-weight=\"bold\"", out);
            fprintf(out, " y=\"%.1f\">", y + 13);
            heddle__print_xml(out, t->group);
            fputs("</text>\n", out);
            y += 18;
        }
        if (s.row >= 9 || k % (size_t)(10 / s.row + 1) == 0) {
            fprintf(out, "<text x=\"14\" y=\"%.1f\" font-size=\"10\">", y + s.row * 0.5 + 3);
            heddle__print_xml(out, t->name);
            fputs("</text>\n", out);
        }
        const size_t first = event;
        while (event < d->event_count && d->events[event].track == (int32_t)k)
            event++;
        print_track(out, d, depth, first, event, &s, y);
        y += s.row;
    }
    fputs("</svg>\n", out);
    return ferror(out);
}
