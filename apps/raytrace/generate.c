/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded meshes and the scenes that come without a file. */
#include "scene.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
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

struct shape {
    long rows, columns; /* of squares */
    uint64_t seed;
    struct vec3 (*point)(const struct shape *shape, double u, double v); /* of [0, 1] x [0, 1] */
};

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

static void add_grid(struct scene *scene, const struct shape *shape, uint32_t material) {
    const uint32_t first = (uint32_t)scene->point_count, row = (uint32_t)shape->columns + 1;
    for (long j = 0; j <= shape->rows; j++)
        for (long i = 0; i <= shape->columns; i++)
            scene_point(scene,
                        shape->point(shape, (double)i / (double)shape->columns, (double)j / (double)shape->rows));
    for (long j = 0; j < shape->rows; j++)
        for (long i = 0; i < shape->columns; i++) {
            const uint32_t at = first + (uint32_t)j * row + (uint32_t)i;
            const uint32_t one[3] = {at, at + row, at + 1}, other[3] = {at + 1, at + row, at + row + 1};
            scene_triangle(scene, one, NULL, material);
            scene_triangle(scene, other, NULL, material);
        }
}

bool generate_shape(struct scene *scene, const char *name, long triangles, uint64_t seed,
                    const struct placing *placing) {
    static const struct {
        const char *name;
        double aspect; /* columns : rows */
        struct vec3 (*point)(const struct shape *shape, double u, double v);
    } shapes[] = {{"terrain", 1, terrain}, {"blob", 2, blob}, {"knot", 12, knot}};
    const size_t points = scene->point_count, normals = scene->normal_count, first = scene->triangle_count;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (!strcmp(shapes[k].name, name)) {
            struct shape shape = {.seed = seed, .point = shapes[k].point};
            shape.rows = (long)sqrt((double)triangles / 2 / shapes[k].aspect);
            shape.rows = shape.rows < 2 ? 2 : shape.rows;
            shape.columns = triangles / 2 / shape.rows;
            shape.columns = shape.columns < 2 ? 2 : shape.columns;
            add_grid(scene, &shape, placing->material);
            if (!scene_place(scene, placing, points, normals))
                return false;
            if (placing->smooth)
                scene_smooth(scene, first);
            return true;
        }
    return false;
}

static void from_text(struct scene *scene, const char *text) {
    struct complaint c;
    if (scene_parse(scene, text, strlen(text), "built-in scene", NULL, &c))
        return;
    fprintf(stderr, "%s\n", c.text);
    exit(APP_BAD_INPUT);
}

void generate_default(struct scene *scene, long triangles, uint64_t seed) {
    char text[4000];
    snprintf(text, sizeof text,
             "camera from 0.6 2.1 6.2 at 0.1 0.75 0 fov 36\n"
             "background 0.95 0.93 0.9 to 0.28 0.45 0.8\n"
             "ambient 0.16 0.17 0.2\n"
             "light -4 6 5 colour 0.75 0.7 0.62 radius 0.45\n"
             "light 5 4 3 colour 0.3 0.34 0.42 radius 0.3\n"
             "material floor colour 0.8 0.78 0.74 checks 0.8 0.16 0.17 0.2 specular 0.1 reflect 0.12\n"
             "material glass colour 0.97 0.99 0.98 ambient 0 diffuse 0 specular 0.6 shine 400 transmit 1 index 1.5 "
             "shade 0.25\n"
             "material mirror colour 0.9 0.9 0.92 ambient 0.05 diffuse 0.05 specular 0.7 shine 300 reflect 0.88\n"
             "material red colour 0.8 0.12 0.1 specular 0.5 shine 80 reflect 0.06\n"
             "material gold colour 0.9 0.62 0.2 diffuse 0.6 specular 0.6 shine 60 reflect 0.28\n"
             "material blue colour 0.1 0.25 0.7 specular 0.4 reflect 0.05\n"
             "plane 0 1 0 0 material floor\n"
             "sphere -1.75 0.9 -0.5 0.9 material mirror\n"
             "sphere 1.75 0.75 0.55 0.75 material glass\n"
             "sphere -0.75 0.33 1.6 0.33 material red\n"
             "sphere 0.55 0.26 1.95 0.26 material blue\n"
             "sphere 2.6 0.4 -1.3 0.4 material red\n"
             "sphere -2.5 0.28 1.1 0.28 material gold\n"
             "shape knot %ld seed %lld scale 1.05 rotate 0 18 0 move 0.15 1.02 -0.6 smooth material gold\n",
             triangles, (long long)seed);
    from_text(scene, text);
}

/* Triangles alone, for measuring: half of them ground, half in four bodies that reflect. */
void generate_landscape(struct scene *scene, long triangles, uint64_t seed) {
    char text[4000];
    const long ground = triangles / 2 < 1 ? 1 : triangles / 2, body = triangles / 8 < 1 ? 1 : triangles / 8;
    snprintf(text, sizeof text,
             "camera from 0.5 4.2 9.2 at 0 0.7 0 fov 46\n"
             "background 0.9 0.92 0.95 to 0.3 0.5 0.85\n"
             "ambient 0.2 0.22 0.26\n"
             "sun 0.6 0.75 0.45 colour 0.85 0.8 0.72\n"
             "material ground colour 0.42 0.5 0.27 specular 0.02\n"
             "material metal colour 0.8 0.82 0.85 diffuse 0.35 specular 0.5 shine 90 reflect 0.6\n"
             "material copper colour 0.85 0.5 0.3 diffuse 0.45 specular 0.4 shine 60 reflect 0.45\n"
             "shape terrain %ld seed %lld scale 10 4 10 smooth material ground\n"
             "shape blob %ld seed %lld scale 1.35 move -2.6 1.7 1.2 smooth material metal\n"
             "shape blob %ld seed %lld scale 1.1 move 2.4 1.5 2.6 smooth material copper\n"
             "shape blob %ld seed %lld scale 1.7 move 1.6 2.3 -2.4 smooth material metal\n"
             "shape blob %ld seed %lld scale 0.9 move -0.2 1.2 4 smooth material copper\n",
             ground, (long long)seed, body, (long long)seed + 1, body, (long long)seed + 2, body, (long long)seed + 3,
             body, (long long)seed + 4);
    from_text(scene, text);
}
