/* SPDX-License-Identifier: Apache-2.0 */
/* The policies of `#pragma heddle graph`, for the engine and the simulator. A new one is a file in this folder that
   defines `heddle__graph_NAME`, and a row of HEDDLE_GRAPH_POLICIES in heddle/words.h. */
#ifndef HEDDLE_GRAPH_TABLE_H
#define HEDDLE_GRAPH_TABLE_H

#include <heddle/graph.h>
#include <heddle/words.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)
extern const struct heddle_graph_policy *const heddle_graph_policies[]; /* ended by NULL; the first is the default */
/* The first `length` characters of `name`; NULL: no such policy. */
const struct heddle_graph_policy *heddle__graph_find_policy(const char *name, size_t length);
#define HEDDLE_X(name, text) extern const struct heddle_graph_policy heddle__graph_##name;
HEDDLE_GRAPH_POLICIES(HEDDLE_X)
#undef HEDDLE_X
#pragma GCC visibility pop

#endif
