/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that write a part of each element: the rest comes back as it was. */
#include <stdio.h>

enum { N = 60, M = 9 };

struct pair {
    int a, b, both[2];
};
union bits {
    short half[2];
    int whole;
};

static void members(int n, struct pair *x, struct pair (*y)[M]) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        x[i].a = i;
#pragma heddle for
    for (int i = 0; i < n; i++)
        (x[i]).both[i & 1] = 2 * i;
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            y[i][j].b = i * j;
}

static void elements(int n, union bits *u, int (*t)[2]) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        u[i].half[1] = (short)i;
#pragma heddle for
    for (int i = 0; i < n; i++)
        t[i][i % 2] = i;
}

static void all(int n, struct pair *x) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        const struct pair p = {i, -i, {i + 1, i + 2}};
        (x[i]) = p;
    }
}

int main(void) {
    static struct pair x[N], y[N][M];
    static union bits u[N];
    static int t[N][2];
    long sum = 0;
    for (int i = 0; i < N; i++) {
        u[i].whole = 1000 * i + 7;
        t[i][0] = t[i][1] = 5;
        x[i] = (struct pair){7, 9, {1, 2}};
        for (int j = 0; j < M; j++)
            y[i][j] = (struct pair){i, j, {3, 4}};
    }
    for (int turn = 0; turn < 2; turn++) {
        members(N, x, y);
        elements(N, u, t);
        for (int i = 0; i < N; i++) {
            sum = (sum * 31 + x[i].a + 3 * x[i].b + 5 * x[i].both[0] + 7 * x[i].both[1]) % 1000003;
            sum = (sum * 31 + u[i].whole + 3 * t[i][0] + 5 * t[i][1]) % 1000003;
            for (int j = 0; j < M; j++)
                sum = (sum * 31 + y[i][j].a + 3 * y[i][j].b + y[i][j].both[1]) % 1000003;
        }
        all(N, x);
    }
    printf("%ld\n", sum);
    return 0;
}
