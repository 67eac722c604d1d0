/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers and what is made of them. A number depends on seed, pixel, sample and place in the path alone, so
 * every device and every order gives the same picture. */
#ifndef PATHTRACE_SAMPLE_H
#define PATHTRACE_SAMPLE_H

#include "vec.h"

#include <stdint.h>

#define SAMPLE_PI 3.14159265f

RAY_INLINE uint32_t scramble(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

struct dice {
    uint32_t key;
};

RAY_INLINE struct dice dice_of(uint32_t seed, uint32_t pixel, uint32_t sample, int32_t depth) {
    return (struct dice){scramble(pixel + scramble(sample + scramble(seed + scramble((uint32_t)depth + 1))))};
}

/* Number `place` of these dice: [0, 1) in steps of 2^-24, exact. */
RAY_INLINE float throw_dice(struct dice dice, uint32_t place) {
    return (float)(scramble(dice.key + (place + 1) * 0x9e3779b9u) >> 8) * 0x1p-24f;
}

/* P. Shirley, K. Chiu: A Low Distortion Map Between Disk and Square, JGT 1997. Sine and cosine by their series, which
 * are the same bits everywhere. */
RAY_INLINE void on_disk(float u, float v, float *x, float *y) {
    const float a = 2 * u - 1, b = 2 * v - 1;
    const bool wide = magnitude(a) > magnitude(b);
    const float r = wide ? a : b, other = wide ? b : a;
    if (r == 0) {
        *x = *y = 0;
        return;
    }
    const float t = other / r * (SAMPLE_PI / 4), s = t * t;
    const float sine = t * (1 - s * (1 / 6.0f) * (1 - s * (1 / 20.0f) * (1 - s * (1 / 42.0f) * (1 - s * (1 / 72.0f)))));
    const float cosine = 1 - s * 0.5f * (1 - s * (1 / 12.0f) * (1 - s * (1 / 30.0f) * (1 - s * (1 / 56.0f))));
    *x = r * (wide ? cosine : sine);
    *y = r * (wide ? sine : cosine);
}

struct basis {
    struct vec3 x, y, z;
};

/* T. Duff et al.: Building an Orthonormal Basis, Revisited, JCGT 2017. */
RAY_INLINE struct basis basis_of(struct vec3 n) {
    const float sign = n.z >= 0 ? 1.0f : -1.0f, a = -1 / (sign + n.z), b = n.x * n.y * a;
    return (struct basis){vec(1 + sign * n.x * n.x * a, sign * b, -sign * n.x), vec(b, sign + n.y * n.y * a, -n.y), n};
}

RAY_INLINE struct vec3 to_world(const struct basis *to, struct vec3 v) {
    return plus(plus(times(to->x, v.x), times(to->y, v.y)), times(to->z, v.z));
}

RAY_INLINE struct vec3 to_local(const struct basis *to, struct vec3 v) {
    return vec(dot(to->x, v), dot(to->y, v), dot(to->z, v));
}

/* Directions about z with a density of cosine / pi. */
RAY_INLINE struct vec3 by_cosine(float u, float v) {
    float x, y;
    on_disk(u, v, &x, &y);
    return vec(x, y, square_root(most(0, 1 - x * x - y * y)));
}

#endif
