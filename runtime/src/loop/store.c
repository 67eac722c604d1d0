/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What chunks of each loop took, for the next run of it: in memory while the program runs, in its file of models
 * between runs. Kept by loop (file and line) and by the name of the device, which says what the machine is; a schedule
 * gets what was measured on devices like those that take part.
 */
#include "engine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM = 512,
    MORE = 64,
    CLASSES = 16,
    TEXT = HEDDLE__LOOP_NAME,
    RECORDS = 1024,
    TEAMS = 96,
    LATEST = 3,
    LEARNING = 10 /* runs of a team */
};
enum { SETTLED = 8, FOR_RUNS = 14, AT_MOST = 224 };
static const double THREADS_START = 10e-3; /* seconds in which the host's threads have started, and much besides */
static const uint64_t HOST = 1ull << 63;   /* of devices by number */
static const double CHANGED = 2;           /* times what a settled team usually takes */

struct team { /* the whole loop, by those who took part */
    char name[TEXT];
    int size; /* of the loop: 2^size iterations or up to twice as many */
    long n[LATEST];
    double seconds[LATEST];
    int runs;
    double since; /* seconds that loops of this size have taken since it ran last, or was thought of first */
    double cut[HEDDLE__PARTS + 1]; /* for its next run, of so many parts */
    int parts;
};

struct settled {               /* of one length, in this process */
    int size, who, runs, left; /* for so many runs, of which so many are left */
    uint64_t equals;
    char device[TEXT]; /* HEDDLE_DEVICE then */
    char team[HEDDLE__TEAM_NAME];
};

struct heddle__record { /* one loop */
    char loop[TEXT];
    char class[CLASSES][TEXT];
    double rate[CLASSES], setup[CLASSES]; /* as they were last in this process; 0: not known */
    double ready[CLASSES]; /* until data that every chunk needs was there; in the file a line without iterations */
    int classes;
    struct heddle_loop_sample *sample;
    int *of;            /* class of each */
    int count, thinned; /* samples, and how many there were when those that say nothing new went */
    bool own;           /* ran in this process */
    int runs;           /* ... so often */
    uint64_t warm;      /* devices that took part in it, by number; the host's bit is the highest */
    struct team team[TEAMS];
    int teams;
    struct settled settled[SETTLED];
    int settleds;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct heddle__record *records[RECORDS];
static int known;
static char path[4096];
static enum { UNREAD, NOWHERE, READ } state;

/* ---- in memory ------------------------------------------------------------------------------------------------------
 */
static void say_full(void) {
    static bool said;
    if (!said)
        heddle__warn(NULL,
                     "%d loops are known, which is all that is kept of one program: what others take is forgotten at "
                     "its end, and they start from "
                     "nothing each time. `heddle models reset` makes room",
                     RECORDS);
    said = true;
}

static struct heddle__record *record_of(const char *loop, bool make) {
    for (int k = 0; k < known; k++)
        if (!strcmp(records[k]->loop, loop))
            return records[k];
    if (make && known == RECORDS)
        say_full();
    struct heddle__record *r = make && known < RECORDS ? calloc(1, sizeof *r) : NULL;
    if (!r)
        return NULL;
    heddle__line_name(r->loop, loop);
    return records[known++] = r;
}

static int class_in(struct heddle__record *r, const char *name) {
    for (int k = 0; k < r->classes; k++)
        if (heddle__line_named(r->class[k], name))
            return k;
    if (r->classes == CLASSES)
        return -1;
    heddle__line_name(r->class[r->classes], name);
    return r->classes++;
}

static void add(struct heddle__record *r, int class, const struct heddle_loop_sample *s, int count) {
    struct heddle_loop_sample *samples = realloc(r->sample, (size_t)(r->count + count) * sizeof *samples);
    r->sample = samples ? samples : r->sample;
    int *of = samples ? realloc(r->of, (size_t)(r->count + count) * sizeof *of) : NULL;
    r->of = of ? of : r->of;
    for (int k = 0; of && k < count; k++) {
        r->sample[r->count] = s[k];
        r->of[r->count++] = class;
    }
}

static struct team *team_of(struct heddle__record *r, const char *name, int size) {
    for (int k = 0; k < r->teams; k++)
        if (r->team[k].size == size && heddle__line_named(r->team[k].name, name))
            return &r->team[k];
    return NULL;
}

static struct team *make_team(struct heddle__record *r, const char *name, int size) {
    struct team *t = team_of(r, name, size);
    if (t)
        return t;
    if (r->teams == TEAMS) /* the oldest one goes */
        memmove(&r->team[0], &r->team[1], (size_t)--r->teams * sizeof *r->team);
    t = &r->team[r->teams++];
    *t = (struct team){.size = size};
    heddle__line_name(t->name, name);
    return t;
}

static void add_team(struct heddle__record *r, const char *name, long n, double seconds) {
    struct team *t = make_team(r, name, heddle__size_bucket(n));
    t->n[t->runs % LATEST] = n;
    t->seconds[t->runs++ % LATEST] = seconds;
}

/* Lines of one team stand together, in the order of their parts, behind those of what it took. */
static void add_cut(struct heddle__record *r, const char *name, long n, long first) {
    struct team *t = team_of(r, name, heddle__size_bucket(n));
    if (!t || t->parts >= HEDDLE__PARTS)
        return;
    t->cut[t->parts ? t->parts : 1] = (double)first / (double)n;
    t->parts += t->parts ? 1 : 2;
    t->cut[t->parts] = 1;
}

static void thin(struct heddle__record *r) {
    r->thinned = r->count = heddle__loop_keep(r->sample, r->of, r->count, r->classes, ROOM);
}

/* ---- the file -------------------------------------------------------------------------------------------------------
 */
static bool read_line(const char *text) {
    struct heddle__line line;
    if (!heddle__line_read(text, &line))
        return heddle__line_skipped(text);
    const struct heddle_loop_sample *s = &line.sample;
    struct heddle__record *r = record_of(line.loop, true);
    const bool wanted = r && !r->own; /* own: this process knows better */
    const int class =
        wanted && (line.kind == HEDDLE__LINE_CHUNK || line.kind == HEDDLE__LINE_READY) ? class_in(r, line.name) : -1;
    if (line.kind == HEDDLE__LINE_TEAM && wanted && s->compute > 0)
        add_team(r, line.name, s->n, s->compute);
    if (line.kind == HEDDLE__LINE_TEAM && wanted)
        make_team(r, line.name, heddle__size_bucket(s->n))->since = s->move;
    if (line.kind == HEDDLE__LINE_PARTS && wanted)
        add_cut(r, line.name, s->n, s->chunk.first);
    if (line.kind == HEDDLE__LINE_CHUNK && class >= 0)
        add(r, class, s, 1);
    if (line.kind == HEDDLE__LINE_READY && class >= 0)
        r->ready[class] = s->compute;
    return true;
}

static bool read_file(void *with) {
    (void)with;
    for (int k = 0; k < known; k++)
        if (!records[k]->own)
            records[k]->count = records[k]->teams = 0; /* read again */
    heddle__store_read(path, HEDDLE__LINES_HEADER, HEDDLE__LINES_COLUMNS, read_line, "loops");
    return true;
}

static void write_teams(FILE *f, const struct heddle__record *r) {
    for (int k = 0; k < r->teams; k++) {
        const struct team *t = &r->team[k];
        for (int i = t->runs > LATEST ? t->runs - LATEST : 0; i < t->runs; i++)
            heddle__line_write(f, HEDDLE__LINE_TEAM, r->loop, t->name,
                               &(struct heddle_loop_sample){
                                   .n = t->n[i % LATEST], .compute = t->seconds[i % LATEST], .move = t->since});
        if (!t->runs)
            heddle__line_write(f, HEDDLE__LINE_TEAM, r->loop, t->name,
                               &(struct heddle_loop_sample){.n = 1L << t->size, .move = t->since});
        const long n = t->runs ? t->n[(t->runs - 1) % LATEST] : 0;
        for (int i = 1; i < t->parts && n; i++)
            heddle__line_write(f, HEDDLE__LINE_PARTS, r->loop, t->name,
                               &(struct heddle_loop_sample){.n = n, .chunk.first = heddle__parts_first(t->cut, i, n)});
    }
}

static bool write_file(FILE *f, void *with) {
    (void)with;
    heddle__lines_begin(f);
    for (int k = 0; k < known; k++) {
        const struct heddle__record *r = records[k];
        for (int c = 0; c < r->classes; c++)
            heddle__line_write(f, HEDDLE__LINE_READY, r->loop, r->class[c],
                               &(struct heddle_loop_sample){.n = 1, .compute = r->ready[c]});
        write_teams(f, r);
        for (int i = 0; i < r->count; i++)
            heddle__line_write(f, HEDDLE__LINE_CHUNK, r->loop, r->class[r->of[i]], &r->sample[i]);
    }
    return !ferror(f);
}

static void open_store(void) {
    if (state != UNREAD)
        return;
    state = heddle__store_path(path, sizeof path, HEDDLE__LINES_SUFFIX) ? READ : NOWHERE;
    if (state == READ)
        read_file(NULL);
}

__attribute__((destructor)) static void close_store(void) {
    bool any = false;
    for (int k = 0; k < known && !heddle__forked_inside(); k++)
        any |= records[k]->own;
    if (any && state == READ)
        heddle__store_replace(path, read_file, write_file, NULL);
}

/* ---- for the engine -------------------------------------------------------------------------------------------------
 */
static _Thread_local char loop_case[64];

void heddle_loop_case(const char *name) {
    snprintf(loop_case, sizeof loop_case, "%s%s", name && *name ? " " : "", name ? name : "");
}

/* With the lock held. Records stay where they are, so a loop looks for its own once. */
static struct heddle__record *own_record(struct heddle__engine *e, bool make) {
    char text[TEXT];
    if (!*e->name) {
        snprintf(text, sizeof text, "%s:%d%s", e->type->site.file, e->type->site.line, loop_case);
        heddle__line_name(e->name, text);
    }
    open_store();
    if (!e->record)
        e->record = record_of(e->name, make);
    return e->record;
}

static int class_here(const struct heddle__engine *e, const char *name) {
    for (int k = 0; k < e->classes; k++)
        if (heddle__line_named(name, e->class_name[k]))
            return k;
    return -1;
}

/* With the lock held. */
static struct heddle__record *begin_recall(struct heddle__engine *e) {
    struct heddle__record *r = own_record(e, false);
    e->runs = r ? r->runs : 0;
    for (int c = 0; r && c < r->classes; c++) {
        const int here = class_here(e, r->class[c]);
        for (int k = 0; k < e->places && here >= 0; k++)
            if (e->place[k].class == here) {
                e->device[k].ready = e->place[k].device >= 0 ? r->ready[c] : 0;
                e->device[k].rate = r->rate[c];
                e->device[k].setup = r->setup[c];
            }
    }
    return r;
}

void heddle__loop_recall_rates(struct heddle__engine *e) {
    pthread_mutex_lock(&lock);
    begin_recall(e);
    pthread_mutex_unlock(&lock);
}

void heddle__loop_recall(struct heddle__engine *e) {
    pthread_mutex_lock(&lock);
    struct heddle__record *r = begin_recall(e);
    struct heddle_loop_sample *s = r ? malloc(((size_t)r->count + 1) * sizeof *s) : NULL;
    int *class = r ? malloc(((size_t)r->count + 1) * sizeof *class) : NULL, n = 0, here[CLASSES];
    for (int c = 0; r && c < r->classes; c++)
        here[c] = class_here(e, r->class[c]);
    for (int k = 0; s && class && k < r->count; k++) {
        if (here[r->of[k]] < 0)
            continue;
        s[n] = r->sample[k];
        class[n++] = here[r->of[k]];
    }
    pthread_mutex_unlock(&lock);
    e->problem.samples = n;
    e->problem.sample = s;
    e->problem.sample_class = class;
}

/* What disturbs a run makes it longer only: the shortest of the latest tells most. */
static double team_seconds(struct heddle__record *r, const char *team, long n, int *runs) {
    double each = HUGE_VAL;
    const struct team *t = team_of(r, team, heddle__size_bucket(n));
    const int count = *runs = t ? t->runs < LATEST ? t->runs : LATEST : 0;
    for (int k = 0; k < count; k++)
        each = fmin(each, t->seconds[k] / (double)t->n[k]);
    return count ? (double)n * each : 0;
}

struct heddle__known heddle__loop_team_known(struct heddle__engine *e, const char *team, uint64_t devices) {
    struct heddle__known known = {0};
    pthread_mutex_lock(&lock);
    struct heddle__record *r = own_record(e, false);
    if (r) {
        known.new = !team_of(r, team, heddle__size_bucket(e->n));
        const struct team *t = make_team(r, team, heddle__size_bucket(e->n));
        const int last = (t->runs + LATEST - 1) % LATEST;
        known.shortest = team_seconds(r, team, e->n, &known.runs);
        known.latest = t->runs ? t->seconds[last] / (double)t->n[last] * (double)e->n : 0;
        known.since = t->since;
        known.cold = devices & ~r->warm;
    }
    pthread_mutex_unlock(&lock);
    return known;
}

bool heddle__loop_recall_cut(struct heddle__engine *e) {
    pthread_mutex_lock(&lock);
    struct heddle__record *r = own_record(e, false);
    const struct team *t = r ? team_of(r, e->team, heddle__size_bucket(e->n)) : NULL;
    const bool valid = t && t->parts == e->places && heddle__parts_valid(t->parts, t->cut);
    if (valid)
        memcpy(e->cut, t->cut, sizeof e->cut);
    pthread_mutex_unlock(&lock);
    return valid;
}

/* Part k was device k's alone. */
static void note_cut(const struct heddle__engine *e, struct heddle__record *r) {
    struct team *t = team_of(r, e->team, heddle__size_bucket(e->n));
    double start[HEDDLE__PARTS], end[HEDDLE__PARTS];
    for (int k = 0; k < e->places; k++) {
        const struct heddle__place *p = &e->place[k];
        if (!t || p->iterations != heddle__parts_first(e->cut, k + 1, e->n) - heddle__parts_first(e->cut, k, e->n) ||
            !p->iterations)
            return;
        start[k] = p->entered > 0 ? p->ready : 0;
        end[k] = p->last;
    }
    memcpy(t->cut, e->cut, sizeof t->cut);
    t->parts = e->places;
    heddle__parts_move(t->parts, t->cut, start, end);
}

/* Cuts that are still on their way say what the team takes now, not what it can do: a loop over equal parts would be
   given up for chunks before its parts end together. So the first runs count as if they had. */
static double still_uneven(const struct heddle__engine *e, struct heddle__record *r) {
    const struct team *t = team_of(r, e->team, heddle__size_bucket(e->n));
    double last = 0, sum = 0;
    for (int k = 0; k < e->places; k++) {
        last = fmax(last, e->place[k].last);
        sum += e->place[k].last;
    }
    return e->problem.cut && (!t || t->runs < LEARNING) ? last - sum / e->places : 0;
}

/* A device's first chunk in a process takes much longer, and a short loop on the host does while its threads start:
   that run says nothing of its team, unless it was shorter than any before. */
static bool tells(struct heddle__record *r, const struct heddle__engine *e, uint64_t took_part, double seconds) {
    int runs = 0;
    const uint64_t cold = took_part & ~r->warm & (seconds < THREADS_START ? ~0ull : ~HOST);
    const double shortest = cold ? team_seconds(r, e->team, e->n, &runs) : 0;
    return !cold || (runs && seconds < shortest);
}

/* Whoever did not run has waited so much longer. */
static void grow_old(const struct heddle__engine *e, struct heddle__record *r, double seconds) {
    const int size = heddle__size_bucket(e->n);
    for (int k = 0; k < r->teams; k++)
        if (r->team[k].size == size)
            r->team[k].since = heddle__line_named(r->team[k].name, e->team) ? 0 : r->team[k].since + seconds;
}

static void note_team(const struct heddle__engine *e, struct heddle__record *r) {
    uint64_t took_part = 0;
    bool lost = false;
    for (int k = 0; k < e->places; k++) {
        took_part |= e->place[k].chunks
                         ? 1ull << (e->place[k].device < 0 || e->place[k].device > 62 ? 63 : e->place[k].device)
                         : 0;
        lost |= e->place[k].gone;
    }
    const double seconds = heddle__now() - e->start;
    int runs = 0;
    const double usual = e->settled == HEDDLE__OPEN ? 0 : team_seconds(r, e->team, e->n, &runs);
    const bool told = *e->team && !lost && tells(r, e, took_part, seconds);
    if (told)
        add_team(r, e->team, e->n, seconds - still_uneven(e, r));
    if (told && e->problem.cut)
        note_cut(e, r);
    grow_old(e, r, seconds);
    if (lost || (runs && seconds > CHANGED * usual))
        r->settleds = 0; /* all is looked at again */
    r->warm |= took_part;
}

static void note_rates(const struct heddle__engine *e, struct heddle__record *r) {
    for (int k = 0; k < e->places; k++) {
        const struct heddle__place *p = &e->place[k];
        const int class = class_in(r, e->class_name[p->class]);
        if (class < 0)
            continue;
        if (e->problem.samples && e->device[k].rate > 0)
            r->rate[class] = e->device[k].rate;
        else if (p->chunks && p->last > p->first)
            r->rate[class] = (double)p->iterations / (p->last - p->first);
        r->setup[class] = e->device[k].setup;
        if (p->device >= 0 && p->entered > 0)
            r->ready[class] = p->ready;
    }
}

void heddle__loop_remember(struct heddle__engine *e) {
    pthread_mutex_lock(&lock);
    struct heddle__record *r = own_record(e, true);
    if (r) {
        r->own = true;
        r->runs++;
        note_team(e, r);
        note_rates(e, r);
        for (int k = 0; k < e->samples; k++) {
            const int class = class_in(r, e->class_name[e->sample[k].class]);
            if (class >= 0)
                add(r, class, &e->sample[k].sample, 1);
        }
        if (r->count > r->thinned + MORE)
            thin(r);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- who is settled
 * --------------------------------------------------------------------------------------------------- */
static struct settled *settled_of(struct heddle__record *r, const struct heddle__engine *e, const char *device) {
    const int size = heddle__size_bucket(e->n);
    for (int k = 0; k < r->settleds; k++)
        if (r->settled[k].size == size && !strcmp(r->settled[k].device, device))
            return &r->settled[k];
    return NULL;
}

void heddle__loop_settle(struct heddle__engine *e, int settled) {
    char device[HEDDLE__OPTION_MAX];
    heddle__option_read("device", device, sizeof device);
    pthread_mutex_lock(&lock);
    struct heddle__record *r = own_record(e, true);
    struct settled *s = r && strlen(device) < TEXT ? settled_of(r, e, device) : NULL;
    const int before = s && s->who == settled && !strcmp(s->team, e->team) ? 2 * s->runs : FOR_RUNS;
    if (r && !s && strlen(device) < TEXT) {
        if (r->settleds == SETTLED)
            memmove(&r->settled[0], &r->settled[1], (size_t)--r->settleds * sizeof *s);
        s = &r->settled[r->settleds++];
    }
    if (s) {
        *s = (struct settled){.size = heddle__size_bucket(e->n),
                              .who = settled,
                              .equals = e->equals,
                              .runs = before < AT_MOST ? before : AT_MOST};
        s->left = s->runs;
        memcpy(s->device, device, strlen(device) + 1);
        memcpy(s->team, e->team, sizeof s->team);
    }
    pthread_mutex_unlock(&lock);
}

void heddle__loop_recall_settled(struct heddle__engine *e) {
    char device[HEDDLE__OPTION_MAX];
    heddle__option_read("device", device, sizeof device);
    e->settled = HEDDLE__OPEN;
    pthread_mutex_lock(&lock);
    struct heddle__record *r = own_record(e, false);
    struct settled *s = r ? settled_of(r, e, device) : NULL;
    if (s && s->left-- > 0) {
        e->settled = s->who;
        e->equals = s->equals;
        memcpy(e->team, s->team, sizeof e->team);
    }
    pthread_mutex_unlock(&lock);
}
