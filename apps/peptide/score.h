/* SPDX-License-Identifier: Apache-2.0 */
/* The score of one candidate: plain functions over integers, used by the loop and by the report of its best hits.
 *
 * Multivariate hypergeometric (Tabb, Fernando, Chambers 2007; Weber 2012, equations 6.2, 6.3): of T places where a peak
 * could be, m1, m2, ... hold a peak of class 1, 2, ... and the rest none; the candidate's M ions draw k1, k2, ... of
 * them. The score is -ln of the probability to draw just these by chance. Candidates that match fewer ions than chance
 * would are rare too, but no hits: their score is 0. */
#ifndef PEPTIDE_SCORE_H
#define PEPTIDE_SCORE_H

#include "nest.h"

/* Ions found: class c in bits 16 c ... 16 c + 15 (class 0 is not counted well: it has ions outside the range too). */
struct matches {
    uint64_t classes;
    uint32_t inside; /* ions that lie in the spectrum's range */
};

/* Two bits. A sparse table starts with pairs of words for 32 blocks of 64 bins each: a bit for every block that is
 * there, and the number of those before; the blocks follow. */
static inline uint32_t class_of(const uint32_t *table, uint32_t bin, uint32_t sparse) {
    uint32_t word = bin >> 4;
    if (sparse) {
        const uint32_t *pair = table + (bin >> 11 << 1), there = pair[0] >> (bin >> 6 & 31);
        if (!(there & 1))
            return 0;
        const uint32_t before = pair[1] + (uint32_t)__builtin_popcount(pair[0] & ((1u << (bin >> 6 & 31)) - 1));
        word = sparse + 4 * before + (word & 3);
    }
    return table[word] >> (2 * (bin & 15)) & 3;
}

static inline void match_ion(const struct shape *shape, const uint32_t *table, uint32_t sparse, uint32_t bin,
                             struct matches *m) {
    const uint32_t place = bin - shape->low; /* below the range this is huge */
    const uint32_t inside = place <= shape->span;
    m->classes += UINT64_C(1) << (16 * class_of(table, inside ? place : shape->span + 1, sparse));
    m->inside += inside;
}

/* Prefix (b) and suffix (y) ions of charge z. The last residue is where the prefix has the whole mass. */
static inline void match_ions(const struct score_plan *plan, const struct shape *shape, const uint32_t *table,
                              const uint64_t *residues, uint32_t total, uint32_t z, struct matches *m) {
    const uint32_t start = plan->start[z], end = plan->end[z] + total, shift = 31 + plan->shift, sparse = plan->sparse;
    const uint64_t inverse = plan->inverse[z];
    uint32_t prefix = 0;
    for (uint64_t word = *residues;; word = *++residues)
        for (int k = 0; k < 8; k++, word >>= 8) {
            prefix += plan->mass[word & 255];
            if (prefix == total)
                return;
            match_ion(shape, table, sparse, (uint32_t)((prefix + start) * inverse >> shift), m);
            match_ion(shape, table, sparse, (uint32_t)((end - prefix) * inverse >> shift), m);
        }
}

/* ln of n over k. */
static inline int64_t log_choose(const int64_t *logs, uint32_t n, uint32_t k) {
    return logs[n] - logs[k] - logs[n - k];
}

/* In units of 2^-SCORE_BITS. */
static inline uint32_t mvh_score(const struct score_plan *plan, const struct shape *shape, const int64_t *logs,
                                 const struct matches *m) {
    uint32_t matched = 0, peaks = 0;
    int64_t p = 0;
    for (int c = 0; c < 3; c++) {
        uint32_t k = (uint32_t)(m->classes >> (16 * (c + 1))) & 0xffff;
        k = k < shape->count[c] ? k : shape->count[c]; /* two ions may share a peak */
        p += log_choose(logs, shape->count[c], k);
        matched += k;
        peaks += shape->count[c];
    }
    if (matched < plan->least || (uint64_t)matched * shape->bins <= (uint64_t)m->inside * peaks)
        return 0;
    uint32_t missed = m->inside - matched;
    missed = missed < shape->bins - peaks ? missed : shape->bins - peaks;
    p += log_choose(logs, shape->bins - peaks, missed);
    p = log_choose(logs, shape->bins, matched + missed) - p;
    return p > 0 ? (uint32_t)(p >> (LOG_BITS - SCORE_BITS)) : 0;
}

/* Fragments have at most one charge less than the precursor. */
static inline uint32_t highest_charge(const struct score_plan *plan, uint32_t charge) {
    return charge < 3 ? 1 : charge - 1 < plan->charges ? charge - 1 : plan->charges;
}

/* Candidate k as an ion of charge `charge`; the matches are left in *m. */
static inline uint32_t score_candidate(const struct score_plan *plan, const struct shape *shape, const uint32_t *table,
                                       const int64_t *logs, const uint64_t *residues, uint32_t total, uint32_t charge,
                                       struct matches *m) {
    const uint32_t most = highest_charge(plan, charge);
    m->classes = 0;
    m->inside = 0;
    for (uint32_t z = 1; z <= most; z++)
        match_ions(plan, shape, table, residues, total, z, m);
    return mvh_score(plan, shape, logs, m);
}

/* Keeps the keys falling and different (windows of two charges may overlap); the smallest one drops out. */
static inline void keep_best(uint64_t *top, uint32_t score, uint32_t candidate) {
    uint64_t key = (uint64_t)score << 32 | (uint32_t)~candidate;
    if (!score || key <= top[TOP - 1])
        return;
    for (int k = 0; k < TOP; k++) {
        const uint64_t old = top[k];
        if (key == old)
            return;
        top[k] = key > old ? key : old;
        key = key > old ? old : key;
    }
}

#endif
