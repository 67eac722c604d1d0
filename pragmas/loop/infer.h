/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of arrays that chunks need. */
#ifndef HEDDLE_FOR_INFER_H
#define HEDDLE_FOR_INFER_H

#include "analysis/area.h"
#include "loop.h"

/* apart.c: what two chunks bring back has nothing in common */
bool for_apart(struct for_loop *f, const area_list *all);

#endif
