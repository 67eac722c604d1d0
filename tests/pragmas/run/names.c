/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Arrays, reductions and loop variables with the short names that people, and macros, give to things. */
#include "run.h"

static int nest(int N, int M, int (*X)[M], int (*Y)[M], const int *P, const int *TYPE)
{
    int a = 0, w = 7;
#pragma heddle wavefront map(tofrom: X[0:N], Y[0:N]) map(to: P[0:N], TYPE[0:M]) reduction(max: a)
    for (int name = 1; name < N; name++)
        for (int type = 1; type < M; type++) {
            X[name][type] = (Y[name - 1][type] + X[name][type - 1] + P[name]) & 0xffff;
            Y[name][type] = (X[name - 1][type - 1] ^ Y[name][type - 1]) + TYPE[type] % w;
            a = X[name][type] > a ? X[name][type] : a;
        }
    return a;
}

int main(void)
{
    static int X[60][70], Y[60][70], P[60], TYPE[70];
    run_ints(&X[0][0], 60 * 70, 1000);
    run_ints(&Y[0][0], 60 * 70, 1000);
    run_ints(P, 60, 10);
    run_ints(TYPE, 70, 10);
    printf("%d\n", nest(60, 70, X, Y, P, TYPE));
    run_report("X", X, sizeof X);
    run_report("Y", Y, sizeof Y);
    return 0;
}
