/* SPDX-License-Identifier: Apache-2.0 */
/* Counting by tasks that make tasks. Compiled twice: as it stands, and with the pragmas ignored.
 *
 * Symmetry. A board has eight views (rotations and mirror images). Each edge's queen is so many squares away from the
 * nearer corner; the views are searched in which no edge's queen is nearer to a corner than the first row's, `top`.
 * Where the others are farther away than that, one search stands for eight boards. Others can be as near: for each set
 * of such edges their queens stand before the search begins, and again one view of the set is searched. So below the
 * first row nothing has to know of symmetry but that some squares are closed.
 *
 * Sets of columns are bit masks: `columns` are taken, `left` and `right` are attacked along the diagonals and move by
 * one bit with every row. A task places one queen and makes a task for each safe square of the next row. From row
 * `depth` on, HANDS hands search below it: a hand takes the next columns for two rows until there are none left, and
 * from then on the oldest entry of another's stack, which is the largest part that it has not begun.
 *
 * A step of the search is the same few operations for all hands. The number of the row is in the upper bits of
 * `columns`, where adding a queen's bit counts it up, too. */
#include "queens.h"

#include <stdlib.h>

#ifdef QUEENS_SERIAL
#define queens_count queens_count_serial
#endif

enum { HANDS = 32, ENTRIES = 11, ROWS = 32, STEPS = 64, FEW = 4, ROW_SHIFT = 27 };
typedef unsigned quad __attribute__((vector_size(16)));

/* Places on the edges: columns in the first and the last row, rows in the first and the last column; FAR: farther away
 * from both corners than `top`, wherever that is. */
enum { FAR = 99 };
struct edges {
    int n, top, bottom, left, right, weight;
};

static int is_between(struct edges e, int place) { return place > e.top && place < e.n - 1 - e.top; }

static unsigned diagonals(int row, int queen_row, int queen_column) {
    const int away = row < queen_row ? queen_row - row : row - queen_row;
    return (1u << queen_column) << away | (1u << queen_column) >> away;
}

/* Squares of a row in the first or the last column that are open, and what a queen there closes. */
static unsigned with_side(unsigned open, struct edges e, int queen_row, int row, int column) {
    if (queen_row == FAR)
        return is_between(e, row) ? open : open & ~(1u << column);
    return row == queen_row ? open & 1u << column : open & ~(1u << column | diagonals(row, queen_row, column));
}

/* Squares that neither the queens on the edges attack nor the choice of the view closes. */
static unsigned open_squares(struct edges e, int row) {
    const int last = e.n - 1;
    unsigned open = (2u << last) - 1;
    if (row > last)
        return 0;
    if (row == 0)
        return 1u << e.top;
    if (e.bottom == FAR)
        open &= row == last ? (1u << (last - e.top)) - (2u << e.top) : open;
    else
        open &= row == last ? 1u << e.bottom : ~(1u << e.bottom | diagonals(row, last, e.bottom));
    return with_side(with_side(open, e, e.left, row, 0), e, e.right, row, last);
}

/* What a step in a row must know: open squares of the two rows below, and whether the row below is the last but one. */
static quad fact_of(struct edges e, int row) {
    const quad fact = {open_squares(e, row + 1), open_squares(e, row + 2), row == e.n - 3 ? ~0u : 0, 0};
    return fact;
}

static unsigned squares(struct edges e, int row, unsigned columns, unsigned left, unsigned right) {
    return open_squares(e, row) & ~(columns | left | right);
}

/* Squares of a row where a queen leaves one in the row below, of which `below` were safe. A queen attacks the square
 * below it and those beside that, so one that is left is at least two columns higher or lower. */
static unsigned without_dead_ends(unsigned open, unsigned below) {
    const unsigned up = below << 2;
    return open & (up | -up | 0x3fffffffu >> __builtin_clz(below | 1));
}

/* The state below a queen at `bit`, with the squares of the next row that are worth a try; c has the row's number. The
 * sums are of masks that have no bit in common: a GPU adds and moves bits in different units. */
static quad descend(quad fact, unsigned c, unsigned l, unsigned r, unsigned bit) {
    const unsigned c_below = c + bit + (1u << ROW_SHIFT), l_below = (l + bit) << 1, r_below = (r + bit) >> 1;
    const unsigned open = fact[0] & ~(c_below | l_below | r_below);
    const unsigned below = fact[1] & ~(c_below | l_below << 1 | r_below >> 1);
    const quad state = {c_below, l_below, r_below, without_dead_ends(open, below)};
    return state;
}

/* The state below the k-th choice of columns for two rows; 0 squares: that choice is not allowed. */
static quad choose(struct edges e, int row, quad from, const quad *fact, int k) {
    const unsigned first = 1u << k / e.n, second = 1u << k % e.n;
    const quad none = {~0u, 0, 0, 0};
    if (!(from[3] & first))
        return none;
    const quad state = descend(fact[row], from[0], from[1], from[2], first);
    return state[3] & second ? descend(fact[row + 1], state[0], state[1], state[2], second) : none;
}

/* Gives a hand without work a state. It alone takes from the other's stack now, and a hand without work has no entry.
 */
static int find_work(struct edges e, int row, quad from, int hand, int other, const quad *fact, int *next, quad *stack,
                     quad *state, int *oldest, const int *height) {
    const int most = e.n * e.n;
    int k = 0;
    while (!state[hand][3] && k < most) {
#pragma omp atomic capture
        k = next[0]++;
        if (k < most)
            state[hand] = choose(e, row, from, fact, k);
    }
    if (!state[hand][3] && oldest[other] < height[other]) {
        const quad idle = {~0u, 0, 0, 0};
        state[hand] = stack[oldest[other]];
        stack[oldest[other]] = idle;
        oldest[other] += HANDS;
    }
    return state[hand][3] != 0;
}

/* Steps are counted so that the hands of a worker stay together. Below the oldest entry there is always one without
 * work: no squares and all columns taken. */
static unsigned search(int hand, const quad *facts, quad *stack, quad *states, int *oldest, int *heights) {
    const int floor = oldest[hand];
    unsigned c = states[hand][0], l = states[hand][1], r = states[hand][2], safe = states[hand][3], found = 0;
    int height = heights[hand];
    if (!safe)
        return 0;
    for (int step = 0; step < STEPS; step++) {
        const unsigned bit = safe & -safe, rest = safe - bit;
        const quad fact = facts[c >> ROW_SHIFT], below = descend(fact, c, l, r, bit);
        const unsigned open = below[3] & ~fact[2];
        found += (unsigned)__builtin_popcount(below[3] & fact[2]);
        if (open && rest) {
            const quad top = {c, l, r, rest};
            stack[height] = top;
            height += HANDS;
        }
        if (open)
            c = below[0], l = below[1], r = below[2];
        safe = open ? open : rest;
        if (!safe) {
            height -= HANDS;
            const quad top = stack[height];
            c = top[0], l = top[1], r = top[2], safe = top[3];
            height = height > floor ? height : floor;
        }
    }
    const quad now = {c, l, r, safe};
    states[hand] = now;
    heights[hand] = safe ? height : hand + HANDS;
    oldest[hand] = safe ? floor : hand + HANDS;
    return found;
}

/* The last rows one after the other. */
static long count_few(struct edges e, int row, unsigned columns, unsigned left, unsigned right) {
    unsigned c[FEW + 1] = {columns}, l[FEW + 1] = {left}, r[FEW + 1] = {right}, safe[FEW + 1] = {0};
    int at = 0;
    long found = 0;
    safe[0] = squares(e, row, columns, left, right);
    while (at >= 0) {
        const unsigned bit = safe[at] & -safe[at];
        if (!bit) {
            at--;
        } else if (row + at == e.n - 1) {
            found++;
            safe[at] ^= bit;
        } else {
            safe[at] ^= bit;
            c[at + 1] = c[at] | bit, l[at + 1] = (l[at] | bit) << 1, r[at + 1] = (r[at] | bit) >> 1;
            safe[at + 1] = squares(e, row + at + 1, c[at + 1], l[at + 1], r[at + 1]);
            at++;
        }
    }
    return found;
}

static long count_below(struct edges e, int row, unsigned columns, unsigned left, unsigned right) {
    quad stack[ENTRIES * HANDS], state[HANDS], fact[ROWS];
    int oldest[HANDS], height[HANDS], next[1];
    long count[HANDS], found = 0;
    const quad from = {columns | (unsigned)row << ROW_SHIFT, left, right, squares(e, row, columns, left, right)};
    int busy = 1;
    if (e.n - row <= FEW)
        return count_few(e, row, columns, left, right);
    next[0] = 0;
#pragma heddle lanes
    for (int hand = 0; hand < HANDS; hand++) {
        const quad idle = {~0u, 0, 0, 0};
        fact[hand] = fact_of(e, hand);
        state[hand] = stack[hand] = idle;
        oldest[hand] = height[hand] = hand + HANDS;
        count[hand] = 0;
    }
    for (int turn = 0; busy; turn++) {
        busy = 0;
#pragma heddle lanes reduction(|: busy)
        for (int hand = 0; hand < HANDS; hand++)
            busy |= find_work(e, row, from, hand, hand ^ (turn % (HANDS - 1) + 1), fact, next, stack, state, oldest,
                              height);
#pragma heddle lanes
        for (int hand = 0; hand < HANDS; hand++)
            count[hand] += search(hand, fact, stack, state, oldest, height);
    }
#pragma heddle lanes reduction(+: found)
    for (int hand = 0; hand < HANDS; hand++)
        found += count[hand];
    return found;
}

static void place(struct edges e, int depth, int row, unsigned columns, unsigned left, unsigned right,
                  long *solutions) {
    if (e.n - row <= FEW || (row >= depth && e.n - row <= FEW + ENTRIES)) {
        const long found = count_below(e, row, columns, left, right);
#pragma omp atomic
        *solutions += found * e.weight;
        return;
    }
    for (unsigned safe = squares(e, row, columns, left, right); safe; safe &= safe - 1) {
        const unsigned bit = safe & -safe;
#pragma heddle task
        place(e, depth, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1, solutions);
    }
}

/* ---- the edges ---- */

/* Where the queens stand, counted clockwise: a quarter turn moves all by one, a mirror counts the other way round. */
struct view {
    int at[4]; /* first row, last column, last row, first column */
};

static struct view turned(struct view v) {
    const struct view t = {{v.at[3], v.at[0], v.at[1], v.at[2]}};
    return t;
}

static int opposite(int place, int last) { return place == FAR ? FAR : last - place; }

static struct view mirrored(struct view v, int last) {
    const struct view t = {
        {opposite(v.at[0], last), opposite(v.at[3], last), opposite(v.at[2], last), opposite(v.at[1], last)}};
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

static int is_peaceful(struct edges e) {
    const int last = e.n - 1, row[] = {0, last, e.left, e.right}, column[] = {e.top, e.bottom, 0, last};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            if (row[a] != FAR && column[a] != FAR && row[b] != FAR && column[b] != FAR &&
                attack(row[a], column[a], row[b], column[b]))
                return 0;
    return 1;
}

/* The edges, weight 0: another view of them is searched, or no queens stand so. A corner belongs to two edges. */
static struct edges edges_of(struct view v, int n) {
    const int last = n - 1;
    struct edges e = {n, v.at[0], opposite(v.at[2], last), opposite(v.at[3], last), v.at[1], 0};
    for (int k = 0; k < 4; k++)
        if ((v.at[k] == last) != (v.at[(k + 1) % 4] == 0))
            return e;
    if (is_peaceful(e))
        e.weight = view_count(v, last);
    return e;
}

/* Returns how many there are; edges may be NULL. Of the views the first one has the least place in the first row. */
static int find_edges(int n, struct edges *edges) {
    int count = 0;
    for (int top = 0; 2 * top < n - 1; top++)
        for (int k = 0; k < 27; k++) {
            const int place[] = {top, n - 1 - top, FAR};
            const struct view v = {{top, place[k / 9], place[k / 3 % 3], place[k % 3]}};
            const struct edges e = edges_of(v, n);
            if (e.weight && edges)
                edges[count] = e;
            count += e.weight > 0;
        }
    return count;
}

long queens_count(int n, int depth) {
    long solutions[1] = {0};
    const int count = n < 4 ? 0 : find_edges(n, NULL);
    struct edges *edges = count ? malloc((size_t)count * sizeof *edges) : NULL;
    if (!edges)
        return n == 1 ? 1 : n < 4 ? 0 : -1;
    find_edges(n, edges);
#pragma heddle pool map(to: edges[0:count]) map(tofrom: solutions[0:1])
    {
#pragma heddle taskloop independent
        for (int k = 0; k < count; k++)
            place(edges[k], depth, 0, 0, 0, 0, solutions);
    }
    free(edges);
    return solutions[0];
}
