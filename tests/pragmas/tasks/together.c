/* SPDX-License-Identifier: Apache-2.0 */
/* All directives in one file, each in functions of its own, in several orders: the headers of one must leave the others' names alone. */
#include "../run/run.h"

enum { N = 70, M = 90 };
#define max larger
#define parallel no word of a directive

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

static long first_for(const int *a, int *b)
{
    long sum = 0;
#pragma heddle for map(to: a[0:N]) map(from: b[heddle_lo:heddle_count]) reduction(+: sum)
    for (int i = 0; i < N; i++) {
        b[i] = a[i] * 3 + 1;
        sum += b[i];
    }
    return sum;
}

static int first_pool(int *a)
{
    int best = 0;
#pragma heddle pool map(tofrom: a[0:N], best)
#pragma heddle taskloop sink(i-1)
    for (int i = 1; i < N; i++) {
        int most = 0;
#pragma heddle lanes reduction(max: most)
        for (int k = 0; k < 40; k++)
            most = max(most, (a[i] * k) % 91);
        a[i] += a[i - 1] % 7 + most;
        best = best > a[i] ? best : a[i];
    }
    return best;
}

static int first_nest(int (*H)[M])
{
    int best = 0;
#pragma heddle wavefront reduction(max: best)
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++) {
            H[i][j] = (H[i - 1][j] + H[i][j - 1] * 3 + H[i - 1][j - 1]) & 4095;
            best = max(best, H[i][j]);
        }
    return best;
}

static void second_pool(int *a)
{
#pragma heddle pool map(tofrom: a[0:N])
    {
#pragma heddle task depend(inout: a[0])
        a[0] += 5;
#pragma heddle task depend(in: a[0]) depend(out: a[1])
        a[1] = a[0] * 2;
    }
}

static void second_nest(float (*U)[M])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                U[i][j] = 0.25f * (U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1]);
}

static void second_for(int *a)
{
#pragma heddle for map(tofrom: a[heddle_lo - heddle_count + 1:heddle_count])
    for (int i = N - 1; i >= 0; i--)
        a[i] ^= i;
}

static void third_nest(int *row, const int *a)
{
#pragma heddle wavefront
    for (int i = 0; i < N; i++)
        for (int j = 1; j < M; j++)
            row[j] = (row[j] + row[j - 1] + a[i]) & 1023;
}

static void third_pool(int *a)
{
#pragma heddle pool map(tofrom: a[0:N])
#pragma heddle taskloop
    for (int i = 0; i < N; i++)
        a[i] = a[i] * 2 + 1;
}

int main(void)
{
    static int a[N], b[N], row[M], H[N][M];
    static float U[N][M];
    run_ints(a, N, 1000);
    run_ints(&H[0][0], (size_t)N * M, 1000);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            U[i][j] = (float)H[i][j];
    long sum = first_for(a, b);
    int best = first_pool(a);
    best += first_nest(H);
    second_pool(a);
    second_nest(U);
    second_for(b);
    third_nest(row, a);
    third_pool(b);
    run_report("sum", &sum, sizeof sum);
    run_report("best", &best, sizeof best);
    run_report("a", a, sizeof a);
    run_report("b", b, sizeof b);
    run_report("row", row, sizeof row);
    run_report("H", H, sizeof H);
    run_report("U", U, sizeof U);
    return 0;
}
