/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of the arm side by side: vectors of the compiler on a CPU, one after another on a device, whose threads are
 * its lanes. No sum runs across lanes, so the numbers do not depend on how many there are. */
#ifndef PLANNER_LANES_H
#define PLANNER_LANES_H

#include <math.h>
#include <stdint.h>

#define LANES_INLINE static inline __attribute__((always_inline))

#if defined(__NVPTX__) || defined(__AMDGCN__)
enum { LANES = 1 };
typedef float lanes;
typedef int32_t lanes_mask; /* 0 or -1 */
#define LANE(v, l) (v)
#define LANES_LESS(a, b) (-((a) < (b)))
#define LANES_ABS(v) fabsf(v)
#define LANES_POSITIVE(v) ((v) > 0 ? (v) : 0)
#define LANES_ROOT(v) __builtin_elementwise_sqrt(v)
#define LANES_ROUND(v) ((int32_t)(v))
#define LANES_FLOAT(v) ((float)(v))
#define LANES_CHOOSE(mask, a, b) ((mask) ? (a) : (b))
LANES_INLINE int lanes_any(const lanes_mask *mask) { return *mask; }
#else
enum { LANES = 16 };
typedef float lanes __attribute__((vector_size(4 * 16)));
typedef int32_t lanes_mask __attribute__((vector_size(4 * 16)));
#define LANE(v, l) (v)[l]
#define LANES_LESS(a, b) ((a) < (b))
#define LANES_ABS(v) ((lanes)((lanes_mask)(v) & 0x7fffffff))
#define LANES_POSITIVE(v) ((lanes)((lanes_mask)(v) & ((v) > 0)))
#define LANES_ROUND(v) __builtin_convertvector(v, lanes_mask)
#define LANES_FLOAT(v) __builtin_convertvector(v, lanes)
#define LANES_CHOOSE(mask, a, b) ((lanes)(((lanes_mask)(a) & (mask)) | ((lanes_mask)(b) & ~(mask))))
#if defined(__clang__)
#define LANES_ROOT(v) __builtin_elementwise_sqrt(v)
LANES_INLINE int lanes_any(const lanes_mask *mask) { return __builtin_reduce_or(*mask); }
#else
LANES_INLINE int lanes_any(const lanes_mask *mask) {
    int any = 0;
    for (int l = 0; l < LANES; l++)
        any |= (*mask)[l];
    return any;
}
#define LANES_ROOT(v)                                                                                                  \
    ({                                                                                                                 \
        lanes root = v;                                                                                                \
        for (int l = 0; l < LANES; l++)                                                                                \
            root[l] = sqrtf(root[l]);                                                                                  \
        root;                                                                                                          \
    })
#endif
#endif

/* libm's sqrtf is another function on some devices; the bare instruction rounds correctly everywhere. */
LANES_INLINE float exact_root(float x) {
#if defined(__clang__)
    return __builtin_elementwise_sqrt(x);
#else
    return __builtin_sqrtf(x);
#endif
}

/* sin and cos, |x| <= 1000: reduced by multiples of pi/2 in three steps (Cody, Waite 1980), then minimax polynomials
 * with the coefficients of Cephes (Moshier). */
LANES_INLINE void lanes_sincos(const lanes *x, lanes *s, lanes *c) {
    const lanes turns = *x * 0.636619772f,
                half = LANES_CHOOSE(LANES_LESS(turns, 0.0f), turns * 0 - 0.5f, turns * 0 + 0.5f);
    const lanes_mask quarter = LANES_ROUND(turns + half);
    const lanes k = LANES_FLOAT(quarter), y = ((*x - k * 1.5703125f) - k * 4.83751297e-4f) - k * 7.54978995e-8f,
                z = y * y;
    const lanes sine = y + y * z * (((z * -1.95152959e-4f) + 8.33216087e-3f) * z - 1.66666546e-1f);
    const lanes cosine = 1.0f - z * 0.5f + z * z * (((z * 2.44331571e-5f) - 1.38873163e-3f) * z + 4.16666456e-2f);
    const lanes_mask odd = -(quarter & 1), sine_back = -(quarter >> 1 & 1), cosine_back = -((quarter + 1) >> 1 & 1);
    const lanes a = LANES_CHOOSE(odd, cosine, sine), b = LANES_CHOOSE(odd, sine, cosine);
    *s = LANES_CHOOSE(sine_back, -a, a);
    *c = LANES_CHOOSE(cosine_back, -b, b);
}

#endif
