// SPDX-License-Identifier: Apache-2.0
// loops.c REPEATS: nanoseconds of CPU time an iteration, for tests/verify/slowdown.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 1000, COLUMNS = 2000, N = ROWS * COLUMNS };
static double x[N], y[N], S[N];
static float u[N], v[N];
static char a[N], b[N];
static int H[2][COLUMNS + 1], g[N];

static int max(int p, int q)
{
    return p > q ? p : q;
}

static void axpy(void)
{
#pragma heddle for map(to: x[heddle_lo : heddle_count]) map(tofrom: y[heddle_lo : heddle_count])
    for (long i = 0; i < N; i++)
        y[i] += 2 * x[i];
}

static void matrix(const float (*from)[COLUMNS], float (*to)[COLUMNS])
{
#pragma heddle for map(to: from[heddle_lo : heddle_count]) map(from: to[heddle_lo : heddle_count])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            to[i][j] = from[i][j] * 2 + 1;
}

static int align(int n, int m)
{
    int best = 0;
#pragma heddle wavefront map(to: a[0 : n], b[0 : m]) reduction(max: best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            int gap = max(H[(i - 1) & 1][j], H[i & 1][j - 1]) - 1;
            H[i & 1][j] = max(max(0, H[(i - 1) & 1][j - 1] + s), gap);
            best = max(best, H[i & 1][j]);
        }
    return best;
}

static void relax(double (*A)[COLUMNS])
{
#pragma heddle wavefront
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]);
}

static void grid(int m)
{
#pragma heddle pool map(tofrom: g)
#pragma heddle taskloop sink(i - 1, j) sink(i, j - 1)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < m; j++)
            g[i * COLUMNS + j] = max(g[(i - 1) * COLUMNS + j], g[i * COLUMNS + j - 1]) + 1;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const int repeats = argc > 1 ? atoi(argv[1]) : 1;
    static const char *const names[] = {"axpy", "matrix", "align", "relax", "grid"};
    long sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i, S[i] = i % 7, u[i] = (float)i, a[i] = (char)(rand() % 4), b[i] = (char)(rand() % 4);
    axpy(), matrix((void *)u, (void *)v); /* memory that was never touched costs more */
    for (int k = 0; k < 5; k++) {
        const double start = seconds();
        for (int r = 0; r < repeats; r++) {
            if (k == 0)
                axpy();
            else if (k == 1)
                matrix((void *)u, (void *)v);
            else if (k == 2)
                sum += align(ROWS, COLUMNS);
            else if (k == 3)
                relax((void *)S);
            else
                grid(COLUMNS);
        }
        printf("%s %.4f\n", names[k], (seconds() - start) / repeats / N * 1e9);
    }
    return sum + y[5] + v[7] + S[9] + g[N - 1] < 0;
}
