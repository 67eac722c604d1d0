/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of each thread, also such as other files see, beside loops in code for devices. */
#include "../run/run.h"

int counter = 3;
#pragma omp threadprivate(counter)
static int mine = 5;
#pragma omp threadprivate(mine)
_Thread_local int local = 7;

void count(void);
void count(void) {
    counter++;
    mine += counter;
    local += mine;
}

int main(void) {
    enum { N = 5000 };
    static double a[N];
    for (int turn = 0; turn < 3; turn++) {
        count();
#pragma heddle for
        for (int i = 0; i < N; i++)
            a[i] += i * counter + mine - local;
    }
    run_report("a", a, sizeof a);
    printf("%d %d %d\n", counter, mine, local);
    return 0;
}
