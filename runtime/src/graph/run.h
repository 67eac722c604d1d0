/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_GRAPH_RUN_H
#define HEDDLE_GRAPH_RUN_H

#include "engine.h"

/* Under the lock: the device with this memory cannot be read, and is given up. */
HEDDLE_HIDDEN void heddle__graph_lose_memory(struct heddle__graph_engine *e, int memory, int error);

enum { NONE = -1 };                  /* no task */
enum { WAITS, READY, TAKEN, ENDED }; /* a task */

/* ready.c, under the lock. Is the unit of a kind that can run the task? */
HEDDLE_HIDDEN bool heddle__graph_is_able(const struct heddle__graph_engine *e, int task,
                                         const struct heddle__graph_unit *u);
/* It waits for nobody any more. */
HEDDLE_HIDDEN void heddle__graph_make_ready(struct heddle__graph_engine *e, int task);
/* The task that the unit runs next, which is its own from now on; NONE. */
HEDDLE_HIDDEN int heddle__graph_ask(struct heddle__graph_engine *e, struct heddle__graph_unit *u);
/* The policy gives nobody a task, and nobody works: the first one to the first unit that can. */
HEDDLE_HIDDEN void heddle__graph_give_any(struct heddle__graph_engine *e);
/* For all who have nothing to do, in turn: a policy may let only some of them look for others' tasks. */
HEDDLE_HIDDEN void heddle__graph_offer(struct heddle__graph_engine *e);

/* rest.c, under the lock, which is given up meanwhile. Whether there is something to do; for a moment; until it is
   woken, or for so many seconds (0: no end). */
HEDDLE_HIDDEN bool heddle__graph_told(const struct heddle__graph_unit *u);
HEDDLE_HIDDEN void heddle__graph_look_around(struct heddle__graph_unit *u);
HEDDLE_HIDDEN void heddle__graph_sleep(struct heddle__graph_unit *u, double seconds);

#endif
