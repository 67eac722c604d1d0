/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel records of versions that heddle does not know, as a newer compiler would make them: they are passed on
 * untouched, and find their data where plain OpenMP has it. The program stands before libheddle and writes the version
 * into what clang makes; libomptarget takes it all the same. NEXT_LAYOUT: version 4 has LLVM 23's layout, which only
 * next_layout.c takes. Status 0, or the number of wrong values.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "versions.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, ROUNDS = 20, MOST = 16 };
launch __tgt_target_kernel;
static uint32_t version = KNOWN;

/* The hidden pointer becomes the last argument, and the compiler gives it room. */
static int start_next_layout(launch *next, void *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                             const struct record *args) {
    void *bases[MOST], *pointers[MOST];
    int64_t sizes[MOST], types[MOST];
    struct record made = *args;
    memcpy(bases, args->bases, args->count * sizeof *bases);
    memcpy(pointers, args->args, args->count * sizeof *pointers);
    memcpy(sizes, args->sizes, args->count * sizeof *sizes);
    memcpy(types, args->types, args->count * sizeof *types);
    bases[made.count] = pointers[made.count] = NULL;
    sizes[made.count] = (intptr_t)&made; /* by which next_layout.c knows it */
    types[made.count] = HIDDEN;
    made.count++;
    made.version = NEXT;
    made.bases = bases, made.args = pointers, made.sizes = sizes, made.types = types;
    const struct record before = made;
    const int rc = next(loc, device, teams, threads, id, &made);
    if (memcmp(&before, &made, sizeof made))
        exit(4);
    return rc;
}

__attribute__((nodebug)) int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id,
                                                 struct record *args) {
    launch *next;
    *(void **)&next = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    if (version != KNOWN && getenv("NEXT_LAYOUT"))
        return start_next_layout(next, loc, device, teams, threads, id, args);
    args->version = version;
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
