// SPDX-License-Identifier: Apache-2.0
// Accesses of other sizes than a number's: structures, memcpy and memset, bytes beside each other, long double, functions
// that are called, and variables of an iteration's own.
// finds: copies.c:[0-9]*:[0-9]*: error: (i = 0) and (i = 1) of the taskloop at copies.c:[0-9]* are in no order: the second one [a-z]* s\[[01]\] here
// finds: copies.c:[0-9]*:[0-9]*: error: (i = 0) and (i = 1) of the taskloop at copies.c:[0-9]* are in no order: the second one [a-z]* c\[[0-9]*\] here
// finds: copies.c:[0-9]*:[0-9]*: error: (i = 0) and (i = 1) of the taskloop at copies.c:[0-9]* are in no order: the second one [a-z]* l\[[0-9]*\] here
#include <stdio.h>
#include <string.h>
enum { N = 50 };
struct wide {
    int a[40];
};
#ifdef RIGHT
#define OFF 0
#else
#define OFF 1
#endif

static void reverse(char *out, const char *in, long n)
{
    char turned[8];
    for (long k = 0; k < n; k++)
        turned[k] = in[n - 1 - k];
    memcpy(out, turned, (size_t)n);
}

static void structures(struct wide *s, int off)
{
#pragma heddle pool map(tofrom: s[0 : N + 1])
#pragma heddle taskloop independent
    for (int i = 0; i < N; i++)
        s[i] = s[i + off];
}

static void bytes(char *c, const char *from)
{
#pragma heddle pool map(tofrom: c[0 : 8 * N + 8]) map(to: from[0 : 8 * N])
#pragma heddle taskloop independent
    for (int i = 0; i < N; i++) {
        reverse(c + 8 * i, from + 8 * i, 8);
        if (OFF)
            memset(c + 8 * i + 7, 1, 2);
    }
}

static void longs(long double *l, int off)
{
#pragma heddle pool map(tofrom: l[0 : N + 1])
#pragma heddle taskloop independent
    for (int i = 0; i < N; i++) {
        long double own[4] = {l[i], 2, 3, 4};
        for (int k = 1; k < 4; k++)
            own[k] += own[k - 1];
        l[i + off] = own[3];
    }
}

int main(void)
{
    static struct wide s[N + 1];
    static char c[8 * N + 8], from[8 * N];
    static long double l[N + 1];
    unsigned h = 0;
    for (int i = 0; i < N; i++)
        s[i].a[i % 40] = i, from[i] = (char)i, l[i] = i;
    structures(s, OFF);
    bytes(c, from);
    longs(l, OFF);
    for (int i = 0; i < N; i++)
        h = h * 31 + (unsigned)(s[i].a[i % 40] + c[8 * i + 7] + (int)l[i]);
    printf("%u\n", h);
    return 0;
}
