/* SPDX-License-Identifier: Apache-2.0 */
/* What is read through an index, and what leads there, may overlap what is written. */
// overlaps: shifted
// overlaps: last
// overlaps: index
// apart: beside
#include <stdio.h>
#include <string.h>

enum { N = 4000 };

static void gather(int n, int *y, const int *x, const int *at) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]];
}

static void rows(int n, double *y, const double *x, const int *begin, const int *at) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            s += x[at[k]];
        y[i] = s;
    }
}

int main(int argc, char **argv) {
    static int a[3 * N], at[N], begin[N + 1];
    static double x[3 * N];
    const char *how = argc > 1 ? argv[1] : "beside";
    unsigned long sum = 0;
    double all = 0;
    for (int i = 0; i < 3 * N; i++) {
        a[i] = i % N;
        x[i] = i % 100;
    }
    for (int i = 0; i < N; i++) {
        begin[i + 1] = i + 1;
        at[i] = i ? i - 1 : 0;
    }
    if (!strcmp(how, "shifted")) {
        gather(N, a + 1, a, at);
        rows(N, x + 1, x, begin, at);
    } else if (!strcmp(how, "last")) { /* one iteration reads what the first one writes */
        at[N - 1] = N + 5;
        gather(N, a + N + 5, a, at);
        rows(N, x + N + 5, x, begin, at);
    } else if (!strcmp(how, "index")) { /* what is written is the index itself */
        gather(N, a + 1, a, a);
        rows(N, x, x, begin, at);
    } else {
        gather(N, a + N, a, at);
        rows(N, x + N, x, begin, at);
    }
    for (int i = 0; i < 3 * N; i++) {
        sum = sum * 31 + (unsigned)a[i];
        all = all * 0.5 + x[i];
    }
    printf("%lu %a\n", sum, all);
    return 0;
}
