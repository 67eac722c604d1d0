/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over spectra. How long a spectrum takes depends on how many candidates have its mass. */
#include "nest.h"
#include "score.h"

#ifdef _OPENMP
#include <omp.h>
#define ON_HOST omp_is_initial_device()
#else
#define ON_HOST 1
#endif

/* Keeps the keys falling; the smallest one drops out. */
static inline void insert(uint64_t *top, uint64_t key) {
    for (int k = 0; k < TOP; k++) {
        const uint64_t old = top[k];
        top[k] = key > old ? key : old;
        key = key > old ? old : key;
    }
}

/* On a device, threads of consecutive parts read consecutive candidates; a core does all candidates in one go. */
static inline void score_part(const struct score_plan *plan, const struct shape *shape, const uint32_t *table,
                              const struct window *windows, const uint64_t *residues, const uint32_t *first, const uint32_t *totals,
                              const int64_t *logs, int part, int parts, uint64_t *best) {
    uint64_t top[TOP] = {0};
    const uint32_t step = ON_HOST ? 1 : (uint32_t)parts, begin = (uint32_t)part;
    for (uint32_t w = 0; w < plan->windows && (begin == 0 || !ON_HOST); w++)
        for (uint32_t k = windows[w].low + begin; k < windows[w].high; k += step) {
            struct matches m;
            const uint32_t score = score_candidate(plan, shape, table, logs, residues + first[k], totals[k], windows[w].charge, &m);
            const uint64_t key = (uint64_t)score << 32 | (uint32_t)~k;
            if (score && key > top[TOP - 1])
                insert(top, key);
        }
    for (int k = 0; k < TOP; k++)
        best[k] = top[k];
}

void PEPTIDE_NEST(peptide_score)(const struct score_job *job) {
    const struct score_plan *plan = job->plan;
    const long spectra = job->spectra;
    const int parts = job->parts;
    const uint32_t stride = plan->stride, count = plan->windows;
    const uint32_t *tables = job->tables, *first = job->first, *totals = job->totals;
    const struct shape *shapes = job->shapes;
    const struct window *windows = job->windows;
    const uint64_t *residues = job->residues;
    const int64_t *logs = job->logs;
    uint64_t *best = job->best;
#ifndef PEPTIDE_SERIAL
#pragma omp parallel for schedule(dynamic)
#endif
    for (long s = 0; s < spectra; s++)
        for (int p = 0; p < parts; p++)
            score_part(plan, &shapes[s], tables + (uint64_t)s * stride, windows + (uint64_t)s * count, residues, first, totals, logs, p, parts,
                       best + ((uint64_t)s * (uint64_t)parts + (uint64_t)p) * TOP);
}
