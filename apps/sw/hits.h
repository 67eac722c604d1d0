/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of one query, best first, and their output as TSV or SAM. */
#ifndef SW_HITS_H
#define SW_HITS_H

#include "align.h"
#include "seqio.h"
#include "statistics.h"

#include <stdio.h>

struct sw_hit {
    struct sw_best best; /* target is an index into the target list */
    bool minus;          /* the reverse complement of the query was aligned */
};

/* What the hits of one query have in common. */
struct sw_hits {
    struct sw_hit *at;
    int count, room;
    int least;           /* smallest score of a hit */
    double search_space; /* for E-values */
};

/* top > 0: keeps the list in order, and that many at most. Order: score, then target, then strand. */
void sw_hits_add(struct sw_hits *hits, struct sw_hit hit, int top);
void sw_hits_sort(struct sw_hits *hits); /* where top was 0: the list comes into order here */

struct sw_output {
    FILE *file;
    const struct sw_scoring *scoring;
    const struct sw_statistics *statistics; /* NULL: no columns for them */
    const struct seq_record *targets;
    int target_count;
    bool sam, align;
};

void sw_output_header(const struct sw_output *output, int argc, char **argv);

/* One query with both its strands (reverse may be NULL). Returns what sw_align() says of the first
 * hit that could not be aligned; hits before it are written. */
enum sw_align_status sw_output_query(const struct sw_output *output, const struct seq_record *query,
                                     const signed char *reverse, const struct sw_hits *hits);

/* SAM knows sequences by their names. The first target whose name one before it has; NULL: none. */
const struct seq_record *sw_sam_twin(const struct seq_record *targets, int count);
/* Whether SAM can hold the name: neither too long nor read as something else. */
enum { SAM_NAME_MOST = 254 };
bool sw_sam_name(const char *name, bool target);

#endif
