/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of three floats. Whatever has to be equal on all devices is computed with what is here or plain operators:
 * additions, multiplications, divisions and square roots, each rounded once (applications are compiled with
 * -ffp-contract=off). */
#ifndef HEDDLE_BVH_VEC_H
#define HEDDLE_BVH_VEC_H

/* In one piece with its caller: a caller built for wider vectors then takes the whole computation along. */
#define RAY_INLINE static inline __attribute__((always_inline, unused))

struct vec3 {
    float x, y, z;
};

/* libm's sqrtf sets errno, and on some devices is another function: the bare instruction rounds correctly everywhere.
 */
RAY_INLINE float square_root(float x) {
#if defined(__clang__)
    return __builtin_elementwise_sqrt(x);
#else
    return __builtin_sqrtf(x);
#endif
}

RAY_INLINE float least(float a, float b) { return a < b ? a : b; }
RAY_INLINE float most(float a, float b) { return a > b ? a : b; }
RAY_INLINE float magnitude(float a) { return __builtin_fabsf(a); }

RAY_INLINE struct vec3 vec(float x, float y, float z) { return (struct vec3){x, y, z}; }
/* From memory, number by number: passed on as a whole, clang loads it byte by byte on a GPU. */
RAY_INLINE struct vec3 get(const struct vec3 *a) { return vec(a->x, a->y, a->z); }
RAY_INLINE struct vec3 plus(struct vec3 a, struct vec3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
RAY_INLINE struct vec3 minus(struct vec3 a, struct vec3 b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
RAY_INLINE struct vec3 times(struct vec3 a, float s) { return vec(a.x * s, a.y * s, a.z * s); }
RAY_INLINE struct vec3 blend(struct vec3 a, struct vec3 b) { return vec(a.x * b.x, a.y * b.y, a.z * b.z); }
RAY_INLINE float dot(struct vec3 a, struct vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RAY_INLINE struct vec3 cross(struct vec3 a, struct vec3 b) {
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* The zero vector stays what it is. */
RAY_INLINE struct vec3 unit(struct vec3 a) {
    const float square = dot(a, a);
    return square > 0 ? times(a, 1 / square_root(square)) : a;
}
RAY_INLINE float largest(struct vec3 a) { return most(most(a.x, a.y), a.z); }

#endif
