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
#define LANES_SPLIT 1                                     /* each lane is a thread */
#define LANES_AHEAD _Pragma("clang loop unroll_count(4)") /* so that loads of several rounds are on their way */
typedef float lanes;
typedef int32_t lanes_mask; /* 0 or -1 */
#define LANES_LESS(a, b) (-((a) < (b)))
#define LANES_CHOOSE(mask, a, b) ((mask) ? (a) : (b))
#define LANES_ABS(v) __builtin_fabsf(v)
#define LANES_ROOT(v) __builtin_elementwise_sqrt(v)
#define LANES_FMA(a, b, c) __builtin_fmaf(a, b, c)
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
#define LANES_SPLIT 0
#define LANES_AHEAD
typedef float lanes __attribute__((vector_size(4 * 16)));
typedef int32_t lanes_mask __attribute__((vector_size(4 * 16)));
#define LANES_LESS(a, b) ((a) < (b))
#define LANES_CHOOSE(mask, a, b) ((lanes)(((lanes_mask)(a) & (mask)) | ((lanes_mask)(b) & ~(mask))))
#define LANES_ABS(v) ((lanes)((lanes_mask)(v) & 0x7fffffff))
#if defined(__clang__)
#define LANES_ROOT(v) __builtin_elementwise_sqrt(v)
#define LANES_FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
#else
LANES_INLINE lanes LANES_ROOT(lanes v) {
    for (int l = 0; l < GROUP; l++)
        v[l] = __builtin_sqrtf(v[l]);
    return v;
}
LANES_INLINE lanes LANES_FMA(lanes a, lanes b, lanes c) {
    for (int l = 0; l < GROUP; l++)
        c[l] = __builtin_fmaf(a[l], b[l], c[l]);
    return c;
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

/* A part is eight groups, which a team of a device takes at once, a thread a lane; a task of the host takes all parts
 * of a body, one after the other. A sum over a part is the same on every machine: halves upon halves of its rows. */
enum { PART = 8, TEAM = PART * GROUP };
LANES_INLINE uint32_t parts_of(uint32_t rows) { return (rows + TEAM - 1) / TEAM; }
#if defined(__NVPTX__) || defined(__AMDGCN__)
#include <omp.h>
enum { LANES_THREADS = TEAM };
#define LANES_THREAD ((uint32_t)omp_get_thread_num())
#define LANES_MEET _Pragma("omp barrier")
/* For each group of a part that is below `count`: g and lane. */
#define LANES_PART(part, count)                                                                                        \
    for (uint32_t g = (part) * PART + LANES_THREAD / GROUP, lane = LANES_THREAD % GROUP, lanes_once = 1;               \
         lanes_once && g < (count); lanes_once = 0)
struct lanes_sum {
    lanes own;
};
LANES_INLINE void lanes_clear(struct lanes_sum *sum) { sum->own = 0; }
LANES_INLINE void lanes_add(struct lanes_sum *sum, uint32_t group, lanes v) {
    (void)group;
    sum->own = sum->own + v;
}
/* Sums of up to four numbers of each thread, in the order of halves upon halves. Every thread of the team calls it;
 * the first one of each warp has the sum of that number. */
enum { LANES_WARP = 32, LANES_AT_ONCE = 4 };
/* What a warp's lanes have, halves upon halves: the first one gets the sum. `room`: the warp's, in shared memory, or
 * NULL. */
LANES_INLINE float lanes_warp(float own, float *room) {
#if defined(__NVPTX__)
    (void)room;
    for (int half = LANES_WARP / 2; half; half /= 2)
        own += __nvvm_shfl_sync_down_f32((int)0xffffffff, own, half, LANES_WARP - 1);
#else
    const uint32_t at = LANES_THREAD % LANES_WARP;
    float last[LANES_WARP];
    if (room)
        room[at] = own;
    LANES_MEET
    for (uint32_t k = 0; k < LANES_WARP; k++)
        last[k] = room ? room[k] : 0;
    for (uint32_t half = LANES_WARP / 2; half; half /= 2)
        for (uint32_t k = 0; k < half; k++)
            last[k] += last[k + half];
    own = last[0];
#endif
    return own;
}
LANES_INLINE float (*lanes_room(void))[TEAM] {
    static float lanes_shared[LANES_AT_ONCE][TEAM];
#pragma omp allocate(lanes_shared) allocator(omp_pteam_mem_alloc)
    return lanes_shared;
}
LANES_INLINE float lanes_sums(const float *own, uint32_t count) {
    float(*lanes_shared)[TEAM] = lanes_room();
    const uint32_t thread = LANES_THREAD, sum = thread / LANES_WARP, at = thread % LANES_WARP;
    LANES_MEET
    for (uint32_t k = 0; k < count; k++)
        lanes_shared[k][thread] = own[k];
    LANES_MEET
    float whole = 0;
    if (sum < count) {
        const float *all = lanes_shared[sum] + at;
        float part[TEAM / LANES_WARP];
        for (uint32_t k = 0; k < TEAM / LANES_WARP; k++)
            part[k] = all[k * LANES_WARP];
        for (uint32_t half = TEAM / LANES_WARP / 2; half; half /= 2)
            for (uint32_t k = 0; k < half; k++)
                part[k] += part[k + half];
        whole = part[0];
    }
    return lanes_warp(whole, sum < count ? lanes_shared[sum] : NULL);
}
/* Every thread of the team calls it; the first one adds to total[0 .. count). */
LANES_INLINE void lanes_total(struct lanes_sum *const *sum, int count, float *total) {
    static float lanes_totals[LANES_AT_ONCE];
#pragma omp allocate(lanes_totals) allocator(omp_pteam_mem_alloc)
    for (int k = 0; k < count; k += LANES_AT_ONCE) {
        const int some = count - k < LANES_AT_ONCE ? count - k : LANES_AT_ONCE;
        float own[LANES_AT_ONCE];
        for (int i = 0; i < some; i++)
            own[i] = sum[k + i]->own;
        const float whole = lanes_sums(own, (uint32_t)some);
        if (LANES_THREAD % LANES_WARP == 0 && (int)(LANES_THREAD / LANES_WARP) < some)
            lanes_totals[LANES_THREAD / LANES_WARP] = whole;
        LANES_MEET
        for (int i = 0; i < some && LANES_THREAD == 0; i++)
            total[k + i] += lanes_totals[i];
    }
}
#else
enum { LANES_THREADS = 1 };
#define LANES_THREAD 0u
#define LANES_MEET
#define LANES_PART(part, count) for (uint32_t g = (part) * PART, lane = 0; g < ((part) + 1) * PART && g < (count); g++)
struct lanes_sum {
    lanes own[PART];
};
LANES_INLINE void lanes_clear(struct lanes_sum *sum) { memset(sum, 0, sizeof *sum); }
LANES_INLINE void lanes_add(struct lanes_sum *sum, uint32_t group, lanes v) {
    sum->own[group % PART] = sum->own[group % PART] + v;
}
LANES_INLINE void lanes_total(struct lanes_sum *const *sum, int count, float *total) {
    for (int k = 0; k < count; k++) {
        lanes *own = sum[k]->own;
        for (int half = PART / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                own[i] = own[i] + own[i + half];
        float last[GROUP];
        memcpy(last, own, sizeof last);
        for (int half = GROUP / 2; half; half /= 2)
            for (int i = 0; i < half; i++)
                last[i] += last[i + half];
        total[k] += last[0];
    }
}
#endif

#endif
