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

/* Takes each step-th candidate from `begin` on. */
static inline void score_part(const struct score_plan *plan, const struct shape *shape, const uint32_t *table,
                              const struct window *windows, const uint64_t *residues, const uint32_t *first, const uint32_t *totals,
                              const int64_t *logs, uint32_t begin, uint32_t step, uint64_t *best) {
    uint64_t top[TOP] = {0};
    for (uint32_t w = 0; w < plan->windows && begin < step; w++)
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

/* A device's threads for the parts of a spectrum read neighbouring candidates; a core takes all of them in one go, as part 0. */
void PEPTIDE_NEST(peptide_score)(const struct score_job *job) {
    const struct score_plan *plan = job->plan;
    const struct shape *shapes = job->shapes;
    const struct window *windows = job->windows;
    const uint32_t *tables = job->tables, *first = job->first, *totals = job->totals;
    const uint64_t *residues = job->residues;
    const int64_t *logs = job->logs;
    uint64_t *best = job->best;
    const long spectra = job->spectra, parts = job->parts, stride = plan->stride, sets = plan->windows, keys = parts * TOP;
#pragma heddle for collapse(2) schedule(auto) map(to: plan[0 : 1], residues[0 : job->words], first[0 : job->candidates], totals[0 : job->candidates]) \
    map(to: logs[0 : job->logs_count], shapes[heddle_lo : heddle_count], tables[heddle_lo * stride : heddle_count * stride]) \
    map(to: windows[heddle_lo * sets : heddle_count * sets]) map(from: best[heddle_lo * keys : heddle_count * keys])
    for (long s = 0; s < spectra; s++)
        for (long p = 0; p < parts; p++)
            score_part(plan, &shapes[s], tables + s * stride, windows + s * sets, residues, first, totals, logs, (uint32_t)p,
                       ON_HOST ? 1 : (uint32_t)parts, best + s * keys + p * TOP);
}
