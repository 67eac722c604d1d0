/* SPDX-License-Identifier: Apache-2.0 */
/* graph_command.c - `heddle sim graph`: every policy on one machine and scene, as a table, as JSON, as a picture. */
#include "command.h"
#include "graph.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POLICIES = 64, BODIES_MOST = 10000, ITERATIONS_MOST = 100000 };
static const char default_machine[] = "cpu count=4 host\n"
                                      "gpu count=2\n"
                                      "type cpu force each=3us noise=2%\n"
                                      "type cpu spring_force each=1us noise=2%\n"
                                      "type cpu contact each=0.5us noise=2%\n"
                                      "type cpu product each=1.5us noise=2%\n"
                                      "type cpu spring_product each=0.5us noise=2%\n"
                                      "type cpu update each=0.15us noise=2%\n"
                                      "type cpu add setup=5us each=0.1us noise=2%\n"
                                      "type gpu force setup=20us each=0.1us noise=2%\n"
                                      "type gpu spring_force setup=20us each=0.03us noise=2%\n"
                                      "type gpu contact setup=10us each=0.02us noise=2%\n"
                                      "type gpu product setup=20us each=0.05us noise=2%\n"
                                      "type gpu spring_product setup=20us each=0.02us noise=2%\n"
                                      "type gpu update setup=10us each=0.01us noise=2%\n"
                                      "type gpu add setup=10us each=0.01us noise=2%\n"
                                      "move * * byte each=0.1ns\n";

struct result {
    const struct heddle_graph_policy *policy;
    double parameter[HEDDLE_GRAPH_PARAMETERS];
    struct graph_run run;
};
struct options {
    struct jobs_machine machine;
    struct graph_scene scene;
    const char *machine_file, *scene_file, *record, *example, *policies, *counts, *svg;
    long bodies, iterations, faults, seed;
    bool json, known;
};

static int read_options(struct options *o, int argc, char **argv) {
    *o = (struct options){.example = "contact", .policies = "all", .iterations = 22, .seed = 1};
    const struct sim_option known[] = {{"--machine", .text = &o->machine_file},
                                       {"--scene", .text = &o->scene_file},
                                       {"--record", .text = &o->record},
                                       {"--example", .text = &o->example},
                                       {"--policy", .text = &o->policies},
                                       {"--counts", .text = &o->counts},
                                       {"--svg", .text = &o->svg},
                                       {"--bodies", .whole = &o->bodies, .least = 1, .most = BODIES_MOST},
                                       {"--iterations", .whole = &o->iterations, .least = 1, .most = ITERATIONS_MOST},
                                       {"--faults", .whole = &o->faults, .most = GRAPH_UNITS},
                                       {"--seed", .whole = &o->seed, .most = 1e9},
                                       {"--json", .flag = &o->json},
                                       {"--known", .flag = &o->known},
                                       {.key = NULL}};
    int status;
    if ((status = sim_options(known, argc, argv)) ||
        (status = sim_spare("--svg", o->svg, (const char *[]){o->machine_file, o->scene_file})))
        return status;
    return sim_spare("--record", o->record, (const char *[]){o->machine_file, o->scene_file});
}

static void read_inputs(struct options *o) {
    char message[SIM_MESSAGE];
    if (!jobs_machine_read(&o->machine, o->machine_file ? sim_text(o->machine_file) : default_machine, message))
        fail("sim: %s: %s", o->machine_file ? o->machine_file : "machine", message);
    if (o->counts && !jobs_machine_counts(&o->machine, o->counts, message))
        fail("sim: --counts: %s", message);
    if (o->scene_file) {
        if (!graph_scene_read(&o->scene, sim_text(o->scene_file), message))
            fail("sim: %s: %s", o->scene_file, message);
    } else if (!graph_scene_make(&o->scene, o->example, o->bodies, o->iterations, (uint64_t)o->seed)) {
        struct list known = {0};
        for (int k = 0; graph_examples[k].name; k++)
            list_add(&known, graph_examples[k].name);
        fail("sim: no example '%s', or no memory for it; there are %s", o->example, sim_joined(&known));
    }
    if (o->record) {
        FILE *f = fopen(o->record, "w");
        if (!f || !graph_scene_write(&o->scene, f) || fclose(f))
            fail("sim: cannot write %s: %s", o->record, strerror(errno));
    }
}

static const struct heddle_graph_policy *load(const char *path) {
    const struct heddle_graph_policy *p = sim_load("--policy", path, "heddle_graph_policy");
    if (p->version != HEDDLE_GRAPH_VERSION)
        fail("sim: --policy=%s is made for another heddle (version %d, needed is %d)", path, p->version,
             HEDDLE_GRAPH_VERSION);
    if (!p->name || !p->start || !p->change || !p->ready || !p->next || !p->done || !p->lost || !p->stop)
        fail("sim: --policy=%s lacks its name, start, change, ready, next, done, lost or stop", path);
    return p;
}

/* NAME or NAME:NUMBER:NUMBER… */
static void find_policy(char *word, struct result *r) {
    char *colon = strchr(word, ':');
    if (colon)
        *colon++ = 0;
    r->policy = strchr(word, '/') ? load(word) : heddle__graph_find_policy(word, strlen(word));
    for (int k = 0; colon; k++) {
        char *here = colon;
        if ((colon = strchr(here, ':')))
            *colon++ = 0;
        if (k == HEDDLE_GRAPH_PARAMETERS || !real_number(here, 1e-9, 1e9, &r->parameter[k]))
            fail("sim: --policy=%s: up to %d numbers above 0 expected, not '%s'", word, HEDDLE_GRAPH_PARAMETERS, here);
    }
    if (r->policy)
        return;
    struct list known = {0};
    for (int k = 0; heddle_graph_policies[k]; k++)
        list_add(&known, heddle_graph_policies[k]->name);
    sim_unknown("policy", word, &known);
}

static int find_policies(const char *names, struct result *r) {
    char *name[POLICIES];
    int count = 0;
    if (!strcmp(names, "all")) {
        for (; heddle_graph_policies[count]; count++)
            r[count].policy = heddle_graph_policies[count];
        return count;
    }
    count = sim_names("--policy", names, POLICIES, name);
    for (int k = 0; k < count; k++)
        find_policy(name[k], &r[k]);
    return count;
}

static char *title_of(const struct result *r) {
    char *title = format("%s", r->policy->name);
    for (int k = 0; k < HEDDLE_GRAPH_PARAMETERS && r->parameter[k] > 0; k++)
        title = format("%s:%g", title, r->parameter[k]);
    return title;
}

static double share(const struct options *o, const struct graph_run *r, double seconds) {
    return r->seconds > 0 ? seconds / (r->seconds * o->machine.machine.devices) : 0;
}

/* Of the units of a kind: how many tasks they ran. Units stand in the order of their kinds. */
static long ran_of(const struct options *o, const struct graph_run *r, int kind) {
    long sum = 0;
    int at = 0;
    for (int k = 0; k < kind; k++)
        at += o->machine.machine.kind[k].count;
    for (int k = 0; k < o->machine.machine.kind[kind].count; k++)
        sum += r->ran[at + k];
    return sum;
}

static void print_json(const struct options *o, const struct result *result) {
    const struct graph_run *r = &result->run;
    const struct sim_machine *m = &o->machine.machine;
    printf("{\"policy\":\"%s\",\"title\":\"%s\",\"scene\":\"%s\",\"units\":%d,\"seconds\":%.9g,\"alone\":%.9g,"
           "\"speedup\":%.6g,\"iterations\":%ld,\"tasks\":%ld,\"copies\":%ld,\"bytes\":%.9g,\"copying\":%.6f,"
           "\"idle\":%.6f,\"steals\":%ld,\"failed\":%ld,\"mappings\":%ld,\"partitioner\":\"%s\",\"threshold\":%g,"
           "\"forced\":%ld,\"faults\":%ld,\"repeated\":%ld,\"policy_us\":%.3f,\"seed\":%ld,\"steps\":[",
           result->policy->name, title_of(result), o->scene_file ? "file" : o->example, m->devices, r->seconds,
           r->alone, r->seconds > 0 ? r->alone / r->seconds : 0, r->iterations, r->tasks, r->copies, r->bytes,
           share(o, r, r->copying), share(o, r, r->idle), r->report.steals, r->report.failed, r->report.mappings,
           r->report.partitioner ? r->report.partitioner : "", r->report.threshold, r->forced, r->faults, r->repeated,
           r->tasks ? 1e6 * r->real / (double)r->tasks : 0.0, o->seed);
    for (int k = 0; k < o->scene.steps; k++)
        printf("%s%.6g", k ? "," : "", r->step_seconds[k] > 0 ? r->step_alone[k] / r->step_seconds[k] : 0);
    printf("],\"share\":{");
    for (int k = 0; k < m->kinds; k++)
        printf("%s\"%s\":%.6f", k ? "," : "", m->kind[k].name,
               r->tasks ? (double)ran_of(o, r, k) / (double)r->tasks : 0.0);
    puts("}}");
}

static void print_head(const struct options *o, const struct result *r, int count) {
    const struct sim_machine *m = &o->machine.machine;
    const char *by = NULL;
    for (int k = 0; k < count && !by; k++)
        by = r[k].run.report.partitioner;
    printf("%s, %ld iterations, %ld tasks; %d units:", o->scene_file ? o->scene_file : o->example, r->run.iterations,
           r->run.tasks, m->devices);
    for (int k = 0; k < m->kinds; k++)
        printf(" %d %s", m->kind[k].count, m->kind[k].name);
    if (by)
        printf("; partitions by %s%s", strcmp(by, "METIS") ? "a walk: " : "", by);
    printf("\n\n%-20s %12s %8s %8s %8s %7s %9s %9s %8s ", "policy", "ms/iteration", "of best", "speed-up", "copying",
           "idle", "MB copied", "copies", "steals");
    for (int k = 0; k < m->kinds; k++)
        printf(" %8.8s", m->kind[k].name);
    puts("");
}

static void print_table(const struct options *o, const struct result *r, int count) {
    double best = HUGE_VAL;
    for (int k = 0; k < count; k++)
        best = fmin(best, r[k].run.seconds);
    print_head(o, r, count);
    for (int k = 0; k < count; k++) {
        const struct graph_run *run = &r[k].run;
        printf("%-20s %12.4f %8.3f %8.3f %6.1f %% %5.1f %% %8.1f %9ld %8ld ", title_of(&r[k]),
               1e3 * run->seconds / (double)run->iterations, best > 0 ? run->seconds / best : 1.0,
               run->seconds > 0 ? run->alone / run->seconds : 0, 100 * share(o, run, run->copying),
               100 * share(o, run, run->idle), 1e-6 * run->bytes, run->copies, run->report.steals);
        for (int c = 0; c < o->machine.machine.kinds; c++)
            printf(" %6.1f %%", run->tasks ? 100 * (double)ran_of(o, run, c) / (double)run->tasks : 0.0);
        puts("");
        if (run->faults)
            printf("    %ld units vanished, %ld iterations began again\n", run->faults, run->repeated);
    }
}

/* As a run of the loop simulator, which has the pictures: a bar's place in the loop is its partition. */
static struct sim_run *picture_of(const struct options *o, const struct graph_run *r) {
    struct sim_run *p = calloc(1, sizeof *p);
    const int devices = o->machine.machine.devices;
    int at = 0, partitions = 1;
    if (!p || !(p->span = calloc((size_t)r->spans + 1, sizeof *p->span)))
        fail("out of memory");
    p->makespan = r->seconds;
    p->ideal = r->alone / devices;
    p->chunks = r->spans;
    p->balance = 1 - share(o, r, r->idle);
    for (int k = 0; k < o->machine.machine.kinds; k++)
        for (int i = 0; i < o->machine.machine.kind[k].count; i++)
            p->device[at++].kind = k;
    for (int k = 0; k < o->scene.steps; k++)
        partitions = o->scene.step[k].g.partitions > partitions ? o->scene.step[k].g.partitions : partitions;
    p->device[0].iterations = partitions;
    for (long k = 0; k < r->spans; k++) {
        const struct graph_span *s = &r->span[k];
        p->span[k] = (struct sim_span){s->unit, {s->partition, 1}, s->begin, s->copied, s->end, s->lost};
    }
    return p;
}

static void draw(const struct options *o, const struct result *r, int count) {
    struct sim_panel panel[POLICIES];
    for (int k = 0; k < count; k++)
        panel[k] = (struct sim_panel){title_of(&r[k]), picture_of(o, &r[k].run)};
    if (sim_picture(o->svg, &o->machine.machine, panel, count, "partition, by number"))
        fail("sim: cannot write %s: %s", o->svg, strerror(errno));
}

int sim_graph_command(int argc, char **argv) {
    static struct options o;
    struct result *r = calloc(POLICIES, sizeof *r);
    char message[SIM_MESSAGE];
    const int status = read_options(&o, argc, argv);
    if (status)
        return status;
    if (!r)
        fail("out of memory");
    const int count = find_policies(o.policies, r);
    read_inputs(&o);
    for (int k = 0; k < count; k++) {
        struct graph_setting set = {.machine = &o.machine,
                                    .scene = &o.scene,
                                    .policy = r[k].policy,
                                    .faults = (int)o.faults,
                                    .keep = o.svg,
                                    .known = o.known,
                                    .seed = (uint64_t)o.seed};
        memcpy(set.parameter, r[k].parameter, sizeof set.parameter);
        if (!graph_run(&set, &r[k].run, message))
            fail("sim: %s", message);
        if (o.json)
            print_json(&o, &r[k]);
    }
    if (!o.json)
        print_table(&o, r, count);
    if (o.svg)
        draw(&o, r, count);
    return fflush(stdout) || ferror(stdout);
}
