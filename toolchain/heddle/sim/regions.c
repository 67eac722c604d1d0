/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regions.c - `heddle sim regions`: the device selector's policies over a program of target regions, on a described
 * machine or with the times of a file of models (each kind of region then works on data of its own), or over a program
 * that was recorded.
 */
#include "model/table.h"
#include "command.h"
#include "regions.h"
#include "selector/policy/table.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct heddle_policy *const policies[] = {HEDDLE_POLICIES(HEDDLE__POLICY_ROW)};

enum { POLICIES = sizeof policies / sizeof *policies };

const struct heddle_policy *sim_regions_policy(int k) { return k < POLICIES ? policies[k] : NULL; }

/* ---- the program: made from a machine, or read from models ----------------------------------------------------------
 */
static void make(struct program *p, const struct sim_machine *m, long kinds, double each) {
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

static int place_named(struct program *p, const char *name) {
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

static int kind_named(struct program *p, const char *region, double n, double bytes) {
    int k = 0;
    while (k < p->kinds && (strncmp(p->kind[k].name, region, sizeof p->kind[k].name - 1) != 0 || p->kind[k].n != n ||
                            p->kind[k].bytes != bytes))
        k++;
    if (k == p->kinds && k < KINDS) {
        struct kind *fresh = &p->kind[p->kinds++];
        snprintf(fresh->name, sizeof fresh->name, "%s", region);
        fresh->n = n;
        fresh->bytes = bytes;
        for (int j = 0; j < PLACES_MOST; j++)
            fresh->time[j] = -1;
    }
    return k;
}

static void read_model(struct program *p, const char *path, int number, const struct heddle__row *row) {
    if (row->kind != HEDDLE__ROW_REGION || !(row->region.median > 0))
        return; /* a link, or it never ran twice */
    const int place = place_named(p, row->device), k = kind_named(p, row->name, row->region.n, row->region.bytes);
    if (place < 0)
        fail("sim: %s: line %d: more than %d kinds of devices", path, number, PLACES_MOST);
    if (k == KINDS)
        fail("sim: %s: line %d: more than %d kinds of regions (code and size)", path, number, KINDS);
    p->kind[k].time[place] = row->region.median;
}

/* The regions of a file of models: one place for each class in it. */
static void read_models(struct program *p, const char *path) {
    struct heddle__row row;
    size_t size;
    char *text = read_file(path, &size);
    if (!text)
        fail("sim: cannot read %s: %s", path, strerror(errno));
    if (!starts_with(text, HEDDLE__TABLE_HEADER))
        fail("sim: %s is no file of models of this version; `heddle models` lists them", path);
    if (strlen(text) != size)
        fail("sim: %s: not a text file", path);
    int number = 0;
    for (char *line; (line = take_line(&text, &number));) {
        if (heddle__row_is_comment(line))
            continue;
        if (!heddle__row_read(line, &row))
            fail("sim: %s: line %d: no row of what was measured, or a number of it makes no sense", path, number);
        read_model(p, path, number, &row);
    }
    if (!p->kinds)
        fail("sim: %s has no measured regions", path);
}

/* ---- the command
 * ----------------------------------------------------------------------------------------------------- */
static void print(const struct program *p, const char *policy, const struct world *w, double seconds, double least,
                  bool json) {
    if (json)
        printf("{\"policy\":\"%s\",\"seconds\":%.9g,\"bound\":%.9g,\"moved\":%.9g,\"places\":{", policy, seconds, least,
               w->moved);
    else
        printf("%-17s %12.3f %8.3f %10.3f ", policy, 1e3 * seconds, seconds > 0 ? least / seconds : 1, 1e3 * w->moved);
    for (int k = 0; k < p->places; k++)
        if (json)
            printf("%s\"%s %d\":[%lu,%.6f]", k ? "," : "", p->place_name[k], p->device[k], w->count[k],
                   seconds > 0 ? w->busy[k] / seconds : 0);
        else
            printf(" %6lu %4.0f %%", w->count[k], seconds > 0 ? 100 * w->busy[k] / seconds : 0);
    puts(json ? "}}" : "");
}

struct options {
    const char *devices, *machine, *models, *recorded, *only;
    long kinds, seed;
    double each;
    bool json;
};

static int read_options(struct options *o, struct program *p, int argc, char **argv) {
    *o = (struct options){.devices = "cpu:8,gpu:1@200", .only = "all", .kinds = 12, .seed = 1, .each = 1e-6};
    p->threads = 4;
    p->count = 500;
    const struct sim_option known[] = {{"--devices", .text = &o->devices},
                                       {"--machine", .text = &o->machine},
                                       {"--models", .text = &o->models},
                                       {"--recorded", .text = &o->recorded},
                                       {"--policy", .text = &o->only},
                                       {"--json", .flag = &o->json},
                                       {"--cost", .seconds = &o->each, .least = DBL_MIN},
                                       {"--threads", .whole = &p->threads, .least = 1, .most = THREADS},
                                       {"--count", .whole = &p->count, .least = 1, .most = 100000},
                                       {"--kinds", .whole = &o->kinds, .least = 1, .most = KINDS},
                                       {"--seed", .whole = &o->seed, .most = 1e9},
                                       {.key = NULL}};
    const int status = sim_options(known, argc, argv);
    p->seed = (uint64_t)o->seed;
    return status;
}

static void print_head(const struct program *p, double least) {
    if (p->event)
        printf("%ld threads, %ld regions of %d kinds; recorded: %.3f ms", p->threads, p->events, p->kinds,
               1e3 * p->recorded);
    else
        printf("%ld threads, %ld regions each, of %d kinds", p->threads, p->count, p->kinds);
    printf("; %sno policy can take less than %.3f ms\n\n%-17s %12s %8s %10s ", p->event ? "by the medians " : "",
           1e3 * least, "policy", "ms", "of bound", "moving, ms");
    for (int k = 0; k < p->places; k++)
        printf(" %13.13s", p->place_name[k]);
    puts("");
}

static void play(const struct program *p, const struct options *o) {
    static struct world w;
    const double least = sim_regions_bound(p);
    const bool all = !strcmp(o->only, "all");
    int done = 0;
    if (!o->json)
        print_head(p, least);
    if (p->event && all) /* how well the simulation meets the run */
        print(p, "as it ran", &w, sim_regions_play(p, NULL, &w), least, o->json);
    for (int k = 0; k < POLICIES; k++)
        if (all || !strcmp(o->only, policies[k]->name)) {
            print(p, policies[k]->name, &w, sim_regions_play(p, policies[k], &w), least, o->json);
            done++;
        }
    if (!done)
        fail("sim: no policy '%s'; there are %s", o->only, HEDDLE_WORD_TEXTS(HEDDLE_POLICIES, ""));
}

int sim_regions_command(int argc, char **argv) {
    static struct program p;
    struct options o;
    struct sim_machine m;
    int status;
    if ((status = read_options(&o, &p, argc, argv)) || (status = sim_read_machine(&m, o.devices, o.machine)))
        return status;
    if (o.recorded)
        sim_regions_read(&p, o.recorded);
    else if (o.models)
        read_models(&p, o.models);
    else
        make(&p, &m, o.kinds, o.each);
    play(&p, &o);
    return fflush(stdout) || ferror(stdout);
}
