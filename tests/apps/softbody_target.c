/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of softbody as target regions of plain OpenMP: bodies that nobody touches, on every device that there is,
 * equal to the serial program's bit by bit. */
#include "layout.h"
#include "tasks.h"

#include "app.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What a device needs of a shape and a body besides the three blocks. */
struct facts {
    uint32_t nodes, rows, elements, slots, entries, gathers, backs;
    float edge;
    struct material material;
};

LANES_INLINE void step_alone(const struct settings *o, const struct facts *f, uint32_t *numbers, float *shape_values,
                             float *values, struct body_sums *sums, struct body_set *set) {
    struct shape shape = {.nodes = f->nodes,
                          .rows = f->rows,
                          .elements = f->elements,
                          .slots = f->slots,
                          .entries = f->entries,
                          .gathers = f->gathers,
                          .backs = f->backs,
                          .edge = f->edge};
    struct body body = {.shape = &shape, .material = f->material, .sums = sums};
    const uint32_t member[1] = {0};
    layout_shape_numbers(&shape, numbers);
    layout_shape_values(&shape, shape_values);
    layout_body(&body, &shape, values);
    assemble_any(o, &body);
    alone_any(o, &body, NULL, member, sums, set, &body);
    move_any(o, &body);
}

static void step_on_devices(struct scene *scene) {
    const struct settings *o = &scene->settings;
    const int devices = omp_get_num_devices();
    /* clang 19 maps a firstprivate struct of a nowait region from where it was, which may be gone by then */
    struct facts *all = app_alloc(scene->bodies, sizeof *all);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (uint32_t b = 0; b < scene->bodies; b++) {
        struct body *body = &scene->body[b];
        struct shape shape = *body->shape;
        struct facts *facts = &all[b];
        *facts = (struct facts){.nodes = shape.nodes,
                                .rows = shape.rows,
                                .elements = shape.elements,
                                .slots = shape.slots,
                                .entries = shape.entries,
                                .gathers = shape.gathers,
                                .backs = shape.backs,
                                .edge = shape.edge,
                                .material = body->material};
        uint32_t *numbers = shape.slot_first;
        float *shape_values = shape.rest, *values = body->x;
        const size_t number_count = layout_shape_numbers(&shape, NULL), shape_count = layout_shape_values(&shape, NULL),
                     count = layout_body(body, &shape, NULL);
        struct body_sums *sums = body->sums;
        struct body_set *set = &scene->set[b];
        const int device = devices ? (int)b % devices : omp_get_initial_device();
        *set = (struct body_set){.count = 1};
#pragma omp target teams num_teams(1) thread_limit(1) nowait device(device) map(to : facts[0 : 1])            \
    map(to : o[0 : 1], numbers[0 : number_count], shape_values[0 : shape_count]) map(tofrom : values[0 : count])       \
    map(tofrom : sums[0 : 1], set[0 : 1]) depend(inout : values[0 : count])
#pragma omp parallel num_threads(1)
        step_alone(o, facts, numbers, shape_values, values, sums, set);
    }
    free(all);
}

int main(void) {
    const struct request request = {.name = "mixed", .bodies = 10, .nodes = 400, .seed = 7};
    struct scene one, other;
    uint32_t bad;
    if (!generate_scene(&one, &request) || !generate_scene(&other, &request))
        return 2;
    one.settings.contacts = other.settings.contacts = false;
    for (int step = 0; step < 12; step++) {
        if (!step_serial(&one, 1, &bad))
            return 1;
        step_on_devices(&other);
    }
    const bool equal = output_hash(&one, APP_HASH_START) == output_hash(&other, APP_HASH_START);
    printf("%d devices: %s\n", omp_get_num_devices(), equal ? "equal" : "differ");
    scene_close(&one);
    scene_close(&other);
    return !equal;
}
