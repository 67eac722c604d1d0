/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include "app.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t field_count(const struct field *field) { return ((size_t)field->n + 2) * ((size_t)field->m + 2); }

size_t field_bytes(const struct field *field) {
    return field_count(field) * (field->is_double ? sizeof(double) : sizeof(float));
}

bool field_alloc(struct field *field, int n, int m, bool is_double) {
    *field = (struct field){.n = n, .m = m, .is_double = is_double};
    field->cells = calloc(field_count(field), is_double ? sizeof(double) : sizeof(float));
    return field->cells;
}

void field_free(struct field *field) {
    free(field->cells);
    field->cells = NULL;
}

static size_t at(const struct field *field, int i, int j) { return (size_t)i * ((size_t)field->m + 2) + (size_t)j; }

double field_get(const struct field *field, int i, int j) {
    if (field->is_double)
        return ((const double *)field->cells)[at(field, i, j)];
    return ((const float *)field->cells)[at(field, i, j)];
}

void field_set(struct field *field, int i, int j, double value) {
    if (field->is_double)
        ((double *)field->cells)[at(field, i, j)] = value;
    else
        ((float *)field->cells)[at(field, i, j)] = (float)value;
}

void field_copy(struct field *to, const struct field *from) { memcpy(to->cells, from->cells, field_bytes(from)); }

void field_range(const struct field *field, double *least, double *most) {
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (int i = 1; i <= field->n; i++)
        for (int j = 1; j <= field->m; j++) {
            double value = field_get(field, i, j);
            *least = value < *least ? value : *least;
            *most = value > *most ? value : *most;
        }
}

double field_difference(const struct field *a, const struct field *b) {
    double largest = 0;
    if (!memcmp(a->cells, b->cells, field_bytes(a)))
        return 0;
    for (int i = 1; i <= a->n; i++)
        for (int j = 1; j <= a->m; j++) {
            double apart = fabs(field_get(a, i, j) - field_get(b, i, j));
            if (!(apart <= largest))
                largest = apart == apart ? apart : HUGE_VAL;
        }
    return largest > 0 ? largest : 0x1p-1074; /* bits differ, values do not: -0, or the border */
}

static bool write_picture(const struct field *field, const char *path, char *message, size_t size) {
    struct image image;
    double least, most;
    field_range(field, &least, &most);
    double scale = most > least ? 255 / (most - least) : 0;
    image_alloc(&image, field->m, field->n, 255);
    for (int i = 0; i < field->n; i++)
        for (int j = 0; j < field->m; j++) {
            double grey = (field_get(field, i + 1, j + 1) - least) * scale + 0.5;
            image.pixels[(size_t)i * (size_t)field->m + (size_t)j] =
                grey >= 0 && grey < 256 ? (uint16_t)grey : 0; /* NaN is black */
        }
    bool good = image_write(&image, path, message, size);
    image_free(&image);
    return good;
}

bool field_write(const struct field *field, const char *path, char *message, size_t size) {
    if (image_has_suffix(path, ".bin"))
        return table_write(path, field->is_double ? TABLE_FLOAT64 : TABLE_FLOAT32, 1, (size_t)field->n + 2,
                           (size_t)field->m + 2, field->cells, message, size);
    return write_picture(field, path, message, size);
}

long sweeps_batch(const struct sweeps *sweeps) {
    const long next = sweeps->every - sweeps->done % sweeps->every;
    const long left = sweeps->most - sweeps->done;
    return next < left ? next : left;
}

bool sweeps_go_on(struct sweeps *sweeps, long batch, double change) {
    sweeps->done += batch;
    sweeps->change = change;
    if (sweeps->tell)
        sweeps->tell(sweeps->context, sweeps->done, change);
    return change > sweeps->tolerance && sweeps->done < sweeps->most;
}
