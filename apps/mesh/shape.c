/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <math.h>
#include <string.h>

/* A number from -1 to 1 for a point of the lattice. */
static double lattice(long x, long y, long z, uint64_t seed) {
    uint64_t h = seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)x * UINT64_C(0xbf58476d1ce4e5b9) +
                 (uint64_t)y * UINT64_C(0x94d049bb133111eb) + (uint64_t)z * UINT64_C(0xd6e8feb86659fd93);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (double)(h >> 11) * 0x1p-52 - 1;
}

static double ease(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }
static double mix(double a, double b, double t) { return a + (b - a) * t; }

/* Value noise: the lattice's numbers, smoothly joined. */
static double noise(double x, double y, double z, uint64_t seed) {
    const long i = (long)floor(x), j = (long)floor(y), k = (long)floor(z);
    const double u = ease(x - (double)i), v = ease(y - (double)j), w = ease(z - (double)k);
    double plane[2];
    for (int c = 0; c < 2; c++)
        plane[c] = mix(mix(lattice(i, j, k + c, seed), lattice(i + 1, j, k + c, seed), u),
                       mix(lattice(i, j + 1, k + c, seed), lattice(i + 1, j + 1, k + c, seed), u), v);
    return mix(plane[0], plane[1], w);
}

static double octaves(double x, double y, double z, int count, uint64_t seed) {
    double sum = 0, size = 0.5;
    for (int k = 0; k < count; k++, size *= 0.5, x *= 2.03, y *= 2.03, z *= 2.03)
        sum += size * noise(x, y, z, seed + (uint64_t)k);
    return sum;
}

static struct vec3 terrain(const struct shape *shape, double u, double v) {
    const double x = 2 * u - 1, z = 2 * v - 1, ridge = fabs(octaves(2 * x, 7.5, 2 * z, 4, shape->seed + 77));
    return vec((float)x, (float)(0.35 * octaves(3 * x, 0.5, 3 * z, 9, shape->seed) + 0.5 * (0.25 - ridge)), (float)z);
}

static struct vec3 blob(const struct shape *shape, double u, double v) {
    const double a = 2 * M_PI * (u < 1 ? u : 0), b = M_PI * v; /* the seam meets exactly */
    const double x = sin(b) * cos(a), y = cos(b), z = sin(b) * sin(a);
    const double r = 1 + 0.35 * octaves(2.5 * x, 2.5 * y, 2.5 * z, 6, shape->seed);
    return vec((float)(r * x), (float)(r * y), (float)(r * z));
}

/* The (2, 3) knot on a torus, and a tube around it. */
static void knot_at(double t, double p[3]) {
    const double a = 2 * M_PI * t, r = 0.62 + 0.25 * cos(3 * a);
    p[0] = r * cos(2 * a), p[1] = r * sin(2 * a), p[2] = 0.3 * sin(3 * a);
}

static struct vec3 knot(const struct shape *shape, double u, double v) {
    (void)shape;
    const double t = u < 1 ? u : 0, s = 2 * M_PI * (v < 1 ? v : 0), step = 1e-4, thick = 0.13;
    double at[3], next[3];
    knot_at(t, at);
    knot_at(t + step, next);
    const struct vec3 along = unit(vec((float)(next[0] - at[0]), (float)(next[1] - at[1]), (float)(next[2] - at[2])));
    const struct vec3 out = unit(cross(along, vec((float)at[0] * 0.2f, (float)at[1] * 0.2f, 1)));
    const struct vec3 third = cross(along, out);
    const struct vec3 off = plus(times(out, (float)(thick * cos(s))), times(third, (float)(thick * sin(s))));
    return plus(vec((float)at[0], (float)at[1], (float)at[2]), off);
}

bool shape_find(struct shape *shape, const char *name, long triangles, uint64_t seed) {
    static const struct {
        const char *name;
        double aspect; /* columns : rows */
        struct vec3 (*point)(const struct shape *shape, double u, double v);
    } shapes[] = {{"terrain", 1, terrain}, {"blob", 2, blob}, {"knot", 12, knot}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (!strcmp(shapes[k].name, name)) {
            *shape = (struct shape){.seed = seed, .point = shapes[k].point};
            shape->rows = (long)sqrt((double)triangles / 2 / shapes[k].aspect);
            shape->rows = shape->rows < 2 ? 2 : shape->rows;
            shape->columns = triangles / 2 / shape->rows;
            shape->columns = shape->columns < 2 ? 2 : shape->columns;
            return true;
        }
    return false;
}

uint32_t shape_points(const struct shape *shape) { return (uint32_t)((shape->rows + 1) * (shape->columns + 1)); }

struct vec3 shape_point(const struct shape *shape, uint32_t k) {
    const long row = shape->columns + 1;
    return shape->point(shape, (double)(k % row) / (double)shape->columns, (double)(k / row) / (double)shape->rows);
}

uint32_t shape_triangles(const struct shape *shape) { return (uint32_t)(2 * shape->rows * shape->columns); }

struct bvh_triangle shape_triangle(const struct shape *shape, uint32_t k) {
    const uint32_t square = k / 2, columns = (uint32_t)shape->columns, row = columns + 1;
    const uint32_t at = square / columns * row + square % columns;
    return k % 2 ? (struct bvh_triangle){{at + 1, at + row, at + row + 1}}
                 : (struct bvh_triangle){{at, at + row, at + 1}};
}
