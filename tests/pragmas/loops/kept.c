/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of file scope, and arrays that are read behind the loop, which each iteration fills before it reads them: the
 * last iteration's elements stay, and those that none writes are as they were.
 */
#include "../run/run.h"

enum { ROWS = 23, N = 40, M = 3 };
double flux[N][M];
double line[N];
static double shared[N];
static double input[ROWS][N], output[ROWS][N], other[ROWS][N];
int nx = N - 2, first = 1;

/* all bounds are of file scope, and elements at the edges are no loop's */
static void by_globals(void)
{
    int i, m;
#pragma heddle for
    for (int k = 0; k < ROWS; k++) {
        for (i = 0; i <= nx; i++)
            for (m = 0; m < M; m++)
                flux[i][m] = input[k][i] * (m + 1);
        for (i = 1; i <= nx; i++)
            output[k][i] = flux[i][0] - flux[i - 1][2] + flux[i][1];
    }
}

/* in a loop inside, which may have no turn: then nothing is written, in no iteration */
static void inside(int rows, int from, int to)
{
#pragma heddle for
    for (int k = 0; k < rows; k++)
        for (int j = from; j < to; j++) {
            line[0] = input[k][j];
            for (int i = 1; i < N; i++)
                line[i] = input[k][i] + j;
            for (int i = 1; i < N; i++)
                other[k][i] += line[i] - line[i - 1];
        }
}

static double another_reads(void)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        s = s / 2 + shared[i];
    return s;
}

/* counts down; only the second half is written, and read by another function */
static double downwards(int begin)
{
#pragma heddle for
    for (int k = begin; k >= 0; k--) {
        for (int i = N / 2; i < N; i++)
            shared[i] = input[k][i] * 3;
        for (int i = N / 2; i < N - 1; i++)
            output[k][i] += shared[i + 1] * shared[i];
    }
    return another_reads();
}

/* of the function, read behind the loop */
static double behind(int n)
{
    double part[N];
    for (int i = 0; i < N; i++)
        part[i] = i;
#pragma heddle for
    for (int k = 0; k < n; k++) {
        for (int i = 3; i < 17; i++)
            part[i] = input[k][i] + 1;
        for (int i = 3; i < 16; i++)
            other[k][i] = part[i] * part[i + 1];
    }
    double s = 0;
    for (int i = 0; i < N; i++)
        s = s / 2 + part[i];
    return s;
}

int main(void)
{
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < N; i++)
            input[k][i] = (double)(run_random() % 1000) / 8, output[k][i] = other[k][i] = i;
    for (int i = 0; i < N; i++)
        shared[i] = line[i] = i;
    by_globals();
    nx = 5;
    by_globals();
    nx = -3;
    by_globals();
    inside(ROWS, 4, 9);
    run_report("line", line, sizeof line);
    line[7] = 1;
    inside(ROWS, 4, 4);
    inside(0, 4, 9);
    printf("%.17g %.17g\n", downwards(ROWS - 1), downwards(ROWS - 2));
    printf("%.17g %.17g %.17g\n", behind(ROWS), behind(1), behind(0));
    run_report("flux", flux, sizeof flux);
    run_report("line", line, sizeof line);
    run_report("shared", shared, sizeof shared);
    run_report("output", output, sizeof output);
    run_report("other", other, sizeof other);
    return 0;
}
