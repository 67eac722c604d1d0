/* SPDX-License-Identifier: Apache-2.0 */
/* device(host) in a build with devices: nothing becomes code for them, which would not link. */
#include <stdio.h>
#include <stdlib.h>
enum { N = 300 };
static int seen[N];
static void visit(int i, int *x) {
    char text[12];
    snprintf(text, sizeof text, "%d", i);
    x[i] += atoi(text);
    seen[i]++;
}
static void all(int n, int *y, const int *order) {
#pragma heddle pool device(host)
    {
        for (int i = 0; i < n; i++)
#pragma heddle task
            visit(order[i], y);
    }
}
int main(void) {
    static int y[N], order[N];
    unsigned h = 0;
    for (int i = 0; i < N; i++)
        order[i] = i * 7 % N;
    for (int turn = 0; turn < 3; turn++)
        all(N, y, order);
    for (int i = 0; i < N; i++)
        h = h * 31 + (unsigned)(y[i] + seen[i]);
    printf("%u\n", h);
    return 0;
}
