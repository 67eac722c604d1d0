/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_GRAPH_RUN_H
#define HEDDLE_GRAPH_RUN_H

#include "engine.h"

/* Under the lock: the device with this memory cannot be read, and is given up. */
HEDDLE_HIDDEN void heddle__graph_lose_memory(struct heddle__graph_engine *e, int memory, int error);

#endif
