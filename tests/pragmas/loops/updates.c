/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of reduced arrays in all the forms that devices do atomically, of all types; scalars beside them; two loops in
   one; and forms that keep a loop on the host. */
#include <limits.h>
#include <stdio.h>

enum { N = 5003, M = 48 };
static unsigned short key[N];
#define BIN(k) bins[k]

static void sums(const unsigned short *x) {
    int a[M] = {1}, b[M] = {0};
    unsigned u[M] = {3};
    long l[M] = {0};
    long long q[M] = {0};
    unsigned char c[M] = {0};
    short s[M] = {0};
    float f[M] = {0};
    double d[M] = {0.5};
    _Bool seen[M] = {0};
#pragma heddle for reduction(+ : a, b, u, l, q, c, s, f, d, seen)
    for (int i = 0; i < N; i++) {
        const unsigned k = x[i] % M, one = 1;
        a[k]++;
        ++a[k];
        --b[k];
        b[k] -= 2;
        u[k] = u[k] + x[i];
        u[(k + 1) % M] = 7u * k + u[(k + 1) % M];
        l[k] = l[k] - one;  /* an unsigned one */
        l[k] -= one;
        l[k] = l[k] + one + k;
        q[k] += -(long long)x[i] /* behind */ * i // and here
            + k
            ;
        c[k] += (unsigned char)x[i];
        if (x[i] & 1)
            s[k]--;
        else
            for (int j = 0; j < 3; j++)
                s[j] += 1;
        switch (x[i] & 3) {
        case 0: f[k] += 0.5f; break;
        case 1: f[k] -= 1; break;
        default: f[k] = 2 + f[k];
        }
        d[k] += x[i] * 0.25;
        do d[M - 1] = d[M - 1] - 0.5; while (0);
        seen[k] += x[i] > 100;
    }
    for (int k = 0; k < M; k++)
        printf("%d %d %u %ld %lld %d %d %g %g %d\n", a[k], b[k], u[k], l[k], q[k], c[k], s[k], (double)f[k], d[k], seen[k]);
}

static void others(const unsigned short *x, unsigned char *low, unsigned *high) {
    double product[M], least[M];
    unsigned and[M], or[M];
    unsigned long xor[M];
    short most[M];
    int every[M], some[M], count = 5, top = -1;
    for (int k = 0; k < M; k++) {
        product[k] = 1, least[k] = 1e9, and[k] = ~0u, or[k] = k, xor[k] = 1ul << 40, most[k] = -1, every[k] = 1, some[k] = 0;
    }
#pragma heddle for reduction(* : product) reduction(min : least, low[2 : M]) reduction(& : and) reduction(| : or) reduction(^ : xor) \
    reduction(max : most, high[0 : M]) reduction(&& : every) reduction(|| : some) reduction(+ : count) reduction(max : top)
    for (int i = 0; i < N; i++) {
        const int k = x[i] % M;
        product[k] *= x[i] & 1 ? -1 : 1;
        if (least[k] > x[i] * 0.5)
            least[k] = x[i] * 0.5;
        if (low[k + 2] > (unsigned char)x[i]) {
            low[k + 2] = (unsigned char)x[i];
        }
        and[k] &= x[i] | 64u;
        or[k] = or[k] | (x[i] & 15u);
        xor[k] ^= (unsigned long)x[i] << 33;
        most[k] = (short)(x[i] % 777) > most[k] ? (short)(x[i] % 777) : most[k];
        if (x[i] > high[k])
            high[k] = x[i];
        every[k] = every[k] && x[i] > 3;
        some[k] = some[k] || x[i] == 17;
        count += x[i] == 5;
        top = x[i] > top ? x[i] : top;
    }
    printf("%d %d\n", count, top);
    for (int k = 0; k < M; k++)
        printf("%g %g %d %u %u %lx %d %u %d %d\n", product[k], least[k], low[k + 2], and[k], or[k], xor[k], most[k], high[k], every[k],
               some[k]);
}

static void rows(int n, int m, const double (*a)[m], double *columns, double (*parts)[4]) {
    long cells = 0;
#pragma heddle for collapse(2) reduction(+ : columns[0 : m], parts[1 : 2][0 : 4], cells) map(to : a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            columns[j] += a[i][j];
            parts[1 + i % 2][j & 3] += 1;
            cells++;
        }
    printf("%ld\n", cells);
}

/* These stay on the host, and say so. */
static void on_host(const unsigned short *x) {
    int bins[M] = {0};
    long double wide[4] = {0};
    long sum = 0;
#pragma heddle for reduction(+ : bins)
    for (int i = 0; i < N; i++)
        BIN(x[i] % M)++;
#pragma heddle for reduction(+ : wide) device(host)
    for (int i = 0; i < N; i++)
        wide[i & 3] += x[i];
#pragma heddle for reduction(+ : bins) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        sum += i;
        x[i] & 1 ? bins[3]++ : (void)0, bins[4]--;
    }
    for (int k = 0; k < M; k++)
        printf("%d %g\n", bins[k], (double)wide[k & 3]);
    printf("%ld\n", sum);
}

static double a[101][37];

int main(void) {
    unsigned char low[M + 2];
    unsigned high[M] = {0};
    double columns[37] = {0}, parts[3][4] = {{0}};
    for (int i = 0; i < N; i++)
        key[i] = (unsigned short)(i * 7919 + i / 3);
    for (int k = 0; k < M + 2; k++)
        low[k] = 255;
    for (int i = 0; i < 101; i++)
        for (int j = 0; j < 37; j++)
            a[i][j] = (i * j) % 13;
    sums(key);
    others(key, low, high);
    rows(101, 37, a, columns, parts);
    for (int j = 0; j < 37; j++)
        printf("%g %g\n", columns[j], parts[j % 3][j & 3]);
    on_host(key);
    return 0;
}
