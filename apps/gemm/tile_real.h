/* SPDX-License-Identifier: Apache-2.0 */
/* One product in plain C, for the type REAL under the name PRODUCT; tile.c includes this twice.
 * c[m][n] (pitch ldc) = alpha a^T b + beta c, with a[k][m] (pitch lda) and b[k][n] (pitch ldb). */

enum { CAT(PRODUCT, _high) = 4, CAT(PRODUCT, _wide) = 64 / sizeof(REAL) };

/* A block of at most high x wide elements of C stays in registers; the caller cuts the depth so that a block of b stays
 * in the first-level cache. */
static inline void CAT(PRODUCT, _block)(long high, long wide, long k, const REAL *a, long lda, const REAL *b, long ldb,
                                        REAL sum[CAT(PRODUCT, _high)][CAT(PRODUCT, _wide)]) {
    for (long p = 0; p < k; p++)
        for (long r = 0; r < high; r++)
            for (long c = 0; c < wide; c++)
                sum[r][c] += a[p * lda + r] * b[p * ldb + c];
}

static void PRODUCT(long m, long n, long k, REAL alpha, const REAL *a, long lda, const REAL *b, long ldb, REAL beta,
                    REAL *c, long ldc) {
    enum { high = CAT(PRODUCT, _high), wide = CAT(PRODUCT, _wide), deep = 256 };
    for (long r = 0; r < m; r++)
        for (long j = 0; j < n; j++)
            c[r * ldc + j] = beta == 0 ? 0 : beta * c[r * ldc + j]; /* as in BLAS: beta = 0 does not read C */
    for (long p = 0; p < k; p += deep)
        for (long j = 0; j < n; j += wide)
            for (long r = 0; r < m; r += high) {
                REAL sum[high][wide] = {{0}};
                const long d = k - p < deep ? k - p : deep, h = m - r < high ? m - r : high,
                           w = n - j < wide ? n - j : wide;
                if (h == high && w == wide)
                    CAT(PRODUCT, _block)(high, wide, d, a + p * lda + r, lda, b + p * ldb + j, ldb, sum);
                else
                    CAT(PRODUCT, _block)(h, w, d, a + p * lda + r, lda, b + p * ldb + j, ldb, sum);
                for (long y = 0; y < h; y++)
                    for (long x = 0; x < w; x++)
                        c[(r + y) * ldc + j + x] += alpha * sum[y][x];
            }
}
#undef REAL
#undef PRODUCT
