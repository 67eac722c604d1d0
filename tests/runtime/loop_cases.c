/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_cases.h"
#include <dlfcn.h>
#include <heddle.h>
#include <limits.h>
#include <omp.h>
#include <time.h>
#include "capture.h"

/* ---- a device that refuses its kernels from some launch on ------------------------------------------------------- */
int broken = -1;
atomic_int good_launches;

__attribute__((visibility("default"))) int __tgt_target_kernel(void *loc, int64_t device, int32_t teams,
                                                               int32_t threads, void *id, void *args) {
    static int (*real)(void *, int64_t, int32_t, int32_t, void *, void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    if (device == broken && atomic_fetch_sub(&good_launches, 1) <= 0)
        return 1;
    return real(loc, device, teams, threads, id, args);
}

atomic_int good_copies = INT_MAX;
atomic_int across;
bool no_way_across;
__attribute__((visibility("default"))) int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_at,
                                                             size_t from_at, int to_device, int from_device) {
    static int (*real)(void *, const void *, size_t, size_t, size_t, int, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "omp_target_memcpy");
    if (from_device == broken && to_device == omp_get_initial_device() && atomic_fetch_sub(&good_copies, 1) <= 0)
        return 1;
    const bool crosses = from_device != omp_get_initial_device() && to_device != omp_get_initial_device();
    atomic_fetch_add(&across, crosses);
    if (crosses && no_way_across)
        return 1;
    return real(to, from, bytes, to_at, from_at, to_device, from_device);
}

void nap(double seconds) {
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
}

/* ---- loops ----------------------------------------------------------------------------------------------------- */
int from[2 * N], to[2 * N];

long plain(int n, const int *a, int *b) {
    long sum = 7;
#pragma heddle for map(to : a[heddle_lo : heddle_count]) map(from : b[heddle_lo : heddle_count]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        b[i] = 3 * a[i] + i;
        sum += b[i];
    }
    return sum;
}

void check(long sum, const int *a, const int *b) {
    long expected = 7;
    for (int i = 0; i < N; i++) {
        assert_int_equal(b[i], 3 * a[i] + i);
        expected += b[i];
    }
    assert_int_equal(sum, expected);
}

long run_on(int device, int n, int *b) {
    long sum = 0;
#pragma heddle for map(from : b[heddle_lo : heddle_count]) reduction(+ : sum) device(device)
    for (int i = 0; i < n; i++) {
        b[i] = i;
        sum += i;
    }
    return sum;
}

int fill(void **state) {
    (void)state;
    for (int i = 0; i < 2 * N; i++) {
        from[i] = i * 7 % 101;
        to[i] = -1;
    }
    broken = -1;
    unsetenv("HEDDLE_FOR");
    unsetenv("HEDDLE_TIMEOUT");
    return 0;
}
