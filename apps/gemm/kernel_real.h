/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_target.c's kernel for type REAL under the name PRODUCT. The blocks at the right and lower edge read within the
 * pitch, which is a multiple of 4, and write what there is. */

#pragma omp declare target
static inline void CAT(PRODUCT, _block)(long m, long n, long k, REAL alpha, const REAL *a, long lda, const REAL *b,
                                        long ldb, REAL beta, REAL *c, long ldc, long r, long j) {
    REAL sum[4][4] = {{0}};
    for (long p = 0; p < k; p++) {
        const REAL *x = a + p * lda + r, *y = b + p * ldb + j;
        for (int u = 0; u < 4; u++)
            for (int v = 0; v < 4; v++)
                sum[u][v] += x[u] * y[v];
    }
    for (int u = 0; u < 4 && r + u < m; u++)
        for (int v = 0; v < 4 && j + v < n; v++) {
            REAL *at = c + (r + u) * ldc + j + v;
            *at = alpha * sum[u][v] + (beta == 0 ? 0 : beta * *at);
        }
}
#pragma omp end declare target

static void PRODUCT(int device, const struct product *at) {
    const long m = at->m, n = at->n, k = at->k, lda = at->lda, ldb = at->ldb, ldc = at->ldc;
    const long high = (m + 3) / 4, wide = (n + 3) / 4;
    const REAL alpha = (REAL)at->alpha, beta = (REAL)at->beta;
    const REAL *a = at->a, *b = at->b;
    REAL *c = at->c;
    (void)device;
#pragma omp target teams distribute parallel for collapse(2) device(device) is_device_ptr(a, b, c)
    for (long u = 0; u < high; u++)
        for (long v = 0; v < wide; v++)
            CAT(PRODUCT, _block)(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, u * 4, v * 4);
}
#undef REAL
#undef PRODUCT
