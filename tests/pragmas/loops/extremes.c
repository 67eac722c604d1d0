/* SPDX-License-Identifier: Apache-2.0 */
/* Maxima and minima, as people write them: by macros, functions and tests, of several types. */
#include <math.h>
#include <stdio.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MAX3(a, b, c) MAX(MAX(a, b), c)
#define TYPED_MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define AUTO_MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ < b_ ? b_ : a_; })
enum { N = 300 };

static inline int most(int a, int b) { return a > b ? a : b; }
static inline int hash(int x) { return x * 3 % 101; }

static void whole(const int *restrict a, const int *restrict b)
{
    int x = 0, y = -7, z = 3, xs[4] = {0};
#pragma heddle for reduction(max: x, y, z, xs)
    for (int i = 0; i < N; i++) {
        int t;
        x = MAX(x, a[i]);
        x = MAX(a[i] - b[i], x);
        x = MAX3(x, a[i], b[i]);
        y = TYPED_MAX(y, a[i] + 1);
        y = AUTO_MAX(y, b[i]);
        y = AUTO_MAX(b[i] + 2, y);
        z = most(z, a[i]);
        if ((t = hash(a[i])) > z)
            z = t;
        if (b[i] > 3 && z < a[i])
            z = a[i];
        if (!(z >= b[i]))
            z = b[i];
        if (b[i] * 2 > x) { /* few get that far */
            int v = hash(i);
            if (v > x)
                x = v;
        }
        if (xs[i & 3] < a[i])
            xs[i & 3] = a[i];
        xs[b[i] & 3] = MAX(xs[b[i] & 3], a[i]);
    }
    printf("%d %d %d %d %d\n", x, y, z, xs[0], xs[3]);
}

static void types(const int *restrict a, const double *restrict d, const unsigned char *restrict c)
{
    double e = -1e9;
    float g = 0;
    unsigned char u = 9;
    short s = -3;
    size_t n = 0;
    long l = 0;
#pragma heddle for reduction(max: e, g, u, s, n, l)
    for (int i = 0; i < N; i++) {
        e = fmax(e, d[i]);
        if (fabs(d[i]) > e)
            e = fabs(d[i]);
        g = g > d[i] ? g : d[i];
        if (d[i] > g)
            g = (float)d[i];
        u = u > c[i] ? u : c[i];
        if (u < (a[i] & 0x3f))
            u = a[i] & 0x3f;
        if (c[i] > s)
            s = c[i];
        if ((size_t)c[i] > n)
            n = (size_t)c[i];
        if (d[i] > l)
            l = (long)d[i];
    }
    printf("%g %g %d %d %zu %ld\n", e, g, u, s, n, l);
}

int main(void)
{
    static int a[N], b[N];
    static double d[N];
    static unsigned char c[N];
    for (int i = 0; i < N; i++) {
        a[i] = i * 37 % 101 - 20;
        b[i] = i * 53 % 97;
        d[i] = a[i] * 0.3;
        c[i] = (unsigned char)(i * 7);
    }
    whole(a, b);
    types(a, d, c);
    return 0;
}
