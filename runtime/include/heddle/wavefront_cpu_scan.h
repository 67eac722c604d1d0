/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A nest that is a prefix sum, on a CPU core: SCAN_BAND rows, SCAN_CHUNK columns at a time. A chunk of a row is
 * summed inside vector registers, a few additions per vector, and added to the row above, which lies in the first-level
 * cache. Bands follow each other through the progress words of the other engines, a chunk apart.
 *
 * The order of the additions depends on the vectors' length, not on the number of threads.
 *
 * Included by heddle/wavefront.h once per instruction set with HEDDLE_ISA, HEDDLE_ISA_ATTRIBUTE and HEDDLE_VECTOR set.
 * No include guard.
 */
#define HEDDLE_I(name) HEDDLE_PASTE(HEDDLE_PASTE(HEDDLE_NEST, HEDDLE_ISA), name)
enum { HEDDLE_I(scan_lanes) = HEDDLE_VECTOR / sizeof(HEDDLE_N(sum)) }; /* SCAN_CHUNK is a multiple of all */

/* The instance for the type and the vectors' length. */
#define HEDDLE_SCAN_ROW_FUNCTION                                                                   \
    _Generic((HEDDLE_N(sum))0, uint32_t: HEDDLE_PASTE(heddle_scan_u32, HEDDLE_VECTOR),             \
             uint64_t: HEDDLE_PASTE(heddle_scan_u64, HEDDLE_VECTOR), float: HEDDLE_PASTE(heddle_scan_float, HEDDLE_VECTOR), \
             double: HEDDLE_PASTE(heddle_scan_double, HEDDLE_VECTOR))

/* Rows i … last, columns j … j + n - 1; `left` holds each row's sum so far, `above` the row above. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(scan_tile)(const struct HEDDLE_N(env) *env, long i, long last, long j,
                                                                   long n, HEDDLE_N(sum) *left, HEDDLE_N(sum) *above)
{
    HEDDLE_N(sum) x[HEDDLE_SCAN_CHUNK] __attribute__((aligned(64)));
    const long whole = (n + HEDDLE_I(scan_lanes) - 1) / HEDDLE_I(scan_lanes) * HEDDLE_I(scan_lanes);
    for (; i <= last; i++, left++) {
        for (long k = 0; k < n; k++)
            x[k] = (HEDDLE_N(sum))HEDDLE_N(term)(env, i, j + k);
        for (long k = n; k < whole; k++)
            x[k] = 0;
        if (HEDDLE_N(SCAN_ALONG_J))
            *left = HEDDLE_SCAN_ROW_FUNCTION(x, whole, *left);
        for (long k = 0; k < n; k++) {
            if (HEDDLE_N(SCAN_ALONG_I))
                above[k] = x[k] += above[k];
            *HEDDLE_N(at)(env, i, j + k) = (HEDDLE_N(SUM))x[k];
        }
    }
}

HEDDLE_ISA_ATTRIBUTE static int HEDDLE_I(scan_band)(struct heddle_cpu_block *b)
{
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)b->env;
    HEDDLE_N(sum) left[HEDDLE_SCAN_BAND], above[HEDDLE_SCAN_CHUNK] __attribute__((aligned(64)));
    const long last = b->row + HEDDLE_SCAN_BAND - 1 < b->i1 ? b->row + HEDDLE_SCAN_BAND - 1 : b->i1;
    for (long i = b->row; i <= last; i++)
        left[i - b->row] = HEDDLE_N(scan_west)(&env, b->i0, b->j0, i);
    for (long j = b->j0; j <= b->j1; j += HEDDLE_SCAN_CHUNK) {
        const long n = b->j1 - j + 1 < HEDDLE_SCAN_CHUNK ? b->j1 - j + 1 : HEDDLE_SCAN_CHUNK;
        if (HEDDLE_N(SCAN_ALONG_I)) {
            if (b->wait && b->wait(b, j - b->j0 + n))
                return 1;
            for (long k = 0; k < n; k++)
                above[k] = b->row == b->i0 ? HEDDLE_N(scan_north)(&env, b->i0, j + k)
                                           : (HEDDLE_N(sum))*HEDDLE_N(at)(&env, b->row - 1, j + k);
        }
        HEDDLE_I(scan_tile)(&env, b->row, last, j, n, left, above);
        if (HEDDLE_N(SCAN_ALONG_I) && b->publish)
            b->publish(b, j - b->j0 + n);
    }
    return 0;
}
#undef HEDDLE_I
#undef HEDDLE_SCAN_ROW_FUNCTION
