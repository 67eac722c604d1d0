/* SPDX-License-Identifier: Apache-2.0 */
/* Targets that are too many to be held: all queries are held instead, and the targets go past them in chunks, of which
 * the next one is read while one is scored. Only targets of hits are kept. */
#ifndef SW_DATABASE_H
#define SW_DATABASE_H

#include "batch.h"
#include "sw.h"

/* Scores a chunk's targets; the first one is the `first`-th of all. Hits get numbers of targets among all. */
typedef void sw_score_chunk(struct sw *sw, struct batch *queries, struct sw_many *chunk, int first);

/* sw->targets are the first ones, rest gives the others. Afterwards they are those of hits, which have their numbers.
 * -1, or the exit status. */
int sw_database(struct sw *sw, struct seq_reader *rest, struct batch *queries, sw_score_chunk *score);

#endif
