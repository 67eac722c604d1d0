/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that is called often: devices that are hopeless get nothing, and the host has all of its threads then. */
#include <stdio.h>

enum { N = 300, CALLS = 24 };

static double chain(double x) {
    for (int k = 0; k < 20000; k++)
        x = x * 0.75 + 0.5;
    return x;
}

int main(void) {
    static double y[N];
    double sum = 0;
    for (int call = 0; call < CALLS; call++) {
#pragma heddle for
        for (int i = 0; i < N; i++)
            y[i] = chain(i + call);
        for (int i = 0; i < N; i++)
            sum += y[i];
    }
    printf("%.9g\n", sum);
    return 0;
}
