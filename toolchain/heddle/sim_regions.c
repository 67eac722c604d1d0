/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim_regions.c - `heddle sim regions`: the device selector's policies over a program of target regions, on a described machine or
 * with the times of a file of models. Threads of the program issue regions one after the other; a place runs one at a time;
 * each kind of region works on data of its own, which is at one place. Times are learnt as the program runs, from medians.
 */
#include "driver.h"
#include "sim_command.h"

#include <heddle/select.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of runtime/src/select, whose own header names things of a run */
extern const struct heddle_policy heddle__policy_fixed, heddle__policy_round_robin, heddle__policy_first_free, heddle__policy_history,
    heddle__policy_estimate_history, heddle__policy_earliest_finish, heddle__policy_lp;
int heddle__simplex(int rows, int columns, const double *a, const double *b, const double *c, double *x);

enum { KINDS = 64, PLACES_MOST = 16, THREADS = 64 };

struct kind {
    char name[80];
    double n, bytes, move[PLACES_MOST]; /* move: bringing its data there */
    double time[PLACES_MOST];           /* seconds; < 0: it never ran there */
};
struct program {
    struct kind kind[KINDS];
    int kinds, places, class[PLACES_MOST], device[PLACES_MOST]; /* device -1: the host */
    char place_name[PLACES_MOST][64];
    long threads, count;
    double noise;
    uint64_t seed;
};
struct measured {
    double sum;
    unsigned runs;
};
struct thread {
    double free_at;
    int kind, place; /* of the region it waits for; place < 0: none */
};
struct world {
    const struct program *p;
    struct measured known[KINDS][PLACES_MOST]; /* by class */
    double free_at[PLACES_MOST];
    int at[KINDS]; /* place of its data */
    unsigned long runs[KINDS], count[PLACES_MOST];
    struct thread thread[THREADS];
    double busy[PLACES_MOST], moved;
};

static const struct heddle_policy *const policies[] = {
    &heddle__policy_fixed, &heddle__policy_round_robin, &heddle__policy_first_free, &heddle__policy_history,
    &heddle__policy_estimate_history, &heddle__policy_earliest_finish, &heddle__policy_lp,
};

/* ---- the program: made from a machine, or read from models ---------------------------------------------------------- */
static void make(struct program *p, const struct sim_machine *m, long kinds, double each)
{
    uint64_t r = p->seed * 0x9e3779b97f4a7c15u + 7;
    p->kinds = (int)kinds;
    bool host = false;
    for (int d = 0; d < m->devices && p->places < PLACES_MOST; d++) {
        const int k = sim_kind_of(m, d);
        if (m->kind[k].host && host)
            continue; /* all threads of the host are one place */
        host = host || m->kind[k].host;
        p->class[p->places] = k;
        p->device[p->places] = m->kind[k].host ? -1 : p->places - host;
        snprintf(p->place_name[p->places++], sizeof *p->place_name, "%s", m->kind[k].name);
    }
    for (int j = 0; j < p->kinds; j++) {
        struct kind *kind = &p->kind[j];
        snprintf(kind->name, sizeof kind->name, "region %d", j);
        kind->n = floor(exp(2 + 8 * sim_uniform(&r)));
        for (int k = 0; k < p->places; k++) {
            const struct sim_kind *d = &m->kind[p->class[k]];
            const double threads = d->host ? d->count : 1;
            const double slow = d->curve > 0 ? -1 / expm1(log(0.05) * kind->n / d->curve) : 1;
            kind->time[k] = d->setup + kind->n * each / (d->speed * threads) * slow * exp(d->vary * sim_normal(&r));
            kind->move[k] = d->move * kind->n;
            p->noise = d->noise > p->noise ? d->noise : p->noise;
        }
    }
}

static int place_named(struct program *p, const char *name)
{
    for (int k = 0; k < p->places; k++)
        if (!strcmp(p->place_name[k], name))
            return k;
    if (p->places == PLACES_MOST)
        return -1;
    snprintf(p->place_name[p->places], sizeof *p->place_name, "%s", name);
    p->class[p->places] = p->places;
    int devices = 0;
    for (int k = 0; k < p->places; k++)
        devices += p->device[k] >= 0;
    p->device[p->places] = starts_with(name, "host") || strstr(name, "CPU") ? -1 : devices;
    return p->places++;
}

/* The cells of a file of models (runtime/src/select/model_file.c): one place for each class in it. */
static void read_models(struct program *p, const char *path)
{
    size_t size;
    char *text = read_file(path, &size), *save = NULL;
    if (!text)
        fail("sim: cannot read %s: %s", path, strerror(errno));
    if (!starts_with(text, "# heddle models ") || !strstr(text, "\nregion,where,device,host_ok,code,n,bytes,to_bytes,runs,median_us,"))
        fail("sim: %s is no file of models of this version; `heddle models` lists them", path);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *field[16] = {line}, *region = line;
        int fields = 1, k = 0;
        for (char *c = line; *c && fields < 16; c++)
            if (*c == ',') {
                *c = 0;
                field[fields++] = c + 1;
            }
        const char *class = field[2];
        if (fields < 10 || *region == '#' || *region == '(') /* ( begins a link, which is no region */
            continue;
        const double n = strtod(field[5], NULL), bytes = strtod(field[6], NULL), median = strtod(field[9], NULL);
        if (!(median > 0))
            continue;
        while (k < p->kinds && (strcmp(p->kind[k].name, region) != 0 || p->kind[k].n != n || p->kind[k].bytes != bytes))
            k++;
        const int place = place_named(p, class);
        if (k == KINDS || place < 0)
            continue;
        if (k == p->kinds) {
            struct kind *fresh = &p->kind[p->kinds++];
            snprintf(fresh->name, sizeof fresh->name, "%s", region);
            fresh->n = n;
            fresh->bytes = bytes;
            for (int j = 0; j < PLACES_MOST; j++)
                fresh->time[j] = -1;
        }
        p->kind[k].time[place] = 1e-6 * median;
    }
    if (!p->kinds)
        fail("sim: %s has no measured regions", path);
}

/* ---- one policy ------------------------------------------------------------------------------------------------------ */
static double predict(const struct world *w, int kind, int place)
{
    const struct measured *m = &w->known[kind][w->p->class[place]];
    return m->runs ? m->sum / m->runs : -1;
}

/* The ready set: what runs now and the region that asks, by kind. */
static int jobs_of(const struct world *w, struct heddle_job *job, const int *index, int count, int kind, double now)
{
    int of[KINDS] = {kind}, jobs = 1;
    memset(job, 0, sizeof *job * KINDS);
    job[0].count = 1;
    for (long t = 0; t < w->p->threads; t++) {
        const struct thread *other = &w->thread[t];
        int j = 0;
        if (other->place < 0 || other->free_at <= now)
            continue;
        while (j < jobs && of[j] != other->kind)
            j++;
        if (j == jobs)
            of[jobs++] = other->kind;
        job[j].count++;
        for (int k = 0; k < count; k++)
            job[j].placed[k] += index[k] == other->place;
    }
    for (int j = 0; j < jobs; j++)
        for (int k = 0; k < count; k++)
            job[j].run[k] = predict(w, of[j], index[k]);
    return jobs == 1 && job[0].count == 1 ? 0 : jobs;
}

static int choose(struct world *w, const struct heddle_policy *policy, void *state, int kind, double now)
{
    static struct heddle_job job[KINDS];
    struct heddle_place place[PLACES_MOST];
    int index[PLACES_MOST], count = 0, home = 0, learn = -1;
    for (int k = w->p->places - 1; k >= 0; k--)
        home = w->p->device[k] >= 0 ? k : home;
    for (int turn = 0; turn < 2 * w->p->places; turn++) { /* the host is the last, as in a real run */
        const int k = turn % w->p->places;
        if (w->p->kind[kind].time[k] < 0 || (turn < w->p->places) != (w->p->device[k] >= 0))
            continue;
        int busy = 0;
        for (long t = 0; t < w->p->threads; t++)
            busy += w->thread[t].place == k && w->thread[t].free_at > now;
        place[count] = (struct heddle_place){.device = w->p->device[k], .class = w->p->class[k], .run = predict(w, kind, k),
                                             .move = w->at[kind] == k ? 0 : w->p->kind[kind].move[k], .busy = busy,
                                             .wait = w->free_at[k] > now ? w->free_at[k] - now : 0,
                                             .samples = w->known[kind][w->p->class[k]].runs, .runs = w->runs[kind]};
        learn = place[count].samples || busy ? learn : count;
        index[count++] = k;
    }
    if (policy->learns && learn >= 0) /* every class is measured once before its number is trusted */
        return index[learn];
    struct heddle_choice c = {.region = w->p->kind[kind].name, .where = "", .runs = w->runs[kind], .n = w->p->kind[kind].n,
                              .bytes = w->p->kind[kind].bytes, .home = w->p->device[home], .count = count, .places = place, .job = job};
    c.jobs = jobs_of(w, job, index, count, kind, now);
    const int pick = policy->choose(&c, state);
    if (pick >= 0 && pick < count)
        return index[pick];
    return w->p->kind[kind].time[home] >= 0 ? home : index[0];
}

static double play(const struct program *p, const struct heddle_policy *policy, struct world *w)
{
    uint64_t r = p->seed + 99;
    double end = 0;
    void *state = policy->start ? policy->start() : NULL;
    memset(w, 0, sizeof *w);
    w->p = p;
    for (long t = 0; t < p->threads; t++)
        w->thread[t].place = -1;
    for (long k = 0; k < p->count * p->threads; k++) {
        long t = 0; /* whose region is done first issues the next one */
        for (long j = 1; j < p->threads; j++)
            t = w->thread[j].free_at < w->thread[t].free_at ? j : t;
        struct thread *me = &w->thread[t];
        const double now = me->free_at;
        const int kind = (int)(sim_random(&r) % (uint64_t)p->kinds);
        me->place = -1;
        const int at = choose(w, policy, state, kind, now);
        const double scatter = 1 + p->noise * sim_normal(&r), run = p->kind[kind].time[at] * (scatter > 0.3 ? scatter : 0.3);
        const double move = w->at[kind] == at ? 0 : p->kind[kind].move[at], from = w->free_at[at] > now ? w->free_at[at] : now;
        w->known[kind][p->class[at]].sum += run;
        w->known[kind][p->class[at]].runs++;
        w->runs[kind]++;
        w->count[at]++;
        w->busy[at] += move + run;
        w->moved += move;
        w->at[kind] = at;
        w->free_at[at] = from + move + run;
        *me = (struct thread){w->free_at[at], kind, at};
        end = w->free_at[at] > end ? w->free_at[at] : end;
    }
    if (policy->stop)
        policy->stop(state);
    return end;
}

/* min T: what of each kind runs where, in parts, without waiting and moving (Kim 2013): no policy can be faster. */
static double bound(const struct program *p)
{
    const int columns = p->kinds * p->places + 1, rows = p->places + p->kinds;
    double *a = calloc((size_t)(rows * columns), sizeof *a), *b = calloc((size_t)rows, sizeof *b), *c = calloc((size_t)columns, sizeof *c);
    double *x = calloc((size_t)columns, sizeof *x), best = 0;
    uint64_t r = p->seed + 99;
    if (!a || !b || !c || !x)
        fail("out of memory");
    for (long k = 0; k < p->count * p->threads; k++) {
        const int kind = (int)(sim_random(&r) % (uint64_t)p->kinds);
        double least = HUGE_VAL;
        sim_normal(&r);
        b[p->places + kind] -= 1;
        for (int j = 0; j < p->places; j++)
            least = p->kind[kind].time[j] >= 0 && p->kind[kind].time[j] < least ? p->kind[kind].time[j] : least;
        best += least / (double)p->threads;
    }
    c[columns - 1] = 1;
    for (int k = 0; k < p->places; k++) {
        for (int j = 0; j < p->kinds; j++) {
            a[k * columns + j * p->places + k] = p->kind[j].time[k] < 0 ? 1e6 : p->kind[j].time[k];
            a[(p->places + j) * columns + j * p->places + k] = -1;
        }
        a[k * columns + columns - 1] = -1;
    }
    const double t = heddle__simplex(rows, columns, a, b, c, x) ? 0 : x[columns - 1];
    return t > best ? t : best; /* one thread issues one region after the other */
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */
static bool whole(const char *text, long low, long high, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return end != text && !*end && *value >= low && *value <= high;
}

static void print(const struct program *p, const struct heddle_policy *policy, const struct world *w, double seconds, double least, bool json)
{
    if (json)
        printf("{\"policy\":\"%s\",\"seconds\":%.9g,\"bound\":%.9g,\"moved\":%.9g,\"places\":{", policy->name, seconds, least, w->moved);
    else
        printf("%-17s %12.3f %8.3f %10.3f ", policy->name, 1e3 * seconds, seconds > 0 ? least / seconds : 1, 1e3 * w->moved);
    for (int k = 0; k < p->places; k++)
        if (json)
            printf("%s\"%s %d\":[%lu,%.6f]", k ? "," : "", p->place_name[k], p->device[k], w->count[k], seconds > 0 ? w->busy[k] / seconds : 0);
        else
            printf(" %6lu %4.0f %%", w->count[k], seconds > 0 ? 100 * w->busy[k] / seconds : 0);
    puts(json ? "}}" : "");
}

int sim_regions_command(int argc, char **argv)
{
    static struct program p;
    static struct world w;
    struct sim_machine m;
    char message[SIM_MESSAGE];
    const char *models = NULL, *only = "all";
    long kinds = 12, seed = 1;
    double each = 1e-6;
    bool json = false;
    p.threads = 4;
    p.count = 500;
    sim_machine_words(&m, "cpu:8,gpu:1@200", message);
    for (int k = 1; k < argc; k++) {
        const char *a = argv[k], *v = strchr(a, '=') ? strchr(a, '=') + 1 : "";
        bool good = true;
        *message = 0;
        if (starts_with(a, "--devices="))
            good = sim_machine_words(&m, v, message);
        else if (starts_with(a, "--machine=")) {
            char *text = read_file(v, NULL);
            if (!text)
                fail("sim: cannot read %s: %s", v, strerror(errno));
            good = sim_machine_lines(&m, text, message);
        } else if (starts_with(a, "--models="))
            models = v;
        else if (starts_with(a, "--policy="))
            only = v;
        else if (!strcmp(a, "--json"))
            json = true;
        else if (starts_with(a, "--cost="))
            good = sim_seconds(v, &each) && each > 0;
        else
            good = (starts_with(a, "--threads=") && whole(v, 1, THREADS, &p.threads)) ||
                   (starts_with(a, "--count=") && whole(v, 1, 100000, &p.count)) ||
                   (starts_with(a, "--kinds=") && whole(v, 1, KINDS, &kinds)) ||
                   (starts_with(a, "--seed=") && whole(v, 0, 1000000000, &seed));
        if (!good) {
            complain("sim: %s%scannot use '%s'; `heddle sim --help`", message, *message ? ": " : "", a);
            return 2;
        }
    }
    p.seed = (uint64_t)seed;
    if (models)
        read_models(&p, models);
    else
        make(&p, &m, kinds, each);
    const double least = bound(&p);
    if (!json) {
        printf("%ld threads, %ld regions each, of %d kinds; no policy can take less than %.3f ms\n\n%-17s %12s %8s %10s ", p.threads, p.count,
               p.kinds, 1e3 * least, "policy", "ms", "of bound", "moving, ms");
        for (int k = 0; k < p.places; k++)
            printf(" %13.13s", p.place_name[k]);
        puts("");
    }
    int done = 0;
    for (size_t k = 0; k < sizeof policies / sizeof *policies; k++)
        if (!strcmp(only, "all") || !strcmp(only, policies[k]->name)) {
            const double seconds = play(&p, policies[k], &w);
            print(&p, policies[k], &w, seconds, least, json);
            done++;
        }
    if (!done)
        fail("sim: no policy '%s'; there are fixed, round-robin, first-free, history, estimate-history, earliest-finish and lp", only);
    return fflush(stdout) || ferror(stdout);
}
