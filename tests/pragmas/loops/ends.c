/* SPDX-License-Identifier: Apache-2.0 */
/* Where loops begin and end as C converts and compares that: what has no sign goes round below zero. */
#include "../run/run.h"

enum { N = 64 };
static int A[4 * N], M[N][N];
static long calls;

static void clear(void)
{
    memset(A, 0, sizeof A);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            M[i][j] = i * 100 + j;
}

/* The first value is converted to the variable's type. */
static void begins(int n)
{
    const unsigned u = (unsigned)n;
    long k = 0, s = 0;
#pragma heddle for
    for (unsigned i = u - 5; i < 10; i++)
        A[i] = n;
#pragma heddle for
    for (int i = u - 1; i >= 0; i -= 3) {
        A[i] += (int)k;
        k++;
    }
#pragma heddle for reduction(+ : s)
    for (signed char i = (signed char)(n + 250); i < 100; i++)
        s += i;
#pragma heddle for reduction(+ : s)
    for (size_t i = (size_t)n - 5; i < 10; i++)
        s += (long)i;
    calls += 3 * k + 5 * s;
}

/* The test compares without a sign, and so has no turn where the first value is below zero. */
static void compares(int n)
{
    const unsigned u = (unsigned)n;
    const unsigned char small = 5;
    long s = 0, k = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma heddle for reduction(+ : s)
    for (int i = -3; i < u; i++)
        s += i;
#pragma heddle for reduction(+ : s)
    for (unsigned i = 10; i > n - 1; i--)
        s += i;
#pragma heddle for
    for (int i = n - 4; i < sizeof A / sizeof *A; i++) {
        A[i] += (int)k;
        k += 2;
    }
#pragma GCC diagnostic pop
#pragma heddle for reduction(+ : s)
    for (signed char i = -3; i < small; i++)
        s += i;
    calls += 3 * k + 5 * s;
}

/* Loops inside: what a section brings home is written by all turns that there are. */
static void inside(int n)
{
    const unsigned u = (unsigned)n;
    long k = 0;
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (unsigned j = u - 5; j < 20; j++)
            M[i][j] = i - (int)j;
#pragma heddle for collapse(2)
    for (int i = 0; i < n; i++)
        for (unsigned j = (unsigned)(n - 5); j < 20; j++)
            M[i][j] += i - (int)j;
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (unsigned j = (unsigned)(i - 5); j < 20; j++)
            M[i][j] = i;
#pragma heddle for
    for (int i = 0; i < n; i++) {
        for (unsigned char j = n + 300; j < 50; j++)
            k++;
        A[i] = (int)k;
    }
    calls += k;
}

/* Conditions compare like that, too. */
static void guarded(int n)
{
    const unsigned u = (unsigned)n;
    unsigned k = u - 3;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma heddle for
    for (int i = 0; i < 9; i++) {
        if ((int)k > 3)
            A[i + 90] = i;
        else
            M[i][5] = 1;
        k++;
    }
#pragma heddle for
    for (int i = 0; i < n + 20; i++)
        if (!(i - 5 < u))
            A[i] = i;
#pragma heddle for
    for (int i = 0; i < n + 20; i++)
        if (i - 5 < u && i < n)
            A[i] += i;
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < N; j++)
            if (j - i < u)
                M[i][j] = i;
#pragma heddle for
    for (int i = 0; i < n; i++)
        if (u > i - 7)
            A[i] = M[i][0];
        else
            A[i] = 1;
#pragma heddle for
    for (int i = 0; i < 9; i++)
        if (i < (long)(u - 2))
            A[i + 70] = i;
#pragma GCC diagnostic pop
}

int main(void)
{
    for (int n = 0; n < N - 20; n += n < 8 ? 1 : 11) {
        clear();
        begins(n), compares(n), inside(n), guarded(n);
        printf("%d %ld\n", n, calls);
        run_report("A", A, sizeof A);
        run_report("M", M, sizeof M);
    }
    return 0;
}
