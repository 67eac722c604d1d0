/* SPDX-License-Identifier: Apache-2.0 */
/* What an opaque surface does with light: diffuse, and glossy by GGX (B. Walter et al. 2007) with normals as they are
 * seen (E. Heitz, Sampling the GGX Distribution of Visible Normals, JCGT 2018), or a mirror. Directions are about the
 * normal z and point away from the surface. */
#ifndef PATHTRACE_SURFACE_H
#define PATHTRACE_SURFACE_H

#include "sample.h"
#include "view.h"

/* Light from `in` to `out`, times the cosine of `in`, and the density with which sample_opaque chooses `in`. */
struct scattered {
    struct vec3 share;
    float density;
};

RAY_INLINE float lambda_root(float alpha, float z) { return square_root(alpha * alpha + (1 - alpha * alpha) * z * z); }

RAY_INLINE struct scattered scatter_opaque(const struct material *m, struct vec3 out, struct vec3 in) {
    struct scattered s = {vec(0, 0, 0), 0};
    if (!(out.z > 0 && in.z > 0))
        return s;
    s.share = times(get(&m->diffuse), in.z * (1 / SAMPLE_PI));
    s.density = (1 - m->pick) * (in.z * (1 / SAMPLE_PI));
    if (!(m->pick > 0 && m->roughness > 0))
        return s;
    const struct vec3 h = unit(plus(out, in));
    const float a2 = m->roughness * m->roughness, under = h.z * h.z * (a2 - 1) + 1;
    const float d = a2 / (SAMPLE_PI * under * under);
    const float ro = lambda_root(m->roughness, out.z), ri = lambda_root(m->roughness, in.z);
    const float both = d / (2 * (out.z * ri + in.z * ro)); /* D G2 / (4 cos cos') */
    s.share = plus(s.share, times(get(&m->glossy), both * in.z));
    s.density += m->pick * (d / (2 * (out.z + ro))); /* G1 D / (4 cos) */
    return s;
}

RAY_INLINE struct vec3 visible_normal(float alpha, struct vec3 out, float u, float v) {
    const struct vec3 w = unit(vec(alpha * out.x, alpha * out.y, out.z));
    const float square = w.x * w.x + w.y * w.y, scale = square > 0 ? 1 / square_root(square) : 0;
    const struct vec3 one = square > 0 ? vec(-w.y * scale, w.x * scale, 0) : vec(1, 0, 0), two = cross(w, one);
    float x, y;
    on_disk(u, v, &x, &y);
    const float s = 0.5f * (1 + w.z);
    y = (1 - s) * square_root(most(0, 1 - x * x)) + s * y;
    const struct vec3 n = plus(plus(times(one, x), times(two, y)), times(w, square_root(most(0, 1 - x * x - y * y))));
    return unit(vec(alpha * n.x, alpha * n.y, most(1e-6f, n.z)));
}

/* A direction from which light comes to `out`. weight: share / density; density 0: of a mirror. False: none. */
RAY_INLINE bool sample_opaque(const struct material *m, struct vec3 out, float choose, float u, float v,
                              struct vec3 *in, struct vec3 *weight, float *density) {
    const bool glossy = choose < m->pick;
    if (glossy && !(m->roughness > 0)) {
        *in = vec(-out.x, -out.y, out.z);
        *weight = times(get(&m->glossy), 1 / m->pick);
        *density = 0;
        return true;
    }
    if (glossy) {
        const struct vec3 h = visible_normal(m->roughness, out, u, v);
        *in = minus(times(h, 2 * dot(out, h)), out);
    } else
        *in = by_cosine(u, v);
    if (!(m->pick > 0)) { /* only diffuse: no rounding by the cosine */
        *weight = get(&m->diffuse);
        *density = in->z * (1 / SAMPLE_PI);
        return in->z > 0;
    }
    const struct scattered s = scatter_opaque(m, out, *in);
    *weight = s.density > 0 ? times(s.share, 1 / s.density) : vec(0, 0, 0);
    *density = s.density;
    return s.density > 0;
}

/* Share of light that glass mirrors (A. Fresnel), and the cosine behind it; ratio: index here / index behind. */
RAY_INLINE float glass_mirrors(float ratio, float cosine, float *behind) {
    const float under = 1 - ratio * ratio * (1 - cosine * cosine);
    *behind = under > 0 ? square_root(under) : 0;
    if (!(under > 0))
        return 1;
    const float s = (ratio * cosine - *behind) / (ratio * cosine + *behind);
    const float p = (cosine - ratio * *behind) / (cosine + ratio * *behind);
    return least(1, 0.5f * (s * s + p * p));
}

#endif
