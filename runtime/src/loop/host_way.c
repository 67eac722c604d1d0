/* SPDX-License-Identifier: Apache-2.0 */
#include "host_way.h"
#include "device/start.h"
#include "early.h"
#include "trace/record.h"
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ONE, ALL };
enum { TRIAL = 2 /* calls: the first one finds threads asleep */ };
enum { SAMPLE = 16 /* calls */, UNEVEN = 8 /* one of so many iterations of a part went to another thread */ };
enum { RUNS = 4 /* calls, whose fastest is what a way takes */, LOOKS = 3 };
enum { WAYS = 64, HELD = 4 };
static const double LONG = 10e-6;  /* seconds by one thread, some times a team's start */
static const double SHARE = 0.01;  /* of a loop's time may go into trying the slower way again */
static const double SURELY = 0.75; /* of its threads' time a team has worked: one thread alone is slower */
static const double HINDERED = 4;  /* times as long as alone, at most, threads work that are in each other's way */
static const double DISTURBED = 2; /* times what is usual: more is taken for others' doing */
static const float NEW = 1.0f / 8, FASTER = 1.0f / 2; /* of what was measured counts */

static int size_of(long n) { return 63 - __builtin_clzl((unsigned long)n); }

/* Of a thread: pointers, since thread-local storage is made, and zeroed, for each thread that meets the library. */
static _Thread_local struct heddle__host_way **ways;
HEDDLE__AT_HAND static pthread_key_t key; /* frees them with the thread */
HEDDLE__AT_HAND static pthread_once_t once = PTHREAD_ONCE_INIT;
HEDDLE__AT_HAND static bool able;

/* The first loops that the process meets need no memory. */
HEDDLE__AT_HAND static struct heddle__host_way at_hand[HELD];
HEDDLE__AT_HAND static atomic_int held;

static struct heddle__host_way *new_way(void) {
    const int mine = atomic_load_explicit(&held, memory_order_relaxed) < HELD ? atomic_fetch_add(&held, 1) : HELD;
    return mine < HELD ? &at_hand[mine] : calloc(1, sizeof(struct heddle__host_way));
}

static void free_way(struct heddle__host_way *w) {
    if (w < at_hand || w >= at_hand + HELD)
        free(w);
}

static void forget(void *with) {
    struct heddle__host_way **all = with;
    for (int k = 0; k < WAYS; k++)
        free_way(all[k]);
    free(all);
    ways = NULL; /* destructors of others may run a loop yet */
}

static void make_key(void) { able = !pthread_key_create(&key, forget); }

static bool has_ways(void) {
    if (ways)
        return true;
    pthread_once(&once, make_key);
    struct heddle__host_way **fresh = able ? calloc(WAYS, sizeof *fresh) : NULL;
    if (!fresh || pthread_setspecific(key, fresh)) {
        free(fresh);
        return false;
    }
    ways = fresh;
    return true;
}

/* NULL: out of memory. */
static struct heddle__host_way *way_at(size_t place) {
    if (!has_ways())
        return NULL;
    if (!ways[place])
        ways[place] = new_way();
    return ways[place];
}

struct heddle__host_way *heddle__host_way(const struct heddle_loop *l, long n) {
    if (l->chunk || (l->schedule && strcmp(l->schedule, "auto") != 0 && strcmp(l->schedule, "static") != 0) ||
        !heddle__team_keeps(l))
        return NULL;
    const int size = size_of(n);
    const unsigned kind = heddle__loop_case_number();
    const uintptr_t number = ((uintptr_t)l->type >> 4) * 31 + (uintptr_t)size * 7 + kind;
    struct heddle__host_way *w = way_at(number * 0x9e3779b97f4a7c15ull >> 58);
    if (!w)
        return NULL;
    if (w->type != l->type || w->size != size || w->kind != kind || w->device != l->device ||
        w->schedule != l->schedule)
        *w = (struct heddle__host_way){
            .type = l->type, .size = size, .kind = kind, .device = l->device, .schedule = l->schedule, .even = true};
    else
        w->valid = w->valid && w->left && !(w->early && !heddle__devices_wait()) &&
                   w->mark == heddle__decision_mark() && w->allowed == omp_get_max_threads();
    return w;
}

/* Nobody is to be told of each call. */
static bool silent(void) {
    char option[HEDDLE__OPTION_MAX];
    heddle__option_read("explain", option, sizeof option);
    bool said = strcmp(option, "1") == 0;
    heddle__option_read("verbose", option, sizeof option);
    said |= strcmp(option, "0") != 0;
    return !said;
}

static void make(struct heddle__host_way *w, int threads, bool equal) {
    const bool any = heddle__options_any();
    if (w->threads != threads || w->equal != equal) {
        memset(w->by, 0, sizeof w->by);
        w->looks = w->alone = w->trial = 0;
        w->even = true;
    }
    w->allowed = omp_get_max_threads();
    w->mark = heddle__decision_mark();
    w->threads = threads;
    w->equal = equal;
    w->early = false;
    w->left = -1;
    w->valid = !any || silent();
}

void heddle__host_way_make(struct heddle__host_way *w, const struct heddle__engine *e) {
    make(w, e->participants, e->policy == &heddle__loop_static);
}

void heddle__host_way_lend(struct heddle__host_way *w, const struct heddle__engine *e, int calls) {
    make(w, heddle__host_threads(), w->schedule && !strcmp(w->schedule, "static"));
    w->left = calls;
    w->set = e->set;
}

static bool option_is(const char *name, const char *value) {
    char option[HEDDLE__OPTION_MAX];
    heddle__option_read(name, option, sizeof option);
    return strcmp(option, value) == 0;
}

static bool are_options_plain(void) {
    return (option_is("device", "auto") || option_is("device", "host")) && option_is("for", "auto") &&
           heddle__device_slowness(HEDDLE_DEVICE_HOST) <= 1;
}

bool heddle__host_way_known(struct heddle__host_way *w, const struct heddle_loop *l) {
    if (w->valid)
        return true;
    if (l->type->host_only && (l->device == HEDDLE_DEVICE_AUTO || l->device == HEDDLE_DEVICE_HOST) &&
        (!heddle__options_any() || are_options_plain()) && !omp_in_parallel())
        make(w, heddle__host_threads(), l->schedule && !strcmp(l->schedule, "static"));
    return w->valid;
}

bool heddle__host_way_early(struct heddle__host_way *w, const struct heddle_loop *l) {
    if (w->valid)
        return w->early;
    const bool equal = l->schedule && !strcmp(l->schedule, "static"); /* each thread its part of the whole */
    if (l->type->host_only || l->device != HEDDLE_DEVICE_AUTO || equal ||
        (heddle__options_any() && !(are_options_plain() && option_is("device", "auto") && silent())))
        return false;
    make(w, heddle__host_threads(), false);
    return w->early = w->valid;
}

double heddle__host_way_each(const struct heddle__host_way *w) {
    const struct heddle__way_times *one = &w->by[ONE], *all = &w->by[ALL];
    return one->runs && !(all->runs && all->each < one->each) ? (double)one->each : all->runs ? (double)all->each : 0;
}

void heddle__host_way_prepare(void) {
    has_ways();
    silent();
    option_is("for", "auto");
    heddle__device_slowness(HEDDLE_DEVICE_HOST);
    heddle__decision_mark();
}

/* ---- one thread or all ------------------------------------------------------------------------------------------- */
/* All threads lost to one, perhaps since others had their cores then: they are tried again after 4 calls, 16 and 64,
   whatever that takes, where they could win more than a team's start takes. */
static bool is_doubtful(struct heddle__host_way *w, int best, long n) {
    if (best != ONE || w->looks == LOOKS || (double)n * (double)w->by[ONE].each < LONG ||
        ++w->alone < 4 << 2 * w->looks)
        return false;
    w->alone = 0;
    w->looks++;
    return true;
}

/* One thread is tried once where it may be as fast: threads have to be woken, and short loops wait for them longer
   than they compute. Later the slower way is tried again for a share of the time. */
static int choose(struct heddle__host_way *w, long n) {
    const struct heddle__way_times *one = &w->by[ONE], *all = &w->by[ALL];
    if (w->threads < 2 || n < 2)
        return ONE;
    if (w->equal || !all->runs || w->trial)
        return ALL;
    if (!one->runs)
        return all->runs >= RUNS && all->work < fmin(SURELY * w->threads, HINDERED) * all->each ? ONE : ALL;
    const int best = one->each < all->each ? ONE : ALL;
    const struct heddle__way_times *other = &w->by[!best];
    if (!is_doubtful(w, best, n) &&
        SHARE * other->since <= (double)n * fmaxf(other->cost, other->each - w->by[best].each))
        return best;
    w->trial = best == ONE ? TRIAL : 0;
    return !best;
}

/* One call less of those that it was lent for; none, if what it takes has changed. */
static void spend(struct heddle__host_way *w, const struct heddle__way_times *t, long n, double seconds) {
    if (w->left < 0)
        return;
    w->spent += seconds;
    w->left = t->runs && seconds > DISTURBED * (double)t->each * (double)n ? 0 : w->left - 1;
}

static void note(struct heddle__host_way *w, int by, long n, double seconds, double work) {
    struct heddle__way_times *t = &w->by[by], *other = &w->by[!by];
    spend(w, t, n, seconds);
    if (w->early)
        heddle__early_pay(seconds);
    const float each = (float)(seconds / (double)n), part = (float)(work / (double)n);
    const bool first = !t->runs || (t->runs < RUNS && each < t->each); /* threads had to start, or a core was taken */
    const bool tried = other->runs && t->runs && t->each > other->each;
    other->since += (float)seconds;
    t->cost = tried ? (t->since > 0 ? 0 : t->cost) + each - other->each : 0; /* of all calls of a trial */
    t->since = 0;
    if (by == ALL && w->trial && --w->trial)
        return;
    const float now = tried || each < (float)DISTURBED * t->each ? each : (float)DISTURBED * t->each;
    t->each = first || tried ? each : t->each + (now - t->each) * (now < t->each ? FASTER : NEW);
    if (work >= 0)
        t->work = first ? part : t->work + (part - t->work) * NEW;
    t->runs += t->runs < RUNS;
}

static struct heddle__team team_of(const struct heddle__host_way *w, const struct heddle_loop *l, long n,
                                   double start) {
    struct heddle__team t = {
        .loop = l, .n = n, .start = start, .threads = w->threads < n ? w->threads : (int)n, .all = w->threads};
    t.each = w->equal ? 1 : heddle__team_pieces(&t, (double)w->by[ALL].work * (double)n);
    t.steals = t.each > 1;
    t.even = w->even;
    return t;
}

/* ---- a call ------------------------------------------------------------------------------------------------------ */
/* Arrays that lie where they lay are not compared again. all: all of the loop's sections, and gets what is between
   those of any chunk. */
static bool are_apart(struct heddle__host_way *w, const struct heddle_loop *l, long n, struct heddle_map *all) {
    struct heddle_map whole[l->nmaps + 1];
    const int count = l->nmaps + l->nkept;
    bool same = count <= HEDDLE__WAY_MAPS && !l->nrows;
    for (int k = 0; same && k < l->nmaps; k++)
        same =
            w->apart[k].base == all[k].base && w->apart[k].first == all[k].first && w->apart[k].bytes == all[k].bytes;
    for (int k = l->nmaps; same && k < count; k++)
        same = w->apart[k].base == l->maps[k].base;
    for (int k = 0; same && k < l->nmaps; k++) {
        all[k].first = w->apart[k].all_first;
        all[k].bytes = w->apart[k].all_bytes;
    }
    if (same)
        return true;
    if (l->nmaps)
        memcpy(whole, all, (size_t)l->nmaps * sizeof *all);
    if (!heddle__loop_check_apart(l, n, all, true))
        return false;
    for (int k = l->nmaps; k < count && count <= HEDDLE__WAY_MAPS; k++)
        w->apart[k].base = l->maps[k].base;
    for (int k = 0; k < l->nmaps && count <= HEDDLE__WAY_MAPS; k++) {
        w->apart[k].base = whole[k].base;
        w->apart[k].first = whole[k].first;
        w->apart[k].bytes = whole[k].bytes;
        w->apart[k].all_first = all[k].first;
        w->apart[k].all_bytes = all[k].bytes;
    }
    return true;
}

/* May each thread look up what its part reads, and compare that with what all write? Elsewhere devices have to be asked
   for it, or what is written is looked up as well. */
static bool reaches_by_parts(const struct heddle_loop *l, bool parallel) {
    bool written = false;
    for (int k = 0; k < l->nmaps; k++)
        written |= (l->maps[k].kind & (HEDDLE_MAP_REACHED | HEDDLE_MAP_W)) == (HEDDLE_MAP_REACHED | HEDDLE_MAP_W);
    return parallel && !written && !heddle__devices_started();
}

/* Chunks in any order are what one thread does not do, so nothing is looked at for it but where the arrays are, unless
   its code needs them apart. all: the sections, less what threads are to look up themselves. */
static bool is_at_hand(struct heddle__host_way *w, const struct heddle_loop *l, long n, bool parallel,
                       struct heddle_map *all) {
    const bool apart = parallel || l->type->host_overlapping;
    if ((!l->nmaps && !l->nrows) || (!apart && !heddle__devices_started()))
        return true;
    heddle__loop_find_sections(l, 0, n, all);
    if (l->type->reach && !reaches_by_parts(l, parallel))
        heddle__loop_reach_all(l, n, all);
    return heddle__maps_holder(all, l->nmaps) == HEDDLE_DEVICE_HOST && (!apart || are_apart(w, l, n, all));
}

static void run_alone(struct heddle__host_way *w, const struct heddle_loop *l, long n, double start) {
    l->type->host(l->env, l->lo, l->step, n, l->red);
    const double seconds = heddle__now() - start;
    note(w, ONE, n, seconds, seconds);
    heddle__loop_report_team(l, NULL, n, start, seconds);
}

/* What threads have worked together lies on a line of each; < 0: known well enough. */
static double work_of(struct heddle__host_way *w, const struct heddle__team *t) {
    const struct heddle__team_part *part = heddle__team_parts(t->threads);
    double work = 0;
    if (w->by[ALL].runs >= RUNS && !w->trial && ++w->sampled < SAMPLE)
        return -1;
    w->sampled = 0;
    w->even = true;
    for (int k = 0; k < t->threads; k++) {
        work += part[k].end - part[k].begin;
        w->even = w->even && labs(part[k].iterations * t->threads - t->n) * UNEVEN <= t->n;
    }
    return work;
}

static bool run_all(struct heddle__host_way *w, const struct heddle_loop *l, long n, double start,
                    const struct heddle_map *all) {
    struct heddle__team t = team_of(w, l, n, start);
    t.others = l->type->reach && reaches_by_parts(l, true) ? all : NULL;
    if (!heddle__team_run(&t))
        return false;
    const double seconds = heddle__now() - start;
    note(w, ALL, n, seconds, work_of(w, &t));
    heddle__loop_report_team(l, &t, n, start, seconds);
    return true;
}

bool heddle__host_way_run(struct heddle__host_way *w, const struct heddle_loop *l, long n, double start) {
    const bool parallel = choose(w, n) == ALL;
    struct heddle_map all[l->nmaps + 1];
    if (heddle__trace_on() || omp_in_parallel() || !is_at_hand(w, l, n, parallel, all))
        return false;
    if (!parallel) {
        run_alone(w, l, n, start);
        return true;
    }
    const int seat = heddle__seat_take();
    if (seat < 0)
        return false;
    const bool done = run_all(w, l, n, start, all);
    heddle__seat_leave(seat);
    return done;
}
