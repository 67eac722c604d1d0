/* SPDX-License-Identifier: Apache-2.0 */
/* Loops and jobs of several host threads at once. */
#ifndef HEDDLE_DEVICE_TURNS_H
#define HEDDLE_DEVICE_TURNS_H

#include "device.h"

/* A call's place among those that are under way, 0 to HEDDLE__SEATS - 1; -1: all are taken, or this thread works for
 * one. Devices keep memory of each. Whoever gets -1 runs serially. */
HEDDLE_HIDDEN HEDDLE__FIRST int heddle__seat_take(void);
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__seat_leave(int seat);
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__seats_shared(void); /* more than one is taken */

/* Around what a thread computes of a call, a piece at a time. */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__turn_begin(void);
/* Between two pieces, for a thread that has the next one and waits for nobody else: it keeps its turn for a while. */
HEDDLE_HIDDEN HEDDLE__FIRST bool heddle__turn_go_on(bool counted); /* what `begin`, or this one, has returned */
HEDDLE_HIDDEN HEDDLE__FIRST void heddle__turn_end(bool counted);   /* what either has returned */

#endif
