/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_EMIT_GRAPH_H
#define HEDDLE_EMIT_GRAPH_H

#include "analysis/nest.h"
#include "graph/graph.h"

bool emit_graph(struct graph *g);                                /* false after an error */
void emit_graph_call(struct graph *g, const struct nest *whole); /* graph_call.c: in and around the block */
void emit_graph_inside(struct graph *g);
bool emit_graph_task(struct graph_task *t, struct buf *out); /* graph.c: what stands before the function */
bool emit_graph_function(struct graph *f);                   /* graph_function.c: its form that records */

#endif
