/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of the LP scheduler alone (Kim 2013, sections 4.3 and 4.4): how far from the optimum, how many rounds,
   how long; and one decision for 10,000 devices. One line of JSON each. */
#include "exhaustive.h"
#include "table1.h"
#include "jobs/schedule/table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, CORES = 12, DEVICES = 10000, CLASSES = 4 };

static const struct {
    const char *name;
    enum heddle__jobs_reading reading;
} readings[] = {{"published", HEDDLE__JOBS_PUBLISHED},
                {"at_once", HEDDLE__JOBS_AT_ONCE},
                {"zeros", HEDDLE__JOBS_ZEROS},
                {"best", HEDDLE__JOBS_BEST}};
enum { READINGS = sizeof readings / sizeof *readings };

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void devices_of(enum table1_device *device, int resources, int cores) {
    static const enum table1_device gpu[] = {GTX285, TESLA2075, GTX480, GTX580};
    const int cpus = cores ? cores : 2;
    for (int r = 0; r < resources; r++)
        device[r] = r < cpus ? HEXA : gpu[r - cpus];
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Random job sets; `sets` programs of so many resources, and their optimum where `optimum` says so. */
static void job_sets(int resources, int cores, int sets, double most, bool optimum) {
    enum table1_device device[MOST];
    struct heddle__jobs_program p;
    static double x[2 * MOST * MOST], best[2 * MOST * MOST];
    devices_of(device, resources, cores);
    for (int k = 0; k < READINGS && heddle__jobs_program_make(&p, 2 * resources, resources); k++) {
        uint64_t state = 1;
        double gap = 0, worst = 0, rounds = 0, ratio = 0, least = 1, *took = calloc((size_t)sets, sizeof *took);
        if (!took)
            exit(1);
        for (int n = 0; n < sets; n++) {
            struct heddle_jobs_report report;
            const struct heddle__jobs_refinement how = {.reading = readings[k].reading, .report = &report},
                                                 all = {.reading = HEDDLE__JOBS_BEST};
            table1_fill(&p, device, most, cores, &state);
            const double begin = seconds_now(), makespan = heddle__jobs_refine(&p, &how, x), end = seconds_now();
            took[n] = end - begin;
            rounds += report.rounds - 1;
            ratio += makespan / report.first;
            least = fmin(least, makespan / report.first);
            long nodes;
            const double above =
                optimum ? makespan / exhaustive(&p, heddle__jobs_refine(&p, &all, best), &nodes) - 1 : 0;
            gap += above;
            worst = fmax(worst, above);
        }
        qsort(took, (size_t)sets, sizeof *took, by_value);
        const double middle = 1e6 * took[sets / 2];
        printf("{\"what\":\"sets\",\"reading\":\"%s\",\"resources\":%d,\"types\":%d,\"hierarchy\":%s,\"sets\":%d,"
               "\"most\":%g,\"rounds\":%.4f,\"decision_us\":%.4f,\"round_us\":%.4f,\"ratio\":%.4f,\"least_ratio\":%.4f",
               readings[k].name, resources, 2 * resources, cores ? "false" : "true", sets, most, rounds / sets, middle,
               middle * sets / (rounds + sets), ratio / sets, least);
        free(took);
        if (optimum)
            printf(",\"gap\":%.6f,\"worst_gap\":%.6f", gap / sets, worst);
        puts("}");
        heddle__jobs_program_free(&p);
    }
}

/* One decision of the policy for 10,000 devices of four classes, each of which made some of 10^6 jobs. */
struct put {
    long jobs;
    double *end;
    const struct heddle_jobs_choice *c;
};
static void count(void *with, int kind, int device, long jobs) {
    struct put *p = with;
    const struct heddle_jobs_machine *m = p->c->machine;
    p->jobs += jobs;
    p->end[device] += (double)jobs * heddle__jobs_each(m, p->c->kind[kind].type, p->c->kind[kind].source, device);
}

static void many_devices(int turns) {
    static struct heddle_jobs_device device[DEVICES];
    static struct heddle_jobs_kind kind[2 * DEVICES];
    static double rest[DEVICES], end[DEVICES];
    static long queued[2 * DEVICES], running[2 * DEVICES];
    struct heddle_jobs_time time[2 * CLASSES];
    double move[2 * CLASSES * CLASSES];
    const struct heddle_jobs_policy *lp = heddle_jobs_policies[0];
    static const enum table1_device class[CLASSES] = {HEXA, GTX285, GTX480, GTX580};
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < CLASSES; k++) {
            time[t * CLASSES + k] =
                (struct heddle_jobs_time){1e-6 * TABLE1_SETUP[t][class[k]], 1e-6 * TABLE1_EACH[t][class[k]]};
            for (int to = 0; to < CLASSES; to++)
                move[(t * CLASSES + k) * CLASSES + to] = 1e-6 * TABLE1_MOVE[t][k && to];
        }
    for (int d = 0; d < DEVICES; d++) {
        device[d] = (struct heddle_jobs_device){d ? d : -1, d % CLASSES, d, d / 64};
        for (int t = 0; t < 2; t++)
            kind[2 * d + t] = (struct heddle_jobs_kind){t, d, 20 + 60 * (d % 2)}; /* 10^6 jobs */
    }
    const struct heddle_jobs_machine m = {
        .devices = DEVICES, .classes = CLASSES, .types = 2, .device = device, .time = time, .move = move};
    void *state = lp->start(&m);
    for (int n = 0; n < turns; n++) {
        struct heddle_jobs_report report = {0};
        struct heddle_jobs_choice c = {.machine = &m,
                                       .asking = -1,
                                       .kinds = 2 * DEVICES,
                                       .kind = kind,
                                       .rest = rest,
                                       .queued = queued,
                                       .running = running,
                                       .put = count,
                                       .report = &report};
        struct put put = {.end = end, .c = &c};
        c.with = &put;
        memset(end, 0, sizeof end);
        const double begin = seconds_now();
        lp->place(state, &c);
        const double took = seconds_now() - begin;
        double last = 0;
        for (int d = 0; d < DEVICES; d++)
            last = fmax(last, end[d]);
        printf("{\"what\":\"devices\",\"devices\":%d,\"kinds\":%d,\"jobs\":%ld,\"programs\":%d,\"seconds\":%.6f,"
               "\"makespan\":%.9f,\"check\":\"%s\"}\n",
               DEVICES, 2 * DEVICES, put.jobs, report.rounds, took, last, put.jobs == 1000000 ? "ok" : "fail");
    }
    lp->stop(state);
}

int main(int argc, char **argv) {
    int sets = 500;
    for (int k = 1; k < argc; k++)
        if (!strncmp(argv[k], "--sets=", 7))
            sets = atoi(argv[k] + 7);
        else if (strcmp(argv[k], "--json") != 0) {
            fprintf(stderr, "usage: bench-jobs [--json] [--sets=N]\n");
            return 2;
        }
    if (sets < 1)
        return 2;
    job_sets(3, 0, sets, 10000, true);
    for (int r = 3; r <= 6; r++)
        job_sets(r, 0, sets, 30000, r == 3);
    for (int r = 13; r <= 16; r++)
        job_sets(r, CORES, sets, 30000, false);
    many_devices(5);
    return 0;
}
