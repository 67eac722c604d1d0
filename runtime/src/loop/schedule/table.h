/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules of `#pragma heddle for`, for the engine and the simulator. A new one is a file in this folder that
   defines `heddle__loop_NAME`, and a row of HEDDLE_LOOP_SCHEDULES in heddle/words.h. */
#ifndef HEDDLE_LOOP_POLICIES_H
#define HEDDLE_LOOP_POLICIES_H

#include <heddle/loop.h>
#include <heddle/words.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)
extern const struct heddle_loop_policy *const heddle_loop_policies[]; /* ended by NULL */
/* The first `length` characters of `name`; NULL: no such schedule. "auto" is always there. */
const struct heddle_loop_policy *heddle__loop_find_policy(const char *name, size_t length);
#define HEDDLE_X(name, text) extern const struct heddle_loop_policy heddle__loop_##name;
HEDDLE_LOOP_SCHEDULES(HEDDLE_X)
#undef HEDDLE_X
#pragma GCC visibility pop

#endif
