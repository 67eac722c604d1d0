/* SPDX-License-Identifier: Apache-2.0 */
/* Constants, types and tables that functions declare for themselves, some under names that the file has, too. */
#include "../run/run.h"

enum { N = 190 };
struct pair {
    int a, b;
};

static void own(int *x)
{
    enum { K = 3, M = 2 * K };
    typedef double real;
    struct point {
        real x;
        int y[K];
    };
    static const int table[M] = {1, 2, /* on
        two lines */ 3, 4, 5, 6};
    typedef struct {
        short first, second;
    } both;
    struct point p = {1.5, {2, 3, 4}};
    both twice[K] = {{1, 2}, {3, 4}, {5, 6}};
#pragma heddle for
    for (int i = 0; i < N; i++) {
        both of = twice[i % K];
        x[i] += of.first * of.second + (int)sizeof(both);
    }
#pragma heddle for
    for (int i = 0; i < N; i++) {
        real t = K * p.x + table[i % M];
        x[i] += (int)t + p.y[i % K] + M;
    }
#pragma heddle pool map(tofrom: x[0 : N])
    {
#pragma heddle taskloop
        for (int i = 0; i < N; i++)
            x[i] += table[i % M] * K;
    }
}

static void macros(int n, int m, int (*H)[N])
{
#define AT(i, j) H[(i)][(j) + SHIFT] /* uses the next one */
#define SHIFT 1
#define LONGER(x) \
    ((x) + 3)
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m - SHIFT; j++)
            AT(i, j) += LONGER(i * j);
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - SHIFT; j++) {
            H[i][j] = H[i - 1][j] / LONGER(1) + H[i][j - 1];
        }
#undef AT
}

static int other(int n, int *y)
{
    enum { N = 70, K = 5 };
    typedef struct pair pair_of_ints;
    pair_of_ints both = {N, K};
    int i, j;
    {
        const int table[2] = {7, 8};
        enum { M = K + 1 };
#pragma heddle for collapse(2)
        for (i = 0; i < n / N; i++)
            for (j = 0; j < N; j++)
                y[i * N + j] += K * M + both.a + table[j % 2];
    }
#pragma heddle for map(tofrom: y[heddle_lo * K : heddle_count * K])
    for (i = 0; i < n / K; i++)
        for (j = 0; j < K; j++)
            y[i * K + j] -= j * both.b;
    return N + K;
}

static void nest(int n, int (*H)[N])
{
    enum { GAP = 2 };
    typedef int score;
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < N; j++) {
            score s = H[i - 1][j] - GAP;
            H[i][j] = s > H[i][j - 1] ? s : H[i][j - 1] + GAP;
        }
}

int main(void)
{
    static int x[N], y[N * 7], H[N][N];
    run_ints(x, N, 100);
    run_ints(y, N * 7, 100);
    run_ints(&H[0][0], N * N, 9);
    own(x);
    int got = other(N * 7, y);
    nest(N, H);
    macros(N, N - 3, H);
    run_report("x", x, sizeof x);
    run_report("y", y, sizeof y);
    run_report("H", H, sizeof H);
    run_report("got", &got, sizeof got);
    return 0;
}
