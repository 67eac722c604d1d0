/* SPDX-License-Identifier: Apache-2.0 */
/* jobs_command.c - `heddle sim jobs`: every policy on one machine and stream, as a table, as JSON, as a picture. */
#include "command.h"
#include "jobs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POLICIES = 64, FRAMES_MOST = 1000 };
static const char default_machine[] = "cpu count=1\n"
                                      "gpu count=1\n"
                                      "type cpu traversal setup=11.068us each=0.219us noise=3%\n"
                                      "type cpu leaf setup=2.766us each=0.098us noise=3%\n"
                                      "type gpu traversal setup=135.622us each=0.096us noise=3%\n"
                                      "type gpu leaf setup=43.04us each=0.010us noise=3%\n"
                                      "move * * traversal each=3ns\n"
                                      "move * * leaf each=2ns\n";

struct result {
    const struct heddle_jobs_policy *policy;
    double parameter;
    struct jobs_run run;
};
struct options {
    struct jobs_machine machine;
    struct jobs_stream stream;
    const char *machine_file, *stream_file, *record, *benchmark, *policies, *counts, *svg;
    long frames, faults, seed;
    double scale, decide, program;
    bool json;
};

static int read_options(struct options *o, int argc, char **argv) {
    *o = (struct options){.benchmark = "cloth", .policies = "all", .frames = 10, .seed = 1};
    o->scale = 1;
    o->decide = o->program = -1;
    const struct sim_option known[] = {{"--machine", .text = &o->machine_file},
                                       {"--stream", .text = &o->stream_file},
                                       {"--record", .text = &o->record},
                                       {"--benchmark", .text = &o->benchmark},
                                       {"--policy", .text = &o->policies},
                                       {"--counts", .text = &o->counts},
                                       {"--svg", .text = &o->svg},
                                       {"--frames", .whole = &o->frames, .least = 1, .most = FRAMES_MOST},
                                       {"--faults", .whole = &o->faults, .most = 1000},
                                       {"--seed", .whole = &o->seed, .most = 1e9},
                                       {"--scale", .real = &o->scale, .least = 1e-6, .most = 1e6},
                                       {"--decide", .seconds = &o->decide},
                                       {"--program", .seconds = &o->program},
                                       {"--json", .flag = &o->json},
                                       {.key = NULL}};
    int status;
    if ((status = sim_options(known, argc, argv)) ||
        (status = sim_spare("--svg", o->svg, (const char *[]){o->machine_file, o->stream_file})))
        return status;
    return sim_spare("--record", o->record, (const char *[]){o->machine_file, o->stream_file});
}

static void read_inputs(struct options *o) {
    char message[SIM_MESSAGE];
    if (!jobs_machine_read(&o->machine, o->machine_file ? sim_text(o->machine_file) : default_machine, message))
        fail("sim: %s: %s", o->machine_file ? o->machine_file : "machine", message);
    if (o->counts && !jobs_machine_counts(&o->machine, o->counts, message))
        fail("sim: --counts: %s", message);
    if (o->stream_file) {
        if (!jobs_stream_read(&o->stream, sim_text(o->stream_file), message))
            fail("sim: %s: %s", o->stream_file, message);
    } else if (!jobs_stream_make(&o->stream, o->benchmark, (int)o->frames, o->scale, (uint64_t)o->seed)) {
        struct list known = {0};
        for (int k = 0; jobs_benchmarks[k].name; k++)
            list_add(&known, jobs_benchmarks[k].name);
        fail("sim: no benchmark '%s', or no memory for it; there are %s", o->benchmark, sim_joined(&known));
    }
    if (!jobs_machine_match(&o->machine, &o->stream, message))
        fail("sim: %s", message);
    if (o->record) {
        FILE *f = fopen(o->record, "w");
        if (!f || !jobs_stream_write(&o->stream, f) || fclose(f))
            fail("sim: cannot write %s: %s", o->record, strerror(errno));
    }
}

static const struct heddle_jobs_policy *load(const char *path) {
    const struct heddle_jobs_policy *p = sim_load("--policy", path, "heddle_jobs_policy");
    if (p->version != HEDDLE_JOBS_VERSION || !p->name || !p->start || !p->place || !p->stop)
        fail("sim: --policy=%s is made for another heddle (version %d, needed is %d)", path, p->version,
             HEDDLE_JOBS_VERSION);
    return p;
}

/* NAME or NAME:NUMBER */
static void find_policy(char *word, struct result *r) {
    char *colon = strrchr(word, ':');
    if (colon)
        *colon++ = 0;
    r->policy = strchr(word, '/') ? load(word) : heddle__jobs_find_policy(word, strlen(word));
    if (colon && !real_number(colon, 1e-9, 1e9, &r->parameter))
        fail("sim: --policy=%s: a number above 0 expected, not '%s'", word, colon);
    if (r->policy)
        return;
    struct list known = {0};
    for (int k = 0; heddle_jobs_policies[k]; k++)
        list_add(&known, heddle_jobs_policies[k]->name);
    sim_unknown("policy", word, &known);
}

static int find_policies(const char *names, struct result *r) {
    char *name[POLICIES];
    int count = 0;
    if (!strcmp(names, "all")) {
        for (; heddle_jobs_policies[count]; count++)
            r[count].policy = heddle_jobs_policies[count];
        return count;
    }
    count = sim_names("--policy", names, POLICIES, name);
    for (int k = 0; k < count; k++)
        find_policy(name[k], &r[k]);
    return count;
}

static char *title_of(const struct result *r) {
    return r->parameter > 0 ? format("%s:%g", r->policy->name, r->parameter) : format("%s", r->policy->name);
}

static double idle_of(const struct options *o, const struct jobs_run *r) {
    return r->seconds > 0 ? r->waiting / (r->seconds * o->machine.machine.devices) : 0;
}

static long jobs_of(const struct options *o, const struct jobs_run *r, int kind) {
    long sum = 0;
    for (int d = 0; d < o->machine.machine.devices; d++)
        sum += r->device[d].kind == kind ? r->device[d].jobs : 0;
    return sum;
}

static void print_json(const struct options *o, const struct result *result) {
    const struct jobs_run *r = &result->run;
    const struct sim_machine *m = &o->machine.machine;
    printf("{\"policy\":\"%s\",\"parameter\":%g,\"stream\":\"%s\",\"frames\":%d,\"devices\":%d,\"seconds\":%.9g,"
           "\"per_second\":%.6g,\"bound\":%.9g,\"of_bound\":%.6f,\"idle\":%.6f,\"jobs\":%ld,\"batches\":%ld,"
           "\"transfers\":%ld,\"moved\":%ld,\"steals\":%ld,\"decisions\":%ld,\"programs\":%ld,\"deciding\":%.9g,"
           "\"decision_us\":%.3f,\"faults\":%ld,\"seed\":%ld,\"share\":{",
           result->policy->name, result->parameter, o->stream_file ? "file" : o->benchmark, o->stream.frames,
           m->devices, r->seconds, r->seconds > 0 ? o->stream.frames / r->seconds : 0.0, r->bound,
           r->seconds > 0 ? r->bound / r->seconds : 1.0, idle_of(o, r), r->jobs, r->batches, r->transfers, r->moved,
           r->steals, r->decisions, r->programs, r->deciding, r->decisions ? 1e6 * r->real / (double)r->decisions : 0.0,
           r->faults, o->seed);
    for (int k = 0; k < m->kinds; k++)
        printf("%s\"%s\":%.6f", k ? "," : "", m->kind[k].name,
               r->jobs ? (double)jobs_of(o, r, k) / (double)r->jobs : 0.0);
    puts("}}");
}

static void print_table(const struct options *o, const struct result *r, int count) {
    const struct sim_machine *m = &o->machine.machine;
    double best = HUGE_VAL;
    for (int k = 0; k < count; k++)
        best = fmin(best, r[k].run.seconds);
    printf("%s, %d frames, %ld jobs; %d devices:", o->stream_file ? o->stream_file : o->benchmark, o->stream.frames,
           r[0].run.jobs, m->devices);
    for (int k = 0; k < m->kinds; k++)
        printf(" %d %s", m->kind[k].count, m->kind[k].name);
    printf("\n\n%-14s %12s %8s %8s %7s %9s %9s %9s %9s ", "policy", "ms a frame", "of best", "of bound", "idle",
           "batches", "transfers", "decisions", "programs");
    for (int k = 0; k < m->kinds; k++)
        printf(" %8.8s", m->kind[k].name);
    puts("");
    for (int k = 0; k < count; k++) {
        const struct jobs_run *run = &r[k].run;
        printf("%-14s %12.4f %8.3f %8.3f %5.1f %% %9ld %9ld %9ld %9ld ", title_of(&r[k]),
               1e3 * run->seconds / o->stream.frames, best > 0 ? run->seconds / best : 1.0,
               run->seconds > 0 ? run->bound / run->seconds : 1.0, 100 * idle_of(o, run), run->batches, run->transfers,
               run->decisions, run->programs);
        for (int c = 0; c < m->kinds; c++)
            printf(" %6.1f %%", run->jobs ? 100 * (double)jobs_of(o, run, c) / (double)run->jobs : 0.0);
        puts("");
    }
}

/* As a run of the loop simulator, which has the pictures: a bar's place in the loop is its type. */
static struct sim_run *picture_of(const struct options *o, const struct jobs_run *r) {
    struct sim_run *p = calloc(1, sizeof *p);
    const int types = o->stream.types, devices = o->machine.machine.devices;
    if (!p || !(p->span = calloc((size_t)r->spans + 1, sizeof *p->span)))
        fail("out of memory");
    p->makespan = r->seconds;
    p->ideal = r->bound;
    p->chunks = r->spans;
    p->balance = 1 - idle_of(o, r);
    for (int d = 0; d < devices && d < SIM_DEVICES; d++)
        p->device[d] = (struct sim_device){.kind = r->device[d].kind, .iterations = r->device[d].jobs};
    for (long k = 0; k < r->spans; k++) {
        const struct jobs_span *s = &r->span[k];
        p->span[k] =
            (struct sim_span){s->device, {r->jobs * s->type / types, s->count}, s->begin, s->begin, s->end, s->lost};
    }
    return p;
}

static void draw(const struct options *o, const struct result *r, int count) {
    struct sim_panel panel[POLICIES];
    char *colours = format("type of job, from");
    for (int t = 0; t < o->stream.types; t++)
        colours = format("%s %s", colours, o->stream.type[t]);
    for (int k = 0; k < count; k++)
        panel[k] = (struct sim_panel){title_of(&r[k]), picture_of(o, &r[k].run)};
    if (sim_picture(o->svg, &o->machine.machine, panel, count, colours))
        fail("sim: cannot write %s: %s", o->svg, strerror(errno));
}

int sim_jobs_command(int argc, char **argv) {
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
        const struct jobs_setting set = {.machine = &o.machine,
                                         .stream = &o.stream,
                                         .policy = r[k].policy,
                                         .parameter = r[k].parameter,
                                         .decide = o.decide,
                                         .program = o.program,
                                         .faults = (int)o.faults,
                                         .keep = o.svg,
                                         .seed = (uint64_t)o.seed};
        if (!jobs_run(&set, &r[k].run, message))
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
