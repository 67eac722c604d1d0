/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device code that an exception may pass through, as all C++ is: it refers to the personality routine by a pointer in
 * its data (DW.ref.…), which is no variable of the program. Built with -fexceptions. Regions may move.
 */
#include <stdlib.h>

enum { N = 100, ROUNDS = 12 };

static void drop(int **p) { free(*p); }

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int x[N] = {0}, wrong = 0;
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for map(tofrom : x)
        for (int i = 0; i < N; i++) {
            __attribute__((cleanup(drop))) int *two = calloc(2, sizeof *two);
            if (!two)
                continue;
            two[0] = i;
            two[1] = i / 2;
            qsort(two, 2, sizeof *two, by_value);
            x[i] += two[0];
        }
    }
    for (int i = 0; i < N; i++)
        wrong += x[i] != ROUNDS * (i / 2);
    return wrong;
}
