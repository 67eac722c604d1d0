/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded frames like the benchmarks that papers measure: a cloth that lies on a ball, one
 * that is pulled through a funnel, and many bodies in flight. */
#include "ccd.h"

#include "app.h"

#include <math.h>

/* Rings of a ball of about so many triangles: 4 rings (rings - 1). */
static int rings_of(double triangles) {
    const int rings = (int)(0.5 + sqrt(0.25 + triangles / 4));
    return rings < 3 ? 3 : rings;
}

static void add_quad(struct frame *frame, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t lower[3] = {a, b, c}, upper[3] = {a, c, d};
    frame_triangle(frame, lower);
    frame_triangle(frame, upper);
}

static void add_point(struct frame *frame, double x, double y, double z) {
    const float point[3] = {(float)x, (float)y, (float)z};
    frame_point(frame, point);
}

/* A ball of rings x 2 rings squares; poles are single points. */
static void add_ball(struct frame *before, struct frame *after, const double centre[3], const double move[3],
                     double radius, int rings) {
    const uint32_t first = (uint32_t)before->points_count, around = 2 * (uint32_t)rings;
    for (int ring = 0; ring <= rings; ring++) {
        const double polar = M_PI * ring / rings, width = radius * sin(polar), y = radius * cos(polar);
        const int count = ring == 0 || ring == rings ? 1 : (int)around;
        for (int k = 0; k < count; k++) {
            const double angle = 2 * M_PI * (k + 0.37 * ring) / around, x = width * cos(angle), z = width * sin(angle);
            add_point(before, centre[0] + x, centre[1] + y, centre[2] + z);
            add_point(after, centre[0] + x + move[0], centre[1] + y + move[1], centre[2] + z + move[2]);
        }
    }
    const uint32_t last = first + 1 + around * (uint32_t)(rings - 1);
    for (uint32_t k = 0; k < around; k++) {
        const uint32_t right = (k + 1) % around, above = first + 1, below = last - around;
        const uint32_t cap[3] = {first, above + right, above + k}, foot[3] = {last, below + k, below + right};
        frame_triangle(before, cap);
        frame_triangle(after, cap);
        for (uint32_t ring = 0; ring + 2 < (uint32_t)rings; ring++) {
            const uint32_t here = above + ring * around, next = here + around;
            add_quad(before, here + k, here + right, next + right, next + k);
            add_quad(after, here + k, here + right, next + right, next + k);
        }
        frame_triangle(before, foot);
        frame_triangle(after, foot);
    }
}

/* The height at which a cloth over a ball of radius 1 hangs, with folds beside it. */
static double drape(double x, double z, double lift, double phase) {
    const double r = sqrt(x * x + z * z), fold = 0.12 * sin(9 * atan2(z, x) + phase);
    if (r < 0.9)
        return sqrt(1 - r * r) + lift;
    const double slope = r - 0.9;
    return sqrt(1 - 0.81) - 2.06 * slope + fold * slope + lift;
}

void generate_cloth(struct frame *before, struct frame *after, long triangles, uint64_t seed) {
    const double ball_share = 0.08, none[3] = {0, 0, 0}, turn[3] = {0.002, 0, 0.001};
    const int rings = rings_of((double)triangles * ball_share);
    const long left = triangles - 4L * rings * (rings - 1);
    const int side = left > 8 ? (int)sqrt((double)left / 2) : 2;
    struct app_random random;
    app_seed(&random, seed);
    add_ball(before, after, none, turn, 1, rings);
    const uint32_t first = (uint32_t)before->points_count, row = (uint32_t)side + 1;
    for (int i = 0; i <= side; i++)
        for (int j = 0; j <= side; j++) {
            const double x = 4.0 * i / side - 2, z = 4.0 * j / side - 2, rough = 0.3 / side,
                         y = drape(x, z, 0.004, 0) + rough * app_unit(&random);
            add_point(before, x, y, z);
            double by[3]; /* one after the other: arguments have no order */
            for (int axis = 0; axis < 3; axis++)
                by[axis] = rough * (app_unit(&random) - 0.5);
            add_point(after, x + by[0], drape(x, z, 0.0005, 0.05) + by[1] + rough / 2, z + by[2]);
        }
    for (uint32_t i = 0; i < (uint32_t)side; i++)
        for (uint32_t j = 0; j < (uint32_t)side; j++) {
            const uint32_t a = first + i * row + j;
            add_quad(before, a, a + 1, a + row + 1, a + row);
            add_quad(after, a, a + 1, a + row + 1, a + row);
        }
}

/* Height of a cone's wall, and of a cloth that is pulled down through it: deeper in the second frame. */
static double funnel(double r) { return 1.2 * (r - 0.25); }

void generate_funnel(struct frame *before, struct frame *after, long triangles, uint64_t seed) {
    const int around = (int)fmax(6, sqrt((double)triangles * 0.1)),
              up = (int)fmax(2, (double)triangles * 0.05 / around);
    const long left = triangles - 2L * around * up;
    const int side = left > 8 ? (int)sqrt((double)left / 2) : 2;
    struct app_random random;
    app_seed(&random, seed);
    for (int i = 0; i <= up; i++)
        for (int k = 0; k < around; k++) {
            const double r = 0.25 + 1.75 * i / up, angle = 2 * M_PI * k / around;
            add_point(before, r * cos(angle), funnel(r), r * sin(angle));
            add_point(after, r * cos(angle), funnel(r), r * sin(angle));
        }
    for (uint32_t i = 0; i < (uint32_t)up; i++)
        for (uint32_t k = 0; k < (uint32_t)around; k++) {
            const uint32_t a = i * (uint32_t)around, b = a + (uint32_t)around, next = (k + 1) % (uint32_t)around;
            add_quad(before, a + k, a + next, b + next, b + k);
            add_quad(after, a + k, a + next, b + next, b + k);
        }
    const uint32_t first = (uint32_t)before->points_count, row = (uint32_t)side + 1;
    for (int frame = 0; frame < 2; frame++) {
        app_seed(&random, seed);
        for (int i = 0; i <= side; i++)
            for (int j = 0; j <= side; j++) {
                /* folds gather a sheet of radius 1.9 into the cone: waves around, higher where it is narrower */
                const double x = 3.6 * i / side - 1.8, z = 3.6 * j / side - 1.8, r = sqrt(x * x + z * z),
                             angle = atan2(z, x), in = 0.22 + 0.55 * r,
                             fold = 0.11 * (1 - exp(-4 * r)) * sin(23 * angle + 2 * r),
                             rough = 0.5 / side * (app_unit(&random) - 0.5), wide = in + fold + rough;
                const double lift = frame ? 0.03 : 0.05;
                add_point(frame ? after : before, wide * cos(angle), funnel(in) + lift + 0.3 * fold, wide * sin(angle));
            }
    }
    for (uint32_t i = 0; i < (uint32_t)side; i++)
        for (uint32_t j = 0; j < (uint32_t)side; j++) {
            const uint32_t a = first + i * row + j;
            add_quad(before, a, a + 1, a + row + 1, a + row);
            add_quad(after, a, a + 1, a + row + 1, a + row);
        }
}

/* Balls on a grid that is nearly full, each on its way somewhere. */
void generate_bodies(struct frame *before, struct frame *after, long triangles, uint64_t seed) {
    const int rings = triangles >= 4000 ? 13 : 3, each = 4 * rings * (rings - 1);
    const long count = triangles / each ? triangles / each : 1;
    const int side = (int)ceil(cbrt((double)count));
    struct app_random random;
    app_seed(&random, seed);
    for (long k = 0; k < count; k++) {
        double centre[3] = {(double)(k % side), (double)(k / side % side), (double)(k / side / side)}, move[3];
        for (int axis = 0; axis < 3; axis++) {
            centre[axis] += 0.2 * (app_unit(&random) - 0.5);
            move[axis] = 0.1 * (app_unit(&random) - 0.5);
        }
        add_ball(before, after, centre, move, 0.48, rings);
    }
}
