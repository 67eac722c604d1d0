/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over every device that are one thing only, for `#pragma heddle for` itself:
 *   uneven    iterations whose cost depends on the place and on chance; 8 bytes of results each
 *   compute   iterations of equal cost; 4 bytes in, 4 out
 *   transfer  one multiplication an iteration: 8 bytes in, 4 out
 * --lock page-locks the arrays of `transfer` first. Each measured run is one line; --check compares with the loop without the pragma.
 */
#include "app.h"
#include "heddle.h"
#include "heddle/gpu.h"
#include "nest_loops.h"
#include <stdlib.h>
#include <string.h>

struct loops {
    struct app app;
    const char *method;
    long work, warm;
    bool lock;
};
struct arrays {
    long n;
    float *x, *y;
    double *z;
};

static void run(const struct loops *l, const struct arrays *a, bool serial)
{
    if (!strcmp(l->method, "uneven"))
        (serial ? loop_uneven_serial : loop_uneven)(a->n, l->work, a->z);
    else if (!strcmp(l->method, "compute"))
        (serial ? loop_compute_serial : loop_compute)(a->n, l->work, a->x, a->y);
    else
        (serial ? loop_transfer_serial : loop_transfer)(a->n, a->x, a->y);
}

static void fill(const struct arrays *a)
{
    for (long i = 0; i < a->n; i++) {
        a->x[i] = (float)(i % 1000) * 0.125f;
        a->y[i] = 1;
        a->z[i] = 0;
    }
}

static uint64_t checksum(const struct arrays *a)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (long i = 0; i < a->n; i++) {
        uint64_t z;
        uint32_t y;
        memcpy(&z, &a->z[i], sizeof z);
        memcpy(&y, &a->y[i], sizeof y);
        hash = (hash ^ z ^ y) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void print(const struct loops *l, const struct arrays *a, double seconds, const char *check)
{
    struct heddle_loop_report r;
    heddle_last_loop_report(&r);
    printf("{\"program\": \"bench-loops\", \"method\": \"%s\", \"size\": \"%ldx1\", \"schedule\": \"%s\", \"seconds\": %.9f, \"rate\": %.6g, "
           "\"unit\": \"Miterations/s\", \"efficiency\": %.4f, \"balance\": %.4f, \"checksum\": \"%016llx\", \"check\": \"%s\", \"devices\": [",
           l->method, a->n, r.schedule ? r.schedule : "", seconds, (double)a->n / seconds * 1e-6, r.efficiency, r.balance,
           (unsigned long long)checksum(a), check);
    for (int d = 0; d < r.devices; d++)
        printf("%s{\"device\": %d, \"iterations\": %ld, \"chunks\": %d, \"compute\": %.6f, \"move\": %.6f}", d ? ", " : "", r.device[d].device,
               r.device[d].iterations, r.device[d].chunks, r.device[d].compute, r.device[d].move);
    puts("]}");
}

static int measure(struct loops *l, struct arrays *a)
{
    uint64_t expected = 0;
    int status = APP_OK;
    if (l->app.check) {
        fill(a);
        run(l, a, true);
        expected = checksum(a);
    }
    for (long k = -l->warm; k < l->app.repeat; k++) {
        fill(a);
        const double begin = app_seconds();
        run(l, a, false);
        const double seconds = app_seconds() - begin;
        const bool good = !l->app.check || checksum(a) == expected;
        if (k >= 0)
            print(l, a, seconds, l->app.check ? good ? "ok" : "fail" : "none");
        status = good ? status : APP_CHECK_FAILED;
    }
    return status;
}

int main(int argc, char **argv)
{
    struct loops l = {.app = {.name = "bench-loops", .summary = "loops over every device: one of them, run after run", .loops = true, .rows = 1 << 20},
                      .method = "uneven", .work = 200};
    const struct app_option options[] = {{"method", "NAME", "uneven (default), compute or transfer", APP_TEXT, &l.method, 0},
                                         {"work", "N", "steps of an iteration on average (200)", APP_LONG, &l.work, 0},
                                         {"warm", "N", "runs before the measured ones", APP_LONG, &l.warm, 0},
                                         {"lock", NULL, "page-lock the arrays first", APP_FLAG, &l.lock, 0},
                                         {0}};
    l.app.options = options;
    int status = app_parse(&l.app, argc, argv);
    if (status >= 0)
        return status;
    if (strcmp(l.method, "uneven") != 0 && strcmp(l.method, "compute") != 0 && strcmp(l.method, "transfer") != 0)
        return app_fail(&l.app, "--method=%s: expected uneven, compute or transfer", l.method);
    struct arrays a = {.n = l.app.rows};
    if ((status = app_memory_fits(&l.app, 16.0 * (double)a.n, "the arrays")) >= 0)
        return status;
    a.x = app_alloc((size_t)a.n, sizeof *a.x);
    a.y = app_alloc((size_t)a.n, sizeof *a.y);
    a.z = app_alloc((size_t)a.n, sizeof *a.z);
    fill(&a);
    if (l.lock && (heddle_gpu_lock(a.x, (size_t)a.n * sizeof *a.x) || heddle_gpu_lock(a.y, (size_t)a.n * sizeof *a.y)))
        status = app_fail(&l.app, "--lock: there is no GPU that could");
    else
        status = measure(&l, &a);
    if (l.lock && status != APP_BAD_INPUT) {
        heddle_gpu_unlock(a.x);
        heddle_gpu_unlock(a.y);
    }
    free(a.x);
    free(a.y);
    free(a.z);
    return status;
}
