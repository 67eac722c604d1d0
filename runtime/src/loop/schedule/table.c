/* SPDX-License-Identifier: Apache-2.0 */
/* The table of schedules, one line each, and the look-up by name. */
#include "table.h"
#include <string.h>

const struct heddle_loop_policy *const heddle_loop_policies[] = {
    &heddle__loop_static,     &heddle__loop_capability,
    &heddle__loop_chunk,      &heddle__loop_gss,
    &heddle__loop_fss,        &heddle__loop_tss,
    &heddle__loop_hybrid,     &heddle__loop_egs,
    &heddle__loop_pina,       &heddle__loop_steal,
    &heddle__loop_steal_time, &heddle__loop_lp,
    &heddle__loop_auto,       NULL,
};

const struct heddle_loop_policy *heddle__loop_policy(const char *name, size_t length) {
    for (int k = 0; heddle_loop_policies[k]; k++)
        if (strlen(heddle_loop_policies[k]->name) == length && !strncmp(heddle_loop_policies[k]->name, name, length))
            return heddle_loop_policies[k];
    return NULL;
}
