/* SPDX-License-Identifier: Apache-2.0 */
/* A batch of queries with all that is made of them. */
#ifndef SW_BATCH_H
#define SW_BATCH_H

#include "hits.h"
#include "segments.h"

struct failure {
    int status; /* exit status, -1: there is none */
    char text[1024];
};
void failure_set(struct failure *failure, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Some queries whose hits one thread aligns, and their output. */
struct part {
    int first, last; /* the one after them */
    char *text;
    size_t size;
    struct failure failure; /* of the query after those in the text */
};

struct batch {
    long first; /* queries before it */
    struct seq_record *at;
    struct sw_hits *hits;
    signed char **reverse; /* complements */
    struct sw_item *items; /* plus and minus strands in turn */
    int count, room, item_count;
    bool last;   /* the file ends here */
    bool scored; /* by sw_database() */
    struct sw_segments segments;
    struct part *parts;
    int part_count;
    struct failure failure; /* comes after the results of all its queries */
};

/* Returns what the last seq_next() said: 1: the batch is full, 0: end of file, -1: bad record. */
int batch_read(struct batch *batch, struct seq_reader *reader, long residues_most);
void batch_prepare(struct batch *batch, bool plus, bool minus);
int batch_cut(struct batch *batch); /* into parts; their number */
void batch_free(struct batch *batch);

#endif
