/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop of peptide: every spectrum against the candidates in its mass windows. nest_score.c is compiled
 * twice: by heddle, and with -DPEPTIDE_SERIAL by a plain compiler that ignores the pragma; the second one is the
 * reference of --check. All numbers are integers, so the results are the same to the bit wherever a spectrum is scored.
 *
 * Masses are fixed-point numbers of 2^-shift bins; a bin is an eighth of the fragment tolerance's width. */
#ifndef PEPTIDE_NEST_H
#define PEPTIDE_NEST_H

#include <stdint.h>

enum { TOP = 5, FRAGMENT_CHARGES = 4, SCORE_BITS = 16, LOG_BITS = 24 };

/* The same for all spectra. */
struct score_plan {
    uint32_t mass[256]; /* of a residue code */
    uint32_t start[FRAGMENT_CHARGES + 1],
        end[FRAGMENT_CHARGES + 1];          /* added to a prefix's / suffix's residues for charge z */
    uint32_t inverse[FRAGMENT_CHARGES + 1]; /* 2^31 / z */
    uint32_t shift;
    uint32_t charges; /* highest charge of a fragment */
    uint32_t least;   /* fewer matched ions score nothing */
    uint32_t sparse;  /* tables have an index of this many words in front (score.h), 0: they are flat */
    uint32_t stride;  /* words of a spectrum's table */
    uint32_t windows; /* of a spectrum */
    uint32_t depth;   /* best keys that a part keeps: TOP, or 1 and more are found again later (search.c) */
};

/* Candidates low ... high - 1 are within the precursor tolerance of the spectrum at this charge; high = 0: unused. */
struct window {
    uint32_t low, high, charge;
};

/* The bins of a spectrum: low ... low + span can be told from noise; `count` peaks of each intensity class, `bins`
 * places where a peak could be. */
struct shape {
    uint32_t low, span;
    uint32_t count[3], bins;
};

struct score_job {
    const struct score_plan *plan;
    long spectra, candidates, words, logs_count;
    int parts;                  /* a device's threads share a spectrum's candidates: thread p takes each parts-th one */
    const uint32_t *tables;     /* [spectra][plan->stride] classes of bins, 2 bits each */
    const struct shape *shapes; /* [spectra] */
    const struct window *windows; /* [spectra][plan->windows] */
    const uint64_t *residues;     /* [words], see peptides.h */
    const uint32_t *first;        /* [candidates + 1] */
    const uint32_t *totals;       /* [candidates] mass of all residues */
    const int64_t *logs;          /* [logs_count] ln k! in units of 2^-LOG_BITS */
    uint64_t *best;               /* [spectra][parts][depth] keys, falling; 0: none */
};

/* A key orders hits: score in units of 2^-SCORE_BITS above, the lower candidate first among equals. */
static inline uint32_t key_score(uint64_t key) { return (uint32_t)(key >> 32); }
static inline uint32_t key_candidate(uint64_t key) { return ~(uint32_t)key; }

/* What a CPU thread does in place of score_part() in nest_score.c: part 0 takes all candidates in one go
 * and writes the TOP best keys, also into the places of the next parts; those leave them alone. */
void score_part_host(const struct score_plan *plan, const struct shape *shape, const uint32_t *table,
                     const struct window *windows, const uint64_t *residues, const uint32_t *first,
                     const uint32_t *totals, const int64_t *logs, uint32_t begin, uint32_t step, uint64_t *best);

typedef void peptide_score(const struct score_job *job);
extern peptide_score peptide_score_heddle, peptide_score_serial;

#ifdef PEPTIDE_SERIAL
#define PEPTIDE_NEST(name) name##_serial
#else
#define PEPTIDE_NEST(name) name##_heddle
#endif

#endif
