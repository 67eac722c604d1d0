/* SPDX-License-Identifier: Apache-2.0 */
/* Device code with variables of its own, which live once per device: nothing of this program may move. */
#include <stdio.h>

enum { N = 1000, ROUNDS = 12 };

#pragma omp declare target
int global_counter;
static int table[4] = {1, 2, 3, 4};
#pragma omp end declare target
int linked[N];
#pragma omp declare target link(linked)

#pragma omp begin declare target
static int next_ticket(void) {
    static int ticket;
    return ++ticket;
}
#pragma omp end declare target

/* The variables live on one device: regions that use them must stay there. */
static int globals(void) {
    int seen = 0;
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target map(from : seen)
        seen = ++global_counter + table[k % 4];
    }
#pragma omp target update from(global_counter)
    return seen != ROUNDS + 4 || global_counter != ROUNDS;
}

static int statics(void) {
    int last = 0;
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target map(from : last)
        last = next_ticket();
    }
    return last != ROUNDS;
}

static int link_variables(void) {
    for (int i = 0; i < N; i++)
        linked[i] = i;
#pragma omp target enter data map(to : linked)
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target
        for (int i = 0; i < N; i++)
            linked[i] += 1;
    }
#pragma omp target exit data map(from : linked)
    return linked[0] != ROUNDS || linked[N - 1] != N - 1 + ROUNDS;
}

int main(void) {
    const int wrong[] = {globals(), statics(), link_variables()};
    for (int k = 0; k < 3; k++)
        if (wrong[k])
            printf("case %d: wrong\n", k);
    return wrong[0] + wrong[1] + wrong[2];
}
