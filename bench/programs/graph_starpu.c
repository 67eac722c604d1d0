/* SPDX-License-Identifier: Apache-2.0 */
/* The graph by StarPU, its workers on cores. */
#include "graph.h"

#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

static void first(void *buffers[], void *argument) {
    long rounds;
    starpu_codelet_unpack_args(argument, &rounds);
    const uint32_t left = *(uint32_t *)STARPU_VARIABLE_GET_PTR(buffers[0]),
                   own = *(uint32_t *)STARPU_VARIABLE_GET_PTR(buffers[1]),
                   right = *(uint32_t *)STARPU_VARIABLE_GET_PTR(buffers[2]);
    *(uint32_t *)STARPU_VARIABLE_GET_PTR(buffers[3]) = graph_work(left + 3 * own + 5 * right, rounds);
}
static void second(void *buffers[], void *argument) {
    long rounds;
    starpu_codelet_unpack_args(argument, &rounds);
    uint32_t *u = (uint32_t *)STARPU_VARIABLE_GET_PTR(buffers[1]);
    *u = graph_work(*u ^ *(uint32_t *)STARPU_VARIABLE_GET_PTR(buffers[0]), rounds);
}

static struct starpu_perfmodel first_model = {.type = STARPU_HISTORY_BASED, .symbol = "heddle_graph_first"},
                               second_model = {.type = STARPU_HISTORY_BASED, .symbol = "heddle_graph_second"};
static struct starpu_codelet first_task = {.cpu_funcs = {first},
                                           .nbuffers = 4,
                                           .modes = {STARPU_R, STARPU_R, STARPU_R, STARPU_W},
                                           .model = &first_model},
                             second_task = {.cpu_funcs = {second},
                                            .nbuffers = 2,
                                            .modes = {STARPU_R, STARPU_RW},
                                            .model = &second_model};

static int insert_all(const struct graph_run *run, starpu_data_handle_t *u, starpu_data_handle_t *w) {
    int error = 0;
    for (long i = 0; i < run->iterations; i++) {
        for (long b = 0; b < run->blocks; b++)
            error |= starpu_task_insert(&first_task, STARPU_VALUE, &run->rounds, sizeof run->rounds, STARPU_R,
                                        u[(b + run->blocks - 1) % run->blocks], STARPU_R, u[b], STARPU_R,
                                        u[(b + 1) % run->blocks], STARPU_W, w[b], 0);
        for (long b = 0; b < run->blocks; b++)
            error |= starpu_task_insert(&second_task, STARPU_VALUE, &run->rounds, sizeof run->rounds, STARPU_R, w[b],
                                        STARPU_RW, u[b], 0);
    }
    return error | starpu_task_wait_for_all();
}

double graph_starpu(const struct graph_run *run, int warm) {
    char count[16];
    double start = 0, end = -1;
    const size_t blocks = (size_t)run->blocks;
    starpu_data_handle_t *u = malloc(2 * blocks * sizeof(starpu_data_handle_t)), *w = u + blocks;
    snprintf(count, sizeof count, "%d", run->threads);
    setenv("STARPU_NCPU", count, 1);
    setenv("STARPU_SILENT", "1", 0);
    if (!u || starpu_init(NULL)) {
        free(u);
        return -1;
    }
    for (size_t b = 0; b < blocks; b++) {
        starpu_variable_data_register(&u[b], STARPU_MAIN_RAM, (uintptr_t)&run->u[b], sizeof *run->u);
        starpu_variable_data_register(&w[b], STARPU_MAIN_RAM, (uintptr_t)&run->w[b], sizeof *run->w);
    }
    if (warm) { /* threads, times for the models; the iterations are part of the result */
        const struct graph_run once = {.blocks = run->blocks, .iterations = warm, .rounds = run->rounds};
        warm = insert_all(&once, u, w);
    }
    start = starpu_timing_now();
    const int error = insert_all(run, u, w) | warm;
    end = starpu_timing_now();
    for (size_t b = 0; b < blocks; b++) {
        starpu_data_unregister(u[b]);
        starpu_data_unregister(w[b]);
    }
    starpu_shutdown();
    free(u);
    return error ? -1 : 1e-6 * (end - start);
}
