/* SPDX-License-Identifier: Apache-2.0 */
/* Counting by tasks that make tasks. Compiled twice: as it stands, and with the pragmas ignored.
 *
 * Symmetry. A board has eight views (rotations and mirror images), and in each some queen stands in the first row at
 * a distance from its left end. Only boards whose first row has the least of these eight distances, `first`, are
 * searched, which forbids squares near all four edges. Views that share the least distance are found as often as
 * there are of them, k, so a board counts as 8 / k. With a queen in the corner two views remain, told apart by the
 * second row: its queen (column `bound`) stands nearer to the corner than the second column's. (The idea of
 * searching one view is Wells's, Elements of Combinatorial Computing, 1971; the row limits are those of T. Takahashi's
 * program of 1997.)
 *
 * Sets of columns are bit masks: `columns` are taken, `left` and `right` are attacked along the diagonals and move by
 * one bit with every row. A task places one queen and makes a task for each safe square of the next row. From row
 * `depth` on, HANDS hands search below it: a hand takes the next pair of columns for the two rows that follow until
 * there is none left, so that hands with small subtrees take more of them. What a hand must come back to is on its
 * stack. */
#include "queens.h"

#ifdef QUEENS_SERIAL
#define queens_count queens_count_serial
#endif

enum { HANDS = 32, LEVELS = 14, TIE_SHIFT = 27, STEPS = 64 };
typedef unsigned quad __attribute__((vector_size(16)));

/* One board's shape, the same for all rows. */
struct shape {
    int n, first, bound;
};

static unsigned side_columns(struct shape s) { return s.first ? 1u | 1u << (s.n - 1) : 0; }
/* Squares of a row whose use makes another edge as near as the first row's. */
static unsigned tie_columns(struct shape s) { return s.first ? 1u << s.first | 1u << (s.n - 1 - s.first) : 0; }
static int tie_row(struct shape s, int row) { return row == s.first || row == s.n - 1 - s.first; }

/* Squares of a row that symmetry leaves. */
static unsigned row_mask(struct shape s, int row) {
    const unsigned all = (1u << s.n) - 1, near = (1u << s.first) - 1;
    if (s.first == 0)
        return row < s.bound ? all & ~2u : all;
    if (row == s.n - 1)
        return all & ~(near | near << (s.n - s.first));
    return row < s.first || row > s.n - 1 - s.first ? all & ~side_columns(s) : all;
}

/* The last row in which queens may stand in the outer columns: both must be there now. */
static unsigned sides_due(struct shape s, int row, unsigned columns, unsigned safe) {
    const unsigned sides = side_columns(s), there = columns & sides;
    return row != s.n - 1 - s.first || there == sides ? safe : there ? safe & sides : 0;
}

static unsigned squares(struct shape s, int row, unsigned columns, unsigned left, unsigned right) {
    return sides_due(s, row, columns, row_mask(s, row) & ~(columns | left | right));
}

/* Columns with the queen, and in the bits above them the number of outer columns that are as near as the first row. */
static unsigned taken(struct shape s, int row, unsigned columns, unsigned bit) {
    return (columns | bit) + ((unsigned)((bit & side_columns(s)) && tie_row(s, row)) << TIE_SHIFT);
}

/* 24 / k: three times what a board counts. */
static unsigned thirds(unsigned columns, unsigned last, unsigned ties) {
    return 0x06080c18u >> 8 * ((columns >> TIE_SHIFT) + !!(last & ties)) & 255;
}

/* What a step in row `at` must know: squares of the next row, outer columns that count as ties here, outer columns that
 * are due in the next row, and whether that one is the last. */
static quad facts(struct shape s, int at) {
    const int last = s.n - 1;
    const unsigned sides = side_columns(s);
    const quad f = {at < last ? row_mask(s, at + 1) : 0, tie_row(s, at) ? sides : 0,
                    at + 1 == last - s.first ? sides : 0, at + 1 == last ? ~0u : 0};
    return f;
}

/* The state below the k-th choice of columns for the next one or two rows: columns, left, right, and squares of the
 * row after them (0: none, or the choice is not allowed). */
static quad choose(struct shape s, int row, int ahead, quad from, int k) {
    unsigned c = from[0], l = from[1], r = from[2], safe = 0, bit = 1u << (ahead == 1 ? k : k / s.n);
    for (int step = 0; step < ahead; step++) {
        safe = squares(s, row + step, c, l, r) & bit;
        c = taken(s, row + step, c, bit), l = (l | bit) << 1, r = (r | bit) >> 1;
        if (!safe)
            break;
        safe = squares(s, row + step + 1, c, l, r);
        bit = 1u << k % s.n;
    }
    const quad state = {c, l, r, safe};
    return state;
}

/* Steps are counted so that the hands of a worker stay together. */
static long search(struct shape s, int row, quad from, int hand, int *next, const quad *fact, quad *stack) {
    const int ahead = s.n - 1 - row < 2 ? 1 : 2, most = ahead == 1 ? s.n : s.n * s.n;
    const unsigned sides = side_columns(s), ties = tie_columns(s);
    unsigned c = 0, l = 0, r = 0, safe = 0;
    int level = 0, at = 0, more = 1;
    long found = 0;
    while (more) {
        for (int step = 0; step < STEPS; step++) {
            if (!safe) {
                quad state = {0, 0, 0, 0};
                if (level) {
                    state = stack[HANDS * --level + hand];
                    at = (int)(state[3] >> TIE_SHIFT);
                    state[3] &= (1u << TIE_SHIFT) - 1;
                } else if (more) {
                    int k;
#pragma omp atomic capture
                    k = next[0]++;
                    more = k < most;
                    at = row + ahead;
                    if (more)
                        state = choose(s, row, ahead, from, k);
                    if (at == s.n - 1 && state[3]) {
                        found += thirds(state[0], state[3], ties);
                        state[3] = 0;
                    }
                }
                c = state[0], l = state[1], r = state[2], safe = state[3];
            }
            const quad f = fact[at];
            const unsigned bit = safe & -safe, rest = safe ^ bit;
            const unsigned c_below = (c | bit) + ((unsigned)((bit & f[1]) != 0) << TIE_SHIFT);
            const unsigned l_below = (l | bit) << 1, r_below = (r | bit) >> 1, due = f[2] & ~c_below;
            unsigned below = safe ? f[0] & ~(c_below | l_below | r_below) & (due ? due : ~0u) : 0;
            below = due && due == sides ? 0 : below;
            if (below & f[3])
                found += thirds(c_below, below, ties);
            below &= ~f[3];
            if (below && rest) {
                const quad top = {c, l, r, rest | (unsigned)at << TIE_SHIFT};
                stack[HANDS * level++ + hand] = top;
            }
            c = below ? c_below : c, l = below ? l_below : l, r = below ? r_below : r;
            at += below != 0;
            safe = below ? below : rest;
        }
    }
    return found;
}

static long count_below(struct shape s, int row, unsigned columns, unsigned left, unsigned right) {
    quad stack[LEVELS * HANDS], fact[HANDS];
    const quad from = {columns, left, right, 0};
    int next[1];
    long found = 0;
    next[0] = 0;
#pragma heddle lanes
    for (int k = 0; k < HANDS; k++)
        fact[k] = facts(s, k);
#pragma heddle lanes reduction(+: found)
    for (int hand = 0; hand < HANDS; hand++)
        found += search(s, row, from, hand, next, fact, stack);
    return found;
}

static void place(struct shape s, int depth, int row, unsigned columns, unsigned left, unsigned right,
                  long *solutions) {
    if (row >= depth) {
        const long found = count_below(s, row, columns, left, right);
#pragma omp atomic
        *solutions += found;
        return;
    }
    for (unsigned safe = squares(s, row, columns, left, right); safe; safe &= safe - 1) {
        const unsigned bit = safe & -safe;
#pragma heddle task
        place(s, depth, row + 1, taken(s, row, columns, bit), (left | bit) << 1, (right | bit) >> 1, solutions);
    }
}

long queens_count(int n, int depth) {
    long solutions[1] = {0};
    const int least = n - LEVELS - 3; /* the stacks hold that many rows */
    depth = depth > n - 2 ? n - 2 : depth < least ? least : depth;
#pragma heddle pool map(tofrom: solutions[0:1])
    {
        for (int k = 2; k < n - 1 + n / 2; k++) { /* k < n - 1: the first row's queen is in the corner */
            const int corner = k < n - 1, first = corner ? 0 : k - n + 2;
            const struct shape s = {n, first, corner ? k : 0};
            const unsigned a = 1u << first, b = corner ? 1u << k : 0;
            if (!corner && first >= n - 1 - first)
                continue;
#pragma heddle task
            place(s, depth, corner ? 2 : 1, a | b, corner ? (a << 1 | b) << 1 : a << 1, corner ? b >> 1 : a >> 1,
                  solutions);
        }
    }
    return n == 1 ? 1 : solutions[0] / 3;
}
