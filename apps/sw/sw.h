/* SPDX-License-Identifier: Apache-2.0 */
/* The program's state, shared by its three parts: options and main (sw.c), alignment of files
 * (files.c), the benchmark of a seeded pair (seeded.c). */
#ifndef SW_SW_H
#define SW_SW_H

#include "app.h"
#include "block.h"
#include "hits.h"
#include "seqio.h"

struct settings {
    long match, mismatch, gap, open, extend, top, min_score, batch, seed;
    bool protein, align, pairs;
    const char *matrix, *strand, *format, *out;
};

struct sw {
    struct app app;
    struct settings set;
    struct sw_scoring scoring;
    struct sw_engine engine;
    struct sw_output output;
    bool plus, minus;

    struct seq_record *targets;
    struct sw_item *target_items;
    int target_count;
    double target_residues, query_residues;
    long queries_done;
    uint64_t checksum;
};

/* Each returns the exit status. */
int sw_run_files(struct sw *sw, int argc, char **argv);
int sw_run_seeded(struct sw *sw);

/* Scores of two sequences of these lengths fit the nests' 32-bit integers. */
bool sw_score_fits(const struct sw *sw, int x, int y);

#endif
