/* SPDX-License-Identifier: Apache-2.0 */
/* Rectangles of a chunk's arrays as rows in its image. */
#ifndef HEDDLE_LOOP_RECTS_H
#define HEDDLE_LOOP_RECTS_H

#include "engine.h"
#include "transfer/segments.h"

HEDDLE_HIDDEN size_t heddle__rects_rows(const struct heddle_rect *rect, int n);
/* The rows of one map that go in, or out, in their order and apart; `whole`: its section. Their number. */
HEDDLE_HIDDEN int heddle__rects_segments(const struct heddle_rect *rect, int n, int map, const struct heddle_map *m,
                                         bool in, const struct heddle__segment *whole, struct heddle__segment *out);

#endif
