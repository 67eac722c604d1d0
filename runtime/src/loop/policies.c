/* SPDX-License-Identifier: Apache-2.0 */
/* The table of schedules, one line each, and the look-up by name. The first one stands in for a missing "auto". */
#include "policies.h"
#include <string.h>

extern const struct heddle_loop_policy heddle__loop_static;

const struct heddle_loop_policy *const heddle_loop_policies[] = {
    &heddle__loop_static,
    NULL,
};

const struct heddle_loop_policy *heddle__loop_policy(const char *name, size_t length)
{
    for (int k = 0; heddle_loop_policies[k]; k++)
        if (strlen(heddle_loop_policies[k]->name) == length && !strncmp(heddle_loop_policies[k]->name, name, length))
            return heddle_loop_policies[k];
    return length == 4 && !strncmp(name, "auto", 4) ? heddle_loop_policies[0] : NULL;
}
