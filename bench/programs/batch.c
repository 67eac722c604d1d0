/* SPDX-License-Identifier: Apache-2.0 */
/* bench-batch: as many cells in one problem or in many. `huge` scores one pair, `batch` all pairs of its pieces;
 * `serial` and `serial-batch` are the same sources with the pragma ignored. The checksum is the score, or a hash of all
 * scores. */
#include "batch.h"

static long side = 100;

static size_t two_rows(long n, long m) {
    (void)n;
    return 2 * ((size_t)m + 1);
}

static size_t problems(long n, long m) { return (size_t)(n / side) * (size_t)(m / side); }

static uint64_t run_serial(const struct bench_pair *p) {
    return (uint64_t)bench_serial_score(p->n, p->m, p->a, p->b, p->cells);
}

static uint64_t run_huge(const struct bench_pair *p) {
    return (uint64_t)bench_heddle_score(p->n, p->m, p->a, p->b, p->cells);
}

static uint64_t run_serial_batch(const struct bench_pair *p) {
    bench_serial_scores(p->n, p->m, p->a, p->b, (int)side, p->cells);
    return 0;
}

static uint64_t run_batch(const struct bench_pair *p) {
    bench_heddle_scores(p->n, p->m, p->a, p->b, (int)side, p->cells);
    return 0;
}

static uint64_t hash(const struct bench_pair *p, uint64_t result) {
    (void)result;
    return app_hash(APP_HASH_START, p->cells, p->count * sizeof *p->cells);
}

static const struct bench_method methods[] = {
    {.name = "serial", .run = run_serial, .count = two_rows},
    {.name = "huge", .run = run_huge, .count = two_rows, .nest = true},
    {.name = "serial-batch", .run = run_serial_batch, .checksum = hash, .count = problems},
    {.name = "batch", .run = run_batch, .checksum = hash, .count = problems, .nest = true},
    {.name = NULL},
};

int main(int argc, char **argv) {
    static struct bench b = {.method = "batch", .seed = 1, .report = heddle_last_report};
    const struct app_option options[] = {
        BENCH_OPTIONS(b),
        {"side", "N", "letters of a piece; it divides both sizes (100)", APP_LONG, &side, 1},
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    b.app = (struct app){.name = "bench-batch",
                         .summary = "one large problem or many small ones (methods: serial, huge, serial-batch, batch)",
                         .inputs = "",
                         .two_sizes = true,
                         .options = options,
                         .rows = 10000,
                         .cols = 10000};
    const int status = app_parse(&b.app, argc, argv);
    if (status >= 0)
        return status;
    if (b.app.rows % side || b.app.cols % side || (double)b.app.rows / side * ((double)b.app.cols / side) > 1e9)
        return app_fail(&b.app, "--side=%ld: does not divide the sizes, or makes more than 10^9 problems", side);
    return bench_main(&b, methods);
}
