/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are made differently on different devices; other work in the body beside the call. */
#include "../run/run.h"
#ifdef _OPENMP
#include <heddle.h>
#endif

struct job { int n, factor; };

static void twice(int *to, const int *from, struct job j) { *to = *from * j.factor; }

#ifdef _OPENMP
/* on x86_64 devices, whose memory is the host's */
static void device_twice(int *to, const int *from, struct job j)
{
    *to = heddle_variant_device() >= 0 && !heddle_variant_stream() ? *from * j.factor : -1;
}
static void chunk_twice(int *to, const int *from, struct job j, long lo, long count)
{
    for (long i = lo; i < lo + count; i++)
        to[i] = from[i] * j.factor;
}
static void host_twice(int *to, const int *from, struct job j)
{
    *to = heddle_variant_device() == HEDDLE_DEVICE_HOST ? *from * j.factor : -2;
}
#endif

int main(void)
{
    enum { N = 1000 };
    int from[N], to[N] = {0}, once[N] = {0}, host[N] = {0};
    const struct job j = {N, 3};
    long sum = 0;
    run_ints(from, N, 1000);
#pragma heddle for map(to: from[heddle_lo : heddle_count]) map(from: to[heddle_lo : heddle_count]) reduction(+: sum)
    for (int i = 0; i < N; i++) {
        sum += i;
#pragma heddle variant(other: device_twice) variant(host: host_twice)
        twice(&to[i], &from[i], j);
    }
#pragma heddle for map(to: from[heddle_lo : heddle_count]) map(from: once[heddle_lo : heddle_count]) schedule(static, 11)
    for (int i = 0; i < N; i++)
#pragma heddle variant(other: chunk_twice(once, from, j, heddle_lo, heddle_count))
        twice(once + i, from + i, j);
    /* of the host alone: devices have the call as it stands in their kernel */
#pragma heddle for map(to: from[heddle_lo : heddle_count]) map(from: host[heddle_lo : heddle_count])
    for (int i = 0; i < N; i++)
#pragma heddle variant(host: host_twice)
        twice(host + i, from + i, j);
    run_report("host", host, sizeof host);
    run_report("to", to, sizeof to);
    run_report("once", once, sizeof once);
    printf("%ld\n", sum);
    return 0;
}
