/* SPDX-License-Identifier: Apache-2.0 */
/* 02_tasks: in how many ways can n queens stand on an n x n board, none attacking another? Counted by tasks that make
 * tasks, for n from 4 to 10, or for the one that is given.
 *
 * How large the tree below a square is, nobody knows before: some tasks end at once, others run long. A pool keeps
 * every worker of the device busy. Without the pragmas the tasks are ordinary recursive calls. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

/* The squares of the next row that no queen attacks. Sets of columns are bit masks. */
static inline unsigned safe(int n, unsigned columns, unsigned left, unsigned right) {
    return ((1u << n) - 1) & ~(columns | left | right);
}

/* A task: rows [row, n) are empty; `columns` are taken, `left` and `right` are attacked along the diagonals. */
static void place(int n, int row, unsigned columns, unsigned left, unsigned right, long *found) {
    if (row == n) {
#pragma omp atomic
        (*found)++;
        return;
    }
    for (unsigned squares = safe(n, columns, left, right); squares; squares &= squares - 1) {
        const unsigned queen = squares & -squares;
#pragma heddle task
        place(n, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1, found);
    }
}

static long count(int n) {
    long found = 0, *total = &found;
#pragma heddle pool map(tofrom: total[0 : 1])
    {
#pragma heddle task
        place(n, 0, 0, 0, 0, total);
    }
    return found;
}

int main(int argc, char **argv) {
    static const long known[MOST + 1] = {[4] = 2, 10,    4,     40,     92,      352,     724,
                                         2680,    14200, 73712, 365596, 2279184, 14772512};
    int first = 4, last = 10, wrong = 0;
    if (argc == 2)
        first = last = atoi(argv[1]);
    if (argc > 2 || first < 4 || last > MOST) {
        fprintf(stderr, "usage: %s [number from 4 to %d]\n", argv[0], MOST);
        return 2;
    }
    for (int n = first; n <= last; n++) {
        const long found = count(n);
        printf("%2d queens: %ld ways, %s\n", n, found, found == known[n] ? "ok" : "WRONG");
        wrong |= found != known[n];
    }
    return wrong;
}
