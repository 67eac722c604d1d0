/* SPDX-License-Identifier: Apache-2.0 */
/* bench-graph: what a task of a repeated graph costs, by heddle's graph and by what a user would take instead. Each
 * method runs the iterations `--repeat` times after some that are not measured; the result is the serial loop's. */
#include "graph.h"

#include "app.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define METHODS "serial, omp, heddle, starpu, target-omp, target-heddle, cuda"
enum { COUNT = 7, ON_HOST = 4 }; /* methods; the first whose tasks have one number */

static void fill(const struct graph_run *run) {
    for (long b = 0; b < run->blocks * run->size; b++) {
        run->u[b] = graph_work((uint32_t)b + 1, 3);
        run->w[b] = 0;
    }
}

static uint64_t hash(const struct graph_run *run) {
    const size_t bytes = (size_t)(run->blocks * run->size) * sizeof *run->u;
    return app_hash(app_hash(APP_HASH_START, run->u, bytes), run->w, bytes);
}

/* Seconds of the iterations behind `warm` ones; negative: it did not run. */
static double measure(const char *method, const struct graph_run *run, long warm) {
    struct graph_run first = *run;
    first.iterations = warm;
    void (*form)(const struct graph_run *) = !strcmp(method, "serial")          ? graph_serial
                                             : !strcmp(method, "omp")           ? graph_omp
                                             : !strcmp(method, "heddle")        ? graph_heddle
                                             : !strcmp(method, "target-omp")    ? graph_target_omp
                                             : !strcmp(method, "target-heddle") ? graph_target_heddle
                                                                                : NULL;
    if (!strcmp(method, "cuda"))
        return graph_cuda(run, 0);
#ifdef BENCH_STARPU
    if (!form)
        return graph_starpu(run, (int)warm);
#endif
    if (!form)
        return -1;
    form(&first);
    const double start = app_seconds();
    form(run);
    return app_seconds() - start;
}

int main(int argc, char **argv) {
    const char *method = "heddle";
    long iterations = 32, rounds = 0, block = 1, between = 0;
    const struct app_option options[] = {
        {"method", "NAME", METHODS " (heddle)", APP_TEXT, &method, 0},
        {"iterations", "N", "of the graph (32)", APP_LONG, &iterations, 1},
        {"rounds", "N", "of work in a task (0)", APP_LONG, &rounds, 0},
        {"block", "N", "numbers of a block: for tasks on devices (1)", APP_LONG, &block, 1},
        {"between", "N", "blocks that tasks of the host work with in between: by target-heddle (0)", APP_LONG, &between,
         0},
        {0}};
    struct app app = {.name = "bench-graph",
                      .summary = "tasks of a graph that is repeated",
                      .size_help = "blocks in the ring (64)",
                      .rows = 64,
                      .cols = 1,
                      .repeat = 5,
                      .options = options};
    int status = app_parse(&app, argc, argv);
    if (status >= 0)
        return status;
    const char *const names[] = {"serial", "target-omp", "target-heddle", "cuda", "omp", "heddle", "starpu"};
    int number = 0;
    while (number < COUNT && strcmp(method, names[number]))
        number++;
    if (number == COUNT || app.rows < 3)
        return app_fail(&app, number < COUNT ? "--size: at least 3 blocks" : "--method=%s: expected " METHODS, method);
    if (number >= ON_HOST && block > 1)
        return app_fail(&app, "--block: tasks of --method=%s have one number each", method);
    if (between > app.rows || (between && strcmp(method, "target-heddle")))
        return app_fail(&app, "--between: at most as many as blocks, by --method=target-heddle, not %s", method);
    struct graph_run run = {.blocks = app.rows,
                            .iterations = iterations,
                            .rounds = rounds,
                            .size = block,
                            .between = between,
                            .threads = app.threads ? (int)app.threads : (int)sysconf(_SC_NPROCESSORS_ONLN)};
    run.u = app_alloc(2 * (size_t)(run.blocks * block), sizeof *run.u);
    run.w = run.u + run.blocks * block;
    const long warm = iterations; /* as many: the same graph, recorded once */
    fill(&run);
    measure("serial", &run, warm);
    const uint64_t expected = hash(&run);
    for (long k = 0; k < app.repeat; k++) {
        fill(&run);
        const double seconds = measure(method, &run, warm);
        if (seconds < 0)
            return app_fail(&app, "--method=%s: it is not in this build, or does not start", method);
        const uint64_t own = hash(&run);
        if (own != expected)
            status = APP_CHECK_FAILED;
        printf("{\"program\": \"bench-graph\", \"method\": \"%s\", \"size\": \"%ldx1\", \"block\": %ld, \"between\": "
               "%ld, \"threads\": "
               "%d, \"tasks\": %ld, "
               "\"seconds\": %.9f, \"task_us\": %.4f, \"checksum\": \"%016" PRIx64 "\", \"check\": \"%s\"}\n",
               method, run.blocks, block, between, run.threads, (2 * run.blocks + between) * iterations, seconds,
               1e6 * seconds / ((2.0 * (double)run.blocks + (double)between) * (double)iterations), own,
               own == expected ? "ok" : "failed");
    }
    free(run.u);
    return status < 0 ? 0 : status;
}
