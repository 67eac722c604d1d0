/* SPDX-License-Identifier: Apache-2.0 */
/* The policies of the device selector, for the selector and the simulator. A new one is a file in this folder that
   defines `heddle__policy_NAME`, and a row of HEDDLE_POLICIES in heddle/words.h. */
#ifndef HEDDLE_POLICY_TABLE_H
#define HEDDLE_POLICY_TABLE_H

#include <heddle/policy.h>
#include <heddle/words.h>

#pragma GCC visibility push(hidden)
#define HEDDLE_X(name, text) extern const struct heddle_policy heddle__policy_##name;
HEDDLE_POLICIES(HEDDLE_X)
#undef HEDDLE_X
#pragma GCC visibility pop

/* For an array of pointers. */
#define HEDDLE__POLICY_ROW(name, text) &heddle__policy_##name,
#endif
