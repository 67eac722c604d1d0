/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of one sequence against many, and nothing else: where the best of them end is found afterwards, for those that
 * are reported. In 16 bits; what comes near their limit is computed again in 32. */
#ifndef SW_SCORES_H
#define SW_SCORES_H

#include "block.h"
#include "nest.h"

/* Sequences that lie one after the other in one array. */
struct sw_many {
    signed char *residues;
    long used;
    long *first; /* [count] */
    int *length; /* [count] */
    int count;
    long room, count_room;
    short *found; /* [count] scores, while all this is on a device, too (resident.h); else NULL */
    int device;
};
void sw_many_add(struct sw_many *many, struct sw_item item);
void sw_many_free(struct sw_many *many);

/* In 16 bits. */
void sw_narrow(const int (*matrix)[SW_CODES], short (*to)[SW_CODES]);

/* score[k] of the one against the k-th; the matrix has rows for queries. Resident scores are brought by `fetch`. */
typedef void sw_fetch(const struct sw_many *many);
void sw_scores(struct sw_engine *engine, struct sw_item one, bool one_is_query, const struct sw_many *many,
               sw_fetch *fetch, int *score);

/* The end of the alignment with this score, which is the pair's best, as struct sw_best has it; on this thread. */
void sw_find_end(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target, struct sw_best *best);

#endif
