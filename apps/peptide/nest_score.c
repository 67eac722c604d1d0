/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over spectra. How long a spectrum takes depends on how many candidates have its mass. */
#include "nest.h"
#include "score.h"

/* Takes each step-th candidate from `begin` on. */
static inline void score_part(const struct score_plan *plan, const struct shape *shape, const uint32_t *table,
                              const struct window *windows, const uint64_t *residues, const uint32_t *first,
                              const uint32_t *totals, const int64_t *logs, uint32_t begin, uint32_t step,
                              uint64_t *best) {
    uint64_t top[TOP] = {0};
    const uint32_t depth = plan->depth;
    for (uint32_t w = 0; w < plan->windows; w++)
        for (uint32_t k = windows[w].low + begin; k < windows[w].high; k += step) {
            struct matches m;
            const uint32_t score =
                score_candidate(plan, shape, table, logs, residues + first[k], totals[k], windows[w].charge, &m);
            keep_best(top, score, k);
        }
    best[0] = top[0];
    for (int k = 1; k < TOP && depth == TOP; k++)
        best[k] = top[k];
}

/* A device's threads for the parts of a spectrum read neighbouring candidates. */
void PEPTIDE_NEST(peptide_score)(const struct score_job *job) {
    const struct score_plan *plan = job->plan;
    const struct shape *shapes = job->shapes;
    const struct window *windows = job->windows;
    const uint32_t *tables = job->tables, *first = job->first, *totals = job->totals;
    const uint64_t *residues = job->residues;
    const int64_t *logs = job->logs;
    uint64_t *best = job->best;
    const long spectra = job->spectra, parts = job->parts, stride = plan->stride, sets = plan->windows,
               depth = plan->depth, keys = parts * depth;
#pragma heddle for independent collapse(2) schedule(auto) map(to: plan[0 : 1], residues[0 : job->words], first[0 : job->candidates]) \
    map(to: totals[0 : job->candidates], logs[0 : job->logs_count], shapes[heddle_lo : heddle_count]) \
    map(to: tables[heddle_lo * stride : heddle_count * stride], windows[heddle_lo * sets : heddle_count * sets]) \
    map(from: best[heddle_lo * keys : heddle_count * keys])
    for (long s = 0; s < spectra; s++)
        for (long p = 0; p < parts; p++)
#pragma heddle variant(host: score_part_host)
            score_part(plan, &shapes[s], tables + s * stride, windows + s * sets, residues, first, totals, logs,
                       (uint32_t)p, (uint32_t)parts, best + s * keys + p * depth);
}
