/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c - `heddle sim loop`: every schedule on one machine and loop, as a table, as JSON, as a picture. */
#include "command.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 32, RUNS = 100, ITERATIONS = 100000000 };

struct options {
    struct sim_machine machine;
    struct sim_recorded recorded; /* loop NULL: nothing was recorded */
    const char *shape, *schedules, *svg;
    double each;
    long n, chunk, runs, ahead;
    uint64_t seed;
    bool json, fresh, chunks;
};
struct result {
    const struct heddle_loop_policy *policy;
    struct sim_run run[RUNS];
};

static bool known_shape(const char *name) {
    for (const struct sim_shape *s = sim_shapes; s->name; s++)
        if (!strcmp(s->name, name))
            return true;
    return false;
}

/* The machine and the loop that were recorded take the place of described ones. */
static int use_recorded(struct options *o, const char *from, const char *counts, bool described) {
    if (!from && !counts)
        return 0;
    if (!from || described) {
        complain(from ? "sim: --recorded brings its machine and loop: no --devices, --machine or --loop with it"
                      : "sim: --counts is for --recorded");
        return 2;
    }
    sim_recorded_read(&o->recorded, from);
    if (counts && !sim_recorded_counts(&o->recorded, counts)) {
        complain("sim: --counts=%s: expected %d numbers with commas between them, one for each device of the file",
                 counts, o->recorded.machine.kinds);
        return 2;
    }
    o->machine = o->recorded.machine;
    o->shape = o->recorded.loop;
    o->n = o->n >= 0 ? o->n : o->recorded.n;
    if (o->n > ITERATIONS) {
        complain("sim: %s: the loop has %ld iterations, and at most %d are simulated; --n=N takes fewer", from, o->n,
                 ITERATIONS);
        return 2;
    }
    return 0;
}

/* 0, or the exit status after a message. */
static int read_options(struct options *o, int argc, char **argv) {
    const char *devices = NULL, *machine = NULL, *recorded = NULL, *counts = NULL, *shape = NULL;
    long seed = 1;
    int status;
    *o = (struct options){.schedules = "all", .each = 1e-3, .n = -1, .runs = 3};
    const struct sim_option known[] = {{"--devices", .text = &devices},
                                       {"--machine", .text = &machine},
                                       {"--recorded", .text = &recorded},
                                       {"--counts", .text = &counts},
                                       {"--loop", .text = &shape},
                                       {"--n", .whole = &o->n, .most = ITERATIONS},
                                       {"--cost", .seconds = &o->each, .least = DBL_MIN},
                                       {"--schedule", .text = &o->schedules},
                                       {"--chunk", .whole = &o->chunk, .least = 1, .most = 1e9},
                                       {"--runs", .whole = &o->runs, .least = 1, .most = RUNS},
                                       {"--ahead", .whole = &o->ahead, .least = 1, .most = 8},
                                       {"--seed", .whole = &seed, .most = 1e9},
                                       {"--svg", .text = &o->svg},
                                       {"--json", .flag = &o->json},
                                       {"--chunks", .flag = &o->chunks},
                                       {"--fresh", .flag = &o->fresh},
                                       {.key = NULL}};
    if ((status = sim_options(known, argc, argv)) ||
        (status = sim_spare("--svg", o->svg, (const char *[]){machine, recorded ? sim_recorded_path(recorded) : NULL})))
        return status;
    if (shape && !known_shape(shape))
        return sim_cannot_use(format("--loop=%s", shape));
    o->shape = shape ? shape : "spectra";
    o->json = o->json || o->chunks;
    o->seed = (uint64_t)seed;
    if ((status = sim_read_machine(&o->machine, devices ? devices : "cpu:4,gpu:1@20", machine)) ||
        (status = use_recorded(o, recorded, counts, devices || machine || shape)))
        return status;
    o->n = o->n >= 0 ? o->n : 10000;
    if (o->ahead)
        o->machine.ahead = (int)o->ahead;
    return 0;
}

static const struct heddle_loop_policy *load(const char *path) {
    const struct heddle_loop_policy *p = sim_load("--schedule", path, "heddle_loop_policy");
    if (p->version != HEDDLE_LOOP_VERSION || !p->name || !p->start || !p->next || !p->stop)
        fail("sim: --schedule=%s is made for another heddle (version %d, needed is %d)", path, p->version,
             HEDDLE_LOOP_VERSION);
    return p;
}

static const struct heddle_loop_policy *find_schedule(const char *name) {
    const struct heddle_loop_policy *p = strchr(name, '/') ? load(name) : heddle__loop_find_policy(name, strlen(name));
    struct list known = {0};
    for (int k = 0; !p && heddle_loop_policies[k]; k++)
        list_add(&known, heddle_loop_policies[k]->name);
    if (!p)
        sim_unknown("schedule", name, &known);
    return p;
}

static int find_schedules(const char *names, struct result **result) {
    char *name[SCHEDULES];
    int count = 0;
    *result = calloc(SCHEDULES, sizeof **result);
    if (!*result)
        fail("out of memory");
    if (!strcmp(names, "all")) {
        for (; heddle_loop_policies[count]; count++)
            (*result)[count].policy = heddle_loop_policies[count];
        return count;
    }
    count = sim_names("--schedule", names, SCHEDULES, name);
    for (int k = 0; k < count; k++)
        (*result)[k].policy = find_schedule(name[k]);
    return count;
}

static void make_work(struct options *o, struct sim_work *w, long run) {
    if (o->recorded.loop) {
        sim_recorded_work(&o->recorded, w, o->n);
        const int ahead = o->machine.ahead;
        o->machine = o->recorded.machine;
        o->machine.ahead = ahead;
    } else if (!sim_work_make(w, &o->machine, o->shape, o->n, o->each,
                              o->seed + (o->fresh ? 1000003 * (uint64_t)run : 0))) {
        fail("out of memory");
    }
}

static void run_all(struct options *o, struct result *r) {
    struct sim_history history = {0};
    char message[SIM_MESSAGE];
    for (long k = 0; k < o->runs; k++) {
        struct sim_work w;
        make_work(o, &w, k);
        if (!sim_run(&o->machine, &w, r->policy, o->chunk, o->seed + 77 * (uint64_t)k, &history, &r->run[k], message))
            fail("sim: %s", message);
        sim_work_free(&w);
    }
    sim_history_free(&history);
}

static double share_of(const struct options *o, const struct sim_run *r, int kind) {
    long sum = 0;
    for (int d = 0; d < o->machine.devices; d++)
        sum += r->device[d].kind == kind ? r->device[d].iterations : 0;
    return o->n ? (double)sum / (double)o->n : 0;
}

static double efficiency(const struct sim_run *r) { return r->makespan > 0 ? r->ideal / r->makespan : 1; }

static void print_json(const struct options *o, const struct result *r) {
    for (long k = 0; k < o->runs; k++) {
        const struct sim_run *run = &r->run[k];
        printf(
            "{\"schedule\":\"%s\",\"run\":%ld,\"loop\":\"%s\",\"n\":%ld,\"devices\":%d,\"seconds\":%.9g,\"ideal\":%.9g,"
            "\"efficiency\":%.6f,\"balance\":%.6f,\"chunks\":%ld,\"prepare_us\":%.1f,\"decision_us\":%.3f,\"share\":{",
            r->policy->name, k + 1, o->shape, o->n, o->machine.devices, run->makespan, run->ideal, efficiency(run),
            run->balance, run->chunks, 1e6 * run->prepare, run->asked ? 1e6 * run->decide / (double)run->asked : 0.0);
        for (int c = 0; c < o->machine.kinds; c++)
            printf("%s\"%s\":%.6f", c ? "," : "", o->machine.kind[c].name, share_of(o, run, c));
        puts("}}");
        for (long c = 0; o->chunks && c < run->chunks; c++) {
            const struct sim_span *p = &run->span[c];
            printf("{\"chunk\":%ld,\"schedule\":\"%s\",\"run\":%ld,\"device\":%d,\"kind\":\"%s\",\"first\":%ld,"
                   "\"count\":%ld,\"begin\":%.9g,"
                   "\"end\":%.9g,\"lost\":%s}\n",
                   c, r->policy->name, k + 1, p->device, o->machine.kind[run->device[p->device].kind].name,
                   p->chunk.first, p->chunk.count, p->begin, p->end, p->lost ? "true" : "false");
        }
    }
}

static void print_table(const struct options *o, const struct result *r, int count) {
    const long last = o->runs - 1;
    double best = HUGE_VAL;
    for (int k = 0; k < count; k++)
        best = r[k].run[last].makespan < best ? r[k].run[last].makespan : best;
    printf("%ld iterations, %s; %d devices:", o->n, o->shape, o->machine.devices);
    for (int c = 0; c < o->machine.kinds; c++)
        printf(" %d %s (%g)", o->machine.kind[c].count, o->machine.kind[c].name, o->machine.kind[c].speed);
    printf("; ideal %.3f ms\n\n%-11s %12s %12s %8s %10s %8s %8s ", 1e3 * r[0].run[last].ideal, "schedule", "run 1, ms",
           "last, ms", "of best", "efficiency", "balance", "chunks");
    for (int c = 0; c < o->machine.kinds; c++)
        printf(" %8.8s", o->machine.kind[c].name);
    puts("");
    for (int k = 0; k < count; k++) {
        const struct sim_run *run = &r[k].run[last];
        printf("%-11s %12.3f %12.3f %8.3f %10.3f %8.3f %8ld ", r[k].policy->name, 1e3 * r[k].run[0].makespan,
               1e3 * run->makespan, best > 0 ? run->makespan / best : 1.0, efficiency(run), run->balance, run->chunks);
        for (int c = 0; c < o->machine.kinds; c++)
            printf(" %6.1f %%", 100 * share_of(o, run, c));
        puts("");
    }
}

int sim_loop_command(int argc, char **argv) {
    struct options o;
    struct result *r;
    const int status = read_options(&o, argc, argv);
    if (status)
        return status;
    const int count = find_schedules(o.schedules, &r);
    for (int k = 0; k < count; k++) {
        run_all(&o, &r[k]);
        if (o.json)
            print_json(&o, &r[k]);
    }
    if (!o.json)
        print_table(&o, r, count);
    if (o.svg) {
        struct sim_panel panel[SCHEDULES];
        for (int k = 0; k < count; k++)
            panel[k] = (struct sim_panel){r[k].policy->name, &r[k].run[o.runs - 1]};
        if (sim_picture(o.svg, &o.machine, panel, count, "place of the iterations in the loop")) {
            complain("sim: cannot write %s: %s", o.svg, strerror(errno));
            return 1;
        }
    }
    return fflush(stdout) || ferror(stdout);
}
