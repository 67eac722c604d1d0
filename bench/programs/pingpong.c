/* SPDX-License-Identifier: Apache-2.0 */
/* One thread of a bare kernel looks at a word in pinned host memory and writes its answer into another one there; the
 * host looks at that without a pause. Nothing is between them but the link: no queue, no lock, no fence. */
#include "pingpong.h"
#include <heddle/engine/device.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* of libomptarget: memory of the host, pinned where the device is a GPU */
void *llvm_omp_target_alloc_host(size_t bytes, int device);
void llvm_omp_target_free_host(void *memory, int device);

enum { LINE_WORDS = 16, LOOKS = 1 << 16 };

/* A word is a tag and 32 bits of data; tags count from 1. */
struct table {
    uint64_t question[LINE_WORDS], answer[LINE_WORDS];
};

struct side {
    pthread_t thread;
    struct table *table;
    long n;
    int device, ran, returned;
};

static int answer_all(struct table *table, long n, int device) {
    int ran = 0;
#pragma omp target teams ompx_bare num_teams(1) thread_limit(1) is_device_ptr(table) map(tofrom : ran) device(device)
    {
#ifndef __NVPTX__
        if (!omp_is_initial_device())
#endif
        {
            uint64_t v = 0;
            for (uint64_t tag = 1; tag <= (uint64_t)n; tag++) {
                while ((v = heddle_load_system_relaxed(table->question)) >> 32 != tag)
                    ;
                heddle_store_system_relaxed(table->answer, v + 1);
            }
            ran = 1;
        }
    }
    return ran;
}

static void *kernel(void *argument) {
    struct side *s = argument;
    s->ran = answer_all(s->table, s->n, s->device);
    __atomic_store_n(&s->returned, 1, __ATOMIC_RELEASE);
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 0: the kernel has ended without an answer. */
static uint64_t ask(struct side *s, uint64_t tag, uint32_t data) {
    __atomic_store_n(s->table->question, tag << 32 | data, __ATOMIC_RELAXED);
    for (long looks = 1;; looks++) {
        const uint64_t v = __atomic_load_n(s->table->answer, __ATOMIC_RELAXED);
        if (v >> 32 == tag)
            return v;
        if (looks % LOOKS == 0 && __atomic_load_n(&s->returned, __ATOMIC_ACQUIRE) &&
            __atomic_load_n(s->table->answer, __ATOMIC_RELAXED) >> 32 != tag)
            return 0;
    }
}

static double ask_all(struct side *s, unsigned *out) {
    if (!ask(s, 1, 0)) /* the kernel is there */
        return -1;
    const double start = now();
    for (long i = 0; i < s->n - 1; i++) {
        const uint64_t v = ask(s, (uint64_t)i + 2, (uint32_t)i);
        if (!v)
            return -1;
        out[i] = (uint32_t)v;
    }
    return now() - start;
}

double bench_pingpong(int device, long n, unsigned *out) {
    struct side s = {.n = n + 1, .device = device};
    double seconds = -1;
    if (device < 0 || device >= omp_get_num_devices() || n >= INT32_MAX ||
        !(s.table = llvm_omp_target_alloc_host(sizeof *s.table, device)))
        return seconds;
    *s.table = (struct table){{0}, {0}};
    if (!pthread_create(&s.thread, NULL, kernel, &s)) {
        seconds = ask_all(&s, out);
        pthread_join(s.thread, NULL);
    }
    llvm_omp_target_free_host(s.table, device);
    return s.ran ? seconds : -1;
}
