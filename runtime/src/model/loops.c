/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each loop, in memory and as rows of the program's file. */
#include "loops.h"
#include "core/internal.h"
#include "file.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct heddle__record *records[RECORDS];
static int known;
static bool loaded; /* the file was read */

void heddle__loops_lock(void) { pthread_mutex_lock(&lock); }
void heddle__loops_unlock(void) { pthread_mutex_unlock(&lock); }

/* ---- in memory -------------------------------------------------------------------------------------------- */

static void say_full(void) {
    static bool said;
    if (!said)
        heddle__warn(NULL,
                     "%d loops are known, which is all that is kept of one program: what others take is forgotten at "
                     "its end, and they start from nothing each time. `heddle models reset` makes room",
                     RECORDS);
    said = true;
}

static struct heddle__record *record_of(const char *loop, bool make) {
    for (int k = 0; k < known; k++)
        if (heddle__name_is(records[k]->loop, loop, sizeof records[k]->loop))
            return records[k];
    if (make && known == RECORDS)
        say_full();
    struct heddle__record *r = make && known < RECORDS ? calloc(1, sizeof *r) : NULL;
    if (!r)
        return NULL;
    heddle__name_copy(r->loop, loop, sizeof r->loop);
    return records[known++] = r;
}

int heddle__record_class(struct heddle__record *r, const char *name) {
    for (int k = 0; k < r->classes; k++)
        if (heddle__name_is(r->class[k], name, sizeof r->class[k]))
            return k;
    if (r->classes == HEDDLE__LOOP_CLASSES)
        return -1;
    heddle__name_copy(r->class[r->classes], name, sizeof *r->class);
    return r->classes++;
}

void heddle__record_add(struct heddle__record *r, int class, const struct heddle_loop_sample *s) {
    struct heddle_loop_sample *samples = realloc(r->sample, (size_t)(r->count + 1) * sizeof *samples);
    r->sample = samples ? samples : r->sample;
    int *of = samples ? realloc(r->of, (size_t)(r->count + 1) * sizeof *of) : NULL;
    r->of = of ? of : r->of;
    if (!of)
        return;
    r->sample[r->count] = *s;
    r->of[r->count++] = class;
}

static int size_of(long n) { return 63 - __builtin_clzl((unsigned long)(n > 0 ? n : 1)); }

struct heddle__set_times *heddle__record_set(struct heddle__record *r, struct heddle__device_set set, long n,
                                             bool make) {
    const int size = size_of(n);
    for (int k = 0; k < r->sets; k++)
        if (r->set[k].size == size && r->set[k].set.form == set.form && r->set[k].set.classes == set.classes)
            return &r->set[k];
    if (!make)
        return NULL;
    if (r->sets == HEDDLE__LOOP_SETS) /* the oldest one goes */
        memmove(&r->set[0], &r->set[1], (size_t)--r->sets * sizeof *r->set);
    r->set[r->sets] = (struct heddle__set_times){.set = set, .size = size};
    return &r->set[r->sets++];
}

void heddle__set_add(struct heddle__set_times *t, long n, double seconds) {
    t->n[t->runs % HEDDLE__LOOP_LATEST] = n;
    t->seconds[t->runs++ % HEDDLE__LOOP_LATEST] = seconds;
}

void heddle__record_age(struct heddle__record *r, struct heddle__device_set set, long n, double seconds) {
    struct heddle__set_times *own = heddle__record_set(r, set, n, false);
    for (int k = 0; k < r->sets; k++)
        if (r->set[k].size == size_of(n))
            r->set[k].since = &r->set[k] == own ? 0 : r->set[k].since + seconds;
}

struct heddle__cached_choice *heddle__record_choice(struct heddle__record *r, const char *device, long n, bool make) {
    const int size = size_of(n);
    for (int k = 0; k < r->choices; k++)
        if (r->choice[k].size == size && !strcmp(r->choice[k].device, device))
            return &r->choice[k];
    if (!make || strlen(device) >= sizeof r->choice->device)
        return NULL;
    if (r->choices == HEDDLE__LOOP_CHOICES)
        memmove(&r->choice[0], &r->choice[1], (size_t)--r->choices * sizeof *r->choice);
    struct heddle__cached_choice *c = &r->choice[r->choices++];
    *c = (struct heddle__cached_choice){.size = size};
    strcpy(c->device, device);
    return c;
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* Classes joined by ';'. A set with one that finds no room is not kept. */
static struct heddle__device_set set_of(struct heddle__record *r, long form, const char *classes) {
    struct heddle__device_set set = {.form = (enum heddle__set_form)form};
    char name[HEDDLE__LOOP_NAME];
    for (const char *at = classes; *at;) {
        const size_t length = strcspn(at, ";");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const int class = heddle__record_class(r, name);
        if (class < 0)
            return (struct heddle__device_set){.form = HEDDLE__SET_NONE};
        set.classes |= 1u << class;
        at += length + (at[length] == ';');
    }
    return set;
}

static void take_set(struct heddle__record *r, const struct heddle__row *row) {
    const struct heddle__device_set set = set_of(r, row->set.form, row->device);
    struct heddle__set_times *t = set.form == HEDDLE__SET_NONE ? NULL : heddle__record_set(r, set, row->set.n, true);
    if (t && row->set.seconds > 0)
        heddle__set_add(t, row->set.n, row->set.seconds);
    if (t)
        t->since = row->set.since;
}

/* Rows of a split stand behind those of the set's times, in the order of the parts; others are left out. */
static void take_split(struct heddle__record *r, const struct heddle__row *row) {
    struct heddle__set_times *t = heddle__record_set(r, set_of(r, row->split.form, row->device), row->split.n, false);
    if (!t || row->split.part >= HEDDLE__SPLIT_PARTS || row->split.part != (t->parts ? t->parts : 1))
        return;
    t->split[row->split.part] = row->split.share;
    t->parts = (int)row->split.part + 1;
    t->split[t->parts] = 1;
}

static bool take(const struct heddle__row *row) {
    struct heddle__record *r = record_of(row->name, true);
    if (!r || r->own) /* this process knows better */
        return true;
    const bool of_set = row->kind == HEDDLE__ROW_SET || row->kind == HEDDLE__ROW_SPLIT;
    const int class = of_set ? -1 : heddle__record_class(r, row->device);
    if (row->kind == HEDDLE__ROW_SET)
        take_set(r, row);
    else if (row->kind == HEDDLE__ROW_SPLIT)
        take_split(r, row);
    else if (class >= 0 && row->kind == HEDDLE__ROW_CHUNK)
        heddle__record_add(r, class, &row->chunk);
    else if (class >= 0)
        r->ready[class] = row->ready;
    return true;
}

/* What this process has not run is read again. */
static void forget(void) {
    for (int k = 0; k < known; k++)
        if (!records[k]->own)
            records[k]->count = records[k]->sets = 0;
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

static void join(const struct heddle__record *r, unsigned classes, char *text, size_t size) {
    size_t length = 0;
    *text = 0;
    for (int c = 0; c < r->classes; c++)
        if (classes >> c & 1 && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ";" : "", r->class[c]);
}

static void write_set(FILE *f, const struct heddle__record *r, const struct heddle__set_times *t) {
    char devices[HEDDLE__LOOP_CLASSES * (HEDDLE__LOOP_NAME + 1)];
    struct heddle__row row = {.kind = HEDDLE__ROW_SET, .name = r->loop, .device = devices};
    join(r, t->set.classes, devices, sizeof devices);
    row.set.form = t->set.form;
    row.set.since = t->since;
    for (int i = t->runs > HEDDLE__LOOP_LATEST ? t->runs - HEDDLE__LOOP_LATEST : 0; i < t->runs; i++) {
        row.set.n = t->n[i % HEDDLE__LOOP_LATEST];
        row.set.seconds = t->seconds[i % HEDDLE__LOOP_LATEST];
        heddle__row_write(f, &row);
    }
    if (!t->runs) {
        row.set.n = 1L << t->size;
        row.set.seconds = 0;
        heddle__row_write(f, &row);
    }
    const long n = t->runs ? t->n[(t->runs - 1) % HEDDLE__LOOP_LATEST] : 0;
    row.kind = HEDDLE__ROW_SPLIT;
    for (int i = 1; i < t->parts && n; i++) {
        row.split.form = t->set.form, row.split.n = n, row.split.part = i, row.split.share = t->split[i];
        heddle__row_write(f, &row);
    }
}

static void write_record(FILE *f, const struct heddle__record *r) {
    for (int c = 0; c < r->classes; c++)
        heddle__row_write(f,
                          &(struct heddle__row){
                              .kind = HEDDLE__ROW_READY, .name = r->loop, .device = r->class[c], .ready = r->ready[c]});
    for (int k = 0; k < r->sets; k++)
        write_set(f, r, &r->set[k]);
    for (int i = 0; i < r->count; i++)
        heddle__row_write(
            f, &(struct heddle__row){
                   .kind = HEDDLE__ROW_CHUNK, .name = r->loop, .device = r->class[r->of[i]], .chunk = r->sample[i]});
}

static void write_records(FILE *f) {
    for (int k = 0; k < known; k++)
        write_record(f, records[k]);
}

static struct heddle__store store = {.suffix = HEDDLE__LOOPS_SUFFIX,
                                     .what = "loops",
                                     .kinds = HEDDLE__ROW_BIT(HEDDLE__ROW_CHUNK) | HEDDLE__ROW_BIT(HEDDLE__ROW_READY) |
                                              HEDDLE__ROW_BIT(HEDDLE__ROW_SET) | HEDDLE__ROW_BIT(HEDDLE__ROW_SPLIT),
                                     .forget = forget,
                                     .take = take,
                                     .write = write_records};

struct heddle__record *heddle__record_find(const char *loop, bool make) {
    if (!loaded)
        heddle__store_load(&store);
    loaded = true;
    return record_of(loop, make);
}

__attribute__((destructor)) static void save(void) {
    bool any = false;
    for (int k = 0; k < known && !heddle__forked_inside(); k++)
        any |= records[k]->own;
    if (any)
        heddle__store_save(&store);
}
