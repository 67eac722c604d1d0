/* SPDX-License-Identifier: Apache-2.0 */
/* How likely a score is by chance: S. Karlin, S. F. Altschul, PNAS 87 (1990) 2264; with gaps S. F. Altschul,
 * W. Gish, Methods Enzymol. 266 (1996) 460. Edge effects as BLAST counts them: S. F. Altschul, R. Bundschuh, R. Olsen,
 * T. Hwa, Nucleic Acids Res. 29 (2001) 351. */
#ifndef SW_STATISTICS_H
#define SW_STATISTICS_H

#include "scoring.h"

struct sw_statistics {
    bool known;  /* otherwise nothing else counts */
    bool gapped; /* measured with these gap costs, as NCBI publishes it; else computed for alignments without gaps,
                    which gives E-values that are too small */
    double lambda, K, H;
    double alpha, beta; /* expected length of an alignment in residues: alpha * score + beta, roughly */
};

/* BLOSUM62 with NCBI's gap costs from its table; other matrices of the amino acids by computation. Not known: letters,
 * and matrices whose expected score is not below 0. */
struct sw_statistics sw_statistics_of(const struct sw_scoring *scoring);

/* Residues that an alignment may not begin in since it would run over an end: of each of `count` sequences with so many
 * residues together, and of the query. */
long sw_length_adjustment(const struct sw_statistics *s, long query, double residues, double count);
/* Pairs of positions where one may begin. */
double sw_search_space(const struct sw_statistics *s, long query, double residues, double count);

/* It will not be smaller than that, however many sequences are added to these residues. */
double sw_search_space_least(const struct sw_statistics *s, long query, double residues);

double sw_bits(const struct sw_statistics *s, int score);
double sw_evalue(const struct sw_statistics *s, double search_space, int score);
/* The smallest score whose E-value is not above `most`. */
int sw_least_score(const struct sw_statistics *s, double search_space, double most);

#endif
