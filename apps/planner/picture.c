/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes, cylinders and spheres as triangles. y is up in the file, z is in the world. */
#include "results.h"

#include "collide.h"
#include "create.h"

enum { AROUND = 24, ACROSS = 12, STEPS_MOST = 400 };

struct drawing {
    FILE *file;
    long points;
};

static void draw_point(struct drawing *d, double x, double y, double z) {
    fprintf(d->file, "v %.5f %.5f %.5f\n", x, z, -y);
    d->points++;
}

/* Corners are counted from `first` on, which is the number of points before the body. */
static void draw_quad(const struct drawing *d, long first, long a, long b, long c, long e) {
    first++;
    fprintf(d->file, "f %ld %ld %ld %ld\n", first + a, first + b, first + c, first + e);
}

static void draw_sphere(struct drawing *d, const double *at, double radius) {
    const long first = d->points;
    for (int i = 0; i <= ACROSS; i++)
        for (int k = 0; k < AROUND; k++) {
            const double up = M_PI * i / ACROSS, about = 2 * M_PI * k / AROUND;
            draw_point(d, at[0] + radius * sin(up) * cos(about), at[1] + radius * sin(up) * sin(about),
                       at[2] + radius * cos(up));
        }
    for (long i = 0; i < ACROSS; i++)
        for (long k = 0; k < AROUND; k++)
            draw_quad(d, first, i * AROUND + k, (i + 1) * AROUND + k, (i + 1) * AROUND + (k + 1) % AROUND,
                      i * AROUND + (k + 1) % AROUND);
}

/* A point of the obstacle's own axes. */
static void draw_own(struct drawing *d, const struct obstacle *o, double u, double v, double w) {
    const double own[3] = {u + (double)o->middle[0], v + (double)o->middle[1], w + (double)o->middle[2]};
    double at[3] = {0, 0, 0};
    for (int k = 0; k < 9; k++)
        at[k % 3] += (double)o->axes[k] * own[k / 3];
    draw_point(d, at[0], at[1], at[2]);
}

static void draw_cylinder(struct drawing *d, const struct obstacle *o) {
    const double r = (double)o->half[0], h = (double)o->half[2];
    const long first = d->points;
    for (int k = 0; k < AROUND; k++)
        for (int up = -1; up <= 1; up += 2)
            draw_own(d, o, r * cos(2 * M_PI * k / AROUND), r * sin(2 * M_PI * k / AROUND), up * h);
    draw_own(d, o, 0, 0, -h);
    draw_own(d, o, 0, 0, h);
    for (long k = 0; k < AROUND; k++) {
        const long next = (k + 1) % AROUND;
        draw_quad(d, first, 2 * k, 2 * next, 2 * next + 1, 2 * k + 1);
        fprintf(d->file, "f %ld %ld %ld\n", first + 1 + 2 * AROUND, first + 1 + 2 * next, first + 1 + 2 * k);
        fprintf(d->file, "f %ld %ld %ld\n", first + 2 + 2 * AROUND, first + 2 + 2 * k, first + 2 + 2 * next);
    }
}

static void draw_box(struct drawing *d, const struct obstacle *o) {
    static const long face[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    const long first = d->points;
    for (int k = 0; k < 8; k++)
        draw_own(d, o, (k & 4 ? 1 : -1) * (double)o->half[0], (k & 2 ? 1 : -1) * (double)o->half[1],
                 (k & 1 ? 1 : -1) * (double)o->half[2]);
    for (int k = 0; k < 6; k++)
        draw_quad(d, first, face[k][0], face[k][1], face[k][2], face[k][3]);
}

static void draw_arm(struct drawing *d, const struct robot *robot, const float *at) {
    struct pose body[JOINTS_MOST + 1] = {{.turn[0] = {0}}};
    for (int k = 0; k < 9; k += 4)
        body[0].turn[k] += 1.0f;
    for (int j = 0; j < robot->joints; j++) {
        lanes q = body[0].move[0] + at[j];
        pose_follow(&robot->joint[j], &body[robot->joint[j].parent], &q, &body[j + 1]);
    }
    for (int k = 0; k < robot->links; k++)
        for (int s = robot->link[k].first; s < robot->link[k].first + robot->link[k].count; s++) {
            lanes out[3];
            pose_point(&body[robot->link[k].body], robot->sphere[s], out);
            const double centre[3] = {(double)LANE(out[0], 0), (double)LANE(out[1], 0), (double)LANE(out[2], 0)};
            draw_sphere(d, centre, (double)robot->sphere[s][3]);
        }
}

bool picture_write(const char *file, const struct robot *robot, const struct problems *problems,
                   const struct problem *problem, const float *path, int corners) {
    struct drawing d = {.file = app_create(file)};
    if (!d.file)
        return false;
    fprintf(d.file, "o obstacles\n");
    for (int o = problem->first; o < problem->first + problem->count; o++) {
        const struct obstacle *obstacle = &problems->obstacle[o];
        if (obstacle->cylinder)
            draw_cylinder(&d, obstacle);
        else if (obstacle->round > 0) {
            double at[3] = {0, 0, 0};
            for (int k = 0; k < 9; k++)
                at[k % 3] += (double)obstacle->axes[k] * (double)obstacle->middle[k / 3];
            draw_sphere(&d, at, (double)obstacle->round);
        } else
            draw_box(&d, obstacle);
    }
    const int steps = corners > 1 ? 4 : 1;
    int drawn = 0;
    for (int c = 0; c + 1 < corners || (c == 0 && corners > 0); c++)
        for (int s = 0; s < steps + (c + 2 >= corners) && drawn < STEPS_MOST; s++, drawn++) {
            float at[JOINTS_MOST];
            const float *a = path + c * robot->joints, *b = c + 1 < corners ? a + robot->joints : a;
            for (int j = 0; j < robot->joints; j++)
                at[j] = a[j] + (b[j] - a[j]) * ((float)s / (float)steps);
            fprintf(d.file, "o arm%d\n", drawn);
            draw_arm(&d, robot, at);
        }
    return app_finish(d.file, !ferror(d.file));
}
