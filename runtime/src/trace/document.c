/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finished trace and its plain-text form, one item a line with tabs between fields:
 *
 *     heddle-trace 1
 *     title <text>
 *     dropped <count>
 *     track <group> <name>          numbered from 0 in order
 *     name <text>                   numbered from 0 in order
 *     e <track> <name> <begin> <duration>       nanoseconds
 */
#include "trace.h"
#include "core/replace.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const struct trace_event *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

/* Spans of a track that are open at the event's begin. */
static void find_depths(const struct trace_document *d, uint8_t *depth) {
    int64_t open[256];
    int count = 0;
    for (size_t k = 0; k < d->event_count; k++) {
        const struct trace_event *e = &d->events[k];
        if (k == 0 || e->track != d->events[k - 1].track)
            count = 0;
        while (count && open[count - 1] <= e->begin)
            count--;
        depth[k] = (uint8_t)count;
        if (count < 255)
            open[count++] = e->end;
    }
}

/* "SM 9" before "SM 10". */
static int compare_names(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *after_a, *after_b;
            const unsigned long x = strtoul(a, &after_a, 10), y = strtoul(b, &after_b, 10);
            if (x != y)
                return x < y ? -1 : 1;
            a = after_a - 1, b = after_b - 1;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        }
    }
    return (*a != 0) - (*b != 0);
}

struct numbered {
    struct trace_track track;
    size_t was;
};

static int compare_tracks(const void *a, const void *b) {
    const struct numbered *x = a, *y = b;
    if (x->track.group_number != y->track.group_number)
        return x->track.group_number < y->track.group_number ? -1 : 1;
    const int order = compare_names(x->track.name, y->track.name);
    return order ? order : (x->was > y->was) - (x->was < y->was);
}

static int compare_groups(const void *a, const void *b) {
    const struct numbered *x = a, *y = b;
    const int order = strcmp(x->track.group, y->track.group);
    return order ? order : (x->was > y->was) - (x->was < y->was);
}

/* A group has the place of its first track, */
static void number_groups(struct numbered *list, size_t count) {
    for (size_t k = 0; k < count; k++)
        list[k].track.group_number = k && !strcmp(list[k].track.group, list[k - 1].track.group)
                                         ? list[k - 1].track.group_number
                                         : (int)list[k].was;
}

/* and then a number from 0. */
static void count_groups(struct numbered *list, size_t count) {
    int groups = -1, last = -1;
    for (size_t k = 0; k < count; k++) {
        groups += list[k].track.group_number != last;
        last = list[k].track.group_number;
        list[k].track.group_number = groups;
    }
}

static int sort_tracks(struct trace_document *d) {
    struct numbered *list = malloc((d->track_count + 1) * sizeof *list);
    int32_t *now = malloc((d->track_count + 1) * sizeof *now);
    for (size_t k = 0; list && now && k < d->track_count; k++)
        list[k] = (struct numbered){d->tracks[k], k};
    if (list && now && d->track_count) {
        qsort(list, d->track_count, sizeof *list, compare_groups);
        number_groups(list, d->track_count);
        qsort(list, d->track_count, sizeof *list, compare_tracks);
        count_groups(list, d->track_count);
    }
    for (size_t k = 0; list && now && k < d->track_count; k++) {
        d->tracks[k] = list[k].track;
        now[list[k].was] = (int32_t)k;
    }
    for (size_t k = 0; list && now && k < d->event_count; k++)
        d->events[k].track = now[d->events[k].track];
    const int error = list && now ? 0 : -1;
    free(list);
    free(now);
    return error;
}

int trace_sort(struct trace_document *d, uint8_t **depth) {
    int64_t first = INT64_MAX;
    *depth = malloc(d->event_count + 1);
    if (!*depth || sort_tracks(d)) {
        free(*depth);
        return -1;
    }
    for (size_t k = 0; k < d->event_count; k++)
        first = d->events[k].begin < first ? d->events[k].begin : first;
    for (size_t k = 0; k < d->event_count; k++)
        d->events[k].begin -= first, d->events[k].end -= first;
    if (d->event_count)
        qsort(d->events, d->event_count, sizeof *d->events, compare);
    find_depths(d, *depth);
    return 0;
}

int64_t trace_length(const struct trace_document *d) {
    int64_t last = 1;
    for (size_t k = 0; k < d->event_count; k++)
        last = d->events[k].end > last ? d->events[k].end : last;
    return last;
}

void trace_free(struct trace_document *d) {
    for (size_t k = 0; k < d->track_count; k++) {
        free(d->tracks[k].group);
        free(d->tracks[k].name);
    }
    for (size_t k = 0; k < d->name_count; k++)
        free(d->names[k]);
    free(d->tracks);
    free(d->names);
    free(d->events);
    free(d->title);
    *d = (struct trace_document){0};
}

/* Tabs and line ends would end a field. */
static void print_field(FILE *out, const char *text) {
    for (; *text; text++)
        fputc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, out);
}

int trace_write_text(FILE *out, const struct trace_document *d, const uint8_t *depth) {
    (void)depth;
    fputs("heddle-trace 1\ntitle\t", out);
    print_field(out, d->title ? d->title : "");
    fprintf(out, "\ndropped\t%llu\n", (unsigned long long)d->dropped);
    for (size_t k = 0; k < d->track_count; k++) {
        fputs("track\t", out);
        print_field(out, d->tracks[k].group);
        fputc('\t', out);
        print_field(out, d->tracks[k].name);
        fputc('\n', out);
    }
    for (size_t k = 0; k < d->name_count; k++) {
        fputs("name\t", out);
        print_field(out, d->names[k]);
        fputc('\n', out);
    }
    for (size_t k = 0; k < d->event_count; k++) {
        const struct trace_event *e = &d->events[k];
        fprintf(out, "e\t%d\t%d\t%lld\t%lld\n", (int)e->track, (int)e->name, (long long)e->begin,
                (long long)(e->end - e->begin));
    }
    return ferror(out);
}

/* Room for one more in a list that doubles. */
static void *grown(void *list, size_t count, size_t size) {
    if (count & (count - 1) || count == 1)
        return list;
    return realloc(list, (count ? 2 * count : 2) * size);
}

/* What writing makes: print_field() left no tab and no carriage return. */
static bool is_field(const char *text) { return !text[strcspn(text, "\t\r")]; }

static int add_track(struct trace_document *d, char *group) {
    char *name = strchr(group, '\t'); /* group\tname */
    struct trace_track *more = name && is_field(name + 1) ? grown(d->tracks, d->track_count, sizeof *more)
                                                          : NULL; /* from here on the old list is gone */
    if (!more)
        return -1;
    *name++ = 0;
    d->tracks = more;
    d->tracks[d->track_count++] = (struct trace_track){strdup(group), strdup(name), 0};
    return d->tracks[d->track_count - 1].group && d->tracks[d->track_count - 1].name ? 0 : -1;
}

static int add_name(struct trace_document *d, const char *name) {
    char **more = grown(d->names, d->name_count, sizeof *more);
    if (!more)
        return -1;
    d->names = more;
    d->names[d->name_count++] = strdup(name);
    return d->names[d->name_count - 1] ? 0 : -1;
}

static int add_event(struct trace_document *d, const char *text) {
    int64_t v[4];
    struct trace_event *more = grown(d->events, d->event_count, sizeof *more);
    if (!more)
        return -1;
    d->events = more;
    for (int k = 0; k < 4; k++) {
        char *end;
        errno = 0;
        v[k] = strtoll(text, &end, 10);
        if (end == text || *end != (k < 3 ? '\t' : 0) || errno || v[k] < 0)
            return -1;
        text = end + 1;
    }
    if ((uint64_t)v[0] >= d->track_count || (uint64_t)v[1] >= d->name_count || v[3] > INT64_MAX - v[2])
        return -1;
    d->events[d->event_count++] = (struct trace_event){v[2], v[2] + v[3], (int32_t)v[0], (int32_t)v[1]};
    return 0;
}

static int add_line(struct trace_document *d, char *line) {
    if (!strncmp(line, "e\t", 2))
        return add_event(d, line + 2);
    if (!strncmp(line, "track\t", 6))
        return add_track(d, line + 6);
    if (!strncmp(line, "name\t", 5))
        return is_field(line + 5) ? add_name(d, line + 5) : -1;
    if (!strncmp(line, "title\t", 6) && is_field(line + 6)) {
        free(d->title);
        d->title = strdup(line + 6);
        return d->title ? 0 : -1;
    }
    if (!strncmp(line, "dropped\t", 8)) {
        char *end;
        errno = 0;
        d->dropped = strtoull(line + 8, &end, 10);
        return line[8] >= '0' && line[8] <= '9' && !*end && !errno ? 0 : -1;
    }
    return -1;
}

int trace_read(FILE *in, struct trace_document *d, char *message, size_t size) {
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    long number = 0;
    int error = 0;
    *d = (struct trace_document){0};
    while (!error && (n = getline(&line, &room, in)) >= 0) {
        if (n && line[n - 1] == '\n')
            line[--n] = 0;
        if (strlen(line) != (size_t)n)
            error = number++ ? -1 : 1;
        else
            error = number++ ? add_line(d, line) : strcmp(line, "heddle-trace 1") != 0;
    }
    if (!error && ferror(in))
        error = -1, number = 0;
    free(line);
    if (!number && !error)
        error = 1;
    if (error)
        snprintf(message, size,
                 error > 0 ? "not a heddle trace (first line is not \"heddle-trace 1\")"
                           : "line %ld is damaged or does not fit in memory",
                 number);
    return error ? -1 : 0;
}

const struct trace_form trace_forms[] = {
    {".trace", "plain text, which `heddle trace` reads", trace_write_text},
    {".html", "a page to look at: zoom, search, no network needed", trace_write_page},
    {".svg", "a picture", trace_write_picture},
    {".json", "Chrome's trace format, for Perfetto", trace_write_chrome},
    {".paje", "Paje, for ViTE", trace_write_paje},
    {NULL, NULL, NULL},
};

const struct trace_form *trace_form_of(const char *path) {
    const size_t n = strlen(path);
    for (const struct trace_form *f = trace_forms; f->ending; f++) {
        const size_t e = strlen(f->ending);
        if (n >= e && !strcmp(path + n - e, f->ending))
            return f;
    }
    return trace_forms;
}

static int write_form(const char *path, const struct trace_document *d, const uint8_t *depth) {
    struct heddle__replace out;
    return !heddle__replace_begin(&out, path, HEDDLE__REPLACE_NAMED) ||
           !heddle__replace_end(&out, !trace_form_of(path)->write(out.file, d, depth));
}

int trace_write(const char *path, struct trace_document *d, char *message, size_t size) {
    uint8_t *depth = NULL;
    int error = trace_sort(d, &depth);
    if (error) {
        snprintf(message, size, "no memory to sort %zu events", d->event_count);
    } else {
        errno = 0;
        error = write_form(path, d, depth);
        if (error)
            snprintf(message, size, "cannot write %s: %s", path,
                     errno ? strerror(errno) : "the trace does not fit this form");
        free(depth);
    }
    return error ? -1 : 0;
}

/* Hues from the name's hash, with lightness and saturation that dark text reads well on. */
void trace_colour(const char *name, char rgb[8]) {
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    hash ^= hash >> 15;
    const unsigned hue = hash % 1536, x = hue % 256, level = 200 + (hash >> 16) % 40;
    const unsigned corner[7][3] = {{255, 0, 0}, {255, 255, 0}, {0, 255, 0}, {0, 255, 255},
                                   {0, 0, 255}, {255, 0, 255}, {255, 0, 0}};
    unsigned c[3];
    for (int k = 0; k < 3; k++) {
        const unsigned pure = (corner[hue / 256][k] * (255 - x) + corner[hue / 256 + 1][k] * x) / 255;
        c[k] = level * (110 + pure * 145 / 255) / 255;
    }
    snprintf(rgb, 8, "#%02x%02x%02x", c[0] & 255, c[1] & 255, c[2] & 255);
}
