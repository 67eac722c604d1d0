/* SPDX-License-Identifier: Apache-2.0 */
#include "diagonals.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WIDE /* their functions are not there yet when the linker asks which clone to take */
#endif
#endif
#if !defined WIDE && defined __x86_64__ && defined __linux__
#define WIDE __attribute__((target_clones("avx2", "default")))
#elif !defined WIDE
#define WIDE
#endif

struct costs {
    short match, mismatch, open, extend, score;
};

static inline short max2(short x, short y) { return x > y ? x : y; }

/* Cells of rows low to high on one antidiagonal; h1 and h2 are the one before and the one before that. An element of e
 * is a row's, f moves one row down. Nonzero: one of the cells has the score. */
WIDE static short advance(int low, int high, const short *restrict a, const short *restrict b, const short *restrict h2,
                          const short *restrict h1, short *restrict h, short *restrict e, const short *restrict f1,
                          short *restrict f, const struct costs *with) {
    const struct costs c = *with;
    short any = 0;
    for (int i = low; i <= high; i++) {
        const short s = a[i] == b[i] ? c.match : c.mismatch;
        const short down = max2((short)(f1[i - 1] - c.extend), (short)(h1[i - 1] - c.open));
        const short right = max2((short)(e[i] - c.extend), (short)(h1[i] - c.open));
        const short cell = max2(max2((short)(h2[i - 1] + s), 0), max2(down, right));
        e[i] = right;
        f[i] = down;
        h[i] = cell;
        any |= cell == c.score;
    }
    return any;
}

void sw_diagonals_find_end(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target,
                           struct sw_best *best) {
    const int n = query.length, m = target.length;
    const size_t rows = (size_t)n + 1, cols = (size_t)m;
    const struct costs costs = {(short)scoring->match, (short)scoring->mismatch, (short)scoring->open,
                                (short)scoring->extend, (short)best->score};
    short *memory = app_alloc(7 * rows + cols + rows, sizeof *memory);
    short *a = memory, *h[3] = {a + rows, a + 2 * rows, a + 3 * rows}, *e = a + 4 * rows;
    short *f[2] = {a + 5 * rows, a + 6 * rows}, *b = a + 7 * rows;
    for (int i = 0; i < n; i++)
        a[i + 1] = query.codes[i];
    for (int j = 0; j < m; j++)
        b[m - 1 - j] = target.codes[j];
    best->query_end = best->target_end = 0;
    for (int d = 2; d <= n + m; d++) {
        const int low = d - m > 1 ? d - m : 1, high = d - 1 < n ? d - 1 : n;
        short *now = h[d % 3];
        if (!advance(low, high, a, b + (m - d), h[(d + 1) % 3], h[(d + 2) % 3], now, e, f[(d + 1) & 1], f[d & 1],
                     &costs))
            continue;
        for (int i = low; i <= high; i++) /* columns grow with d, so the first one of a row counts */
            if (now[i] == costs.score && (!best->query_end || i < best->query_end)) {
                best->query_end = i;
                best->target_end = d - i;
            }
    }
    free(memory);
}
