/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded scenes at the sizes of Hermann et al. 2010: 64 bodies that fall, meet in pairs or pile up, bodies of mixed
 * sizes, and 30 blocks in 12 bars at a wall. */
#include "softbody.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double spread(double x, double y, double z) {
    return x * sqrt(fmax(0, 1 - y * y / 2 - z * z / 2 + y * y * z * z / 3));
}

/* Cells of six tetrahedra each, one sixth after the other. A layer of gaps behind the last cell of each direction lets
 * elements lie like the nodes. */
void generate_box(struct tets *tets, const long cells[3], const double side[3], double rounded) {
    static const int sixth[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const long n[3] = {cells[0] + 1, cells[1] + 1, cells[2] + 1}, stride[3] = {1, n[0], n[0] * n[1]};
    *tets = (struct tets){.point = NULL};
    for (long z = 0; z < n[2]; z++)
        for (long y = 0; y < n[1]; y++)
            for (long x = 0; x < n[0]; x++) {
                const double u = 2.0 * (double)x / (double)cells[0] - 1, v = 2.0 * (double)y / (double)cells[1] - 1,
                             w = 2.0 * (double)z / (double)cells[2] - 1;
                const double point[3] = {side[0] / 2 * ((1 - rounded) * u + rounded * spread(u, v, w)),
                                         side[1] / 2 * ((1 - rounded) * v + rounded * spread(v, w, u)),
                                         side[2] / 2 * ((1 - rounded) * w + rounded * spread(w, u, v))};
                tets_point(tets, point);
            }
    for (int s = 0; s < 6; s++)
        for (long z = 0; z < n[2]; z++)
            for (long y = 0; y < n[1]; y++)
                for (long x = 0; x < n[0]; x++) {
                    uint32_t tet[4] = {SOFT_NO_TET, 0, 0, 0};
                    if (x < cells[0] && y < cells[1] && z < cells[2]) {
                        tet[0] = (uint32_t)(x + y * stride[1] + z * stride[2]);
                        for (int k = 0; k < 3; k++)
                            tet[k + 1] = tet[k] + (uint32_t)stride[sixth[s][k]];
                    }
                    tets_tet(tets, tet);
                }
}

void generate_grid(struct tets *tets, long nodes, const double side[3], double rounded) {
    const double each = cbrt((double)nodes / (side[0] * side[1] * side[2]));
    long cells[3];
    for (int k = 0; k < 3; k++)
        cells[k] = (long)fmax(1, round(each * side[k]) - 1);
    generate_box(tets, cells, side, rounded);
}

static const struct material usual = {
    .young = 2e5f, .poisson = 0.3f, .density = 1000, .stretch_damping = 0.01f, .mass_damping = 0.1f, .friction = 0.5f};

static struct shape *add_shape(struct scene *scene, long nodes, const double side[3], double rounded) {
    struct tets tets;
    struct complaint c;
    struct shape *shape = &scene->shape[scene->shapes++];
    generate_grid(&tets, nodes, side, rounded);
    if (!shape_build(shape, &tets, "generated", &c)) { /* cannot be: the generator makes no flat tetrahedra */
        fprintf(stderr, "%s\n", c.text);
        abort();
    }
    tets_free(&tets);
    return shape;
}

static void random_turn(struct app_random *random, double q[4]) {
    double square = 0;
    do {
        square = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = 2 * app_unit(random) - 1;
            square += q[k] * q[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(square);
}

static void add_body(struct scene *scene, const struct shape *shape, const struct material *material,
                     const double turn[4], const double move[3], const double velocity[3]) {
    body_open(&scene->body[scene->bodies], shape, material, scene->bodies, turn, move, velocity);
    scene->bodies++;
}

static void add_plane(struct scene *scene, float x, float y, float z, float d) {
    struct settings *o = &scene->settings;
    const float plane[4] = {x, y, z, d};
    memcpy(o->plane[o->planes++], plane, sizeof plane);
}

static struct material material_of(const struct request *r, long k) {
    struct material m = usual;
    m.young = r->young > 0 ? r->young : m.young;
    m.springs = r->springs || (!strcmp(r->name, "mixed") && k % 2);
    if (m.springs && r->young <= 0)
        m.young *= 5; /* a net that is pressed hard folds, and stays folded */
    return m;
}

/* Bodies on a lattice of their own cells. fall: nothing meets; pile: between walls on the ground. */
static void add_lattice(struct scene *scene, const struct request *r, double distance, bool ground,
                        struct app_random *random) {
    const long side = (long)fmax(1, ceil(cbrt((double)r->bodies) - 1e-9));
    const long each = r->bodies < 3 ? r->bodies : 3;
    for (long k = 0; k < each; k++) {
        static const double sides[3][3] = {{1, 1, 1}, {1.2, 0.9, 0.9}, {0.8, 1.2, 1.0}};
        static const double rounded[3] = {0.6, 0.3, 0.8};
        add_shape(scene, r->nodes, sides[k], rounded[k]);
    }
    for (long k = 0; k < r->bodies; k++) {
        const double still[3] = {0, 0, 0};
        double turn[4], move[3] = {(double)(k % side), (double)(k / side / side), (double)(k / side % side)};
        const struct material m = material_of(r, k);
        random_turn(random, turn);
        for (int a = 0; a < 3; a++)
            move[a] =
                (move[a] - (a == 1 ? -0.6 : (double)(side - 1) / 2)) * distance + 0.05 * (2 * app_unit(random) - 1);
        add_body(scene, &scene->shape[k % each], &m, turn, move, still);
    }
    if (!ground)
        return;
    const float wall = (float)((double)side * distance / 2 + 0.1);
    add_plane(scene, 0, 1, 0, 0);
    add_plane(scene, 1, 0, 0, -wall), add_plane(scene, -1, 0, 0, -wall);
    add_plane(scene, 0, 0, 1, -wall), add_plane(scene, 0, 0, -1, -wall);
}

/* Pairs that fly at each other. */
static void add_pairs(struct scene *scene, const struct request *r, struct app_random *random) {
    const double side[3] = {1, 1, 1};
    const long columns = (long)fmax(1, ceil(sqrt((double)(r->bodies + 1) / 2)));
    add_shape(scene, r->nodes, side, 0.6);
    for (long k = 0; k < r->bodies; k++) {
        const bool second = k % 2;
        const double velocity[3] = {second ? -1.5 : 1.5, 0, 0},
                     move[3] = {3.0 * (double)(k / 2 % columns) + (second ? 0.55 : -0.55) +
                                    0.02 * (2 * app_unit(random) - 1),
                                1 + 2.0 * (double)(k / 2 / columns), 0.1 * (2 * app_unit(random) - 1)};
        double turn[4];
        const struct material m = material_of(r, k);
        random_turn(random, turn);
        add_body(scene, scene->shape, &m, turn, move, velocity);
    }
    memset(scene->settings.gravity, 0, sizeof scene->settings.gravity);
}

/* Sizes from 100 to so many nodes, every other one a net of springs; they fall onto the ground. */
static void add_mixed(struct scene *scene, const struct request *r, struct app_random *random) {
    enum { KINDS = 8 };
    const long side = (long)fmax(1, ceil(cbrt((double)r->bodies) - 1e-9));
    const double most = fmax(100, (double)r->nodes);
    for (int k = 0; k < KINDS; k++) {
        const double nodes = 100 * pow(most / 100, (double)k / (KINDS - 1)), scale = cbrt(nodes / most),
                     sides[3] = {scale, scale, scale};
        add_shape(scene, (long)nodes, sides, 0.6);
    }
    for (long k = 0; k < r->bodies; k++) {
        const double still[3] = {0, 0, 0}, move[3] = {1.3 * ((double)(k % side) - (double)(side - 1) / 2),
                                                      0.8 + 1.3 * (double)(k / side / side),
                                                      1.3 * ((double)(k / side % side) - (double)(side - 1) / 2)};
        double turn[4];
        const struct material m = material_of(r, k);
        random_turn(random, turn);
        add_body(scene, &scene->shape[app_below(random, KINDS)], &m, turn, move, still);
    }
    const float wall = (float)(1.3 * (double)side / 2 + 0.1);
    add_plane(scene, 0, 1, 0, 0);
    add_plane(scene, 1, 0, 0, -wall), add_plane(scene, -1, 0, 0, -wall);
    add_plane(scene, 0, 0, 1, -wall), add_plane(scene, 0, 0, -1, -wall);
}

/* Vertices at the same place of neighbours that are alike. */
static void attach(struct scene *scene, uint32_t a, uint32_t b) {
    const struct body *left = &scene->body[a], *right = &scene->body[b];
    const struct shape *s = left->shape;
    struct pair *pair = scene_attach(scene, a, b);
    for (uint32_t i = 0; i < s->vertices; i++)
        for (uint32_t j = 0; j < s->vertices; j++) {
            const uint32_t v = s->vertex[i], w = s->vertex[j];
            float square = 0;
            for (size_t k = 0; k < 3; k++) {
                const float d = left->x[k * s->rows + v] - right->x[k * s->rows + w];
                square += d * d;
            }
            if (square < 1e-6f * s->edge * s->edge) {
                const struct hold hold = {.vertex = v, .corner = {w, w, w}, .weight = {1, 0, 0}};
                pair_hold(pair, &hold);
            }
        }
}

/* Thirty blocks of twelve bars; more or fewer bodies in the same proportion. */
static void add_bars(struct scene *scene, const struct request *r) {
    static const long lengths[12] = {1, 4, 2, 3, 2, 1, 3, 2, 4, 3, 2, 3};
    const double side[3] = {1, 1, 1}, straight[4] = {0, 0, 0, 1}, still[3] = {0, 0, 0};
    struct material m = material_of(r, 0);
    m.young = r->young > 0 ? r->young : 1e6f;
    add_shape(scene, r->nodes, side, 0);
    for (long bar = 0; scene->bodies < (uint32_t)r->bodies; bar++)
        for (long k = 0; k < lengths[bar % 12] && scene->bodies < (uint32_t)r->bodies; k++) {
            const double move[3] = {(double)k + 0.5, 2.2 * (double)(bar / 4 % 3) + 3,
                                    1.8 * (double)(bar % 4) + 8 * (double)(bar / 12)};
            add_body(scene, scene->shape, &m, straight, move, still);
            struct body *body = &scene->body[scene->bodies - 1];
            for (uint32_t n = 0; !k && n < body->shape->nodes; n++)
                if (body->x[n] < 0.01f * body->shape->edge)
                    body->free[n] = 0;
            if (k)
                attach(scene, scene->bodies - 2, scene->bodies - 1);
        }
}

bool generate_scene(struct scene *scene, const struct request *r) {
    struct app_random random;
    app_seed(&random, r->seed);
    *scene = (struct scene){.bodies = 0};
    settings_defaults(&scene->settings);
    scene->shape = app_alloc(8, sizeof *scene->shape);
    scene->body = app_alloc((size_t)r->bodies + 1, sizeof *scene->body);
    if (!strcmp(r->name, "fall"))
        add_lattice(scene, r, 2.4, false, &random);
    else if (!strcmp(r->name, "pile"))
        add_lattice(scene, r, 1.05, true, &random);
    else if (!strcmp(r->name, "pairs"))
        add_pairs(scene, r, &random);
    else if (!strcmp(r->name, "mixed"))
        add_mixed(scene, r, &random);
    else if (!strcmp(r->name, "bars"))
        add_bars(scene, r);
    else {
        scene_close(scene);
        return false;
    }
    float edge = 1e30f;
    for (uint32_t s = 0; s < scene->shapes; s++)
        edge = fminf(edge, scene->shape[s].edge);
    scene->settings.thickness = 0.1f * edge;
    scene_ready(scene);
    return true;
}

bool scene_of_mesh(struct scene *scene, const struct tets *tets, const char *name, const struct request *r,
                   struct complaint *c) {
    *scene = (struct scene){.bodies = 0};
    settings_defaults(&scene->settings);
    scene->shape = app_alloc(1, sizeof *scene->shape);
    scene->body = app_alloc((size_t)r->bodies + 1, sizeof *scene->body);
    if (!shape_build(scene->shape, tets, name, c)) {
        free(scene->shape);
        free(scene->body);
        return false;
    }
    scene->shapes = 1;
    const struct shape *s = scene->shape;
    double low[3], high[3], largest = 0;
    for (size_t k = 0; k < 3; k++) {
        low[k] = high[k] = (double)s->at_rest[k * s->rows];
        for (uint32_t n = 0; n < s->nodes; n++) {
            low[k] = fmin(low[k], (double)s->at_rest[k * s->rows + n]);
            high[k] = fmax(high[k], (double)s->at_rest[k * s->rows + n]);
        }
        largest = fmax(largest, high[k] - low[k]);
    }
    const double straight[4] = {0, 0, 0, 1}, still[3] = {0, 0, 0};
    const long side = (long)fmax(1, ceil(sqrt((double)r->bodies) - 1e-9));
    for (long k = 0; k < r->bodies; k++) {
        const struct material m = material_of(r, k);
        const double at[3] = {(double)(k % side) * 1.3 * largest - (low[0] + high[0]) / 2,
                              0.3 * largest - low[1] + 0.2 * largest * (double)(k % 3),
                              (double)(k / side) * 1.3 * largest - (low[2] + high[2]) / 2};
        add_body(scene, s, &m, straight, at, still);
    }
    add_plane(scene, 0, 1, 0, 0);
    scene->settings.thickness = 0.1f * s->edge;
    scene_ready(scene);
    return true;
}
