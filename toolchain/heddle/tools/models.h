/* SPDX-License-Identifier: Apache-2.0 */
/* models.h - a file of learnt costs, read for people: models.c finds files, models_show.c prints them. */
#ifndef HEDDLE_TOOLS_MODELS_H
#define HEDDLE_TOOLS_MODELS_H

#include "model/table.h"

struct models {
    const char *path;
    struct heddle__row *row;
    size_t rows;
    int strange; /* lines that are no rows */
};
void models_list(const struct models *m);
void models_compare(const struct models *m);
void models_json(const struct models *m);

#endif
