/* SPDX-License-Identifier: Apache-2.0 */
/* Sixteen rows or elements side by side: a vector of the compiler on a CPU; on a device each thread is one lane of a
 * group. No number depends on how many lanes the machine has. */
#ifndef SOFTBODY_LANES_H
#define SOFTBODY_LANES_H

#include <stdint.h>
#include <string.h>

#define LANES_INLINE static inline __attribute__((always_inline, unused))

enum { GROUP = 16 };
#define LANES_GATHERED (UINT32_C(1) << 31)

#if defined(__NVPTX__) || defined(__AMDGCN__)
typedef float lanes;
typedef int32_t lanes_mask; /* 0 or -1 */
#define LANES_LESS(a, b) (-((a) < (b)))
#define LANES_CHOOSE(mask, a, b) ((mask) ? (a) : (b))
#define LANES_ABS(v) __builtin_fabsf(v)
#define LANES_ROOT(v) __builtin_elementwise_sqrt(v)
LANES_INLINE lanes lanes_load(const float *p, uint32_t lane) { return p[lane]; }
LANES_INLINE void lanes_store(float *p, lanes v, uint32_t lane) { p[lane] = v; }
LANES_INLINE lanes lanes_take(const float *p, uint32_t from, const uint32_t *gather, uint32_t lane) {
    return p[from & LANES_GATHERED ? gather[(from & ~LANES_GATHERED) * GROUP + lane] : from + lane];
}
#else
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpsabi"
#else
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
typedef float lanes __attribute__((vector_size(4 * 16)));
typedef int32_t lanes_mask __attribute__((vector_size(4 * 16)));
#define LANES_LESS(a, b) ((a) < (b))
#define LANES_CHOOSE(mask, a, b) ((lanes)(((lanes_mask)(a) & (mask)) | ((lanes_mask)(b) & ~(mask))))
#define LANES_ABS(v) ((lanes)((lanes_mask)(v) & 0x7fffffff))
#if defined(__clang__)
#define LANES_ROOT(v) __builtin_elementwise_sqrt(v)
#else
LANES_INLINE lanes LANES_ROOT(lanes v) {
    for (int l = 0; l < GROUP; l++)
        v[l] = __builtin_sqrtf(v[l]);
    return v;
}
#endif
LANES_INLINE lanes lanes_load(const float *p, uint32_t lane) {
    lanes v;
    (void)lane;
    memcpy(&v, p, sizeof v);
    return v;
}
LANES_INLINE void lanes_store(float *p, lanes v, uint32_t lane) {
    (void)lane;
    memcpy(p, &v, sizeof v);
}
/* Sixteen numbers in a row from p[from] on, or those that a row of `gather` names. */
LANES_INLINE lanes lanes_take(const float *p, uint32_t from, const uint32_t *gather, uint32_t lane) {
    if (!(from & LANES_GATHERED))
        return lanes_load(p + from, lane);
    const uint32_t *at = gather + (size_t)(from & ~LANES_GATHERED) * GROUP;
    lanes v;
    for (int l = 0; l < GROUP; l++)
        v[l] = p[at[l]];
    return v;
}
#endif

#define LANES_ALL(value) ((lanes){0} + (value))
#define LANES_MOST(a, b) LANES_CHOOSE(LANES_LESS(a, b), b, a)
#define LANES_LEAST(a, b) LANES_CHOOSE(LANES_LESS(b, a), b, a)

/* A sum over rows is the same on every machine: 64 groups' sums side by side, which on a device are a team's threads,
 * then halves upon halves. */
enum { SUM_GROUPS = 64, TEAM = SUM_GROUPS * GROUP };
#if defined(__NVPTX__) || defined(__AMDGCN__)
int omp_get_thread_num(void);
enum { LANES_THREADS = TEAM };
#define LANES_THREAD ((uint32_t)omp_get_thread_num())
#define LANES_MEET _Pragma("omp barrier")
/* For each of `count` groups: g and lane. A thread always has the same lane and part of a sum. */
#define LANES_GROUPS(count)                                                                                            \
    for (uint32_t lanes_row = LANES_THREAD, g = lanes_row / GROUP, lane = lanes_row % GROUP; g < (count);              \
         lanes_row += TEAM, g = lanes_row / GROUP)
struct lanes_sum {
    lanes part;
};
LANES_INLINE void lanes_clear(struct lanes_sum *sum) { sum->part = 0; }
LANES_INLINE void lanes_add(struct lanes_sum *sum, uint32_t group, lanes v) {
    (void)group;
    sum->part = sum->part + v;
}
LANES_INLINE float lanes_total(const struct lanes_sum *sum, float scratch[TEAM]) {
    const uint32_t own = LANES_THREAD;
    LANES_MEET
    scratch[own] = sum->part;
    for (uint32_t half = TEAM / 2; half; half /= 2) {
        LANES_MEET
        if (own < half)
            scratch[own] += scratch[own + half];
    }
    LANES_MEET
    return scratch[0];
}
#else
enum { LANES_THREADS = 1 };
#define LANES_THREAD 0u
#define LANES_MEET
#define LANES_GROUPS(count) for (uint32_t g = 0, lane = 0; g < (count); g++)
struct lanes_sum {
    float part[TEAM];
};
LANES_INLINE void lanes_clear(struct lanes_sum *sum) { memset(sum, 0, sizeof *sum); }
LANES_INLINE void lanes_add(struct lanes_sum *sum, uint32_t group, lanes v) {
    float *at = sum->part + group % SUM_GROUPS * GROUP;
    lanes_store(at, lanes_load(at, 0) + v, 0);
}
LANES_INLINE float lanes_total(struct lanes_sum *sum, float scratch[TEAM]) {
    (void)scratch;
    for (uint32_t half = TEAM / 2; half; half /= 2)
        for (uint32_t k = 0; k < half; k++)
            sum->part[k] += sum->part[k + half];
    return sum->part[0];
}
#endif

#endif
