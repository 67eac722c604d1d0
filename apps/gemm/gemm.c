/* SPDX-License-Identifier: Apache-2.0 */
/* gemm: C = alpha A B + beta C on every device of the machine. See README.md. */
#include "app.h"
#include "blas.h"
#include "devices.h"
#include "files.h"
#include "nest.h"
#include "pays.h"
#include "port.h"
#include "resident.h"
#include "verify.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct run {
    struct app app;
    const char *type, *blas, *cublas, *lock, *out;
    const char *file[3]; /* A, B, C */
    double alpha, beta, cache;
    long tile, seed, slab, step, lanes, xt, warm;
    bool whole, resident, plain;

    struct gemm g;
    void *c0; /* C before, where beta is not 0 */
    double setup_seconds, lock_seconds, fastest;
    char library[64];
};

static const char letters[] = "ABC";

/* Every element of the matrices' sizes and types that files give; a size that nothing gives comes from --size. */
static int look_at_files(struct run *r) {
    long *const rows[] = {&r->g.m, &r->g.k, &r->g.m}, *const cols[] = {&r->g.k, &r->g.n, &r->g.n};
    long size[3] = {r->app.rows, r->app.cols, r->app.depth};
    bool typed = false;
    r->g.m = r->g.n = r->g.k = -1;
    for (int k = 0; k < 3; k++) {
        struct npy npy;
        bool is_bin;
        char message[300];
        if (!r->file[k])
            continue;
        if (!file_look(r->file[k], &npy, &is_bin, message, sizeof message))
            return app_fail(&r->app, "%s", message);
        if (is_bin)
            continue;
        if (typed && npy.is_double != r->g.is_double)
            return app_fail(&r->app, "%s: another type than the matrix before", r->file[k]);
        if (!typed && r->type && npy.is_double != r->g.is_double)
            return app_fail(&r->app, "%s: its type is not --type=%s", r->file[k], r->type);
        typed = true;
        r->g.is_double = npy.is_double;
        if ((*rows[k] >= 0 && *rows[k] != npy.rows) || (*cols[k] >= 0 && *cols[k] != npy.cols))
            return app_fail(&r->app, "%s: %c is %ld x %ld, which does not fit the matrix before", r->file[k],
                            letters[k], npy.rows, npy.cols);
        *rows[k] = npy.rows;
        *cols[k] = npy.cols;
    }
    const long *given[] = {&r->g.m, &r->g.n, &r->g.k};
    for (int k = 0; k < 3; k++) {
        if (r->app.sized && *given[k] >= 0 && *given[k] != size[k])
            return app_fail(&r->app, "--size: the files say %c = %ld", "MNK"[k], *given[k]);
        if (*given[k] < 0)
            *(long *)given[k] = size[k];
    }
    return -1;
}

/* About 16 tiles where C is small, so that threads have something to take and transfers overlap; not more than a GPU
 * computes at full speed (measured: README). */
static long default_tile(const struct gemm *g) {
    const double side = sqrt((double)g->m * (double)g->n);
    const long most = side >= 16384 ? 2048 : 1024;
    long tile = 64;
    while (tile < most && (double)tile * 8 <= side)
        tile *= 2;
    return tile;
}

/* Before any product of sizes is taken as an integer. */
static int check_elements(struct run *r) {
    const struct gemm *g = &r->g;
    const double elements = (double)g->m * (double)g->k + (double)g->k * (double)g->n + (double)g->m * (double)g->n;
    return app_memory_fits(&r->app, elements * (double)gemm_element(g), "a product of this size");
}

static int check_memory(struct run *r) {
    const struct gemm *g = &r->g;
    const double bytes = (double)gemm_operand_bytes(g, g->m) + (double)gemm_operand_bytes(g, g->n) +
                         (double)gemm_c_bytes(g) * ((g->beta != 0) + 1);
    return app_memory_fits(&r->app, bytes, "a product of this size");
}

static int configure(struct run *r) {
    struct gemm *g = &r->g;
    if (r->type) {
        g->is_double = !strcmp(r->type, "fp64");
        if (!g->is_double && strcmp(r->type, "fp32"))
            return app_fail(&r->app, "--type=%s: expected fp32 or fp64", r->type);
    }
    if (strcmp(r->lock, "yes") && strcmp(r->lock, "no"))
        return app_fail(&r->app, "--lock=%s: expected yes or no", r->lock);
    if (r->lanes > PORT_LANES)
        return app_fail(&r->app, "--lanes=%ld: expected 1 or 2", r->lanes);
    if (r->cache < 0)
        return app_fail(&r->app, "--cache=%g: must be 0 or more", r->cache);
    if (r->file[2] && r->beta == 0)
        return app_fail(&r->app, "--c without --beta: C would not be read");
    if (r->out && !file_ends(r->out, ".npy") && !file_ends(r->out, ".bin"))
        return app_fail(&r->app, "--out=%s: the name must end in .npy or .bin", r->out);
    int status = look_at_files(r);
    if (status >= 0)
        return status;
    if (!g->is_double && (fabs(r->alpha) > FLT_MAX || fabs(r->beta) > FLT_MAX))
        return app_fail(&r->app, "--alpha=%g --beta=%g: too large for fp32", r->alpha, r->beta);
    const long sides = g->m > g->n ? g->m : g->n, longest = sides ? sides : 1;
    g->alpha = r->alpha;
    g->beta = r->beta;
    g->tile = r->resident || r->xt || r->tile > longest ? longest : r->tile ? r->tile : default_tile(g);
    if ((status = check_elements(r)) >= 0)
        return status;
    if (!gemm_plan(g))
        return app_fail(&r->app, "%ld x %ld x %ld: out of memory", g->m, g->n, g->k);
    return -1;
}

static int allocate(struct run *r) {
    struct gemm *g = &r->g;
    if (!gemm_alloc(g) || (g->beta != 0 && !(r->c0 = malloc(gemm_c_bytes(g) + 1))))
        return app_fail(&r->app, "%ld x %ld x %ld: out of memory", g->m, g->n, g->k);
    return -1;
}

static int load(struct run *r) {
    struct gemm *g = &r->g;
    char message[300];
    for (int k = 0; k < 3; k++) {
        if (k == GEMM_C && g->beta == 0)
            break;
        app_progress(&r->app, "%s %c", r->file[k] ? "reading" : "filling", letters[k]);
        if (!r->file[k])
            gemm_fill(g, (enum gemm_matrix)k, (uint64_t)r->seed, r->whole);
        else if (!file_read(r->file[k], g, (enum gemm_matrix)k, message, sizeof message))
            return app_fail(&r->app, "%s", message);
        else if (r->app.check && file_has_odd_values(g, (enum gemm_matrix)k))
            return app_fail(&r->app, "%s: holds infinite values or NaN; leave out --check", r->file[k]);
    }
    app_progress_end(&r->app);
    if (g->beta == 0)
        gemm_touch_c(g);
    if (r->c0)
        memcpy(r->c0, g->c, gemm_c_bytes(g));
    return -1;
}

/* Libraries and devices: once per program, not part of a run's time. */
static int set_up(struct run *r) {
    struct gemm *g = &r->g;
    char message[400];
    const double start = app_seconds();
    if (!blas_open(r->blas, message, sizeof message))
        return app_fail(&r->app, "--blas=%s: %s", r->blas, message);
    const char *d = r->app.device;
    const struct devices_config config = {.cache_bytes = r->cache * 1e6,
                                          .cublas = r->cublas,
                                          .slab_bytes = r->slab,
                                          .step = r->step,
                                          .lanes = (int)r->lanes,
                                          .plain = r->plain};
    const bool one = d[0] >= '0' && d[0] <= '9' && !strchr(d, ',');
    if (!r->resident && !r->xt && strcmp(d, "host") &&
        devices_open(g, one ? atoi(d) : -1, &config, message, sizeof message))
        return app_fail(&r->app, "--device=%s: %s", d, message);
    if (!strcmp(d, "auto") && devices_count(g))
        pays_leave_out_host(g);
    r->setup_seconds = app_seconds() - start;
    return -1;
}

static void lock_memory(struct run *r) {
    const double start = app_seconds();
    if (!r->g.devices || strcmp(r->lock, "yes"))
        return;
    app_progress(&r->app, "page-locking");
    if (devices_lock(&r->g))
        r->lock_seconds = app_seconds() - start;
}

/* Says how far a run is, while another thread computes. */
struct watch {
    struct run *r;
    long run;
    atomic_bool over;
    pthread_t thread;
    bool started;
};

static void *tell(void *arg) {
    struct watch *w = arg;
    const struct gemm *g = &w->r->g;
    const long before = g->done;
    while (!w->over) {
        app_progress(&w->r->app, "run %ld of %ld: %ld of %ld tiles", w->run, w->r->warm + w->r->app.repeat,
                     g->done - before, g->tiles);
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return NULL;
}

static void watch_begin(struct watch *w) {
    if (app_progress_wanted(&w->r->app))
        w->started = !pthread_create(&w->thread, NULL, tell, w);
}

static void watch_end(struct watch *w) {
    w->over = true;
    if (w->started)
        pthread_join(w->thread, NULL);
}

/* --device=0,1: its numbers; anything else: 0. */
static int read_devices(const char *text, int *list, int most) {
    int count = 0;
    for (char *end; count < most && *text >= '0' && *text <= '9'; text = *end == ',' ? end + 1 : end)
        list[count++] = (int)strtol(text, &end, 10);
    list[0] = count ? list[0] : 0;
    return count ? count : 1;
}

/* What the loop is compared with. */
static int measure_library(struct run *r, double *times) {
    int list[16];
    char message[400];
    const int count = read_devices(r->app.device, list, 16);
    app_progress(&r->app, "running");
    const bool ok =
        r->xt ? xt_run(&r->g, list, count, (int)r->xt, r->cublas, times, r->app.repeat, message, sizeof message)
              : resident_run(&r->g, list[0], r->cublas, times, r->app.repeat, r->library, message, sizeof message);
    return ok ? -1 : app_fail(&r->app, "%s", message);
}

static int measure(struct run *r, double *seconds) {
    struct gemm *g = &r->g;
    double *times = app_alloc((size_t)r->app.repeat, sizeof *times);
    int status = -1;
    if (r->resident || r->xt)
        status = measure_library(r, times);
    gemm_name_loop(g);
    for (long k = -r->warm; k < r->app.repeat && !r->resident && !r->xt; k++) {
        if (k != -r->warm && r->c0)
            memcpy(g->c, r->c0, gemm_c_bytes(g));
        devices_forget(g); /* every run fetches A and B */
        struct watch watch = {.r = r, .run = r->warm + k + 1};
        watch_begin(&watch);
        const double start = app_seconds();
        gemm_heddle(g);
        times[k < 0 ? 0 : k] = app_seconds() - start; /* those before are written over */
        watch_end(&watch);
    }
    app_progress_end(&r->app);
    *seconds = app_median(times, (int)r->app.repeat); /* sorts */
    r->fastest = times[0];
    free(times);
    return status;
}

/* Every element by the serial program, on a C of its own. */
static bool check_serial(struct run *r, struct check *check) {
    struct gemm *g = &r->g, serial = *g;
    const size_t bytes = gemm_c_bytes(g);
    serial.devices = NULL;
    serial.c = app_alloc(bytes, 1);
    if (r->c0)
        memcpy(serial.c, r->c0, bytes);
    gemm_serial(&serial);
    const bool good = check_against(g, serial.c, check);
    free(serial.c);
    return good;
}

static enum app_verdict check(struct run *r, struct check *c) {
    const struct gemm *g = &r->g;
    const double terms = (double)g->m * (double)g->n * (double)g->k;
    const bool seeded = !r->file[0] && !r->file[1] && !r->file[2];
    const double largest = 16 * (double)g->k * fabs(g->alpha) + 4 * fabs(g->beta);
    *c = (struct check){
        .c0 = r->c0, .trials = 2, .samples = 256, .seed = (uint64_t)r->seed, .zero_mean = seeded && !r->whole};
    c->exact = seeded && r->whole && g->alpha == floor(g->alpha) && g->beta == floor(g->beta) &&
               largest < (g->is_double ? 0x1p53 : 0x1p24);
    app_progress(&r->app, "checking");
    bool good = check_product(g, c);
    if (good && terms <= 0x1p31)
        good = check_serial(r, c);
    app_progress_end(&r->app);
    if (!good)
        app_fail(&r->app, "check: %s", c->message);
    return good ? APP_CHECK_OK : APP_CHECK_BAD;
}

/* One row of C, in words of 32 bits: the bits of the elements alone, whatever the tiles. */
static uint64_t row_sum(const struct gemm *g, long i) {
    uint64_t hash = APP_HASH_START;
    for (long col = 0; col < g->tile_cols; col++) {
        const long side = gemm_side(g, g->n, col), words = side * (g->is_double ? 2 : 1);
        const char *row = (const char *)g->c + gemm_c_offset(g, i / g->tile, col) +
                          (size_t)(i % g->tile * gemm_pitch(side)) * gemm_element(g);
        for (long k = 0; k < words; k++) {
            uint32_t word;
            memcpy(&word, row + 4 * k, 4);
            hash = (hash ^ word) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

static uint64_t checksum(const struct gemm *g) {
    uint64_t *row = app_alloc((size_t)g->m, sizeof *row);
#pragma omp parallel for
    for (long i = 0; i < g->m; i++)
        row[i] = row_sum(g, i);
    const uint64_t hash = app_hash(APP_HASH_START, row, (size_t)g->m * sizeof *row);
    free(row);
    return hash;
}

static int report(struct run *r, double seconds) {
    const struct gemm *g = &r->g;
    struct check c = {.trials = 0};
    const enum app_verdict verdict = r->app.check ? check(r, &c) : APP_NOT_CHECKED;
    double in = 0, out = 0, across = 0, fetched = 0, found = 0, on_devices = 0, idle = 0, start = 0, loading = 0,
           products = 0;
    for (int k = 0; k < devices_count(g); k++) {
        const struct device_totals t = devices_totals(g, k);
        in += t.bytes_in;
        out += t.bytes_out;
        across += t.bytes_across;
        fetched += (double)t.fetched;
        found += (double)t.found;
        on_devices += (double)t.tiles;
        idle += t.idle_seconds;
        start = fmax(start, t.start_seconds);
        loading = fmax(loading, t.load_seconds);
        products = fmax(products, t.product_seconds);
        snprintf(r->library, sizeof r->library, "%s", t.library);
    }
    const double runs = (double)r->app.repeat;
    if (!r->app.json)
        printf("libraries %s%s%s\n", blas_name(), r->library[0] ? ", " : "", r->library);
    const struct app_value values[] = {{"tile", (double)g->tile},
                                       {"tiles", (double)g->tiles},
                                       {"tiles_on_devices", on_devices / runs},
                                       {"bytes_in", in / runs},
                                       {"bytes_out", out / runs},
                                       {"bytes_across", across / runs},
                                       {"fetched", fetched / runs},
                                       {"reused", found / runs},
                                       {"idle_seconds", idle / runs},
                                       {"start_seconds", start},
                                       {"load_seconds", loading},
                                       {"product_seconds", products},
                                       {"fastest_seconds", r->fastest},
                                       {"setup_seconds", r->setup_seconds},
                                       {"lock_seconds", r->lock_seconds},
                                       {verdict == APP_NOT_CHECKED ? NULL : "check_ratio", c.freivalds},
                                       {"roundings", c.precision},
                                       {NULL, 0}};
    const struct app_result result = {.rows = (double)g->m,
                                      .cols = (double)g->n,
                                      .depth = (double)g->k,
                                      .seconds = seconds,
                                      .work = 2 * (double)g->m * (double)g->n * (double)g->k,
                                      .unit = "GFLOP/s",
                                      .checksum = checksum(g),
                                      .check = verdict};
    return app_report_values(&r->app, &result, stdout, values);
}

static int multiply(struct run *r) {
    double seconds = 0;
    char message[300];
    int status = check_memory(r);
    status = status < 0 ? set_up(r) : status;
    status = status < 0 ? allocate(r) : status;
    status = status < 0 ? load(r) : status;
    if (status < 0)
        lock_memory(r);
    status = status < 0 ? measure(r, &seconds) : status;
    if (status < 0 && r->out && !file_write(r->out, &r->g, message, sizeof message))
        status = app_fail(&r->app, "%s", message);
    return status < 0 ? report(r, seconds) : status;
}

int main(int argc, char **argv) {
    struct run r = {.alpha = 1,
                    .lock = "yes",
                    .seed = 1,
                    .app = {.name = "gemm",
                            .summary = "C = alpha A B + beta C, M x K by K x N, on every device",
                            .three_sizes = true,
                            .size_help = "of seeded matrices (1024); any size from 0",
                            .loops = true,
                            .inputs = "",
                            .rows = 1024,
                            .cols = 1024,
                            .depth = 1024}};
    const struct app_option options[] = {
        {"type", "T", "fp32 or fp64 (fp32, or that of the files)", APP_TEXT, &r.type, 0},
        {"alpha", "X", "(1)", APP_REAL, &r.alpha, 0},
        {"beta", "X", "(0: C is not read)", APP_REAL, &r.beta, 0},
        {"a", "FILE", "A: .npy, or .bin (elements row after row); seeded if left out", APP_INPUT, &r.file[0], 0},
        {"b", "FILE", "B", APP_INPUT, &r.file[1], 0},
        {"c", "FILE", "C before, with --beta", APP_INPUT, &r.file[2], 0},
        {"out", "FILE", "C: .npy or .bin", APP_OUTPUT, &r.out, 0},
        {"tile", "N", "rows and columns of a tile of C, an iteration of the loop (chosen by size)", APP_LONG, &r.tile,
         1},
        {"cache", "MB", "memory for tiles on each device (most of what is free)", APP_REAL, &r.cache, 0},
        {"slab", "BYTES", "of one transfer (4 MiB)", APP_LONG, &r.slab, 1},
        {"step", "K", "least depth of a product on a GPU while more is on its way (1024)", APP_LONG, &r.step, 1},
        {"plain", NULL, "cuBLAS chooses its kernels, which in fp64 need more power", APP_FLAG, &r.plain, 0},
        {"lanes", "1|2", "products beside each other on a GPU (2)", APP_LONG, &r.lanes, 1},
        {"lock", "yes|no", "page-lock the matrices for GPUs (yes)", APP_TEXT, &r.lock, 0},
        {"blas", "FILE", "the processor's BLAS, or none (OpenBLAS or BLIS if found)", APP_INPUT, &r.blas, 0},
        {"cublas", "FILE", "the GPUs' cuBLAS, or none (searched for)", APP_INPUT, &r.cublas, 0},
        {"resident", NULL, "compare: one call of the library, data on the device", APP_FLAG, &r.resident, 0},
        {"xt", "BLOCK", "compare: cuBLASXt with tiles of this side, data on the host", APP_LONG, &r.xt, 1},
        {"warm", "N", "runs of the loop before those that --repeat measures (0)", APP_LONG, &r.warm, 0},
        {"seed", "N", "of the random matrices (1)", APP_LONG, &r.seed, LONG_MIN},
        {"whole", NULL, "seeded whole numbers: every result is exact", APP_FLAG, &r.whole, 0},
        {0}};
    r.app.options = options;
    int status = app_parse(&r.app, argc, argv);
    if (status < 0)
        status = configure(&r);
    if (status < 0)
        status = multiply(&r);
    devices_close(&r.g);
    gemm_free(&r.g);
    free(r.c0);
    return status;
}
