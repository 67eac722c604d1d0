/* SPDX-License-Identifier: Apache-2.0 */
/* Where an alignment ends whose score is known, along antidiagonals, whose cells do not depend on each other: a
 * compiler makes vectors of them. */
#ifndef SW_DIAGONALS_H
#define SW_DIAGONALS_H

#include "block.h"

/* Sets best's ends, as struct sw_best has them. Letters are compared, and the score fits 16 bits. */
void sw_diagonals_find_end(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target,
                           struct sw_best *best);

#endif
