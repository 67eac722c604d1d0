/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of many alignments with one query at once. */
#ifndef SW_ENDS_H
#define SW_ENDS_H

#include "hits.h"
#include "scores.h"

/* Hits get their ends if they have a score and no end, where they are so many that it pays; the others are left for
 * sw_find_end(). By a matrix only. */
void sw_find_ends(struct sw_engine *engine, struct sw_item query, const struct sw_many *targets, struct sw_hits *hits);

#endif
