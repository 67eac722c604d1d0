/* SPDX-License-Identifier: Apache-2.0 */
/* Scores every query of a block against every target of it. The side with more sequences is joined
 * into rows, at most rows_most at a time, the other gives one nest per sequence. Memory: about 17
 * bytes per row and 13 per column; a sequence longer than rows_most makes rows of its own. */
#ifndef SW_BLOCK_H
#define SW_BLOCK_H

#include "scoring.h"

struct sw_item {
    const signed char *codes;
    int length;
};

/* Best local alignment of one query against one target. Ends count from 1; among equal scores the
 * smallest query end, then the smallest target end. Score 0: both ends are 0. */
struct sw_best {
    int query, target; /* index in the block */
    int score, query_end, target_end;
};

typedef void sw_found(void *cookie, const struct sw_best *best);

struct sw_engine {
    const struct sw_scoring *scoring;
    long rows_most;
    int repeat;
    bool check; /* run the serial nests as well and compare */

    double seconds, cells; /* results: sum of the medians of the nests; cells of the matrices */
    bool differs;          /* result of check */
    struct sw_buffers *buffers;
};

void sw_engine_start(struct sw_engine *engine);
void sw_engine_stop(struct sw_engine *engine);
void sw_score_block(struct sw_engine *engine, const struct sw_item *queries, int query_count,
                    const struct sw_item *targets, int target_count, sw_found *found, void *cookie);

#endif
