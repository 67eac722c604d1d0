/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A nest that is a prefix sum, on a CPU core: a stripe of columns, row after row, so that memory is read and written in
 * long runs. A row is summed inside vector registers, a few additions per vector, and added to the row above, which stays
 * in the first-level cache. Stripes follow each other a few rows apart; what crosses is one sum for each row.
 *
 * The order of the additions depends on the vectors' length, not on the stripes: they begin at whole vectors.
 *
 * Included by heddle/wavefront.h once per instruction set with HEDDLE_ISA, HEDDLE_ISA_ATTRIBUTE and HEDDLE_VECTOR set.
 * No include guard.
 */
#define HEDDLE_I(name) HEDDLE_PASTE(HEDDLE_PASTE(HEDDLE_NEST, HEDDLE_ISA), name)
enum { HEDDLE_I(scan_lanes) = HEDDLE_VECTOR / sizeof(HEDDLE_N(sum)) }; /* SCAN_CHUNK is a multiple of all */

/* The instance for the type and the vectors' length. */
#define HEDDLE_SCAN_FUNCTION(way)                                                                  \
    _Generic((HEDDLE_N(sum))0, uint32_t: HEDDLE_PASTE(heddle_scan_u32##way, HEDDLE_VECTOR),        \
             uint64_t: HEDDLE_PASTE(heddle_scan_u64##way, HEDDLE_VECTOR), float: HEDDLE_PASTE(heddle_scan_float##way, HEDDLE_VECTOR), \
             double: HEDDLE_PASTE(heddle_scan_double##way, HEDDLE_VECTOR))
#define HEDDLE_SCAN_STREAM HEDDLE_PASTE(heddle_stream, HEDDLE_VECTOR)

/* Sums of row i to their places. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(scan_put)(const struct HEDDLE_N(env) *env, long i, long j, long n,
                                                                  const HEDDLE_N(sum) *sums, int stream)
{
    const size_t bytes = (size_t)n * sizeof(HEDDLE_N(sum));
    if (!(HEDDLE_N(PREFIX) & HEDDLE_PREFIX_UNIT) || sizeof(HEDDLE_N(SUM)) != sizeof(HEDDLE_N(sum)))
        for (long k = 0; k < n; k++)
            *HEDDLE_N(at)(env, i, j + k) = (HEDDLE_N(SUM))sums[k];
    else if (stream)
        HEDDLE_SCAN_STREAM((char *)HEDDLE_N(at)(env, i, j), (const char *)sums, bytes);
    else
        memcpy((char *)HEDDLE_N(at)(env, i, j), sums, bytes);
}

/* Columns j … j + n - 1 of row i; `left` is the row's sum so far, `above` the row above. Returns the row's sum. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_I(scan_part)(const struct HEDDLE_N(env) *env, long i, long j, long n,
                                                                            HEDDLE_N(sum) left, HEDDLE_N(sum) *above, int stream)
{
    HEDDLE_N(sum) x[HEDDLE_SCAN_CHUNK] __attribute__((aligned(64)));
    const long whole = (n + HEDDLE_I(scan_lanes) - 1) / HEDDLE_I(scan_lanes) * HEDDLE_I(scan_lanes);
    for (long k = 0; k < n; k++)
        x[k] = (HEDDLE_N(sum))HEDDLE_N(term)(env, i, j + k);
    for (long k = n; k < whole; k++)
        x[k] = 0;
    if (HEDDLE_N(SCAN_ALONG_J) && HEDDLE_N(SCAN_ALONG_I))
        left = HEDDLE_SCAN_FUNCTION(_down)(x, above, whole, left);
    else if (HEDDLE_N(SCAN_ALONG_J))
        left = HEDDLE_SCAN_FUNCTION()(x, whole, left);
    else
        for (long k = 0; k < n; k++)
            above[k] += x[k];
    HEDDLE_I(scan_put)(env, i, j, n, HEDDLE_N(SCAN_ALONG_I) ? above : x, stream);
    return left;
}

HEDDLE_ISA_ATTRIBUTE static int HEDDLE_I(scan_stripe)(struct heddle_cpu_block *b)
{
    enum { LOOK = 1 << 14 /* cells between two looks at the neighbours */ };
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)b->env;
    HEDDLE_N(sum) above[HEDDLE_SCAN_STRIPE] __attribute__((aligned(64)));
    const HEDDLE_N(sum) *in = b->edge_in;
    HEDDLE_N(sum) *out = b->edge_out;
    const long j = b->column, n = b->columns, each = LOOK / n + 1;
    for (long k = 0; HEDDLE_N(SCAN_ALONG_I) && k < n; k++)
        above[k] = b->row == b->i0 ? HEDDLE_N(scan_north)(&env, b->i0, j + k) : (HEDDLE_N(sum))*HEDDLE_N(at)(&env, b->row - 1, j + k);
    for (long r0 = 0; r0 < b->rows; r0 += each) {
        const long r1 = r0 + each < b->rows ? r0 + each : b->rows;
        if (HEDDLE_N(SCAN_ALONG_J) && b->wait && b->wait(b, r1))
            return 1;
        for (long r = r0; r < r1; r++) {
            HEDDLE_N(sum) left = j > b->j0 && HEDDLE_N(SCAN_ALONG_J) ? in[r] : HEDDLE_N(scan_west)(&env, b->i0, b->j0, b->row + r);
            for (long k = 0; k < n; k += HEDDLE_SCAN_CHUNK)
                left = HEDDLE_I(scan_part)(&env, b->row + r, j + k, n - k < HEDDLE_SCAN_CHUNK ? n - k : HEDDLE_SCAN_CHUNK, left,
                                           above + k, b->stream);
            if (out)
                out[r] = left;
        }
        if (HEDDLE_N(SCAN_ALONG_J) && b->publish)
            b->publish(b, r1);
    }
    heddle_stream_end();
    return 0;
}
#undef HEDDLE_I
#undef HEDDLE_SCAN_FUNCTION
#undef HEDDLE_SCAN_STREAM
