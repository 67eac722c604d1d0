/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in a file: one line of text, "heddle-table 1 TYPE PLANES ROWS COLS", then the elements,
 * little-endian, row after row, plane after plane. TYPE is int32, int64, float32 or float64. */
#ifndef HEDDLE_APP_TABLE_H
#define HEDDLE_APP_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum table_type { TABLE_INT32, TABLE_INT64, TABLE_FLOAT32, TABLE_FLOAT64, TABLE_TYPES };

size_t table_element_size(enum table_type type);
/* False: `message` says "PATH: what". */
bool table_write(const char *path, enum table_type type, size_t planes, size_t rows, size_t cols, const void *elements,
                 char *message, size_t size);

#endif
