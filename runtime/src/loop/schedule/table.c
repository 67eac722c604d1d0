/* SPDX-License-Identifier: Apache-2.0 */
/* The table of schedules, from heddle/words.h, and the look-up by name. */
#include "table.h"
#include <string.h>

const struct heddle_loop_policy *const heddle_loop_policies[] = {
#define HEDDLE_X(name, text) &heddle__loop_##name,
    HEDDLE_LOOP_SCHEDULES(HEDDLE_X)
#undef HEDDLE_X
        NULL,
};

const struct heddle_loop_policy *heddle__loop_find_policy(const char *name, size_t length) {
    for (int k = 0; heddle_loop_policies[k]; k++)
        if (strlen(heddle_loop_policies[k]->name) == length && !strncmp(heddle_loop_policies[k]->name, name, length))
            return heddle_loop_policies[k];
    return NULL;
}
