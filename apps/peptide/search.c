/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the loop over batches of spectra that fit into memory, and looks closer at what it found. */
#include "search.h"

#include "score.h"

#include <stdlib.h>
#include <string.h>

/* A batch has tables of at most so many words, and so many comparisons at first, so that progress is seen: then twice
 * as many while that takes less than a second. */
static const double batch_words = 64 << 20, batch_work = 5e8;
enum { DEVICE_THREADS = 1 << 18, PARTS_MOST = 1024 };

static double work_of(const struct search *s, long k) {
    double work = 0;
    for (uint32_t w = 0; w < s->plan.windows; w++) {
        const struct window *window = &s->windows[(size_t)k * s->plan.windows + w];
        work += window->high - window->low;
    }
    return work;
}

double search_work(const struct search *s) {
    double work = 0;
    for (long k = 0; k < s->spectra->count; k++)
        work += work_of(s, k);
    return work;
}

/* A power of two. A thread of a device has about a hundred candidates, so that small chunks of spectra take little
 * time, or fewer where there are few spectra. */
static int find_parts(long spectra, double work) {
    const double mean = work / (double)spectra;
    int parts = 1;
    while (parts < PARTS_MOST &&
           (parts * 128.0 < mean || (parts * 8.0 < mean && (double)parts * (double)spectra < DEVICE_THREADS)))
        parts *= 2;
    return parts;
}

static void merge(uint64_t *top, uint64_t key) {
    for (int i = 0; i < TOP && key && key != top[i]; i++) {
        const uint64_t old = top[i];
        top[i] = key > old ? key : old;
        key = key > old ? old : key;
    }
}

/* All of the candidates that were part `part`'s. */
static void scan_part(const struct search *s, const struct score_job *job, long k, uint32_t part, uint64_t *top) {
    const struct window *windows = job->windows + (size_t)k * s->plan.windows;
    const uint32_t *table = job->tables + (size_t)k * s->plan.stride;
    for (uint32_t w = 0; w < s->plan.windows; w++)
        for (uint32_t c = windows[w].low + part; c < windows[w].high; c += (uint32_t)job->parts) {
            struct matches m;
            const uint32_t score =
                score_candidate(&s->plan, job->shapes + k, table, job->logs, job->residues + job->first[c],
                                job->totals[c], windows[w].charge, &m);
            if (score)
                merge(top, (uint64_t)score << 32 | (uint32_t)~c);
        }
}

/* Does the key belong to the part? Not where a CPU thread has left the best ones of all parts (score_part_host()). */
static bool is_of_part(const struct score_job *job, long k, uint64_t key, uint32_t part) {
    const uint32_t c = key_candidate(key), count = job->plan->windows;
    for (const struct window *w = job->windows + (size_t)k * count; w < job->windows + (size_t)(k + 1) * count; w++)
        if (c >= w->low && c < w->high && (c - w->low) % (uint32_t)job->parts == part)
            return true;
    return false;
}

/* The best of all parts. Where a part kept one key alone and that is among the best, the part may have more: five parts
 * of a spectrum at most, which are searched again. */
static void join_parts(const struct search *s, const struct score_job *job, long k, uint64_t *top) {
    const uint32_t depth = job->plan->depth, parts = (uint32_t)job->parts;
    const uint64_t *best = job->best + (size_t)k * parts * depth;
    uint64_t first[TOP];
    for (uint32_t i = 0; i < parts * depth; i++)
        if (best[i] > top[TOP - 1])
            merge(top, best[i]);
    memcpy(first, top, sizeof first);
    for (uint32_t part = 0; part < parts && depth < TOP; part++)
        if (best[part] && best[part] >= first[TOP - 1] && is_of_part(job, k, best[part], part))
            scan_part(s, job, k, part, top);
}

static void make_room(struct search *s, size_t tables, size_t best) {
    if (tables > s->tables_room) {
        free(s->tables);
        s->tables = app_resize(NULL, tables, sizeof *s->tables);
        s->tables_room = tables;
    }
    if (best > s->best_room) {
        free(s->best);
        s->best = app_resize(NULL, best, sizeof *s->best);
        s->best_room = best;
    }
}

static void run_batch(struct search *s, peptide_score *nest, long first, long count, double work) {
    struct score_plan *plan = &s->plan;
    const int parts = find_parts(count, work);
    plan->depth = parts < 4 * TOP ? TOP : 1;
    make_room(s, (size_t)count * plan->stride, (size_t)count * (size_t)parts * plan->depth);
    uint32_t *tables = s->tables;
#pragma omp parallel for schedule(dynamic, 16)
    for (long k = 0; k < count; k++)
        table_fill(s, first + k, tables + (size_t)k * plan->stride);
    const struct score_job job = {.plan = plan,
                                  .spectra = count,
                                  .candidates = s->candidates->count,
                                  .words = s->candidates->first[s->candidates->count],
                                  .logs_count = s->logs_count,
                                  .parts = parts,
                                  .tables = tables,
                                  .shapes = s->shapes + first,
                                  .windows = s->windows + (size_t)first * plan->windows,
                                  .residues = s->candidates->words,
                                  .first = s->candidates->first,
                                  .totals = s->totals,
                                  .logs = s->logs,
                                  .best = s->best};
    const double start = app_seconds();
    nest(&job);
    s->seconds += app_seconds() - start;
#pragma omp parallel for schedule(dynamic, 16)
    for (long k = 0; k < count; k++)
        join_parts(s, &job, k, s->keys + (size_t)(first + k) * TOP);
}

void search_run(struct search *s, peptide_score *nest) {
    const long n = s->spectra->count;
    if (!s->keys)
        s->keys = app_alloc((size_t)n * TOP, sizeof *s->keys);
    memset(s->keys, 0, (size_t)n * TOP * sizeof *s->keys);
    s->seconds = 0;
    s->comparisons = 0;
    double most = batch_work;
    for (long first = 0, count; first < n; first += count) {
        double work = 0;
        const double start = app_seconds();
        for (count = 0; first + count < n && (!count || (work < most && (double)count * s->plan.stride < batch_words));
             count++)
            work += work_of(s, first + count);
        app_progress(s->app, "%ld of %ld spectra, %.3g comparisons", first, n, s->comparisons);
        run_batch(s, nest, first, count, work);
        s->comparisons += work;
        most *= app_seconds() - start < 1 ? 2 : 1;
    }
    app_progress_end(s->app);
}

/* Scores the candidate of a key again, at the charge that gives the key's score. */
static bool look_closer(const struct search *s, long spectrum, const uint32_t *table, uint64_t key, struct hit *hit) {
    const uint32_t c = key_candidate(key);
    for (uint32_t w = 0; w < s->plan.windows; w++) {
        const struct window *window = &s->windows[(size_t)spectrum * s->plan.windows + w];
        struct matches m;
        if (c < window->low || c >= window->high)
            continue;
        const uint64_t *residues = s->candidates->words + s->candidates->first[c];
        const uint32_t score =
            score_candidate(&s->plan, &s->shapes[spectrum], table, s->logs, residues, s->totals[c], window->charge, &m);
        if (score != key_score(key))
            continue;
        *hit = (struct hit){(double)score / (1 << SCORE_BITS), c, (uint16_t)window->charge,
                            (uint16_t)((m.classes >> 16 & 0xffff) + (m.classes >> 32 & 0xffff) + (m.classes >> 48)),
                            (uint16_t)m.inside};
        return true;
    }
    return false;
}

int search_hits(const struct search *s, long spectrum, struct hit hits[TOP]) {
    const uint64_t *keys = s->keys + (size_t)spectrum * TOP;
    int count = 0;
    if (!keys[0])
        return 0;
    uint32_t *table = app_resize(NULL, s->plan.stride, sizeof *table);
    table_fill(s, spectrum, table);
    for (int k = 0; k < TOP && keys[k]; k++) {
        bool seen = false; /* wide windows of two charges may have given it twice */
        for (int i = 0; i < count; i++)
            seen |= hits[i].candidate == key_candidate(keys[k]);
        if (!seen)
            count += look_closer(s, spectrum, table, keys[k], &hits[count]);
    }
    free(table);
    return count;
}

void search_free(struct search *s) {
    free(s->totals);
    free(s->logs);
    free(s->shapes);
    free(s->windows);
    free(s->keys);
    free(s->tables);
    free(s->best);
}
