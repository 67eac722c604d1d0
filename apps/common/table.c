/* SPDX-License-Identifier: Apache-2.0 */
/* Written as the machine holds it; every machine with an OpenMP device is little-endian. */
#include "table.h"

#include "create.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "table files are little-endian");

static const struct {
    const char *name;
    size_t size;
} types[TABLE_TYPES] = {
    [TABLE_INT32] = {"int32", 4},
    [TABLE_INT64] = {"int64", 8},
    [TABLE_FLOAT32] = {"float32", 4},
    [TABLE_FLOAT64] = {"float64", 8},
};

size_t table_element_size(enum table_type type) { return types[type].size; }

bool table_write(const char *path, enum table_type type, size_t planes, size_t rows, size_t cols, const void *elements,
                 char *message, size_t size) {
    const size_t count = planes * rows * cols;
    FILE *file = app_create(path);
    if (!file) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
        return false;
    }
    fprintf(file, "heddle-table 1 %s %zu %zu %zu\n", types[type].name, planes, rows, cols);
    bool bad = fwrite(elements, types[type].size, count, file) != count;
    bad = !app_finish(file, !bad);
    if (bad)
        snprintf(message, size, "%s: cannot write: %s", path, strerror(errno));
    return !bad;
}
