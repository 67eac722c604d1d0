/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A child of fork() has the memory of its parent but only the thread that forked. What other threads were doing in
 * libheddle, libomp or libomptarget stays half done for ever, with its locks held. So every call that runs something is
 * counted while it runs; a child that finds others' calls in its copy of the count runs its loops as they are written,
 * and touches nothing that those may have left.
 */
#include "internal.h"
#include <pthread.h>

HEDDLE__AT_HAND static atomic_int inside; /* calls that are under way */
static _Thread_local int mine;            /* ... on this thread */
HEDDLE__AT_HAND static bool child, alone; /* changed while there is one thread */
static atomic_bool said;

bool heddle__forked(void) { return child; }
bool heddle__forked_inside(void) { return alone; }

static void in_child(void) {
    child = true;
    alone |= atomic_load(&inside) != mine;
    atomic_store(&inside, mine);
}

__attribute__((constructor)) static void watch(void) { pthread_atfork(NULL, NULL, in_child); }

void heddle__call_begin(void) {
    mine++;
    atomic_fetch_add(&inside, 1);
}

void heddle__call_end(void) {
    mine--;
    atomic_fetch_sub(&inside, 1);
}

bool heddle__enter(const struct heddle_site *site) {
    HEDDLE__AT_HAND static atomic_bool entered;
    if (!atomic_load(&entered) && !atomic_exchange(&entered, true) && heddle__options_any())
        heddle__options_check();
    if (alone) {
        if (!atomic_exchange(&said, true))
            heddle__warn(site, "this process was forked while another thread was in a loop or pool; it runs its own "
                               "serially. Fork first, or start a program (exec)");
        return false;
    }
    heddle__call_begin();
    return true;
}

void heddle__leave(void) {
    if (!alone)
        heddle__call_end();
}
