/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory calls of OpenMP's API beside regions that could move: copies, boxes, fills, at once and as tasks, with
 * addresses that the program got in each possible way. Status: the number of wrong cases. `memory leak` gives back one
 * allocation less than it took, for the test of the counts.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, ROUNDS = 10, ROWS = 8, COLUMNS = 10 };

static void add(int *there, int n, int what) {
#pragma omp target is_device_ptr(there)
    for (int i = 0; i < n; i++)
        there[i] += what;
}

/* Regions that may run anywhere, between the calls. */
static int *elsewhere(int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : N])
    for (int i = 0; i < N; i++)
        a[i] += 1;
    return a;
}

static int copies(void) {
    const int device = omp_get_default_device(), host = omp_get_initial_device(), other = omp_get_num_devices() - 1;
    int a[N], b[N], *other_data = calloc(N, sizeof(int)), wrong = 0;
    int *there = omp_target_alloc(sizeof a, device), *far = omp_target_alloc(sizeof a, other);
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int k = 0; k < ROUNDS; k++) {
        wrong += omp_target_memcpy(there, a, sizeof a, 0, 0, device, host) != 0;
        add(there, N, k);
        elsewhere(other_data);
        wrong += omp_target_memcpy(far, there, sizeof a, 0, 0, other, device) != 0;
        wrong += omp_target_memcpy_async(b, far, sizeof b, 0, 0, host, other, 0, NULL) != 0;
#pragma omp taskwait
        for (int i = 0; i < N; i++)
            wrong += b[i] != i + k;
    }
    wrong += other_data[N - 1] != ROUNDS;
    omp_target_free(there, device);
    omp_target_free(far, other);
    free(other_data);
    return wrong;
}

static int boxes(void) {
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    const size_t all[] = {ROWS, COLUMNS}, part[] = {ROWS - 3, COLUMNS - 4}, at[] = {2, 3}, zero[] = {0, 0};
    int a[ROWS * COLUMNS] = {0}, b[ROWS * COLUMNS] = {0}, wrong = 0;
    int *there = omp_target_alloc(sizeof a, device);
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < ROWS * COLUMNS; i++)
            a[i] = i + k;
        wrong += omp_target_memset(there, 0, sizeof a, device) != there;
        wrong += omp_target_memcpy_rect(there, a, sizeof *a, 2, part, at, zero, all, all, device, host) != 0;
        add(there, ROWS * COLUMNS, 1);
        wrong +=
            omp_target_memcpy_rect_async(b, there, sizeof *a, 2, part, zero, at, all, all, host, device, 0, NULL) != 0;
#pragma omp taskwait
        for (int i = 0; i < ROWS - 3; i++)
            for (int j = 0; j < COLUMNS - 4; j++)
                wrong += b[i * COLUMNS + j] != i * COLUMNS + j + k + 1;
        wrong += omp_target_memset_async(there, 1, sizeof a, device, 0, NULL) != there;
#pragma omp taskwait
        wrong += omp_target_memcpy(b, there, sizeof b, 0, 0, host, device) != 0 || b[7] != 0x01010101;
    }
    omp_target_free(there, device);
    return wrong;
}

/* Data that regions work on by map, and the program by its device address. */
static int mapped(void) {
    static int a[N];
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    const int one = 1;
    int wrong = 0;
    memset(a, 0, sizeof a);
#pragma omp target enter data map(to : a)
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 2;
        if (k < 3)
            continue;
        int *there = omp_get_mapped_ptr(a, device), seen;
        wrong +=
            omp_target_memcpy(&seen, there, sizeof seen, 0, 9 * sizeof seen, host, device) != 0 || seen != 2 * (k + 1);
        omp_target_memcpy(there, &one, sizeof one, 0, 0, device, host);
    }
#pragma omp target exit data map(from : a)
    return wrong + (a[0] != 1 || a[9] != 2 * ROUNDS || a[N - 1] != 2 * ROUNDS);
}

/* Memory that no OpenMP call gave out. Only x86_64 devices take the host's; a GPU would need its own library. */
static int foreign(void) {
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    int a[N], wrong = 0, *there = malloc(sizeof a);
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int k = 0; k < ROUNDS; k++) {
        omp_target_memcpy(there, a, sizeof a, 0, 0, device, host);
        add(there, N, 3);
        for (int i = 0; i < N; i++)
            wrong += there[i] != i + 3;
    }
    free(there);
    return wrong;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "leak")) {
        elsewhere(calloc(N, sizeof(int)));
        return omp_target_alloc(100, omp_get_default_device()) == NULL;
    }
    int (*const cases[])(void) = {copies, boxes, mapped, argc > 1 && !strcmp(argv[1], "gpu") ? NULL : foreign};
    int failed = 0;
    for (int k = 0; k < 4; k++) {
        const int wrong = cases[k] ? cases[k]() : 0;
        if (wrong)
            printf("case %d: %d wrong\n", k, wrong);
        failed += wrong != 0;
    }
    return failed;
}
