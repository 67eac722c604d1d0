/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules of `#pragma heddle for`, for the engine and the simulator. A new one is a file policy_*.c and a line
   in table.c. */
#ifndef HEDDLE_LOOP_POLICIES_H
#define HEDDLE_LOOP_POLICIES_H

#include <heddle/loop.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)
extern const struct heddle_loop_policy *const heddle_loop_policies[]; /* ended by NULL */
/* The first `length` characters of `name`; NULL: no such schedule. "auto" is always there. */
const struct heddle_loop_policy *heddle__loop_policy(const char *name, size_t length);
extern const struct heddle_loop_policy heddle__loop_static, heddle__loop_capability, heddle__loop_chunk,
    heddle__loop_gss, heddle__loop_fss, heddle__loop_tss, heddle__loop_hybrid, heddle__loop_egs, heddle__loop_pina,
    heddle__loop_steal, heddle__loop_steal_time, heddle__loop_lp, heddle__loop_auto;
#pragma GCC visibility pop

#endif
