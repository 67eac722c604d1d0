/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What both engines for prefix sums know: the type that is added in, and what the cells around the nest hold.
 * Integers are added without sign, where overflow is defined and equal modulo 2^n.
 *
 * Included by heddle/engine/wavefront/wavefront.h for nests that the translator found to be prefix sums. No include
 * guard.
 */
typedef __typeof__(_Generic((HEDDLE_N(SUM))0,
                       float: (float)0,
                       double: (double)0,
                       long: (uint64_t)0,
                       unsigned long: (uint64_t)0,
                       long long: (uint64_t)0,
                       unsigned long long: (uint64_t)0,
                       default: (uint32_t)0)) HEDDLE_N(sum);

enum {
    HEDDLE_N(SCAN_ALONG_J) = (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_ROW) != 0,
    HEDDLE_N(SCAN_ALONG_I) = (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_COLUMN) != 0
};

/* Where the body says (i ? S[i - 1][j] : 0), row 0 has nothing above it. */
static HEDDLE_INLINE int HEDDLE_N(scan_top)(long i0) { return (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_GUARD_I) && i0 == 0; }
static HEDDLE_INLINE int HEDDLE_N(scan_side)(long j0) { return (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_GUARD_J) && j0 == 0; }

#define HEDDLE_SCAN_TAKE(type, name) v = (HEDDLE_N(sum))border.name;
/* S(i0 - 1, j), j >= j0. */
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_from_top)(const struct HEDDLE_N(env) *env, long i0, long j) {
    HEDDLE_N(sum) v = 0;
    if (!HEDDLE_N(scan_top)(i0)) {
        struct HEDDLE_N(edge) border;
        HEDDLE_N(load_top)(env, i0 - 1, j, &border);
        HEDDLE_N(EDGE)(HEDDLE_SCAN_TAKE)
    }
    return v;
}
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_corner)(const struct HEDDLE_N(env) *env, long i0, long j0) {
    HEDDLE_N(sum) v = 0;
    if (!HEDDLE_N(scan_top)(i0) && !HEDDLE_N(scan_side)(j0)) {
        struct HEDDLE_N(edge) border;
        HEDDLE_N(load_corner)(env, i0 - 1, j0 - 1, &border);
        HEDDLE_N(EDGE)(HEDDLE_SCAN_TAKE)
    }
    return v;
}
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_left)(const struct HEDDLE_N(env) *env, long i, long j0) {
    HEDDLE_N(sum) v = 0;
    if (!HEDDLE_N(scan_side)(j0)) {
        struct HEDDLE_N(cell) border;
        HEDDLE_N(load_left)(env, i, j0 - 1, &border);
        HEDDLE_N(LEFT)(HEDDLE_SCAN_TAKE)
    }
    return v;
}
#undef HEDDLE_SCAN_TAKE

/* What row i's sum starts from: S(i, j0 - 1), less S(i - 1, j0 - 1) when rows are added up downwards. */
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_from_left)(const struct HEDDLE_N(env) *env, long i0, long j0, long i) {
    if (!HEDDLE_N(SCAN_ALONG_J))
        return 0;
    const HEDDLE_N(sum) left = HEDDLE_N(scan_left)(env, i, j0);
    if (!HEDDLE_N(SCAN_ALONG_I))
        return left;
    return left - (i == i0 ? HEDDLE_N(scan_corner)(env, i0, j0) : HEDDLE_N(scan_left)(env, i - 1, j0));
}
