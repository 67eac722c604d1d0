/* SPDX-License-Identifier: Apache-2.0 */
/* Letters, codes and substitution scores. DNA letters become 0..3 and anything ambiguous a code
 * that equals nothing (4 in queries, 5 in targets); letters of a matrix become their place in the
 * alphabet. */
#ifndef SW_SCORING_H
#define SW_SCORING_H

#include "nest.h"

#include <stdbool.h>
#include <stddef.h>

struct sw_alphabet {
    const char *name;      /* for messages: "DNA", "protein", "matrix" */
    signed char code[256]; /* of a letter, -1: not a residue */
    char letter[SW_CODES]; /* of a code */
};

struct sw_scoring {
    bool matrix_mode; /* otherwise letters are compared */
    bool blosum62;    /* by --protein */
    struct sw_alphabet query, target;
    int matrix[SW_CODES][SW_CODES];     /* [query code][target code], filled in both modes */
    int transposed[SW_CODES][SW_CODES]; /* the same with the roles exchanged */
    int largest;                        /* largest entry */
    int open, extend;
    int match, mismatch;
};

void sw_scoring_dna(struct sw_scoring *scoring, int match, int mismatch);
void sw_scoring_blosum62(struct sw_scoring *scoring);
/* NCBI text format. Returns false and writes a message of the form "FILE:LINE: what". */
bool sw_scoring_file(struct sw_scoring *scoring, const char *path, char *message, size_t size);

/* What the nests take; swapped: targets are the rows. */
struct sw_scheme sw_scheme_of(const struct sw_scoring *scoring, bool swapped);
/* The same with the matrix in both modes, queries as rows. */
struct sw_scheme sw_scheme_matrix(const struct sw_scoring *scoring);

#endif
