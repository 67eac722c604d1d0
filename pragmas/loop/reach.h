/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c: where arrays that are read through an index are read, looked up before the loop */
#ifndef HEDDLE_FOR_REACH_H
#define HEDDLE_FOR_REACH_H

#include "loop.h"

bool for_reach(struct for_loop *f, struct var *v); /* v->map_first and v->map_count name what the text leaves */
const char *for_reach_text(struct for_loop *f);    /* C, before the list of maps; "": nothing is looked up */

#endif
