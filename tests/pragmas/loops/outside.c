/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that are declared before the loop: its own, those of inner loops, and scalars that each turn sets. */
#include "../run/run.h"

static int heads(int n, int m, int step, const int *x, int *y)
{
    int i, j, k, t;
    long total = 0;
#pragma heddle for map(to: x[0 : n]) map(from: y[heddle_lo : heddle_count])
    for (i = 0; i < n; i++) {
        t = x[i];
        for (j = 0; j < m; j++)
            t += j * x[i];
        for (j = m; j >= 1; j -= 2)
            t ^= j;
        k = 3;
        while (k-- > 0)
            t += k;
        y[i] = t;
    }
    total += i;
#pragma heddle for map(to: x[0 : n]) map(tofrom: y[heddle_lo : (heddle_count - 1) * step + 1])
    for (i = 1; i <= n - 1; i += step)
        k = x[i] + 1, y[i] += k;
    total += 3 * i;
#pragma heddle for map(tofrom: y[heddle_lo - heddle_count + 1 : heddle_count])
    for (i = n - 1; i >= 0; --i)
        if (y[i] % 2)
            for (k = 0; k < 2; k++)
                y[i] += k;
        else
            y[i]--;
    total += 5 * i;
    j = 0;
#pragma heddle for collapse(2) map(tofrom: y[8 * heddle_lo : 8 * heddle_count])
    for (i = 0; i < n / 8; i++)
        for (j = 1; j < 8; j++)
            t = y[8 * i + j] + j, y[8 * i + j] = t;
    total += 7 * i + 11 * j;
    for (t = 0; t < 2; t++)
#pragma heddle for map(tofrom: y[heddle_lo : heddle_count])
        for (i = 0; i < n; i++)
            y[i] += t;
    total += 13 * i;
#pragma heddle for map(tofrom: y[heddle_lo : heddle_count])
    for (i = 5; i < 5 - n; i++)
        y[i] = 0;
    total += 17 * i;
    if (n > 3) {
        unsigned char c;
#pragma heddle for map(tofrom: y[heddle_lo : heddle_count])
        for (c = 0; c < 7; c++)
            y[c] += c;
        total += 19 * c;
    }
    return (int)total;
}

/* A parameter, and scalars of the loop around. */
static void rows(int n, int m, int i, double (*A)[m], double *norm)
{
    double s, *row;
    int j;
    for (int t = 0; t < 3; t++) {
        double f = 0.5 + t;
#pragma heddle for map(tofrom: A[heddle_lo : heddle_count]) map(from: norm[heddle_lo : heddle_count])
        for (i = 0; i < n; ++i) {
            s = 0;
            row = A[i];
            for (j = 0; j < m; j++)
                s += row[j] * f;
            norm[i] = s;
            for (j = 0; j < m; j++) {
                s = A[i][j];
                A[i][j] = s / 2 + 1;
            }
        }
        f = norm[0];
        norm[1] += f;
    }
}

static int clauses(int n, int step, const int *x, int *y)
{
    int i, t = 0, last = 5, where = 7, k = 0;
#pragma heddle for private(t) lastprivate(last, k)
    for (i = 0; i < n; i++) {
        if (x[i] % 2)
            t = x[i];
        last = x[i] % 2 ? t : i;
        for (k = 0; k * k < last; k++)
            ;
        y[i] += last;
    }
#pragma heddle for lastprivate(where)
    for (i = n - 1; i > 3; i -= step)
        where = x[i] + i;
    last += 3 * where + 5 * k;
#pragma heddle for lastprivate(where)
    for (i = 9; i <= 8; i++)
        where = i;
    return last + 7 * where + i;
}

static void tasks(int n, int *y)
{
    int i, j, t;
#pragma heddle pool map(tofrom: y[0 : 16 * n])
    {
#pragma heddle taskloop
        for (i = 0; i < n; i++)
            for (j = 0; j < 16; j++) {
                t = y[16 * i + j];
                y[16 * i + j] = 3 * t + i;
            }
    }
}

static int nest(int n, int m, int (*H)[m])
{
    int i, j, up, left;
#pragma heddle wavefront
    for (i = 1; i < n; i++)
        for (j = 1; j < m; j++) {
            up = H[i - 1][j];
            left = H[i][j - 1];
            H[i][j] = up > left ? up - 1 : left + H[i - 1][j - 1] % 7;
        }
    return 3 * i + j;
}

int main(void)
{
    enum { N = 480, M = 33 };
    static int x[N], y[N], H[M][M];
    static double A[N][M], norm[N];
    run_ints(x, N, 100);
    run_ints(y, N, 100);
    run_ints(&H[0][0], M * M, 50);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = i % 7 - j;
    int got[3] = {heads(N, 9, 7, x, y), 0, clauses(N, 7, x, y)};
    rows(N, M, 3, A, norm);
    tasks(N / 16, y);
    got[1] = nest(M, M, H);
    run_report("got", got, sizeof got);
    run_report("y", y, sizeof y);
    run_report("H", H, sizeof H);
    run_report("A", A, sizeof A);
    run_report("norm", norm, sizeof norm);
    return 0;
}
