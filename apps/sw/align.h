/* SPDX-License-Identifier: Apache-2.0 */
/* From a score and its end cell to the alignment. Nothing was kept from the scoring: the start is
 * found by an anchored pass backwards in a window that grows until the score is reached, the path
 * by tracing a band or, where even that is large, by Myers and Miller's divide and conquer, whose
 * checkpoints are one row per half problem. The band is as wide as the gaps that the score leaves
 * room for, so nothing is missed. Memory: O(window length) + 4 MiB of directions, whatever the
 * sequences. */
#ifndef SW_ALIGN_H
#define SW_ALIGN_H

#include "block.h"

struct sw_path {
    int query_start, target_start; /* from 1 */
    int matches;                   /* columns with equal residues */
    int columns;
    int edits;        /* mismatches and gap residues */
    char *operations; /* [columns] one of = X I D each, terminated */
};

enum sw_align_status { SW_ALIGN_OK, SW_ALIGN_TOO_LONG, SW_ALIGN_WRONG };

/* SW_ALIGN_WRONG means that scores disagree: a bug, or a broken device. The caller frees
 * operations. */
enum sw_align_status sw_align(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target,
                              const struct sw_best *best, struct sw_path *path);

/* Score of a path, recomputed from the operations alone. */
long sw_path_score(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target,
                   const struct sw_path *path);

/* Run-length form of operations; the caller frees it. */
char *sw_cigar(const char *operations);

#endif
