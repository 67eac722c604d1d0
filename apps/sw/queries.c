/* SPDX-License-Identifier: Apache-2.0 */
/* The queries of a run on their way: read, scored against all targets, aligned, written, each stage beside
 * the others (pipeline.h). Batches are written in order, and what is wrong with a batch is said when those before it
 * have been written, so that their results stay. */
#define _GNU_SOURCE
#include "database.h"
#include "ends.h"
#include "pipeline.h"
#include "resident.h"
#include "sw.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BATCH = 1 << 17, FIRST_AFTER_START = 1 << 20, DEPTH = 4 };

struct run {
    struct sw *sw;
    struct seq_reader *reader;
    int argc;
    char **argv;
    long next_size, read;  /* residues of the next batch; queries that were read */
    bool at_end;           /* of the reader */
    bool started, refused; /* the scoring; there is no such device */
    struct batch *ready;   /* all queries, scored */
    int status;            /* of the writer */
};

/* --- reading ---------------------------------------------------------------------------------- */

/* Batches start small so that the first results come soon, and grow to what keeps a device busy. */
static void *read_next(void *cookie) {
    struct run *run = cookie;
    const struct sw *sw = run->sw;
    struct batch *batch = run->ready;
    run->ready = NULL;
    if (run->at_end)
        return batch;
    batch = app_alloc(1, sizeof *batch);
    batch->first = run->read;
    const int more = batch_read(batch, run->reader, run->next_size);
    run->at_end = more <= 0;
    batch->last = !more;
    run->read += batch->count;
    run->next_size = run->next_size * 4 < sw->set.batch ? run->next_size * 4 : sw->set.batch;
    batch_prepare(batch, sw->plus, sw->minus);
    if (more < 0)
        failure_set(&batch->failure, APP_BAD_INPUT, "%s", seq_error(run->reader));
    return batch;
}

/* --- scoring ---------------------------------------------------------------------------------- */

enum {
    MANY = 32, /* sequences that are worth problems of their own, */
    FEW = 8,   /* if at most one of so many pairs is reported: its end is searched for */
    PAIRS_MOST = 1 << 22,
    SHORT = 1 << 14, /* and if that search is short */
};
static const double likely = 1000; /* an E-value that many hits reach */

struct finder {
    struct sw *sw;
    struct batch *batch;
    int first_item, first_target; /* what index 0 of the block stands for */
};

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

static void add_hit(struct sw *sw, struct batch *batch, int item, const struct sw_best *best) {
    const int strands = sw->plus + sw->minus, query = item / strands;
    struct sw_hit hit = {*best, strands == 2 ? item & 1 : sw->minus};
    /* A sum does not depend on the order in which the pairs come. */
    sw->checksum += mixed(mixed(mixed((uint64_t)(batch->first + query) << 1 | hit.minus) + (uint64_t)best->target) +
                          (uint64_t)best->score);
    hit.best.query = query;
    if (best->score >= batch->hits[query].least)
        sw_hits_add(&batch->hits[query], hit, (int)sw->set.top);
}

static void show_progress(const struct sw *sw) {
    app_progress(&sw->app, "%ld queries written, %.3g G cells at %.3g GCUPS", sw->queries_done, sw->engine.cells * 1e-9,
                 sw->engine.seconds > 0 ? sw->engine.cells / sw->engine.seconds * 1e-9 : 0);
}

static void found(void *cookie, const struct sw_best *best) {
    const struct finder *f = cookie;
    struct sw_best whole = *best;
    whole.target += f->first_target;
    add_hit(f->sw, f->batch, f->first_item + best->query, &whole);
    if (best->query % 64 == 0)
        show_progress(f->sw);
}

/* Targets stay on the device that was named, or on the one that was chosen for the last query. */
static void stay(struct sw *sw, struct sw_many *many, bool any_ran) {
    const bool named = sw->app.device_numbers && !strchr(sw->app.device, ',');
    const double start = app_seconds();
    if (many->found || !(named || any_ran))
        return;
    sw_resident_enter(many, named ? atoi(sw->app.device) : app_device());
    sw->engine.seconds += app_seconds() - start;
}

/* Scores alone, of each query with all targets, or the other way round. */
static void score_many(struct sw *sw, struct batch *batch, struct sw_many *many, bool of_targets, int first) {
    const int ones = of_targets ? batch->item_count : sw->target_count;
    int *score = app_alloc((size_t)many->count, sizeof *score);
    for (int k = 0; k < ones; k++) {
        if (of_targets)
            stay(sw, many, k > 0);
        sw_scores(&sw->engine, of_targets ? batch->items[k] : sw->target_items[k], of_targets, many, sw_resident_fetch,
                  score);
        for (int n = 0; n < many->count; n++)
            add_hit(sw, batch, of_targets ? k : n,
                    &(struct sw_best){.target = of_targets ? first + n : k, .score = score[n]});
        show_progress(sw);
    }
    free(score);
}

static void score_queries_as_many(struct sw *sw, struct batch *batch) {
    struct sw_many many = {0};
    for (int k = 0; k < batch->item_count; k++)
        sw_many_add(&many, batch->items[k]);
    score_many(sw, batch, &many, false, 0);
    sw_many_free(&many);
}

/* The nests of whole blocks find ends, too; scores alone are faster, but ends are then searched for one by one. */
static bool few_are_reported(const struct sw *sw) {
    return (sw->set.top > 0 && sw->set.top <= sw->target_count / FEW) ||
           (sw->set.evalue >= 0 && sw->set.evalue < likely && sw->target_count >= FEW);
}

/* Letters: in 16 bits, too. */
static bool in_segments(const struct sw *sw, const struct batch *batch) {
    const double pairs = (double)batch->item_count * (sw->set.pairs ? 1 : sw->target_count);
    return !sw->scoring.matrix_mode && pairs >= MANY && pairs <= PAIRS_MOST;
}

static void score_all(struct sw *sw, struct batch *batch) {
    struct finder finder = {sw, batch, 0, 0};
    if ((few_are_reported(sw) || sw->scoring.matrix_mode) && sw->target_count >= MANY)
        score_many(sw, batch, &sw->many, true, 0);
    else if (few_are_reported(sw) && batch->item_count >= MANY && sw->longest_target <= SHORT)
        score_queries_as_many(sw, batch);
    else if (in_segments(sw, batch))
        sw_segments_score(&batch->segments, &sw->engine, batch->items, batch->item_count, &sw->many, found, &finder);
    else
        sw_score_block(&sw->engine, batch->items, batch->item_count, sw->target_items, sw->target_count, found,
                       &finder);
}

static bool lengths_fit(const struct sw *sw, struct batch *batch) {
    for (int k = 0; k < batch->count; k++)
        if (!sw_score_fits(sw, batch->at[k].length, sw->longest_target)) {
            failure_set(&batch->failure, APP_BAD_INPUT,
                        "record %ld (%s): the score could exceed 32 bits, lower the match score", batch->at[k].number,
                        batch->at[k].name);
            return false;
        }
    return true;
}

static void score_pairs(struct sw *sw, struct batch *batch) {
    struct finder finder = {sw, batch, 0, 0};
    const int strands = sw->plus + sw->minus;
    if (in_segments(sw, batch)) {
        const long left = (sw->target_count - batch->first) * strands; /* more queries than targets: said later */
        batch->segments.partners = strands;
        batch->segments.first_partner = (int)batch->first;
        sw_segments_score(&batch->segments, &sw->engine, batch->items,
                          batch->item_count < left ? batch->item_count
                          : left > 0               ? (int)left
                                                   : 0,
                          &sw->many, found, &finder);
        return;
    }
    for (int k = 0; k < batch->count && batch->first + k < sw->target_count; k++) {
        finder.first_item = k * strands;
        finder.first_target = (int)batch->first + k;
        sw_score_block(&sw->engine, batch->items + finder.first_item, strands, sw->target_items + finder.first_target,
                       1, found, &finder);
    }
}

/* What a score has to be, by the targets that the query meets; `more` of them may come. */
static void set_limits(const struct sw *sw, struct batch *batch, bool more) {
    for (int k = 0; k < batch->count; k++) {
        struct sw_hits *hits = &batch->hits[k];
        const long own = batch->first + k;
        const bool one = sw->set.pairs && own < sw->target_count;
        hits->least = sw->set.min_score < INT_MAX ? (int)sw->set.min_score : INT_MAX;
        if (!sw->statistics.known)
            continue;
        const double residues = one ? sw->targets[own].length : sw->target_residues;
        hits->search_space =
            more ? sw_search_space_least(&sw->statistics, batch->at[k].length, residues)
                 : sw_search_space(&sw->statistics, batch->at[k].length, residues, one ? 1 : sw->database_count);
        const int least = sw->set.evalue < 0 ? 0 : sw_least_score(&sw->statistics, hits->search_space, sw->set.evalue);
        hits->least = least > hits->least ? least : hits->least;
    }
}

static void score_chunk(struct sw *sw, struct batch *queries, struct sw_many *chunk, int first) {
    set_limits(sw, queries, true);
    score_many(sw, queries, chunk, true, first);
    sw_resident_leave(chunk);
}

static void drop_unlikely(struct batch *batch) {
    for (int k = 0; k < batch->count; k++) {
        struct sw_hits *hits = &batch->hits[k];
        sw_hits_sort(hits);
        while (hits->count && hits->at[hits->count - 1].best.score < hits->least)
            hits->count--;
    }
}

/* All queries at once, while targets go past. */
static void score_database(struct run *run) {
    struct sw *sw = run->sw;
    const long size = run->next_size;
    run->next_size = sw->set.hold;
    struct batch *batch = read_next(run);
    run->next_size = size;
    run->ready = batch;
    batch->scored = true;
    if (app_check_device(&sw->app, batch->failure.text, sizeof batch->failure.text) >= 0)
        run->status = app_fail(&sw->app, "%s", batch->failure.text);
    else if (!run->at_end)
        run->status = app_fail(&sw->app, "more than --hold=%ld residues of queries, and of targets", sw->set.hold);
    else if (batch->count)
        run->status = sw_database(sw, sw->rest, batch, score_chunk);
    set_limits(sw, batch, false);
    drop_unlikely(batch);
    sw->output.targets = sw->targets;
    sw->output.target_count = sw->target_count;
}

/* By score, with their ends where they are found together. */
static void finish_hits(struct sw *sw, struct batch *batch) {
    for (int k = 0; k < batch->count; k++) {
        if (!sw->set.top)
            sw_hits_sort(&batch->hits[k]);
        if (sw->scoring.matrix_mode && sw->output.file) /* that has one strand */
            sw_find_ends(&sw->engine, batch->items[k], &sw->many, &batch->hits[k]);
    }
}

static int score(void *cookie, void *with) {
    struct run *run = cookie;
    struct sw *sw = run->sw;
    struct batch *batch = with;
    if (batch->scored) {
        finish_hits(sw, batch);
        return sw->output.file ? batch_cut(batch) : 0;
    }
    if (!run->started && app_check_device(&sw->app, batch->failure.text, sizeof batch->failure.text) >= 0) {
        batch->failure.status = APP_BAD_INPUT;
        run->refused = true;
    }
    run->started = true;
    if (run->refused || !lengths_fit(sw, batch))
        return 0;
    set_limits(sw, batch, false);
    if (sw->set.pairs)
        score_pairs(sw, batch);
    else
        score_all(sw, batch);
    finish_hits(sw, batch);
    return sw->output.file ? batch_cut(batch) : 0;
}

/* --- alignment -------------------------------------------------------------------------------- */

static void find_end(const struct sw *sw, const struct batch *batch, int k, struct sw_best *best, bool minus) {
    const int strands = sw->plus + sw->minus, item = k * strands + (strands == 2 && minus);
    if (best->score <= 0 || best->query_end)
        return;
    if (batch->segments.score) {
        struct sw_best found = {.query = item, .target = best->target, .score = best->score};
        sw_segments_find_end(&batch->segments, &sw->scoring, batch->items[item], &sw->many, &found);
        best->query_end = found.query_end;
        best->target_end = found.target_end;
    } else {
        sw_find_end(&sw->scoring, batch->items[item], sw->target_items[best->target], best);
    }
}

static bool render(const struct sw *sw, const struct sw_output *output, const struct batch *batch, int k,
                   struct failure *failure) {
    const struct seq_record *query = &batch->at[k];
    if (output->sam && !sw_sam_name(query->name, false)) {
        failure_set(failure, APP_BAD_INPUT,
                    "record %ld (%.100s): SAM cannot hold this name (%d letters, no @ first); use --format=tsv",
                    query->number, query->name, SAM_NAME_MOST);
        return false;
    }
    for (int h = 0; h < batch->hits[k].count; h++)
        find_end(sw, batch, k, &batch->hits[k].at[h].best, batch->hits[k].at[h].minus);
    const enum sw_align_status status = sw_output_query(output, query, batch->reverse[k], &batch->hits[k]);
    if (status == SW_ALIGN_TOO_LONG)
        failure_set(failure, APP_BAD_INPUT, "record %ld (%s): too long to align with these costs", query->number,
                    query->name);
    else if (status != SW_ALIGN_OK)
        failure_set(failure, APP_CHECK_FAILED, "record %ld (%s): alignment and score disagree (internal error)",
                    query->number, query->name);
    return status == SW_ALIGN_OK;
}

static void work(void *cookie, void *with, int number) {
    const struct run *run = cookie;
    struct batch *batch = with;
    struct part *part = &batch->parts[number];
    struct sw_output output = run->sw->output;
    if (!(output.file = open_memstream(&part->text, &part->size))) {
        failure_set(&part->failure, APP_BAD_INPUT, "no memory for the results");
        return;
    }
    for (int k = part->first; k < part->last && render(run->sw, &output, batch, k, &part->failure); k++)
        ;
    fclose(output.file);
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool end_with(struct run *run, const struct failure *failure) {
    if (failure->status < 0)
        return true;
    if (run->sw->output.file)
        fflush(run->sw->output.file);
    app_fail(&run->sw->app, "%s", failure->text);
    run->status = failure->status;
    return false;
}

static struct failure check_pair_count(const struct sw *sw, bool at_end) {
    struct failure failure = {.status = -1};
    const long done = sw->queries_done;
    if (sw->set.pairs && (at_end ? done != sw->target_count : done > sw->target_count))
        failure_set(&failure, APP_BAD_INPUT, "--pairs: %s%ld queries but %d targets", at_end ? "" : "at least ", done,
                    sw->target_count);
    return failure;
}

static bool write_parts(struct run *run, const struct batch *batch) {
    FILE *file = run->sw->output.file;
    struct failure failure = {.status = -1};
    if (!file)
        return true;
    if (!batch->first && !run->refused)
        sw_output_header(&run->sw->output, run->argc, run->argv);
    for (int k = 0; k < batch->part_count; k++) {
        fwrite(batch->parts[k].text, 1, batch->parts[k].size, file);
        if (!end_with(run, &batch->parts[k].failure))
            return false;
    }
    if (fflush(file) || ferror(file))
        failure_set(&failure, APP_BAD_INPUT, "cannot write the results: %s", strerror(errno));
    return end_with(run, &failure);
}

static bool write_batch(void *cookie, void *with) {
    struct run *run = cookie;
    struct sw *sw = run->sw;
    const struct batch *batch = with;
    if (!write_parts(run, batch) || !end_with(run, &batch->failure))
        return false;
    for (int k = 0; k < batch->count; k++)
        sw->query_residues += batch->at[k].length;
    sw->queries_done += batch->count;
    const struct failure failure = check_pair_count(sw, batch->last);
    return end_with(run, &failure);
}

static void drop(void *cookie, void *batch) {
    (void)cookie;
    batch_free(batch);
}

/* --- the run ---------------------------------------------------------------------------------- */

static int worker_count(const struct sw *sw) {
    cpu_set_t set;
    if (sw->app.threads)
        return (int)sw->app.threads;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

/* While a GPU starts there is time to read more. */
static long first_size(const struct sw *sw) {
    const long size = sw->app.device_numbers ? FIRST_AFTER_START : FIRST_BATCH;
    return sw->set.batch < size ? sw->set.batch : size;
}

int sw_run_queries(struct sw *sw, struct seq_reader *reader, int argc, char **argv) {
    struct run run = {
        .sw = sw, .reader = reader, .argc = argc, .argv = argv, .next_size = first_size(sw), .status = -1};
    if (sw->rest)
        score_database(&run);
    if (run.status >= 0) {
        batch_free(run.ready);
        return run.status;
    }
    pipeline_run(&(struct pipeline){.cookie = &run,
                                    .read = read_next,
                                    .score = score,
                                    .work = work,
                                    .write = write_batch,
                                    .drop = drop,
                                    .workers = worker_count(sw),
                                    .depth = DEPTH});
    sw_resident_leave(&sw->many);
    return run.status;
}
