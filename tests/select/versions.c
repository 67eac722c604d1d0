/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel records of versions that heddle does not know, as a newer compiler would make them: they are passed on
 * untouched, and find their data where plain OpenMP has it. The program stands before libheddle and writes the version
 * into what clang 19 makes; libomptarget takes it all the same. Status 0, or the number of wrong values.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdint.h>

enum { N = 1000, ROUNDS = 20, KNOWN = 3 };
typedef int launch(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, uint32_t *args);
launch __tgt_target_kernel;
static uint32_t version = KNOWN;

__attribute__((nodebug)) int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                                                 uint32_t *args) {
    launch *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    args[0] = version;
    return next(loc, device, teams, threads, id, args);
}

static void add(int *a, int what) {
#pragma omp target map(tofrom : a[0 : N])
    for (int k = 0; k < N; k++)
        a[k] += what;
}

int main(void) {
    static const uint32_t others[] = {4, 5, 99};
    int a[N] = {0}, b[N] = {0}, sum = 0, wrong = 0;
#pragma omp target data map(tofrom : a)
    for (int k = 0; k < ROUNDS; k++) {
        version = KNOWN; /* goes anywhere, and its data with it */
        add(a, 1);
        add(b, 1);
        version = others[k % 3];
        add(a, 10);
        add(b, 10);
        sum += 11;
    }
    for (int k = 0; k < N; k++)
        wrong += (a[k] != sum) + (b[k] != sum);
    return wrong > 100 ? 100 : wrong;
}
