/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A nest that is a prefix sum, on a CPU core: a stripe of columns, row after row, so that memory is read and written in
 * long runs. A row is summed inside vector registers, a few additions per vector, and added to the row above, which
 * stays in the first-level cache. Stripes follow each other a few rows apart; what crosses is one sum for each row.
 *
 * The order of the additions depends on the vectors' length, not on the stripes: they begin at whole vectors.
 *
 * Included by heddle/engine/wavefront/wavefront.h once per instruction set with HEDDLE_ISA, HEDDLE_ISA_ATTRIBUTE and
 * HEDDLE_VECTOR set. No include guard.
 */
#define HEDDLE_I(name) HEDDLE_PASTE(HEDDLE_PASTE(HEDDLE_NEST, HEDDLE_ISA), name)
enum { HEDDLE_I(scan_lanes) = HEDDLE_VECTOR / sizeof(HEDDLE_N(sum)) }; /* SCAN_CHUNK is a multiple of all */

/* The instance for the type and the vectors' length. */
#define HEDDLE_SCAN_FUNCTION(way)                                                                                      \
    _Generic((HEDDLE_N(sum))0,                                                                                         \
        uint32_t: HEDDLE_PASTE(heddle_scan_u32##way, HEDDLE_VECTOR),                                                   \
        uint64_t: HEDDLE_PASTE(heddle_scan_u64##way, HEDDLE_VECTOR),                                                   \
        float: HEDDLE_PASTE(heddle_scan_float##way, HEDDLE_VECTOR),                                                    \
        double: HEDDLE_PASTE(heddle_scan_double##way, HEDDLE_VECTOR))
#define HEDDLE_SCAN_LINES HEDDLE_PASTE(heddle_stream_lines, HEDDLE_VECTOR)

/* A row on its way to memory. */
struct HEDDLE_I(scan_row) {
    char *to; /* NULL: cells are converted, or are apart, and leave one by one */
    long i, j, n;
    const HEDDLE_N(sum) *sums;
    size_t sent; /* bytes that left past the caches, behind the first whole line's start */
    int stream;
};

HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE struct HEDDLE_I(scan_row)
HEDDLE_I(scan_begin)(const struct HEDDLE_N(env) *env, long i, long j, long n, const HEDDLE_N(sum) *sums, int stream) {
    struct HEDDLE_I(scan_row) row = {.i = i, .j = j, .n = n, .sums = sums};
    if (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_UNIT && sizeof(HEDDLE_N(SUM)) == sizeof(HEDDLE_N(sum))) {
        row.to = (char *)HEDDLE_N(at)(env, i, j);
        row.sent = heddle_stream_lead(row.to, (size_t)n * sizeof *sums);
        row.stream = stream;
    }
    return row;
}

/* Sums of columns k … k + n - 1 are there. Whole lines leave past the caches a part later: they lie across the vectors
   just stored, and a load across two stores waits until both are in the cache. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(scan_put)(const struct HEDDLE_N(env) *env,
                                                                  struct HEDDLE_I(scan_row) *row, long k, long n) {
    if (!row->to)
        for (long q = k; q < k + n; q++)
            *HEDDLE_N(at)(env, row->i, row->j + q) = (HEDDLE_N(SUM))row->sums[q];
    else if (row->stream)
        row->sent += HEDDLE_SCAN_LINES(row->to, (const char *)row->sums, row->sent, (size_t)k * sizeof *row->sums);
    else
        memcpy(row->to + (size_t)k * sizeof *row->sums, row->sums + k, (size_t)n * sizeof *row->sums);
}

/* The rest: whole lines, and both ends, whose lines are shared with others' parts and pass through the cache. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(scan_finish)(struct HEDDLE_I(scan_row) *row) {
    const size_t bytes = (size_t)row->n * sizeof *row->sums;
    if (!row->stream)
        return;
    row->sent += HEDDLE_SCAN_LINES(row->to, (const char *)row->sums, row->sent, bytes);
    memcpy(row->to, row->sums, heddle_stream_lead(row->to, bytes));
    memcpy(row->to + row->sent, (const char *)row->sums + row->sent, bytes - row->sent);
}

/* Columns j … j + n - 1 of row i; `left` is the row's sum so far, `sums` the row above, then this one. Returns the
 * row's sum. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_I(scan_part)(const struct HEDDLE_N(env) *env, long i,
                                                                            long j, long n, HEDDLE_N(sum) left,
                                                                            HEDDLE_N(sum) *sums) {
    HEDDLE_N(sum) own[HEDDLE_SCAN_CHUNK] __attribute__((aligned(64))), *x = HEDDLE_N(SCAN_ALONG_I) ? own : sums;
    const long whole = (n + HEDDLE_I(scan_lanes) - 1) / HEDDLE_I(scan_lanes) * HEDDLE_I(scan_lanes);
    for (long k = 0; k < n; k++)
        x[k] = (HEDDLE_N(sum))HEDDLE_N(term)(env, i, j + k);
    for (long k = n; k < whole; k++)
        x[k] = 0;
    if (HEDDLE_N(SCAN_ALONG_J) && HEDDLE_N(SCAN_ALONG_I))
        return HEDDLE_SCAN_FUNCTION(_down)(x, sums, whole, left);
    if (HEDDLE_N(SCAN_ALONG_J))
        return HEDDLE_SCAN_FUNCTION()(x, whole, left);
    for (long k = 0; k < n; k++)
        sums[k] += x[k];
    return left;
}

/* A row of the stripe, a part at a time: so few columns that the processor loads the next ones' terms while it still
   adds up these and stores those before. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_I(scan_columns)(const struct HEDDLE_N(env) *env, long i,
                                                                               long j, long n, HEDDLE_N(sum) left,
                                                                               HEDDLE_N(sum) *sums, int stream) {
    struct HEDDLE_I(scan_row) row = HEDDLE_I(scan_begin)(env, i, j, n, sums, stream);
    long k = 0;
    for (; k + HEDDLE_SCAN_CHUNK <= n; k += HEDDLE_SCAN_CHUNK) {
        left = HEDDLE_I(scan_part)(env, i, j + k, HEDDLE_SCAN_CHUNK, left, sums + k);
        HEDDLE_I(scan_put)(env, &row, k, HEDDLE_SCAN_CHUNK);
    }
    if (k < n) {
        left = HEDDLE_I(scan_part)(env, i, j + k, n - k, left, sums + k);
        HEDDLE_I(scan_put)(env, &row, k, n - k);
    }
    HEDDLE_I(scan_finish)(&row);
    return left;
}

HEDDLE_ISA_ATTRIBUTE static int HEDDLE_I(scan_stripe)(struct heddle_cpu_block *b) {
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)b->env;
    HEDDLE_N(sum) sums[HEDDLE_SCAN_STRIPE] __attribute__((aligned(64)));
    const HEDDLE_N(sum) *in = b->edge_in;
    HEDDLE_N(sum) *out = b->edge_out;
    const long j = b->column, n = b->columns, each = b->chunk > 0 ? b->chunk : b->rows;
    for (long k = 0; HEDDLE_N(SCAN_ALONG_I) && k < n; k++)
        sums[k] = b->row == b->i0 ? HEDDLE_N(scan_from_top)(&env, b->i0, j + k)
                                  : (HEDDLE_N(sum))*HEDDLE_N(at)(&env, b->row - 1, j + k);
    for (long r0 = 0; r0 < b->rows; r0 += each) {
        const long r1 = r0 + each < b->rows ? r0 + each : b->rows;
        if (HEDDLE_N(SCAN_ALONG_J) && b->wait && b->wait(b, r1))
            return 1;
        for (long r = r0; r < r1; r++) {
            const HEDDLE_N(sum) left =
                j > b->j0 && HEDDLE_N(SCAN_ALONG_J) ? in[r] : HEDDLE_N(scan_from_left)(&env, b->i0, b->j0, b->row + r);
            const HEDDLE_N(sum) sum = HEDDLE_I(scan_columns)(&env, b->row + r, j, n, left, sums, b->stream);
            if (out)
                out[r] = sum;
        }
        if (HEDDLE_N(SCAN_ALONG_J) && b->publish)
            b->publish(b, r1);
    }
    heddle_stream_end();
    return 0;
}
#undef HEDDLE_I
#undef HEDDLE_SCAN_FUNCTION
#undef HEDDLE_SCAN_LINES
