/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Loops over time steps that hold several loops over rows: tiles of steps by rows. */
#include "run.h"

enum { N = 90, M = 70, P = 24, STEPS = 37 };
static double a[N][M], b[N][M], u[P][P][P], v[P][P][P], ex[N][M], ey[N][M], hz[N][M], fict[STEPS], line[4000], other[4000];

static void fill(void *p, size_t n)
{
    double *d = p;
    for (size_t i = 0; i < n; i++)
        d[i] = (double)(run_random() % 1000) / 128 + 1;
}

static void plate(int steps, int n)
{
    int t, i, j;
#pragma heddle wavefront sweeps(t)
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < M - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < M - 1; j++)
                a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
    }
}

static void cube(void)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 1; t <= STEPS; t++) {
        for (int i = 1; i < P - 1; i++)
            for (int j = 1; j < P - 1; j++)
                for (int k = 1; k < P - 1; k++)
                    v[i][j][k] = 0.125 * (u[i + 1][j][k] - 2 * u[i][j][k] + u[i - 1][j][k]) +
                                 0.125 * (u[i][j + 1][k] - 2 * u[i][j][k] + u[i][j - 1][k]) + u[i][j][k];
        for (int i = 1; i < P - 1; i++)
            for (int j = 1; j < P - 1; j++)
                for (int k = 1; k < P - 1; k++)
                    u[i][j][k] = v[i][j][k] + 0.0625 * (v[i][j][k + 1] - v[i - 1][j][k - 1]);
    }
}

/* three arrays, a row that is set in each step, and ranges of their own */
static void waves(int nx)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < STEPS; t++) {
        for (int j = 0; j < M; j++)
            ey[0][j] = fict[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < M; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < M; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < M - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

static void string(int n, double p[4000], double *q, int steps)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 3; i++)
            q[i] = 0.33333 * (p[i - 2] + p[i] + p[i + 3]);
        for (int i = 1; i < n - 1; i++) {
            const double mean = q[i - 1] + q[i] + q[i + 1];
            p[i] = 0.33333 * mean;
        }
        for (int i = n / 2; i <= n - 9; i++)
            p[i - 1] += q[i + 4] * 0.5;
    }
}

/* without a sign: tiles begin above the first row, and there may be no steps and no rows */
static void plain(size_t low, size_t n, size_t from, size_t to)
{
#pragma heddle wavefront sweeps(t)
    for (size_t t = from; t < to; t++) {
        for (size_t i = low; i < n; i++)
            for (size_t j = low; j < M - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i + 1][j] + a[i - 1][j]);
        for (unsigned i = (unsigned)low; i < n; i++)
            for (size_t j = low; j < M - 1; j++)
                a[i][j] = 0.2 * (b[i][j] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
    }
}

/* many references, whose rows must not be told one by one */
#define THREE(x, i, j, k) (x[i][j][(k) - 1] + x[i][j][k] + x[i][j][(k) + 1])
#define NINE(x, i, j, k) (THREE(x, i, (j) - 1, k) + THREE(x, i, j, k) + THREE(x, i, (j) + 1, k))
static void neighbours(int n, double p[P][P][P], double q[P][P][P])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < P - 1; j++)
                for (int k = 1; k < P - 1; k++)
                    q[i][j][k] = 0.037 * (NINE(p, i - 1, j, k) + NINE(p, i, j, k) + NINE(p, i + 1, j, k));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < P - 1; j++)
                for (int k = 1; k < P - 1; k++)
                    p[i][j][k] = 0.037 * (NINE(q, i - 1, j, k) + NINE(q, i, j, k) + NINE(q, i + 1, j, k));
    }
}

/* lines so long that tiles are cut into them, too; the second loop goes on in place */
enum { SLABS = 17, LINES = 45, WIDE = 4096, USED = 5 };
static float slab[SLABS][LINES][WIDE], last[SLABS][LINES][WIDE];
static void slabs(int n, int lines)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++) {
            for (int j = 2; j < lines; j++)
                for (int k = 0; k < USED; k++)
                    last[i][j][k] = 0.3f * (slab[i - 1][j - 2][k] + slab[i][j][k] + slab[i + 1][j + 1][USED - k]);
        }
        for (int i = 2; i < n - 2; i++)
            for (int j = 1; j < lines - 1; j++)
                for (int k = 0; k < USED; k++)
                    slab[i][j][k] = 0.3f * (last[i - 1][j + 1][k] + slab[i - 1][j][k] + slab[i][j - 1][k]);
    }
}

/* in place, with a row above of a later line: this order of lines is kept */
static void leaning(void)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 9; t++) {
        for (int i = 1; i < SLABS; i++)
            for (int j = 0; j < LINES - 1; j++)
                for (int k = 0; k < USED; k++)
                    slab[i][j][k] = 0.5f * (slab[i - 1][j + 1][k] + last[i][j][k]);
        for (int i = 0; i < SLABS; i++)
            for (int j = 0; j < LINES; j++)
                for (int k = 0; k < USED; k++)
                    last[i][j][k] += slab[i][j][k];
    }
}

static void report_slabs(const char *name)
{
    static float used[2][SLABS][LINES][USED];
    for (int i = 0; i < SLABS; i++)
        for (int j = 0; j < LINES; j++)
            for (int k = 0; k < USED; k++)
                used[0][i][j][k] = slab[i][j][k], used[1][i][j][k] = last[i][j][k];
    run_report(name, used, sizeof used);
}

int main(void)
{
    for (int i = 0; i < SLABS; i++)
        for (int j = 0; j < LINES; j++)
            for (int k = 0; k <= USED; k++)
                slab[i][j][k] = (float)(i * 31 + j * 7 + k), last[i][j][k] = (float)(i ^ j ^ k);
    slabs(SLABS, LINES - 1), slabs(SLABS, 30), slabs(5, 4);
    report_slabs("slabs");
    leaning();
    report_slabs("leaning");

    fill(a, N * M), fill(b, N * M), fill(u, P * P * P), fill(v, P * P * P), fill(fict, STEPS), fill(line, 4000);
    fill(ex, N * M), fill(ey, N * M), fill(hz, N * M), fill(other, 4000);
    plate(STEPS, N), plate(1, N), plate(0, N), plate(5, 3), plate(3, 2);
    run_report("plate a", a, sizeof a);
    run_report("plate b", b, sizeof b);
    plain(1, N - 1, 3, STEPS), plain(2, 1, 0, STEPS), plain(1, N - 1, 9, 7);
    run_report("plain a", a, sizeof a);
    run_report("plain b", b, sizeof b);
    cube();
    run_report("cube u", u, sizeof u);
    run_report("cube v", v, sizeof v);
    neighbours(P, u, v);
    run_report("neighbours p", u, sizeof u);
    run_report("neighbours q", v, sizeof v);
    waves(N);
    run_report("waves ex", ex, sizeof ex);
    run_report("waves ey", ey, sizeof ey);
    run_report("waves hz", hz, sizeof hz);
    string(4000, line, other, 100), string(40, line, other, 9);
    run_report("string p", line, sizeof line);
    run_report("string q", other, sizeof other);
    return 0;
}
