/* SPDX-License-Identifier: Apache-2.0 */
/* bench-matrix: the same recurrence with every cell kept, for the schedules that work in memory.
 * The checksum is the sum of all cells; `sum` makes it without a matrix. */
#include "bench.h"
#include "cuda_matrix.h"

static size_t whole(long n, long m) { return ((size_t)n + 1) * ((size_t)m + 1); }

static size_t one_row(long n, long m) {
    (void)n;
    return (size_t)m + 1;
}

static uint64_t run_serial(const struct bench_pair *p) {
    bench_serial_matrix(p->n, p->m, p->a, p->b, p->cells);
    return 0;
}

static uint64_t run_heddle(const struct bench_pair *p) {
    bench_heddle_matrix(p->n, p->m, p->a, p->b, p->cells);
    return 0;
}

static uint64_t run_sum(const struct bench_pair *p) { return bench_tuned_sum(p->n, p->m, p->a, p->b, p->cells); }

/* What a program links that was written by hand: no nest, but the kernels' time is reported in its place. */
static struct heddle_report by_hand;

static uint64_t run_cuda(const struct bench_pair *p, int graph) {
    by_hand = (struct heddle_report){.schedule = graph ? "graph" : "barrier", .rows = p->n, .columns = p->m};
    bench_cuda_matrix(p, graph, &by_hand.kernel_seconds);
    return 0;
}

static uint64_t run_cuda_barrier(const struct bench_pair *p) { return run_cuda(p, 0); }

static uint64_t run_cuda_graph(const struct bench_pair *p) { return run_cuda(p, 1); }

static void report(struct heddle_report *r) {
    if (by_hand.schedule)
        *r = by_hand;
    else
        heddle_last_report(r);
}

static uint64_t add_up(const struct bench_pair *p, uint64_t result) {
    uint64_t sum = result;
#pragma omp parallel for reduction(+ : sum)
    for (size_t k = 0; k < p->count; k++)
        sum += (uint64_t)p->cells[k];
    return sum;
}

static const struct bench_method methods[] = {
    {.name = "serial", .run = run_serial, .checksum = add_up, .count = whole},
    {.name = "heddle", .run = run_heddle, .checksum = add_up, .count = whole, .nest = true},
    {.name = "sum", .run = run_sum, .count = one_row},
    {.name = "cuda-barrier", .run = run_cuda_barrier, .checksum = add_up, .count = whole, .nest = true},
    {.name = "cuda-graph", .run = run_cuda_graph, .checksum = add_up, .count = whole, .nest = true},
    {.name = NULL},
};

int main(int argc, char **argv) {
    static struct bench b = {.method = "heddle", .seed = 1, .report = report};
    const struct app_option options[] = {
        BENCH_OPTIONS(b),
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    b.app = (struct app){
        .name = "bench-matrix",
        .summary = "alignment matrix, all cells kept (methods: serial, heddle, sum, cuda-barrier, cuda-graph)",
        .inputs = "",
        .two_sizes = true,
        .options = options,
        .rows = 4096,
        .cols = 4096};
    const int status = app_parse(&b.app, argc, argv);
    return status >= 0 ? status : bench_main(&b, methods);
}
