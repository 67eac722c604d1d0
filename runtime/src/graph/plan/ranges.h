/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which earlier tasks a task waits for, by the bytes that they access: two tasks are ordered where their ranges overlap
 * and one of them writes, whatever the ranges' first addresses are. Pure functions over numbers; no locks.
 */
#ifndef HEDDLE_GRAPH_RANGES_H
#define HEDDLE_GRAPH_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct heddle__range { /* of a depend item; an empty one counts as its first byte */
    uintptr_t begin, end;
    bool writes; /* out, inout, mutexinoutset, inoutset; false: in */
};

struct heddle__ranges;
struct heddle__ranges *heddle__ranges_make(void); /* NULL: out of memory */
void heddle__ranges_free(struct heddle__ranges *r);

/* The next task in the program's order; tasks count from 0. Returns how many earlier tasks it waits for; they stand in
   *before, each once and in no order, until the next call. What follows from others is left out: a writer waits for the
   readers since the last writer, and for that one only where nobody has read. -1: out of memory; nothing can be
   said of later tasks until all have ended (heddle__ranges_clear). */
long heddle__ranges_add(struct heddle__ranges *r, const struct heddle__range *range, int count, const long **before);
long heddle__ranges_tasks(const struct heddle__ranges *r); /* that were added: the next one's number */

/* All tasks before number `ended` have ended: nobody waits for them any more, and what is kept of them goes. Takes time
   in proportion to what is kept (heddle__ranges_kept), so call it when that has doubled. */
void heddle__ranges_forget(struct heddle__ranges *r, long ended);
long heddle__ranges_kept(const struct heddle__ranges *r);
void heddle__ranges_clear(struct heddle__ranges *r); /* all tasks have ended; the next one is number 0 */

#pragma GCC visibility pop
#endif
