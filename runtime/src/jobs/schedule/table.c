/* SPDX-License-Identifier: Apache-2.0 */
/* The table of policies, from heddle/words.h, and the look-up by name. */
#include "table.h"
#include <string.h>

const struct heddle_jobs_policy *const heddle_jobs_policies[] = {
#define HEDDLE_X(name, text) &heddle__jobs_##name,
    HEDDLE_JOBS_POLICIES(HEDDLE_X)
#undef HEDDLE_X
        NULL,
};

const struct heddle_jobs_policy *heddle__jobs_find_policy(const char *name, size_t length) {
    for (int k = 0; heddle_jobs_policies[k]; k++)
        if (strlen(heddle_jobs_policies[k]->name) == length && !strncmp(heddle_jobs_policies[k]->name, name, length))
            return heddle_jobs_policies[k];
    return NULL;
}
