/* SPDX-License-Identifier: Apache-2.0 */
#include "tile.h"

#define CAT2(x, y) x##y
#define CAT(x, y) CAT2(x, y)
#define REAL float
#define PRODUCT product_float
#include "tile_real.h"
#define REAL double
#define PRODUCT product_double
#include "tile_real.h"

struct product gemm_product(const struct gemm *g, long t) {
    const struct gemm_tile at = gemm_tile_at(g, t);
    return (struct product){.is_double = g->is_double,
                            .m = at.rows,
                            .n = at.cols,
                            .k = g->k,
                            .alpha = g->alpha,
                            .beta = g->beta,
                            .a = (const char *)g->a + gemm_panel_offset(g, g->m, at.row, 0),
                            .b = (const char *)g->b + gemm_panel_offset(g, g->n, at.col, 0),
                            .c = (char *)g->c + gemm_c_offset(g, at.row, at.col),
                            .lda = at.pitch_a,
                            .ldb = at.pitch_b,
                            .ldc = at.pitch_b};
}

void product_plain(const struct product *p) {
    if (p->is_double)
        product_double(p->m, p->n, p->k, p->alpha, p->a, p->lda, p->b, p->ldb, p->beta, p->c, p->ldc);
    else
        product_float(p->m, p->n, p->k, (float)p->alpha, p->a, p->lda, p->b, p->ldb, (float)p->beta, p->c, p->ldc);
}

void gemm_tile(struct gemm *g, long t) {
    const struct product p = gemm_product(g, t);
    product_plain(&p);
}
