/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and numbers of file scope whose type has no name. */
#include <stdio.h>

enum { N = 500 };

static struct {
    int low, high;
    double weight;
} table[N], *some = table;

static const struct {
    short key;
    char sign;
} fixed[] = {{3, 1}, {5, -1}, {8, 1}};

static struct {
    int columns;
    struct {
        double x, y;
    } origin;
} shape = {7, {0.5, 0.25}};

static union {
    int whole[2];
    double real;
} grid[20][N / 20];

static void fill(int n) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        table[i].low = i % shape.columns;
        table[i].high = table[i].low + fixed[i % 3].key * fixed[i % 3].sign;
        table[i].weight = shape.origin.x * i + shape.origin.y;
    }
}

static double weigh(int n) {
    double sum = 0;
#pragma heddle for reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += some[i].weight * some[i].high;
    return sum;
}

static void paint(void) {
#pragma heddle for
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < N / 20; j++)
            grid[i][j].whole[j & 1] = i * j;
#pragma heddle wavefront
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < N / 20; j++)
            grid[i][j].whole[0] = grid[i - 1][j].whole[0] % 1000 + grid[i][j - 1].whole[0];
}

int main(void) {
    long sum = 0;
    fill(N);
    const double weight = weigh(N);
    paint();
    for (int i = 0; i < N; i++)
        sum = (sum * 31 + table[i].low - table[i].high + grid[i % 20][i / 20].whole[0]) % 1000003;
    printf("%ld %g\n", sum, weight);
    return 0;
}
