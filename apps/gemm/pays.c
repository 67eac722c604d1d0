/* SPDX-License-Identifier: Apache-2.0 */
#include "pays.h"

#include "app.h"
#include "blas.h"
#include "devices.h"

#include <math.h>
#include <stdlib.h>

#if __has_include(<heddle.h>)
#include <heddle.h>

/* One thread's best of three on a small product; a fraction of a millisecond. */
static double host_rate(const struct gemm *g) {
    enum { SIDE = 192 };
    const size_t bytes = SIDE * SIDE * sizeof(double);
    double *memory = app_alloc(3, bytes), best = 0;
    const struct product p = {.is_double = g->is_double,
                              .m = SIDE,
                              .n = SIDE,
                              .k = SIDE,
                              .alpha = 1,
                              .a = memory,
                              .b = memory + SIDE * SIDE,
                              .c = memory + 2 * SIDE * SIDE,
                              .lda = SIDE,
                              .ldb = SIDE,
                              .ldc = SIDE};
    for (int k = 0; k < 3; k++) {
        const double start = app_seconds();
        blas_product(&p);
        best = fmax(best, 2.0 * SIDE * SIDE * SIDE / (app_seconds() - start));
    }
    free(memory);
    return best;
}

bool pays_leave_out_host(const struct gemm *g) {
    const double link = 10e9; /* bytes a second: a slow link; the devices' copies run beside their products */
    char list[128];
    const double devices = devices_rate(g, list, sizeof list);
    if (!(devices > 0))
        return false;
    const double side = fmin((double)g->tile, (double)g->m), wide = fmin((double)g->tile, (double)g->n);
    const double all = 2 * (double)g->m * (double)g->n * (double)g->k / devices;
    const double moved =
        ((double)gemm_operand_bytes(g, g->m) + (double)gemm_operand_bytes(g, g->n) + (double)gemm_c_bytes(g)) / link;
    return 2 * side * wide * (double)g->k / host_rate(g) > all + moved + 1e-3 && !heddle_option_set("device", list);
}
#else
bool pays_leave_out_host(const struct gemm *g) {
    (void)g;
    return false;
}
#endif
