/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_EMIT_GRAPH_H
#define HEDDLE_EMIT_GRAPH_H

#include "analysis/nest.h"
#include "graph/graph.h"

bool emit_graph(struct graph *g);                                /* false after an error */
void emit_graph_call(struct graph *g, const struct nest *whole); /* graph_call.c: in and around the block */

#endif
