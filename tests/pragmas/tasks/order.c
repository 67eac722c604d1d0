/* SPDX-License-Identifier: Apache-2.0 */
/* Taskloops whose iterations look as if they depended on each other and do not, or do by chains of sinks: none of them is an error. */
#include "../run/run.h"

enum { N = 60, W = 16 };
struct pair { int even, odd; };

static void chains(int n, int m, unsigned (*H)[m], unsigned (*roll)[m])
{
#pragma heddle pool map(tofrom: H[0:n], roll[0:2])
    {
#pragma heddle taskloop sink(y, x-1) sink(y-1, x+1)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++) {
                const unsigned up = y > 0 ? H[y - 1][x] : 1, left = x ? H[y][x - 1] : 2;
                const unsigned right = y != 0 && x + 1 < m ? H[y - 1][x + 1] : 3;
                if (!(y == 0 || x == 0))
                    H[y][x] += H[y - 1][x - 1];
                H[y][x] += up * 3 + left * 5 + right;
            }
#pragma heddle taskwait
#pragma heddle taskloop sink(y, x-1) sink(y-1, x+1)
        for (int y = 1; y < n; y++)
            for (int x = 1; x < m - 1; x++)
                roll[y & 1][x] = roll[(y - 1) & 1][x - 1] + roll[1 - (y & 1)][x + 1] + roll[y & 1][x - 1] + H[y][x];
    }
}

/* Rows of three, which only the caller knows. */
static void short_rows(int n, int m, int *a, int *half)
{
#pragma heddle pool map(tofrom: a[0:n*m], half[0:2*N])
    {
#pragma heddle taskloop collapse(2) independent
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * 3 + j] += i;
#pragma heddle taskwait
#pragma heddle taskloop independent
        for (int i = 0; i < n; i++)
            half[i + 20] = half[i] + 1;
#pragma heddle taskwait
#pragma heddle taskloop independent
        for (int i = 0; i < n; i++)
            if (half[i] & 1)
                half[2 * i + 40] = half[2 * i + 41] + half[i + 1];
    }
}

static void tiles(int n, int *a, int *b)
{
#pragma heddle pool map(tofrom: a[0:n*W], b[0:n*W])
#pragma heddle taskloop
    for (int t = 0; t < n; t++) {
        const int first = t * W;
        for (int k = 1; k < W; k++)
            a[first + k] += a[first + k - 1];
        for (int k = t * W; k < t * W + W; k++)
            b[k] = k > first ? a[k] + b[k - 1] : 7;
        for (int k = 0; k < W; k++) {
            if (k == W - 1)
                continue;
            b[first + k] ^= b[first + k + 1];
        }
    }
}

int main(void)
{
    enum { M = 23 };
    static unsigned H[N][M], roll[2][M];
    static int a[N * W], b[N * W], half[2 * N], sum, flag[2];
    static struct pair p[N + 1];
    run_ints((int *)&H[0][0], (size_t)N * M, 100);
    run_ints(a, (size_t)N * W, 100);
    chains(N, M, H, roll);
    short_rows(20, 3, a, half);
    tiles(N, a, b);
#pragma heddle pool map(tofrom: p, a, sum, flag)
    {
#pragma heddle taskloop
        for (int i = 0; i < N; i++)
            p[i].odd = a[i];
#pragma heddle taskwait
#pragma heddle taskloop
        for (int i = 1; i <= N; i++) {
            p[i].even = p[i - 1].odd;
            flag[0] = 1;
            flag[i & 1] = 1;
        }
#pragma heddle taskwait
#pragma heddle taskloop
        for (int i = 0; i < 3; i++) {
            int *own = &a[i];
            a[3 + i] = *own + a[i + 6];
#pragma omp atomic
            sum += a[i];
        }
    }
    run_report("H", H, sizeof H);
    run_report("roll", roll, sizeof roll);
    run_report("a", a, sizeof a);
    run_report("b", b, sizeof b);
    run_report("half", half, sizeof half);
    run_report("p", p, sizeof p);
    run_report("sum", &sum, sizeof sum);
    run_report("flag", flag, sizeof flag);
    return 0;
}
