/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linked into a program with x86_64 devices: they become like a GPU that has room for one kernel at a time and whose
 * driver frees and allocates memory only when all kernels launched before have ended. Who makes a kernel stay for as
 * long as it is used then keeps everybody else waiting. `driver_kernels`: so many kernels run, the next ones are
 * refused.
 */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
EXPORT int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, void *args);
EXPORT void *omp_target_alloc(size_t bytes, int device);
EXPORT void omp_target_free(void *memory, int device);

extern int driver_kernels;
int driver_kernels = INT_MAX;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static unsigned long launches, ends;

/* With the lock held. */
static void wait_for(unsigned long kernels) {
    while (ends < kernels)
        pthread_cond_wait(&ended, &lock);
}

static void wait_for_all(void) {
    pthread_mutex_lock(&lock);
    wait_for(launches);
    pthread_mutex_unlock(&lock);
}

int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *id, void *args) {
    static int (*real)(void *, int64_t, int32_t, int32_t, void *, void *);
    pthread_mutex_lock(&lock);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    const int refused = __atomic_fetch_sub(&driver_kernels, 1, __ATOMIC_ACQ_REL) < 1;
    if (!refused)
        wait_for(launches++);
    pthread_mutex_unlock(&lock);
    if (refused)
        return 1;
    const int error = real(loc, device, teams, threads, id, args);
    pthread_mutex_lock(&lock);
    ends++;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
    return error;
}

void *omp_target_alloc(size_t bytes, int device) {
    static void *(*real)(size_t, int);
    wait_for_all();
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "omp_target_alloc");
    return real(bytes, device);
}

void omp_target_free(void *memory, int device) {
    static void (*real)(void *, int);
    wait_for_all();
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "omp_target_free");
    real(memory, device);
}
