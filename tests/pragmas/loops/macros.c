/* SPDX-License-Identifier: Apache-2.0 */
/* Macros with the names of reductions, of OpenMP's words and of what loops call their parts. */
#include "../run/run.h"

#define N 300
#define SIZE (N)
#define max imax
#define min(a, b) ((a) < (b) ? (a) : (b))
#define target 7
#define teams(x) x
#define parallel "no word of a directive"
#define distribute
#define tofrom 3
#define map(x) (x)
#define env_bytes 5
#define ROWS 20
#define COLUMNS (N / ROWS)

static const int table[4] = {3, 1, 4, target};

static inline int imax(int a, int b)
{
    return a > b ? a : b;
}

int main(void)
{
    static int x[SIZE], y[ROWS][COLUMNS];
    int most = 0, least = 1000;
    run_ints(x, SIZE, 1000);
#pragma heddle for map(to: x[heddle_lo : heddle_count]) reduction(max: most) reduction(min: least)
    for (int i = 0; i < N; i++) {
        most = max(most, map(x[i]) + table[i & 3]);
        least = min(least, x[i] + env_bytes);
    }
#pragma heddle for collapse(2) map(to: x) map(from: y[heddle_lo : heddle_count])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            y[i][j] = x[i * COLUMNS + j] * tofrom;
    run_report("most", &most, sizeof most);
    run_report("least", &least, sizeof least);
    run_report("y", y, sizeof y);
    return 0;
}
