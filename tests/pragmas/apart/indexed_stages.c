/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers are written, and indices are such: one that the loop changes may lead anywhere before, so it is not
 * followed. */
// overlaps: first
// overlaps: second
// overlaps: last
// apart: beside
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 4000, WILD = 1 << 29, PAGE = 4096 };

static void relabel(int n, int *out, const int *x, const int *a, const int *b) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        out[i] = x[a[b[i]]];
}

static void masked(int n, int *out, const int *x, const int *at, const int *mask) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        out[i] = mask[i] ? x[at[i]] : 0;
}

int main(int argc, char **argv) {
    static int a[2 * N], b[2 * N], x[2 * N], out[N];
    const char *how = argc > 1 ? argv[1] : "beside";
    char *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int *one = (int *)(page + PAGE) - 1; /* the only element of an index */
    unsigned long sum = 0;
    if (page == MAP_FAILED || mprotect(page + PAGE, PAGE, PROT_NONE))
        return 1;
    for (int i = 0; i < 2 * N; i++) {
        a[i] = b[i] = i % N;
        x[i] = i * 7 % N;
    }
    *one = 5;
    if (!strcmp(how, "first")) { /* b[i + 1] is set by iteration i */
        for (int i = 1; i <= N; i++)
            b[i] = WILD;
        relabel(N, b + 1, x, a, b);
        for (int i = 0; i <= N; i++)
            b[i] = 1; /* and 0 where it is looked at */
        x[5] = 0;
        masked(N, b + 1, x, one, b);
    } else if (!strcmp(how, "second")) { /* as a[i + 1] is */
        for (int i = 1; i <= N; i++)
            a[i] = WILD;
        relabel(N, a + 1, x, a, b);
        masked(N, a + 1, x, a, b);
    } else if (!strcmp(how, "last")) {
        relabel(N, x + 1, x, a, b);
        masked(N, x + 1, x, a, b);
    } else {
        relabel(N, out, x, a, b);
        masked(N, out, x, a, b);
    }
    for (int i = 0; i < 2 * N; i++)
        sum = sum * 31 + (unsigned)(a[i] + 3 * b[i] + 5 * x[i] + 7 * out[i % N]);
    printf("%lu\n", sum + (unsigned)*one);
    return 0;
}
