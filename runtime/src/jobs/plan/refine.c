/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The makespan of jobs with setups, by linear programs (Kim 2013, section 4.3). The first program charges every setup.
 * Each round takes pairs of a kind and a resource out, which sets their setups free, until the makespan grows, there is
 * no solution, or the next device would have to wait for the answer.
 */
#include "plan.h"
#include "model/lp/lp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GAIN = 1e-9, PART = 0.01; /* gains that count; of the makespan that deciding may take */
enum { COST = 1200, LEAST = 12 };             /* the search solves COST / (kinds x resources) programs, or LEAST */

/* Of a pair: its setup is paid before anything else; it may not be used; its setup is paid job by job, which costs no
   more than either. */
enum state { USED, UNUSED, UNDECIDED };

struct search {
    const struct heddle__jobs_program *p;
    const struct heddle__jobs_refinement *how;
    struct heddle_jobs_report *report;
    double *load, *fixed, *share, *best; /* best: jobs */
    double *total, *part;                /* jobs of a type; of a pair's type the part that is on its resource */
    enum state *state;                   /* of pairs */
    bool *possible;                      /* of pairs: some kind can run there */
    double makespan;                     /* of the best; HUGE_VAL: there is none yet */
    double limit;                        /* seconds for all of it */
    int left;                            /* programs that the search may still solve */
};

bool heddle__jobs_program_make(struct heddle__jobs_program *p, int kinds, int resources) {
    const size_t pairs = (size_t)kinds * (size_t)resources, n = 2 * pairs + (size_t)kinds + (size_t)resources;
    double *all = calloc(n + 1, sizeof *all);
    int *type = malloc(((size_t)kinds + 1) * sizeof *type);
    *p = (struct heddle__jobs_program){.kinds = kinds, .types = kinds, .resources = resources, .type = type};
    p->setup = all;
    p->each = all + pairs;
    p->count = all + 2 * pairs;
    p->rest = all + 2 * pairs + kinds;
    for (int j = 0; type && j < kinds; j++)
        type[j] = j;
    return all && type;
}

void heddle__jobs_program_free(struct heddle__jobs_program *p) {
    free(p->setup);
    free(p->type);
}

double heddle__jobs_makespan(const struct heddle__jobs_program *p, const double *x) {
    double longest = 0;
    for (int r = 0; r < p->resources; r++) {
        double end = p->rest[r];
        bool used = false;
        for (int j = 0; j < p->kinds; j++) {
            if (!(x[j * p->resources + r] > 0))
                continue;
            bool paid = false;
            for (int k = 0; k < j && p->types < p->kinds; k++)
                paid = paid || (p->type[k] == p->type[j] && x[k * p->resources + r] > 0);
            end += p->each[j * p->resources + r] * x[j * p->resources + r];
            end += paid ? 0 : p->setup[p->type[j] * p->resources + r];
            used = true;
        }
        longest = used && end > longest ? end : longest;
    }
    return longest;
}

static int pairs_of(const struct search *s) { return s->p->types * s->p->resources; }

static bool is_late(struct search *s) {
    if (!s->how->spent || s->how->spent(s->how->with) <= s->limit)
        return false;
    s->report->timed_out = true;
    return true;
}

/* The program for these states; keeps the jobs if they are the best. Nothing is below its value, whatever becomes of
   the undecided. -1: no solution. */
static double solve(struct search *s) {
    const struct heddle__jobs_program *p = s->p;
    const int n = p->resources;
    memcpy(s->fixed, p->rest, (size_t)n * sizeof *s->fixed);
    for (int k = 0; k < pairs_of(s); k++)
        if (s->state[k] == USED && s->possible[k] && !s->how->no_setup)
            s->fixed[k % n] += p->setup[k];
    for (int j = 0; j < p->kinds; j++)
        for (int r = 0; r < n; r++) {
            const int pair = p->type[j] * n + r;
            double each = p->each[j * n + r];
            if (s->state[pair] == UNDECIDED && each >= 0)
                each += p->setup[pair] / s->total[p->type[j]];
            s->load[j * n + r] = s->state[pair] == UNUSED ? -1 : each * p->count[j];
        }
    s->report->rounds++;
    const double bound = heddle__unrelated(p->kinds, n, s->load, s->fixed, s->share);
    if (bound < 0)
        return -1;
    memset(s->part, 0, (size_t)pairs_of(s) * sizeof *s->part);
    for (int j = 0; j < p->kinds; j++)
        for (int r = 0; r < n; r++) {
            s->share[j * n + r] *= p->count[j];
            s->part[p->type[j] * n + r] += s->share[j * n + r] / s->total[p->type[j]];
        }
    const double makespan = heddle__jobs_makespan(p, s->share);
    if (s->makespan > makespan) {
        s->makespan = makespan;
        memcpy(s->best, s->share, (size_t)(p->kinds * n) * sizeof *s->best);
    }
    return bound;
}

/* The pair with the smallest part of its type, of equal ones that with the largest setup. -1: none. */
static int smallest(const struct search *s, bool zeros) {
    const struct heddle__jobs_program *p = s->p;
    double least = HUGE_VAL;
    int best = -1;
    for (int k = 0; k < pairs_of(s); k++) {
        const double ratio = s->part[k];
        if (s->state[k] == UNUSED || !s->possible[k] || (!zeros && !(ratio > 0)))
            continue;
        if (ratio < least || (ratio == least && p->setup[k] > p->setup[best])) {
            least = ratio;
            best = k;
        }
    }
    return best;
}

/* Pairs without jobs are not used from now on. Returns how many of them had a setup. */
static int take_zeros_out(struct search *s) {
    int count = 0;
    for (int k = 0; k < pairs_of(s); k++)
        if (s->state[k] != UNUSED && !(s->part[k] > 0)) {
            s->state[k] = UNUSED;
            count += s->possible[k] && s->p->setup[k] > 0;
        }
    return count;
}

/* False: nothing is left to take out. */
static bool take_out(struct search *s, enum heddle__jobs_reading reading) {
    int type, resource;
    if (s->how->rule && s->how->rule(s->how->with, s->share, &type, &resource)) {
        s->state[type * s->p->resources + resource] = UNUSED;
        return true;
    }
    if (reading == HEDDLE__JOBS_AT_ONCE && take_zeros_out(s))
        return true;
    const int pair = smallest(s, reading == HEDDLE__JOBS_ZEROS);
    if (pair >= 0)
        s->state[pair] = UNUSED;
    return pair >= 0;
}

static void rounds(struct search *s, enum heddle__jobs_reading reading, double last) {
    for (int round = 0; round < pairs_of(s) && !is_late(s) && take_out(s, reading); round++) {
        const double bound = solve(s);
        /* taking out a pair without jobs gains nothing where another resource ends last, and opens the way */
        if (bound < 0 || bound > last * (1 + GAIN) || (reading != HEDDLE__JOBS_ZEROS && bound >= last * (1 - GAIN)))
            return;
        last = bound;
    }
}

static void set_all(struct search *s, enum state state) {
    for (int k = 0; k < pairs_of(s); k++)
        s->state[k] = state;
}

/* The undecided pair whose setup is furthest from being paid; -1: all are. */
static int to_decide(const struct search *s, bool *use) {
    const struct heddle__jobs_program *p = s->p;
    double most = 0;
    int best = -1;
    for (int k = 0; k < pairs_of(s); k++) {
        const double unpaid = s->state[k] == UNDECIDED ? p->setup[k] * fmin(s->part[k], 1 - s->part[k]) : 0;
        if (unpaid > most) {
            most = unpaid;
            best = k;
            *use = s->part[k] >= 0.5;
        }
    }
    return best;
}

/* Branch and bound, the likelier branch first, cut off by number and clock. */
static void decide(struct search *s) {
    bool use = false;
    if (s->left-- <= 0 || is_late(s))
        return;
    const double bound = solve(s);
    const int pair = bound < 0 || bound >= s->makespan * (1 - GAIN) ? -1 : to_decide(s, &use);
    if (pair < 0)
        return;
    s->state[pair] = use ? USED : UNUSED;
    decide(s);
    s->state[pair] = use ? UNUSED : USED;
    decide(s);
    s->state[pair] = UNDECIDED;
}

/* From what the spread setups would have: the pairs without jobs are out, and so on. */
static void best_of_both(struct search *s) {
    set_all(s, UNDECIDED);
    const double first = solve(s);
    s->report->first = s->makespan;
    if (first < 0)
        return;
    s->limit = fmin(s->limit, PART * first);
    s->left = COST / (s->p->kinds * s->p->resources);
    s->left = s->left > LEAST ? s->left : LEAST;
    set_all(s, USED);
    if (!is_late(s) && (s->report->first = solve(s)) >= 0)
        rounds(s, HEDDLE__JOBS_AT_ONCE, s->report->first);
    set_all(s, UNDECIDED);
    decide(s);
}

static void search(struct search *s) {
    if (s->how->reading == HEDDLE__JOBS_BEST && !s->how->no_setup) {
        best_of_both(s);
        return;
    }
    set_all(s, USED);
    const double first = solve(s);
    s->report->first = s->makespan;
    if (first >= 0 && !s->how->no_setup)
        rounds(s, s->how->reading, first);
}

static void look_up(struct search *s) {
    const struct heddle__jobs_program *p = s->p;
    memset(s->total, 0, (size_t)p->types * sizeof *s->total);
    memset(s->possible, 0, (size_t)pairs_of(s) * sizeof *s->possible);
    for (int j = 0; j < p->kinds; j++) {
        s->total[p->type[j]] += p->count[j];
        for (int r = 0; r < p->resources; r++)
            s->possible[p->type[j] * p->resources + r] |= p->each[j * p->resources + r] >= 0;
    }
}

/* Until the next device has nothing to do; those that wait already do not count. */
static double time_limit(const struct heddle__jobs_program *p) {
    double least = HUGE_VAL;
    for (int r = 0; r < p->resources; r++)
        if (p->rest[r] > 0)
            least = fmin(least, p->rest[r]);
    return least;
}

double heddle__jobs_refine(const struct heddle__jobs_program *p, const struct heddle__jobs_refinement *how, double *x) {
    const size_t all = (size_t)p->kinds * (size_t)p->resources, pairs = (size_t)p->types * (size_t)p->resources;
    struct heddle_jobs_report nobody;
    struct search s = {.p = p, .how = how, .report = how->report ? how->report : &nobody, .makespan = HUGE_VAL};
    double *numbers = malloc((2 * all + pairs + (size_t)p->resources + (size_t)p->types + 1) * sizeof *numbers);
    s.state = malloc((pairs + 1) * sizeof *s.state);
    s.possible = malloc((pairs + 1) * sizeof *s.possible);
    *s.report = (struct heddle_jobs_report){.rounds = 0};
    if (numbers && s.state && s.possible) {
        s.load = numbers;
        s.share = s.load + all;
        s.part = s.share + all;
        s.fixed = s.part + pairs;
        s.total = s.fixed + p->resources;
        s.best = x;
        s.limit = time_limit(p);
        look_up(&s);
        search(&s);
    }
    free(numbers);
    free(s.state);
    free(s.possible);
    s.report->last = s.makespan;
    return s.makespan < HUGE_VAL ? s.makespan : -1;
}
