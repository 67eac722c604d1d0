/* SPDX-License-Identifier: Apache-2.0 */
/* Directives out of macros of a header; this file does not name the language. */
#include "../run/run.h"
#include "header.h"

enum { N = 700 };

int main(void) {
    static double x[N], y[N];
    double sum = 0;
    PARALLEL(shared(x, y)) {
        LOOP()
        for (int i = 0; i < N; i++) {
            x[i] = i % 17;
            y[i] = i % 5;
        }
        LOOP(schedule(static))
        for (int i = 0; i < N; i++)
            y[i] += 2 * x[i];
    }
    LOOP_REDUCE(+ : sum)
    for (int i = 0; i < N; i++)
        sum += y[i];
    run_report("y", y, sizeof y);
    run_report("sum", &sum, sizeof sum);
    return 0;
}
