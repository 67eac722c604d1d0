/* SPDX-License-Identifier: Apache-2.0 */
/* What `heddle advise` says of it stands in program.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 200 };
static float a[N][N], b[N][N], c[N][N];

static void product(void) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

static long sum(int n, const int *x) {
    long s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}

static int all_bits(int n, const int *x) {
    int bits = 0;
#pragma omp parallel for reduction(| : bits) num_threads(4)
    for (int i = 0; i < n; i++)
        bits |= x[i];
    return bits;
}

static double most(int n, const double *x) {
    double m = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > m)
            m = x[i];
    return m;
}

static void common(int n, int m, const char *p, const char *q, int (*h)[m + 1]) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int same = h[i - 1][j - 1] + (p[i - 1] == q[j - 1]);
            int one = h[i - 1][j] > h[i][j - 1] ? h[i - 1][j] : h[i][j - 1];
            h[i][j] = same > one ? same : one;
        }
}

static void relax(int n, int turns, float (*x)[n]) {
    for (int t = 0; t < turns; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                x[i][j] = (x[i - 1][j] + x[i][j - 1] + x[i][j] + x[i][j + 1] + x[i + 1][j]) / 5;
}

static void heat(int n, int turns, float (*x)[n], float (*y)[n]) {
    for (int t = 0; t < turns; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                y[i][j] = (x[i - 1][j] + x[i][j - 1] + x[i][j + 1] + x[i + 1][j]) / 4;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                x[i][j] = y[i][j];
    }
}

/* a wavefront as it stands, and columns in any order inside */
static void lower(int n, float p[N][N], float q[N][N]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i + 1; k < n; k++)
                q[i][j] += p[k][i] * q[k][j] / 1000;
}

static void chain(int n, float *x) {
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1] * 0.5f;
}

static void count(int n, const int *k, int *h) {
    for (int i = 0; i < n; i++)
        h[k[i]]++;
}

static int bins[7];

static void counts(int n, const int *k, long *low, int m, int (*r)[m], int *columns) {
    for (int i = 0; i < n; i++)
        bins[k[i]]++;
    for (int i = 0; i < n; i++)
        if (low[k[i]] > i)
            low[k[i]] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            columns[j] += r[i][j] * k[i];
    for (int t = 0; t < m; t++)
        for (int j = 0; j < m; j++)
            columns[j] += r[0][j];
}

static float team(int n, const float *x) {
    float s = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += x[i];
    }
    return s;
}

static int now(void) {
    const time_t t = time(NULL);
    return t == (time_t)-1 ? -1 : 1;
}

/* Columns of a matrix in one dimension: no part of it is a chunk's. And a call that calls on. */
static int turn(long n, long m, float *p, float *q) {
    int passed = 0;
    for (int k = 0; k < 3; k++) {
        if (k == 1)
            passed = now();
        for (long j = 0; j < m; j++)
            for (long i = 0; i < n; i++) {
                q[j * n + i] += p[j + m * i];
                p[j + m * i] += 1;
            }
    }
    return passed;
}

/* Nobody knows how much of `from` is read; but it is nobody else's. */
static void gather(int n, const int *at, const float *restrict from, float *to) {
    for (int i = 0; i < n; i++)
        to[i] = from[at[i]];
}

static void there_already(int n, float *x) {
#pragma heddle for map(tofrom: x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

static void solve(int n, float (*l)[N], float *x) {
    for (int i = 0; i < n; i++) {
        x[i] = l[i][0];
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] = x[i] / (l[i][i] + 8);
    }
}

static void area(int n, float (*s)[N]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < N; j++)
            s[i][j] += s[i - 1][j] + s[i][j - 1] - s[i - 1][j - 1];
}

/* What it prints are the program's last words. */
static void checked(int n, float *x) {
    for (int i = 0; i < n; i++) {
        if (n > N) {
            printf("%d are too many\n", n);
            exit(1);
        }
        for (int k = 0; k < 9; k++)
            x[i] += (float)k;
    }
}

/* The second loop is not there for heddle cc. */
static void either(int n, float *x) {
#ifdef _OPENMP
    for (int i = 0; i < n; i++)
        x[i] += 1;
#else
    for (int i = n - 1; i >= 0; i--)
        x[i] += 1;
#endif
}

static void turned(int m, const float *from, float *to) {
    for (int k = 0; k < m; k++)
        to[(k + 3) % m] = from[k];
}

/* All of `to` is filled, which nothing shows. */
static void rows_turned(int n, int m, float (*x)[N]) {
    float from[N], to[N];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++)
            from[k] = x[i][k] / 2;
        turned(m, from, to);
        for (int k = 0; k < m; k++)
            x[i][k] = to[k];
    }
}

/* Each iteration needs what the one before has left: private would be wrong. */
static void rows_summed(int n, int m, float (*x)[N]) {
    float sum[N] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            sum[k] = sum[k] / 2 + x[i][k];
            x[i][k] = sum[k];
        }
}

/* What these functions give their bodies say. */
static int lesser(int a, int b) {
    int value;
    if (a < b) {
        value = a;
    } else {
        value = b;
    }
    return value;
}
static int greater(int a, int b) { return b < a ? a : b; }
static int nearer(int a, int b) { return a * a < b * b ? a : b; }

static int range(int n, const int *x) {
    int least = x[0], most = x[0], near = x[0];
    for (int i = 0; i < n; i++) {
        least = lesser(x[i], least);
        most = greater(most, x[i]);
    }
    for (int i = 0; i < n; i++)
        near = nearer(near, x[i]);
    return most - least + near;
}

/* What keeps the loop is said of it, and not of the first one that was asked about. */
static int behind(int n, int *x) {
    int i, k;
    for (k = 0; k < n; k++)
        for (i = 0; i < k % 7; i++)
            x[k] += i;
    return i;
}

int main(void) {
    static int x[1000], h[7], table[101][101];
    static double d[1000];
    static char p[100], q[100];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (float)(i * j % 7);
            b[i][j] = (float)((i + j) % 5);
        }
    for (int i = 0; i < 1000; i++) {
        x[i] = i % 7;
        d[i] = i * 37 % 101;
    }
    for (int i = 0; i < 100; i++) {
        p[i] = (char)(i % 3);
        q[i] = (char)(i % 5);
    }
    product();
    count(1000, x, h);
    common(100, 100, p, q, table);
    relax(N, 20, a);
    heat(N, 20, a, b);
    chain(N, b[0]);
    lower(N, a, b);
    there_already(N, c[5]);
    static float flat[2][30 * 40];
    gather(1000, x, a[0], flat[0]);
    checked(N, c[9]);
    const int turned = turn(30, 40, flat[0], flat[1]);
    solve(N, b, c[6]);
    area(N, c);
    rows_turned(N, N - 1, b);
    either(N, c[2]);
    rows_summed(N, N - 1, b);
    float few = 0;
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < N; i++)
            few += a[i][r];
    long low[7] = {9, 9, 9, 9, 9, 9, 9};
    int columns[101] = {0};
    counts(100, x, low, 101, table, columns);
    for (int i = 0; i < 7; i++)
        printf("%d ", h[i]);
    printf("%d %d ", range(1000, x), behind(1000, x));
    printf("%ld %d %d %ld %d %g %d %g %d %g %g %d %g %g\n", low[3], bins[2], columns[40], sum(1000, x),
           all_bits(1000, x), most(1000, d), table[100][100], c[3][4], h[2], few, team(N, c[7]), turned,
           flat[1][77] + c[9][3], b[N - 1][5]);
    return 0;
}
