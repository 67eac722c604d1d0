/* SPDX-License-Identifier: Apache-2.0 */
/* Constants, types and tables that a function declares for itself, in tasks and their clauses. */
#include <stdio.h>

#define ALL (N + 1)

static double run(int steps) {
    enum { N = 190, KINDS = 3 };
    typedef struct {
        double a, b;
    } pair;
    static const double weight[KINDS] = {1, 2, 3};
    static pair x[ALL];
    double sum = 0;
#pragma heddle graph
    for (int t = 0; t < steps; t++) {
#pragma omp parallel
#pragma omp single
        for (int k = 0; k < KINDS; k++) {
#pragma omp task depend(inout : x[0 : ALL])
            {
                pair *p = x;
                for (int i = 0; i < ALL; i++) {
                    p[i].a += weight[k] * i + k;
                    p[i].b -= sizeof(pair);
                }
            }
#pragma omp target nowait depend(inout : x[0 : ALL]) map(tofrom : x[0 : ALL])
            for (int i = 0; i < N; i++)
                x[i].a *= 1.5;
        }
    }
    for (int i = 0; i < ALL; i++)
        sum += x[i].a + x[i].b;
    return sum;
}

int main(void) {
    enum { N = 4 };
    const double first = run(N), second = run(N + 1);
    printf("%.17g %.17g\n", first, second);
    return 0;
}
