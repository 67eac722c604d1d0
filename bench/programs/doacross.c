/* SPDX-License-Identifier: Apache-2.0 */
/* bench-doacross: the recurrence in the ways that OpenMP itself has, on tiles: a doacross loop,
 * tasks with depend clauses, and a barrier after each diagonal. The checksum is the score. Does not
 * link the heddle runtime. */
#include "tiles.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static struct {
    long h, w;
    const char *keep;
} shape = {256, 256, "all"};

static struct tiles make_tiles(const struct bench_pair *p) {
    struct tiles t = {.pair = p, .h = shape.h, .w = shape.w, .edges = !strcmp(shape.keep, "edges")};
    t.rows = (p->n + t.h - 1) / t.h;
    t.cols = (p->m + t.w - 1) / t.w;
    t.best = app_alloc((size_t)t.rows * (size_t)t.cols, sizeof *t.best);
    t.right = app_alloc((size_t)p->n + 1, sizeof *t.right);
    return t;
}

static uint64_t take_best(struct tiles *t) {
    int best = 0;
    for (long k = 0; k < t->rows * t->cols; k++)
        best = bench_max(best, t->best[k]);
    free(t->best);
    free(t->right);
    return (uint64_t)best;
}

/* A thread takes whole rows of tiles and runs along them: the left tile is its own, so the tile
 * above is all it waits for. */
static uint64_t run_doacross(const struct bench_pair *p) {
    struct tiles t = make_tiles(p);
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (long r = 0; r < t.rows; r++)
        for (long c = 0; c < t.cols; c++) {
#pragma omp ordered depend(sink : r - 1, c)
            tiles_compute(&t, r, c);
#pragma omp ordered depend(source)
        }
    return take_best(&t);
}

static uint64_t run_tasks(const struct bench_pair *p) {
    struct tiles t = make_tiles(p);
    const long ld = t.cols + 1;
    char *done = app_alloc((size_t)(t.rows + 1) * (size_t)ld, 1);
#pragma omp parallel
#pragma omp single
    for (long r = 0; r < t.rows; r++)
        for (long c = 0; c < t.cols; c++) {
            char *self = done + (r + 1) * ld + c + 1;
            (void)self; /* gcc: only used in the clause */
#pragma omp task depend(in : self[-ld], self[-1]) depend(out : self[0]) firstprivate(r, c)
            tiles_compute(&t, r, c);
        }
    free(done);
    return take_best(&t);
}

static uint64_t run_diagonals(const struct bench_pair *p) {
    struct tiles t = make_tiles(p);
#pragma omp parallel
    for (long d = 0; d < t.rows + t.cols - 1; d++) {
        const long first = d < t.cols ? 0 : d - t.cols + 1;
        const long last = d < t.rows ? d : t.rows - 1;
#pragma omp for schedule(static)
        for (long r = first; r <= last; r++)
            tiles_compute(&t, r, d - r);
    }
    return take_best(&t);
}

static size_t cells(long n, long m) {
    const long rows = strcmp(shape.keep, "edges") ? n : (n + shape.h - 1) / shape.h;
    return ((size_t)rows + 1) * ((size_t)m + 1);
}

static const struct bench_method methods[] = {
    {.name = "doacross", .run = run_doacross, .count = cells},
    {.name = "tasks", .run = run_tasks, .count = cells},
    {.name = "diagonals", .run = run_diagonals, .count = cells},
    {.name = NULL},
};

static int set_shape(struct bench *b, const char *tile) {
    static char extra[96];
    char *end;
    shape.h = shape.w = strtol(tile, &end, 10);
    if (*end == 'x')
        shape.w = strtol(end + 1, &end, 10);
    if (*end || shape.h < 1 || shape.w < 1)
        return app_fail(&b->app, "--tile=%s: expected H or HxW", tile);
    if (strcmp(shape.keep, "all") && strcmp(shape.keep, "edges"))
        return app_fail(&b->app, "--keep=%s: expected all or edges", shape.keep);
    if (b->app.threads)
        omp_set_num_threads((int)b->app.threads);
    snprintf(extra, sizeof extra, "\"tile\": \"%ldx%ld\", \"keep\": \"%s\", \"threads\": %d", shape.h, shape.w,
             shape.keep, omp_get_max_threads());
    b->extra = extra;
    return -1;
}

int main(int argc, char **argv) {
    static struct bench b = {.method = "doacross", .seed = 1};
    const char *tile = "256x256";
    const struct app_option options[] = {
        BENCH_OPTIONS(b),
        {"tile", "HxW", "rows and columns of a tile", APP_TEXT, &tile, 0},
        {"keep", "all|edges", "the whole matrix, or what tiles pass on", APP_TEXT, &shape.keep, 0},
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    b.app = (struct app){.name = "bench-doacross",
                         .summary = "OpenMP's own ways (methods: doacross, tasks, diagonals)",
                         .inputs = "",
                         .two_sizes = true,
                         .options = options,
                         .rows = 4096,
                         .cols = 4096};
    int status = app_parse(&b.app, argc, argv);
    if (status < 0)
        status = set_shape(&b, tile);
    return status >= 0 ? status : bench_main(&b, methods);
}
