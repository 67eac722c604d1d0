/* SPDX-License-Identifier: Apache-2.0 */
/* The policies of `#pragma heddle jobs`, for the engine and the simulator. A new one is a file in this folder that
   defines `heddle__jobs_NAME`, and a row of HEDDLE_JOBS_POLICIES in heddle/words.h. */
#ifndef HEDDLE_JOBS_TABLE_H
#define HEDDLE_JOBS_TABLE_H

#include <heddle/jobs.h>
#include <heddle/words.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)
extern const struct heddle_jobs_policy *const heddle_jobs_policies[]; /* ended by NULL; the first is the default */
/* The first `length` characters of `name`; NULL: no such policy. */
const struct heddle_jobs_policy *heddle__jobs_find_policy(const char *name, size_t length);
#define HEDDLE_X(name, text) extern const struct heddle_jobs_policy heddle__jobs_##name;
HEDDLE_JOBS_POLICIES(HEDDLE_X)
#undef HEDDLE_X
#pragma GCC visibility pop

#endif
