/* SPDX-License-Identifier: Apache-2.0 */
/* Counting by tasks that make tasks. Compiled twice: as it stands, and with the pragmas ignored.
 *
 * Sets of columns are bit masks: `columns` are taken, `left` and `right` are attacked along the diagonals and move by
 * one bit with every row. A task places one queen and makes a task for each safe square of the next row. From row
 * `depth` on, HANDS hands search below it: a hand takes the next pair of columns for the two rows that follow until there is
 * none left, so that hands with small subtrees take more of them. What a hand must come back to is on its stack. */
#include "queens.h"

#ifdef QUEENS_SERIAL
#define queens_count queens_count_serial
#endif

enum { HANDS = 32, LEVELS = 18 };

/* At most two rows are left. */
static long finish(unsigned all, unsigned columns, unsigned left, unsigned right, int rows)
{
    long found = rows == 0;
    for (unsigned safe = rows ? all & ~(columns | left | right) : 0; safe; safe &= safe - 1) {
        const unsigned bit = safe & -safe;
        found += rows == 1 || (all & ~(columns | bit | (left | bit) << 1 | (right | bit) >> 1));
    }
    return found;
}

static long search(int n, unsigned columns, unsigned left, unsigned right, int hand, int *next, unsigned *stack)
{
    const unsigned all = (1u << n) - 1, free = all & ~(columns | left | right);
    unsigned c = 0, l = 0, r = 0, safe = 0;
    int level = 0;
    long found = 0;
    for (;;) {
        if (!safe && level) {
            const unsigned *top = stack + --level * 4 * HANDS + hand;
            c = top[0], l = top[HANDS], r = top[2 * HANDS], safe = top[3 * HANDS];
        }
        while (!safe) {
            int k;
#pragma omp atomic capture
            k = next[0]++;
            if (k >= n * n)
                return found;
            const unsigned a = 1u << k / n, b = 1u << k % n;
            if (!(a & free))
                continue;
            c = columns | a, l = (left | a) << 1, r = (right | a) >> 1;
            if (b & (c | l | r))
                continue;
            c |= b, l = (l | b) << 1, r = (r | b) >> 1;
            safe = all & ~(c | l | r);
        }
        const unsigned bit = safe & -safe, c_below = c | bit, l_below = (l | bit) << 1, r_below = (r | bit) >> 1;
        const unsigned below = all & ~(c_below | l_below | r_below);
        safe ^= bit;
        found += c_below == all;
        if (below) {
            if (safe) {
                unsigned *top = stack + level++ * 4 * HANDS + hand;
                top[0] = c, top[HANDS] = l, top[2 * HANDS] = r, top[3 * HANDS] = safe;
            }
            c = c_below, l = l_below, r = r_below, safe = below;
        }
    }
}

static long count_below(int n, unsigned columns, unsigned left, unsigned right, int rows)
{
    unsigned stack[LEVELS * 4 * HANDS];
    int next[1];
    long found = 0;
    if (rows < 3)
        return finish((1u << n) - 1, columns, left, right, rows);
    next[0] = 0;
#pragma heddle lanes reduction(+: found)
    for (int hand = 0; hand < HANDS; hand++)
        found += search(n, columns, left, right, hand, next, stack);
    return found;
}

static void place(int n, int depth, int row, unsigned columns, unsigned left, unsigned right, long weight, long *solutions)
{
    const unsigned all = (1u << n) - 1;
    if (row >= depth) {
        const long found = weight * count_below(n, columns, left, right, n - row);
#pragma omp atomic
        *solutions += found;
        return;
    }
    for (unsigned safe = all & ~(columns | left | right); safe; safe &= safe - 1) {
        const unsigned bit = safe & -safe;
#pragma heddle task
        place(n, depth, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1, weight, solutions);
    }
}

/* Queens of the first row in the left half stand for their mirror images; if n is odd and it stands in the middle, the
 * second row's is on the left side instead. */
long queens_count(int n, int depth)
{
    long solutions[1] = {0};
    const unsigned middle = n % 2 ? 1u << n / 2 : 0;
    const int least = n - LEVELS - 3; /* the stacks hold that many rows */
    depth = depth > n ? n : depth < least ? least : depth;
#pragma heddle pool map(tofrom: solutions[0:1])
    {
        for (int k = 0; k < n / 2; k++) {
            const unsigned bit = 1u << k;
#pragma heddle task
            place(n, depth, 1, bit, bit << 1, bit >> 1, 2, solutions);
        }
        for (int k = 0; n % 2 && n > 1 && k < n / 2 - 1; k++) {
            const unsigned bit = 1u << k;
#pragma heddle task
            place(n, depth, 2, middle | bit, (middle << 1 | bit) << 1, (middle >> 1 | bit) >> 1, 2, solutions);
        }
    }
    return n == 1 ? 1 : solutions[0];
}
