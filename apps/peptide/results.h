/* SPDX-License-Identifier: Apache-2.0 */
/* What was found: false discovery rates by decoys, and the table. */
#ifndef PEPTIDE_RESULTS_H
#define PEPTIDE_RESULTS_H

#include "search.h"

struct results {
    struct hit *hits; /* [spectra][TOP] */
    int *counts;      /* [spectra] */
    double *q;        /* [spectra] of the best hit; 1 where there is none */
    long identified;  /* spectra with a target at q <= 0.01 */
    long matched;     /* spectra with any hit */
    bool decoys;      /* there are some; without them q is not known */
};

struct table_options {
    long top;      /* hits per spectrum */
    double most_q; /* of the best hit; 1: all */
    char **file;   /* names of the spectra's files, NULL: none are shown */
};

/* A hit counts as a decoy only if all its proteins are. q of a hit is the smallest decoys / targets among the best hits
 * of all spectra with at least some score up to its own (Elias, Gygi 2007, with decoys in the same search). */
void results_make(struct results *r, const struct search *s, const struct proteins *p);
bool results_write(const struct results *r, const struct search *s, const struct proteins *p,
                   const struct table_options *o, FILE *out);
uint64_t results_hash(const struct search *s);
void results_free(struct results *r);

/* Whether every occurrence of a candidate's sequence is in a decoy. */
bool candidate_is_decoy(const struct candidates *c, const struct proteins *p, uint32_t candidate);
/* "K.PEPM[+15.9949]TIDER.S", '-' at a protein's end. */
void candidate_spell(const struct candidates *c, const struct proteins *p, const struct chemistry *chemistry,
                     uint32_t candidate, FILE *out);

#endif
