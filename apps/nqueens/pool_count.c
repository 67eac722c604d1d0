/* SPDX-License-Identifier: Apache-2.0 */
/* Counting by tasks that make tasks. Compiled twice: as it stands, and with the pragmas ignored.
 *
 * Symmetry. A board has eight views (rotations and mirror images). The queens of its four edges, a ring, are placed
 * first, and of eight views of a ring one is searched: as many boards as there are different views of the ring have
 * the same number of ways inside. So nothing below a ring has to know of symmetry. (Placing the border first is the
 * idea of Q27, Preusser and Engelhardt, J. Signal Process. Syst. 88 (2017) 185, who take two rings.)
 *
 * Sets of columns are bit masks: `columns` are taken, `left` and `right` are attacked along the diagonals and move by
 * one bit with every row; what the ring attacks is a mask for each row. A level is a row inside in which the ring has
 * no queen. A task places one queen and makes a task for each safe square of the next level. From level `depth` on,
 * HANDS hands search below it: a hand takes the next columns for the two or three levels that follow until there are
 * none left, so that hands with small subtrees take more of them. What a hand must come back to is on its stack.
 *
 * A step of the search is the same few operations for all hands. The number of the level is in the upper bits of
 * `columns`, where adding a queen's bit counts it up, too. */
#include "queens.h"

#include <stdlib.h>

#ifdef QUEENS_SERIAL
#define queens_count queens_count_serial
#endif

enum { HANDS = 32, AHEAD = 3 /* at most */, LARGE = 20, LEVELS = 14, STEPS = 96, LEVEL_SHIFT = 27, AWAY_SHIFT = 30 };
typedef unsigned quad __attribute__((vector_size(16)));

/* The edges' queens: columns in the first and the last row, rows in the first and the last column. */
struct ring {
    int n, top, bottom, left, right, weight;
};

static int is_inside(struct ring s, int row) { return row > 0 && row < s.n - 1; }

/* Rows inside that the ring leaves. */
static int level_count(struct ring s) { return s.n - 2 - is_inside(s, s.left) - is_inside(s, s.right); }

static int row_of(struct ring s, int level) {
    const int low = s.left < s.right ? s.left : s.right, high = s.left < s.right ? s.right : s.left;
    int row = level + 1;
    row += is_inside(s, low) && row >= low;
    return row + (is_inside(s, high) && row >= high);
}

static unsigned diagonals(int row, int queen_row, int queen_column) {
    const int away = row < queen_row ? queen_row - row : row - queen_row;
    return (1u << queen_column) << away | (1u << queen_column) >> away;
}

/* Squares of a level that the ring does not attack. */
static unsigned level_mask(struct ring s, int level) {
    const int row = row_of(s, level), last = s.n - 1;
    const unsigned inner = (1u << last) - 2;
    return inner & ~(1u << s.top | 1u << s.bottom | diagonals(row, 0, s.top) | diagonals(row, last, s.bottom) |
                     diagonals(row, s.left, 0) | diagonals(row, s.right, last));
}

static int away(struct ring s, int level) { return row_of(s, level + 1) - row_of(s, level); }

/* What a step in a level must know: squares of the next one, and how many rows it is away. */
static unsigned fact_of(struct ring s, int level) {
    return level + 1 < level_count(s) ? level_mask(s, level + 1) | (unsigned)away(s, level) << AWAY_SHIFT : 0;
}

static unsigned squares(struct ring s, int level, unsigned columns, unsigned left, unsigned right) {
    return level_mask(s, level) & ~(columns | left | right);
}

/* Levels of a hand's choices: more of them are of more equal size, and most of them are not allowed. */
static int ahead(struct ring s) { return s.n < LARGE ? 2 : AHEAD; }

/* The state below the k-th choice of columns for the next `ahead` levels, with the squares of the one after them (0:
 * none, or the choice is not allowed). `open`: squares of the next one. */
static quad choose(struct ring s, int level, quad from, unsigned open, const unsigned *fact, int k) {
    const unsigned inner = (1u << (s.n - 1)) - 2;
    const int inside = s.n - 2, levels = ahead(s);
    unsigned c = from[0], l = from[1], r = from[2], bit = 2u << (levels == 2 ? k / inside : k / inside / inside);
    for (int step = 0; step < levels; step++) {
        const unsigned f = fact[level + step], move = f >> AWAY_SHIFT;
        open &= bit;
        c |= bit, l = (l | bit) << move, r = (r | bit) >> move;
        open = open ? f & ~(c | l | r) & inner : 0;
        bit = 2u << (step + 2 == levels ? k : k / inside) % inside;
    }
    const quad state = {c | (unsigned)(level + levels) << LEVEL_SHIFT, l, r, open};
    return state;
}

/* Steps are counted so that the hands of a worker stay together. A hand without a state has all columns taken. */
static long search(struct ring s, int level, quad from, int hand, int *next, const unsigned *fact, quad *stack) {
    const int inside = s.n - 2, most = inside * inside * (ahead(s) == 2 ? 1 : inside), levels = level_count(s);
    const unsigned inner = (1u << (s.n - 1)) - 2, last = (unsigned)(levels - 2) << LEVEL_SHIFT;
    const unsigned first = squares(s, level, from[0], from[1], from[2]), down = 1u << LEVEL_SHIFT;
    unsigned c = ~0u, l = 0, r = 0, safe = 0;
    int height = hand, more = 1;
    long found = 0;
    for (;;) {
        while (!safe && more) {
            int k;
#pragma omp atomic capture
            k = next[0]++;
            more = k < most;
            const quad state = choose(s, level, from, first, fact, more ? k : 0);
            if (more && level + ahead(s) + 1 == levels)
                found += state[3] != 0;
            else if (more && state[3])
                c = state[0], l = state[1], r = state[2], safe = state[3];
        }
        if (!safe)
            break;
        for (int step = 0; step < STEPS; step++) {
            const unsigned f = fact[c >> LEVEL_SHIFT], move = f >> AWAY_SHIFT;
            const unsigned bit = safe & -safe, rest = safe ^ bit;
            const unsigned c_below = c + bit + down, l_below = (l | bit) << move, r_below = (r | bit) >> move;
            const unsigned open = safe ? f & ~(c_below | l_below | r_below) & inner : 0;
            const int leaf = c >= last;
            const unsigned below = leaf ? 0 : open;
            found += leaf && open;
            if (below && rest) {
                const quad top = {c, l, r, rest};
                stack[height] = top;
                height += HANDS;
            }
            if (below)
                c = c_below, l = l_below, r = r_below;
            safe = below ? below : rest;
            if (!safe && height > hand) {
                height -= HANDS;
                const quad top = stack[height];
                c = top[0], l = top[1], r = top[2], safe = top[3];
            }
        }
    }
    return found;
}

/* The last levels one after the other. */
static long count_few(struct ring s, int level, unsigned columns, unsigned left, unsigned right) {
    const int levels = level_count(s);
    unsigned c[AHEAD + 1] = {columns}, l[AHEAD + 1] = {left}, r[AHEAD + 1] = {right}, safe[AHEAD + 1] = {0};
    int at = 0;
    long found = 0;
    if (level == levels)
        return 1;
    safe[0] = squares(s, level, columns, left, right);
    while (at >= 0) {
        const unsigned bit = safe[at] & -safe[at];
        if (!bit) {
            at--;
        } else if (level + at == levels - 1) {
            found++;
            safe[at] ^= bit;
        } else {
            const int move = away(s, level + at);
            safe[at] ^= bit;
            c[at + 1] = c[at] | bit, l[at + 1] = (l[at] | bit) << move, r[at + 1] = (r[at] | bit) >> move;
            safe[at + 1] = squares(s, level + at + 1, c[at + 1], l[at + 1], r[at + 1]);
            at++;
        }
    }
    return found;
}

static long count_below(struct ring s, int level, unsigned columns, unsigned left, unsigned right) {
    quad stack[LEVELS * HANDS];
    unsigned fact[HANDS];
    const quad from = {columns, left, right, 0};
    int next[1];
    long found = 0;
    next[0] = 0;
    if (level_count(s) - level <= ahead(s))
        return count_few(s, level, columns, left, right);
#pragma heddle lanes
    for (int k = 0; k < HANDS; k++)
        fact[k] = fact_of(s, k);
#pragma heddle lanes reduction(+: found)
    for (int hand = 0; hand < HANDS; hand++)
        found += search(s, level, from, hand, next, fact, stack);
    return found;
}

static void place(struct ring s, int depth, int level, unsigned columns, unsigned left, unsigned right,
                  long *solutions) {
    if (level >= depth || level_count(s) - level <= ahead(s)) {
        const long found = count_below(s, level, columns, left, right);
#pragma omp atomic
        *solutions += found * s.weight;
        return;
    }
    for (unsigned safe = squares(s, level, columns, left, right); safe; safe &= safe - 1) {
        const unsigned bit = safe & -safe;
        const int move = away(s, level);
#pragma heddle task
        place(s, depth, level + 1, columns | bit, (left | bit) << move, (right | bit) >> move, solutions);
    }
}

/* ---- rings ---- */

/* Where the queens stand, counted clockwise: a quarter turn moves all by one, a mirror counts the other way round. */
struct view {
    int at[4]; /* first row, last column, last row, first column */
};

static struct view turned(struct view v) {
    const struct view t = {{v.at[3], v.at[0], v.at[1], v.at[2]}};
    return t;
}

static struct view mirrored(struct view v, int last) {
    const struct view t = {{last - v.at[0], last - v.at[3], last - v.at[2], last - v.at[1]}};
    return t;
}

static int compare(struct view a, struct view b) {
    for (int k = 0; k < 4; k++)
        if (a.at[k] != b.at[k])
            return a.at[k] < b.at[k] ? -1 : 1;
    return 0;
}

/* Different views, 0: this one is not the first of them. */
static int view_count(struct view v, int last) {
    struct view seen[8], now = v;
    int count = 0;
    for (int k = 0; k < 8; k++) {
        int known = 0;
        if (compare(now, v) < 0)
            return 0;
        for (int q = 0; q < count; q++)
            known |= !compare(seen[q], now);
        if (!known)
            seen[count++] = now;
        now = k == 3 ? mirrored(turned(now), last) : turned(now);
    }
    return count;
}

static int attack(int row, int column, int other_row, int other_column) {
    const int down = row - other_row, across = column - other_column;
    return (down || across) && (!down || !across || down == across || down == -across);
}

static int is_peaceful(struct ring s) {
    const int last = s.n - 1, row[] = {0, last, s.left, s.right}, column[] = {s.top, s.bottom, 0, last};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            if (attack(row[a], column[a], row[b], column[b]))
                return 0;
    return 1;
}

/* The ring, weight 0: another view of it is searched, or there is no such ring. A corner belongs to two edges. */
static struct ring ring_of(struct view v, int n) {
    const int last = n - 1;
    struct ring s = {n, v.at[0], last - v.at[2], last - v.at[3], v.at[1], 0};
    for (int k = 0; k < 4; k++)
        if ((v.at[k] == last) != (v.at[(k + 1) % 4] == 0))
            return s;
    s.weight = view_count(v, last);
    if (!is_peaceful(s))
        s.weight = 0;
    return s;
}

/* Returns how many there are; rings may be NULL. Of the views the first one has the least place in the first row. */
static int find_rings(int n, struct ring *rings) {
    int count = 0;
    for (int top = 0; top <= (n - 1) / 2; top++)
        for (int k = 0; k < n * n * n; k++) {
            const struct view v = {{top, k / n / n, k / n % n, k % n}};
            const struct ring s = ring_of(v, n);
            if (s.weight && rings)
                rings[count] = s;
            count += s.weight > 0;
        }
    return count;
}

long queens_count(int n, int depth) {
    long solutions[1] = {0};
    const int count = n < 4 ? 0 : find_rings(n, NULL);
    struct ring *rings = count ? malloc((size_t)count * sizeof *rings) : NULL;
    if (!rings)
        return n == 1 ? 1 : n < 4 ? 0 : -1;
    find_rings(n, rings);
#pragma heddle pool map(to: rings[0:count]) map(tofrom: solutions[0:1])
    {
#pragma heddle taskloop independent
        for (int k = 0; k < count; k++)
            place(rings[k], depth, 0, 0, 0, 0, solutions);
    }
    free(rings);
    return solutions[0];
}
