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

/* A sum over rows is the same on every machine: eight groups' sums side by side, then halves upon halves. */
enum { SUM_GROUPS = 8 };
LANES_INLINE float lanes_total(const lanes parts[SUM_GROUPS]) {
    float at[SUM_GROUPS * GROUP];
    memcpy(at, parts, sizeof at);
    for (int half = SUM_GROUPS * GROUP / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            at[k] += at[k + half];
    return at[0];
}

#endif
