/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces as OBJ or PLY, energies as a table. */
#include "softbody.h"

#include "app.h"
#include "create.h"
#include "image.h"

#include <string.h>

static void write_ply(FILE *file, const struct scene *scene, size_t points, size_t faces) {
    uint32_t base = 0;
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %zu\nproperty float x\nproperty float y\n"
            "property float z\nelement face %zu\nproperty list uchar uint vertex_indices\nproperty uint body\n"
            "end_header\n",
            points, faces);
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const struct body *body = &scene->body[b];
        for (uint32_t n = 0; n < body->shape->nodes; n++)
            for (size_t k = 0; k < 3; k++)
                fwrite(&body->x[k * body->shape->rows + n], sizeof(float), 1, file);
    }
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const struct shape *s = scene->body[b].shape;
        for (uint32_t f = 0; f < s->faces; f++) {
            const uint32_t corner[4] = {s->face[f][0] + base, s->face[f][1] + base, s->face[f][2] + base, b};
            putc(3, file);
            fwrite(corner, sizeof *corner, 4, file);
        }
        base += s->nodes;
    }
}

static void write_obj(FILE *file, const struct scene *scene) {
    uint32_t base = 1;
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const struct body *body = &scene->body[b];
        const struct shape *s = body->shape;
        fprintf(file, "o body%u\n", b);
        for (uint32_t n = 0; n < s->nodes; n++)
            fprintf(file, "v %.9g %.9g %.9g\n", (double)body->x[n], (double)body->x[s->rows + n],
                    (double)body->x[2 * (size_t)s->rows + n]);
        for (uint32_t f = 0; f < s->faces; f++)
            fprintf(file, "f %u %u %u\n", s->face[f][0] + base, s->face[f][1] + base, s->face[f][2] + base);
        base += s->nodes;
    }
}

bool output_frame(const struct scene *scene, const char *path) {
    FILE *file = app_create(path);
    size_t points = 0, faces = 0;
    if (!file)
        return false;
    for (uint32_t b = 0; b < scene->bodies; b++) {
        points += scene->body[b].shape->nodes;
        faces += scene->body[b].shape->faces;
    }
    if (image_has_suffix(path, ".ply"))
        write_ply(file, scene, points, faces);
    else
        write_obj(file, scene);
    return app_finish(file, !ferror(file));
}

bool output_energies_header(FILE *file) {
    return fprintf(file, "step\ttime\tkinetic\telastic\theight\tcontact\tmomentum_x\tmomentum_y\tmomentum_z\tholds\t"
                         "sets\titerations\n") > 0;
}

/* Of the state at the step's beginning. */
bool output_energies(FILE *file, const struct scene *scene, long step) {
    double sum[7] = {0};
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const struct body_sums *s = &scene->sums[b];
        const float part[7] = {s->kinetic,     s->elastic,     s->height,     s->contact,
                               s->momentum[0], s->momentum[1], s->momentum[2]};
        for (int k = 0; k < 7; k++)
            sum[k] += (double)part[k];
    }
    for (uint32_t k = 0; k < scene->pairs; k++)
        sum[3] += (double)scene->pair[k].contact;
    return fprintf(file, "%ld\t%.6g\t%.7g\t%.7g\t%.7g\t%.7g\t%.7g\t%.7g\t%.7g\t%llu\t%u\t%llu\n", step,
                   (double)step * (double)scene->settings.step, sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6],
                   (unsigned long long)scene->holds, scene->sets, (unsigned long long)scene->iterations) > 0;
}

uint64_t output_hash(const struct scene *scene, uint64_t hash) {
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const size_t bytes = 3 * (size_t)scene->body[b].shape->rows * sizeof(float);
        hash = app_hash(hash, scene->body[b].x, bytes);
        hash = app_hash(hash, scene->body[b].v, bytes);
    }
    return hash;
}
