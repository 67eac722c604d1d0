/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by operators that the program declares: structures, numbers, a maximum with its place; beside arrays. */
#include <limits.h>
#include <stdio.h>

enum { N = 20011 };

struct best {
    double value;
    long at;
};
typedef struct {
    double sum, squares;
    int n, bins[4];
} moments;
struct complex {
    double re, im;
};

static struct best better(struct best a, struct best b) {
    return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}
static void merge(moments *into, const moments *from) {
    into->sum += from->sum;
    into->squares += from->squares;
    into->n += from->n;
    for (int k = 0; k < 4; k++)
        into->bins[k] += from->bins[k];
}
static void clear(moments *m) { *m = (moments){.n = 0}; }
static inline void note(moments *m, double x) {
    m->sum += x;
    m->squares += x * x;
    m->n++;
    m->bins[(int)x & 3]++;
}

#pragma omp declare reduction(argmax : struct best : omp_out = better(omp_out, omp_in)) \
    initializer(omp_priv = {-1e300, LONG_MAX})
#pragma omp declare reduction(merge : moments : merge(&omp_out, &omp_in)) initializer(clear(&omp_priv))
#pragma omp declare reduction(+ : struct complex : omp_out.re += omp_in.re, omp_out.im += omp_in.im)
#pragma omp declare reduction(gcd : int, long : omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = omp_orig)

static void places(int n, const double *a) {
    struct best best = {a[0], 0}, least = {-a[0], 0};
#pragma heddle for reduction(argmax : best, least)
    for (int i = 1; i < n; i++) {
        if (a[i] > best.value) {
            best.value = a[i];
            best.at = i;
        }
        if (-a[i] > least.value)
            least = (struct best){-a[i], i};
    }
    printf("%d: %g at %ld, %g at %ld\n", n, best.value, best.at, least.value, least.at);
}

static void all(int n, const double *a) {
    moments m = {.n = 3};
    struct complex c = {1, 2};
    int most = 7, bins[8] = {5};
    long count = 0, far = -3;
#pragma heddle for reduction(merge : m) reduction(+ : c, count, bins) reduction(gcd : most, far)
    for (int i = 0; i < n; i++) {
        note(&m, a[i]);
        c.re += a[i];
        c.im -= 2 * a[i];
        count++;
        bins[i & 7] += (int)a[i];
        if (a[i] > most)
            most = (int)a[i];
        far = far > i ? far : i;
    }
    printf("%g %g %d %d %d %d %d, %g %g, %ld %d %ld\n", m.sum, m.squares, m.n, m.bins[0], m.bins[1], m.bins[2], m.bins[3], c.re, c.im,
           count, most, far);
    for (int k = 0; k < 8; k++)
        printf("%d\n", bins[k]);
}

#define BETTER(b, x, i) if ((x) > (b).value) (b) = (struct best){(x), (i)}
#define OWN own
static void macros(int n, const double *a) {
    struct best own = {-1, -1}, other = {-1, -1};
#pragma heddle for reduction(argmax : own, other)
    for (int i = 0; i < n; i++) {
        BETTER(own, a[i], i);
        BETTER(other, -a[i], i);
        OWN.value += 0;
    }
    printf("%g at %ld, %g at %ld\n", own.value, own.at, other.value, other.at);
}

static void pairs(int n, int m, const double *a) {
    struct best best = {-5, -1};
#pragma heddle for collapse(2) reduction(argmax : best) map(to : a[0 : n + m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            best = better(best, (struct best){a[i] * a[n + j], (long)i * m + j});
    printf("%g at %ld\n", best.value, best.at);
}

/* Types by other words than clang's. */
#pragma omp declare reduction(mixed : long unsigned, unsigned : omp_out = omp_out * 1u ^ omp_in) initializer(omp_priv = 0)
static void words(int n, const double *a) {
    unsigned bits = 5;
    unsigned long wide = 7;
#pragma heddle for reduction(mixed : bits, wide)
    for (int i = 0; i < n; i++) {
        bits ^= (unsigned)a[i] * 2654435761u;
        wide ^= (unsigned long)a[i] * 11400714819323198485ul;
    }
    printf("%u %lu\n", bits, wide);
}

int main(void) {
    static double a[N];
    for (int i = 0; i < N; i++)
        a[i] = (i * 7919 + i / 3) % 1009;
    places(N, a);
    places(7, a);
    places(1, a);
    all(N, a);
    for (int r = 0; r < 12; r++)
        all(3, a);
    pairs(100, 57, a);
    macros(N, a);
    words(N, a);
    return 0;
}
