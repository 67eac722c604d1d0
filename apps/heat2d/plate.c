/* SPDX-License-Identifier: Apache-2.0 */
#include "plate.h"

#include "app.h"

static double least(const struct plate *p) {
    double a = p->top < p->bottom ? p->top : p->bottom, b = p->left < p->right ? p->left : p->right;
    return a < b ? a : b;
}

static double most(const struct plate *p) {
    double a = p->top > p->bottom ? p->top : p->bottom, b = p->left > p->right ? p->left : p->right;
    return a > b ? a : b;
}

static void fill_edges(const struct plate *plate, struct field *field) {
    const int n = field->n, m = field->m;
    for (int j = 0; j <= m + 1; j++) {
        field_set(field, 0, j, plate->top);
        field_set(field, n + 1, j, plate->bottom);
    }
    for (int i = 1; i <= n; i++) {
        field_set(field, i, 0, plate->left);
        field_set(field, i, m + 1, plate->right);
    }
}

void plate_fill(const struct plate *plate, struct field *field) {
    const double low = least(plate), span = most(plate) - low;
    struct app_random random;
    app_seed(&random, plate->seed);
    fill_edges(plate, field);
    for (int i = 1; i <= field->n; i++)
        for (int j = 1; j <= field->m; j++)
            field_set(field, i, j, plate->uniform ? plate->start : low + span * app_unit(&random));
}

void plate_fill_from(const struct plate *plate, const struct image *image, struct field *field) {
    const double low = least(plate), scale = (most(plate) - low) / image->most;
    fill_edges(plate, field);
    for (int i = 0; i < field->n; i++)
        for (int j = 0; j < field->m; j++)
            field_set(field, i + 1, j + 1, low + scale * image->pixels[(size_t)i * (size_t)field->m + (size_t)j]);
}
