/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regions_recorded.c - a file of HEDDLE_RECORD (runtime/src/selector/record.c) as a program for the simulator: the
 * regions of each thread in their order, with the time the thread took between them, the places where each may run, and
 * the data it shares with others. A kind's time on a class of places is the median of what ran there, as far as it had
 * the place for itself; where none ran, the kind is not placed.
 */
#include "driver.h"
#include "regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 15 };
enum {
    THREAD,
    ASKED,
    STARTED,
    TOOK,
    ALONE,
    REGION,
    WHERE,
    ITEMS,
    BYTES,
    DATA,
    DATA_BYTES,
    HOME,
    PLACE,
    CLASS,
    ALLOWED
};

struct line {
    double asked, end; /* seconds */
    unsigned long long data;
    char *allowed; /* "0;1;host" */
    struct event e;
};
struct reader {
    const char *path;
    struct program *p;
    struct line *line;
    long lines, room;
    char class[PLACES_MOST][64];
    int classes, number; /* number: of the line */
};

/* The field as a number from 0; whatever else it is ends the program. */
static double real(const struct reader *r, const char *text, const char *what) {
    double value;
    if (!real_number(text, 0, 1e18, &value))
        fail("sim: %s: line %d: %s is no number from 0: %.40s", r->path, r->number, what, text);
    return value;
}

static int device_of(const struct reader *r, const char *text) {
    long device;
    if (!strcmp(text, "host"))
        return -1;
    if (!whole_number(text, 0, 1000000, &device))
        fail("sim: %s: line %d: a place is host or the number of a device, not %.40s", r->path, r->number, text);
    return (int)device;
}

static int split(char *text, char **field, int room) {
    int n = 0;
    for (char *at = text; at && n < room; n++) {
        field[n] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = 0;
    }
    return n;
}

static int class_of(struct reader *r, const char *name) {
    for (int k = 0; k < r->classes; k++)
        if (!strcmp(r->class[k], name))
            return k;
    if (r->classes == PLACES_MOST)
        fail("sim: %s names more than %d kinds of devices", r->path, PLACES_MOST);
    snprintf(r->class[r->classes], sizeof *r->class, "%s", name);
    return r->classes++;
}

static int place_of(const struct program *p, int device) {
    for (int k = 0; k < p->places; k++)
        if (p->device[k] == device)
            return k;
    return -1;
}

static int add_place(struct reader *r, const char *text, const char *class) {
    struct program *p = r->p;
    const int device = device_of(r, text), there = place_of(p, device);
    if (there >= 0)
        return there;
    if (p->places == PLACES_MOST)
        fail("sim: %s names more than %d places", r->path, PLACES_MOST);
    p->device[p->places] = device;
    p->class[p->places] = class_of(r, class);
    p->latency[p->places] = 20e-6; /* until a link line tells */
    p->rate[p->places] = 1 / 8e9;
    snprintf(p->place_name[p->places], sizeof *p->place_name, "%s%s", strcmp(text, "host") ? "device " : "", text);
    return p->places++;
}

static int kind_of(struct reader *r, const char *name, double n, double bytes) {
    struct program *p = r->p;
    for (int k = p->kinds - 1; k >= 0; k--)
        if (p->kind[k].n == n && p->kind[k].bytes == bytes &&
            !strncmp(p->kind[k].name, name, sizeof p->kind[k].name - 1))
            return k;
    if (p->kinds == KINDS)
        fail("sim: %s has more than %d kinds of regions (code and size)", r->path, KINDS);
    struct kind *fresh = &p->kind[p->kinds];
    snprintf(fresh->name, sizeof fresh->name, "%s", name);
    fresh->n = n;
    fresh->bytes = bytes;
    for (int k = 0; k < PLACES_MOST; k++)
        fresh->time[k] = -1;
    return p->kinds++;
}

static void read_link(struct reader *r, char **field) {
    const int class = class_of(r, field[1]);
    double latency, rate;
    if (!real_number(field[2], -1e18, 1e18, &latency) || !real_number(field[3], -1e18, 1e18, &rate))
        fail("sim: %s: line %d: a link's times are no numbers: %.40s, %.40s", r->path, r->number, field[2], field[3]);
    for (int k = 0; k < r->p->places; k++)
        if (r->p->class[k] == class && r->p->device[k] >= 0) {
            r->p->latency[k] = latency > 0 ? 1e-6 * latency : 0; /* lines through what was measured may begin below 0 */
            r->p->rate[k] = rate > 0 ? 1e-9 * rate : 0;
        }
}

static void read_region(struct reader *r, char **field) {
    if (r->lines == r->room) {
        r->room = r->room ? 2 * r->room : 1024;
        r->line = realloc(r->line, (size_t)r->room * sizeof *r->line);
        if (!r->line)
            fail("out of memory");
    }
    long thread;
    char *end;
    if (!whole_number(field[THREAD], 1, THREADS, &thread))
        fail("sim: %s: line %d: a thread is a number from 1 to %d, not %.40s", r->path, r->number, THREADS,
             field[THREAD]);
    thread--;
    struct line *l = &r->line[r->lines++];
    *l = (struct line){.asked = 1e-6 * real(r, field[ASKED], "asked"),
                       .end = 1e-6 * (real(r, field[STARTED], "started") + real(r, field[TOOK], "took")),
                       .data = strtoull(field[DATA], &end, 16),
                       .allowed = field[ALLOWED]};
    if (*end)
        fail("sim: %s: line %d: data is no hexadecimal number: %.40s", r->path, r->number, field[DATA]);
    const double n = real(r, field[ITEMS], "n"), bytes = real(r, field[BYTES], "bytes");
    l->e = (struct event){.kind = kind_of(r, *field[WHERE] ? field[WHERE] : field[REGION], n, bytes),
                          .thread = (int)thread,
                          .took = 1e-6 * real(r, field[ALONE], "alone"),
                          .bytes = real(r, field[DATA_BYTES], "data_bytes"),
                          .place = add_place(r, field[PLACE], field[CLASS])};
    r->p->threads = thread >= r->p->threads ? thread + 1 : r->p->threads;
}

static int by_asked(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    return (x->asked > y->asked) - (x->asked < y->asked);
}

static int by_data(const void *a, const void *b) {
    const unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;
    return (x > y) - (x < y);
}

static void number_data(struct reader *r) {
    unsigned long long *all = malloc((size_t)r->lines * sizeof *all);
    int n = 0;
    if (!all)
        fail("out of memory");
    for (long k = 0; k < r->lines; k++)
        all[k] = r->line[k].data;
    qsort(all, (size_t)r->lines, sizeof *all, by_data);
    for (long k = 0; k < r->lines; k++)
        if (all[k] && (!n || all[n - 1] != all[k]))
            all[n++] = all[k];
    for (long k = 0; k < r->lines; k++) {
        const unsigned long long *at =
            r->line[k].data ? bsearch(&r->line[k].data, all, (size_t)n, sizeof *all, by_data) : NULL;
        r->line[k].e.data = at ? (int)(at - all) : -1;
    }
    r->p->datas = n;
    free(all);
}

static const struct program *sorted; /* for the comparison */
static int by_kind_class_took(const void *a, const void *b) {
    const struct event *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind - y->kind;
    if (sorted->class[x->place] != sorted->class[y->place])
        return sorted->class[x->place] - sorted->class[y->place];
    return (x->took > y->took) - (x->took < y->took);
}

/* Medians by kind and class. */
static void find_times(struct reader *r) {
    struct program *p = r->p;
    struct event *e = malloc((size_t)r->lines * sizeof *e);
    if (!e)
        fail("out of memory");
    memcpy(e, p->event, (size_t)r->lines * sizeof *e);
    sorted = p;
    qsort(e, (size_t)r->lines, sizeof *e, by_kind_class_took);
    for (long k = 0, next; k < r->lines; k = next) {
        for (next = k; next < r->lines && e[next].kind == e[k].kind && p->class[e[next].place] == p->class[e[k].place];
             next++)
            ;
        for (int j = 0; j < p->places; j++)
            if (p->class[j] == p->class[e[k].place])
                p->kind[e[k].kind].time[j] = e[(k + next) / 2].took;
    }
    free(e);
}

static unsigned allowed_places(const struct program *p, const struct reader *r, char *text) {
    unsigned set = 0;
    for (char *save = NULL, *word = strtok_r(text, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
        const int k = place_of(p, device_of(r, word));
        set |= k >= 0 ? 1u << k : 0;
    }
    return set;
}

/* By number, the host last, as policies know them. */
static void sort_places(struct reader *r) {
    struct program *p = r->p;
    static struct program old;
    int rank[PLACES_MOST];
    old = *p;
    for (int k = 0; k < old.places; k++) {
        rank[k] = 0;
        for (int j = 0; j < old.places; j++)
            rank[k] += (unsigned)old.device[j] < (unsigned)old.device[k]; /* -1 is the largest */
        p->device[rank[k]] = old.device[k];
        p->class[rank[k]] = old.class[k];
        p->latency[rank[k]] = old.latency[k];
        p->rate[rank[k]] = old.rate[k];
        memcpy(p->place_name[rank[k]], old.place_name[k], sizeof *p->place_name);
    }
    for (long k = 0; k < r->lines; k++)
        r->line[k].e.place = rank[r->line[k].e.place];
}

/* Each thread's regions in order, with its own time between them. */
static void make_events(struct reader *r) {
    struct program *p = r->p;
    double free_at[THREADS], first = 0, last = 0;
    sort_places(r);
    qsort(r->line, (size_t)r->lines, sizeof *r->line, by_asked);
    number_data(r);
    p->event = malloc((size_t)r->lines * sizeof *p->event);
    if (!p->event)
        fail("out of memory");
    first = r->line[0].asked;
    for (int t = 0; t < THREADS; t++)
        free_at[t] = first;
    for (long k = 0; k < r->lines; k++) {
        struct line *l = &r->line[k];
        double *at = &free_at[l->e.thread];
        l->e.think = l->asked > *at ? l->asked - *at : 0;
        l->e.allowed = allowed_places(p, r, l->allowed) | 1u << l->e.place;
        *at = l->end;
        last = l->end > last ? l->end : last;
        p->event[k] = l->e;
    }
    p->events = r->lines;
    p->recorded = last - first;
}

void sim_regions_read(struct program *p, const char *path) {
    struct reader r = {.path = path, .p = p};
    size_t size;
    char *text = read_file(path, &size), *field[FIELDS];
    if (!text)
        fail("sim: cannot read %s: %s", path, strerror(errno));
    if (!starts_with(text, "# heddle regions 1;"))
        fail("sim: %s is no file of HEDDLE_RECORD of this version; `heddle run --record=FILE ./prog` makes one", path);
    if (strlen(text) != size)
        fail("sim: %s: not a text file", path);
    char *last = strrchr(text, '\n');
    if (last)
        last[1] = 0; /* the last line of a program that was killed may be cut */
    p->threads = 1;
    for (char *line; (line = take_line(&text, &r.number));) {
        if (!*line || *line == '#' || starts_with(line, "thread,"))
            continue;
        const int n = split(line, field, FIELDS);
        if (n == 4 && !strcmp(field[0], "link"))
            read_link(&r, field);
        else if (n == FIELDS)
            read_region(&r, field);
        else
            fail("sim: %s: line %d has %d fields instead of %d", path, r.number, n, FIELDS);
    }
    if (!r.lines)
        fail("sim: %s has no regions", path);
    make_events(&r);
    find_times(&r);
    free(r.line);
}
