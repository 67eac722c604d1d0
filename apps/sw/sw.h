/* SPDX-License-Identifier: Apache-2.0 */
/* The program's state, shared by its parts: options and main (sw.c), alignment of files (files.c, queries.c), the
 * benchmark of a seeded pair (seeded.c). */
#ifndef SW_SW_H
#define SW_SW_H

#include "app.h"
#include "block.h"
#include "hits.h"
#include "scores.h"
#include "seqio.h"

#include <stdatomic.h>

struct settings {
    long match, mismatch, gap, open, extend, top, min_score, batch, hold, seed;
    double evalue; /* < 0: no limit */
    bool protein, align, pairs;
    const char *matrix, *strand, *format, *out;
};

struct sw {
    struct app app;
    struct settings set;
    struct sw_scoring scoring;
    struct sw_statistics statistics;
    struct sw_engine engine;
    struct sw_output output;
    bool plus, minus;

    struct seq_record *targets;
    struct sw_item *target_items;
    struct sw_many many; /* the targets' residues */
    int target_count, longest_target;
    struct seq_reader *rest; /* of targets that are too many to be held; NULL: all are */
    double database_count;   /* targets, held or not */
    double target_residues, query_residues;
    atomic_long queries_done; /* written */
    uint64_t checksum;
};

/* Each returns the exit status. */
int sw_run_files(struct sw *sw, int argc, char **argv);
int sw_run_seeded(struct sw *sw);
/* files.c has opened everything; -1: all queries are done. */
int sw_run_queries(struct sw *sw, struct seq_reader *reader, int argc, char **argv);

/* Scores of two sequences of these lengths fit the nests' 32-bit integers. */
bool sw_score_fits(const struct sw *sw, int x, int y);

#endif
