/* SPDX-License-Identifier: Apache-2.0 */
/* What the program keeps on a device is there alone: jobs see it wherever they run. */
#include <heddle/list.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { N = 5000 };
struct numbers HEDDLE_LIST(int);

static long table[N];

int main(void) {
    struct numbers a = {0}, b = {0}, *todo = &a, *found = &b;
    long sum = 0, results = 0;
#ifdef _OPENMP
    const int device = omp_get_num_devices() > 2 ? 2 : omp_get_initial_device();
#endif
#pragma omp target enter data map(to : table[0 : N]) device(device)
    for (int round = 1; round < 4; round++) {
#pragma omp target teams distribute parallel for map(tofrom : table[0 : N]) device(device)
        for (int k = 0; k < N; k++)
            table[k] += k * round;
        for (int k = 0; k < N / 2; k++)
            heddle_list_append(todo, k);
#pragma heddle jobs
        while (todo->count) {
#pragma heddle for append(todo, found) map(to : table[0 : N]) reduction(+ : sum)
            for (long k = 0; k < todo->count; k++) {
                const int n = todo->at[k];
                sum += table[n];
                if (2 * n + 1 < N && n % 3 == 1)
                    heddle_list_append(todo, 2 * n + 1);
                if (table[n] % 7 == 0)
                    heddle_list_append(found, n);
            }
            heddle_list_clear(todo);
        }
        for (long k = 0; k < found->count; k++)
            results += found->at[k];
        printf("round %d: sum %ld, %ld found, %ld\n", round, sum, found->count, results);
    }
#pragma omp target exit data map(from : table[0 : N]) device(device)
    printf("%ld\n", table[N - 1]);
    heddle_list_free(todo);
    heddle_list_free(found);
    return 0;
}
