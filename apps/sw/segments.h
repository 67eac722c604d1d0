/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of reads against long targets, compared by letter. A target is cut into segments that overlap by as much as
 * the best alignment of the read can be long, so that each lies whole in one of them. Every pair of a read and a
 * segment is a problem of its own; afterwards an end is searched for in those segments alone that have the score. */
#ifndef SW_SEGMENTS_H
#define SW_SEGMENTS_H

#include "scores.h"

struct sw_segments {
    short *score; /* of each item's segments, target after target */
    long *first;  /* [items + 1] where an item's begin */
    int partners; /* so many items, one after the other, meet one target each: set before; 0: every item meets all */
    int first_partner;
};

/* Scores of all items with their targets, in the order of the items and their targets. found() gets ends of 0: still to
 * be searched for; the few scores beyond 16 bits come with ends. */
void sw_segments_score(struct sw_segments *segments, struct sw_engine *engine, const struct sw_item *items, int count,
                       const struct sw_many *targets, sw_found *found, void *cookie);
void sw_segments_free(struct sw_segments *segments);

/* best->query: index of the item. On this thread. */
void sw_segments_find_end(const struct sw_segments *segments, const struct sw_scoring *scoring, struct sw_item item,
                          const struct sw_many *targets, struct sw_best *best);

#endif
