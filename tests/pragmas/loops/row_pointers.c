/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers that each iteration sets, to its row or its cell: what a loop touches is seen through them. */
#include "../run/run.h"

enum { N = 23, M = 17 };

static void linear(int n, int m, const double *in, double *out)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        const double *from = in + i * m;
        double *restrict to = out + (size_t)i * m;
        for (int j = 0; j < m; j++)
            to[j] = 2 * from[j] + i;
    }
}

/* Unsigned offsets, and what stands before the place; the pointer of a pointer. */
static void before(unsigned n, unsigned m, const int *in, int *out)
{
#pragma heddle for independent
    for (unsigned i = 1; i < n; i++) {
        const int *row = &in[i * m];
        const int *next = row + 1;
        int *to = m + out - m + i * m;
        for (unsigned j = 1; j + 1 < m; j++)
            to[j] = row[(int)j - 1] + next[j] + *(row) + next[-1];
    }
}

/* Rows of an array of arrays, set and not declared; last values that nobody wants. */
static void arrays(double (*a)[M], double b[N][M])
{
    double *x;
    const double *y;
    int i, j;
#pragma heddle for
    for (i = 1; i < N; i++) {
        x = a[i];
        y = b[i - 1];
        for (j = 0; j < M; j++)
            x[j] = y[j] + b[i][j];
    }
}

/* What the offset is made of goes on, or has another meaning further in. */
static void moving(int n, const int *in, int *out)
{
#pragma heddle for independent
    for (int i = 0; i < n; i++) {
        int k = i * M;
        const int *row = in + k;
        int *to = out + i * M;
        k++;
        for (int j = 0; j < M; j++, k++) {
            const int i = j + 1, in = 3;
            to[j] = row[i % M] + k + in;
        }
    }
}

/* The pointer moves, is handed on, is kept. */
static long sum(const int *x, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

static void handed(int n, const int *in, long *out, const int **last)
{
    const int *p = in;
#pragma heddle for independent
    for (int i = 0; i < n; i++) {
        const int *row = in + i * M, *walk = row + 1;
        long s = sum(row, M);
        for (int j = 1; j < M; j++)
            s += *walk++;
        out[i] = s;
    }
    for (int i = 0; i < n; i++) {
        p = in + i * M;
        out[i] += p[0];
    }
    *last = p;
}

/* Rows of a table of pointers; and a table that changes. */
static void table(int n, int **rows)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        int *r = rows[i];
        for (int j = 0; j < M; j++)
            r[j] = r[j] * 3 + i;
    }
#pragma heddle for independent
    for (int i = 0; i < n; i++) {
        int *r = rows[i];
        rows[i] = NULL;
        for (int j = 0; j < M; j++)
            r[j] += j;
        rows[i] = r + 1;
    }
}

/* All of an array of arrays, by its first row. */
static void whole(double a[N][M], const double b[N][M])
{
#pragma heddle for independent
    for (int i = 0; i < N; i++) {
        double *to = a[0];
        const double *from = &b[0][0] + i * M;
        for (int j = 0; j < M; j++)
            to[i * M + j] = 3 * from[j];
    }
}

/* Named by what is no expression. */
static void named(int n, const double *in, double *out)
{
#pragma heddle for independent
    for (int i = 0; i < n; i++) {
        const double *row = in + i * M;
        double *to = out + i * M;
        const __typeof__(*row) first = 3;
#pragma omp simd aligned(to : 8)
        for (int j = 0; j < M; j++)
            to[j] = 2 * row[j] + first;
    }
}

struct pixel {
    unsigned char r, g, b;
};

/* Members of what the row holds. */
static void picture(int h, int w, const struct pixel *from, struct pixel *to)
{
#pragma heddle for
    for (int y = 0; y < h; y++) {
        const struct pixel *in = from + y * w;
        struct pixel *out = &to[y * w];
        for (int x = 0; x < w; x++) {
            out[x].r = in[x].g;
            out[x].g = (unsigned char)(in[x].b / 2);
            out[x].b = (unsigned char)(in[x].r ^ x);
        }
    }
}

int main(void)
{
    static double x[N][M], y[N][M];
    static int a[N][M], b[N][M], *rows[N];
    static long s[N];
    static struct pixel p[N][M], q[N][M];
    const int *last;
    for (int k = 0; k < N * M; k++)
        x[k / M][k % M] = (int)(run_random() % 100);
    run_ints(&a[0][0], N * M, 1000);
    run_fill(p, sizeof p, 256);
    linear(N, M, &x[0][0], &y[0][0]);
    run_report("linear", y, sizeof y);
    before(N, M, &a[0][0], &b[0][0]);
    run_report("before", b, sizeof b);
    arrays(x, y);
    run_report("arrays", x, sizeof x);
    moving(N, &a[0][0], &b[0][0]);
    run_report("moving", b, sizeof b);
    handed(N, &a[0][0], s, &last);
    run_report("handed", s, sizeof s);
    printf("%d\n", (int)(last - &a[0][0]));
    whole(x, y);
    run_report("whole", x, sizeof x);
    named(N, &x[0][0], &y[0][0]);
    run_report("named", y, sizeof y);
    for (int i = 0; i < N; i++)
        rows[i] = a[i];
    table(N, rows);
    run_report("table", a, sizeof a);
    for (int i = 0; i < N; i++)
        printf("%d ", (int)(rows[i] - a[i]));
    picture(N, M, &p[0][0], &q[0][0]);
    run_report("picture", q, sizeof q);
    return 0;
}
