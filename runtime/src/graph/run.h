/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_GRAPH_RUN_H
#define HEDDLE_GRAPH_RUN_H

#include "engine.h"

/* Under the lock: the device with this memory cannot be read, and is given up. */
HEDDLE_HIDDEN void heddle__graph_lose_memory(struct heddle__graph_engine *e, int memory, int error);

enum { NONE = -1 }; /* no task */
/* rest.c, under the lock, which is given up meanwhile. Whether there is something to do; for a moment; until it is
   woken, or for so many seconds (0: no end). */
HEDDLE_HIDDEN bool heddle__graph_told(const struct heddle__graph_unit *u);
HEDDLE_HIDDEN void heddle__graph_look_around(struct heddle__graph_unit *u);
HEDDLE_HIDDEN void heddle__graph_sleep(struct heddle__graph_unit *u, double seconds);

#endif
