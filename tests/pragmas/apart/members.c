/* SPDX-License-Identifier: Apache-2.0 */
/* What two pointers of a structure lead to may be one array. */
// overlaps: 1 3 999
// apart: 1000 1500
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
struct line {
    double *to;
    const double *from;
    int n;
};

static void by_pointer(struct line *l) {
#pragma heddle for
    for (int i = 0; i < l->n; i++)
        l->to[i] = l->from[i] * 0.5 + 1;
}

static void by_value(struct line l) {
#pragma heddle for
    for (int i = 0; i < l.n; i++)
        l.to[i] = l.to[i] / 2 + l.from[i];
}

int main(int argc, char **argv) {
    static double all[3 * N];
    const int shift = argc > 1 ? atoi(argv[1]) : N;
    double sum = 0;
    struct line l = {all + shift, all, N};
    for (int i = 0; i < 3 * N; i++)
        all[i] = (double)(i * 37 % 101) / 101;
    for (int turn = 0; turn < 3; turn++) {
        by_pointer(&l);
        by_value(l);
    }
    for (int i = 0; i < 3 * N; i++)
        sum = sum / 2 + all[i];
    printf("%a\n", sum);
    return 0;
}
