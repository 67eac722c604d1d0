/* SPDX-License-Identifier: Apache-2.0 */
/* The table of policies, from heddle/words.h, and the look-up by name. */
#include "table.h"
#include <string.h>

const struct heddle_graph_policy *const heddle_graph_policies[] = {
#define HEDDLE_X(name, text) &heddle__graph_##name,
    HEDDLE_GRAPH_POLICIES(HEDDLE_X)
#undef HEDDLE_X
        NULL,
};

const struct heddle_graph_policy *heddle__graph_find_policy(const char *name, size_t length) {
    for (int k = 0; heddle_graph_policies[k]; k++)
        if (strlen(heddle_graph_policies[k]->name) == length && !strncmp(heddle_graph_policies[k]->name, name, length))
            return heddle_graph_policies[k];
    return NULL;
}
