/* SPDX-License-Identifier: Apache-2.0 */
/* Many queries against many targets. Targets are held in memory; queries are read, scored and
 * written in batches, so that results already written stay when a later record is bad. */
#include "create.h"
#include "sw.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BATCH = 1 << 17 };

static int set_strands(struct sw *sw) {
    const char *s = sw->set.strand;
    bool both = !strcmp(s, "both");
    sw->plus = both || !strcmp(s, "plus");
    sw->minus = both || !strcmp(s, "minus");
    if (!sw->plus && !sw->minus)
        return app_fail(&sw->app, "--strand=%s: expected plus, minus or both", s);
    if (sw->minus && sw->scoring.matrix_mode)
        return app_fail(&sw->app, "--strand=%s needs DNA compared by letter, not a score matrix", s);
    return -1;
}

/* --- reading -----------------------------------------------------------------------------------
 */

static int read_targets(struct sw *sw, const char *path) {
    char message[512];
    int room = 0, status;
    struct seq_reader *reader = seq_open(path, &sw->scoring.target, message, sizeof message);
    if (!reader)
        return app_fail(&sw->app, "%s", message);
    for (;;) {
        if (sw->target_count == room) {
            room = room ? room * 2 : 16;
            sw->targets = app_resize(sw->targets, (size_t)room, sizeof *sw->targets);
        }
        if ((status = seq_next(reader, &sw->targets[sw->target_count])) <= 0)
            break;
        sw->target_residues += sw->targets[sw->target_count++].length;
        app_progress(&sw->app, "%d targets read", sw->target_count);
    }
    if (status < 0)
        app_fail(&sw->app, "%s", seq_error(reader));
    seq_close(reader);
    sw->target_items = app_alloc((size_t)sw->target_count, sizeof *sw->target_items);
    for (int k = 0; k < sw->target_count; k++)
        sw->target_items[k] = (struct sw_item){sw->targets[k].codes, sw->targets[k].length};
    return status < 0 ? APP_BAD_INPUT : -1;
}

/* Queries of one batch with what belongs to them; items holds plus and minus strands in turn. */
struct batch {
    struct seq_record *at;
    struct sw_hits *hits;
    signed char **reverse;
    struct sw_item *items;
    int count, room, item_count;
};

/* Returns what the last seq_next() said: 1: the batch is full, 0: end of file, -1: bad record. */
static int read_batch(struct batch *batch, struct seq_reader *reader, long residues_most) {
    long residues = 0;
    while (residues < residues_most) {
        if (batch->count == batch->room) {
            batch->room = batch->room ? batch->room * 2 : 64;
            batch->at = app_resize(batch->at, (size_t)batch->room, sizeof *batch->at);
        }
        int status = seq_next(reader, &batch->at[batch->count]);
        if (status <= 0)
            return status;
        residues += batch->at[batch->count++].length;
    }
    return 1;
}

static signed char *reverse_complement(const struct seq_record *query) {
    signed char *reverse = app_resize(NULL, (size_t)query->length, 1);
    for (int k = 0; k < query->length; k++) {
        signed char code = query->codes[query->length - 1 - k];
        reverse[k] = code < 4 ? (signed char)(3 - code) : code;
    }
    return reverse;
}

static void make_items(const struct sw *sw, struct batch *batch) {
    size_t count = (size_t)batch->count;
    batch->hits = app_alloc(count, sizeof *batch->hits);
    batch->reverse = app_alloc(count, sizeof *batch->reverse);
    batch->items = app_alloc(2 * count, sizeof *batch->items);
    for (int k = 0; k < batch->count; k++) {
        struct seq_record *query = &batch->at[k];
        if (sw->plus)
            batch->items[batch->item_count++] = (struct sw_item){query->codes, query->length};
        if (sw->minus) {
            batch->reverse[k] = reverse_complement(query);
            batch->items[batch->item_count++] = (struct sw_item){batch->reverse[k], query->length};
        }
    }
}

static void free_batch(struct batch *batch) {
    for (int k = 0; k < batch->count; k++) {
        seq_release(&batch->at[k]);
        if (batch->hits)
            free(batch->hits[k].at);
        if (batch->reverse)
            free(batch->reverse[k]);
    }
    free(batch->at);
    free(batch->hits);
    free(batch->reverse);
    free(batch->items);
}

/* --- scoring and writing -----------------------------------------------------------------------
 */

struct finder {
    struct sw *sw;
    struct batch *batch;
    int first_item, first_target; /* what index 0 of the block stands for */
};

static void found(void *cookie, const struct sw_best *best) {
    const struct finder *f = cookie;
    struct sw *sw = f->sw;
    int strands = sw->plus + sw->minus, item = f->first_item + best->query;
    int target = f->first_target + best->target, query = item / strands;
    struct sw_hit hit = {*best, strands == 2 ? item & 1 : sw->minus};
    long parts[] = {sw->queries_done + query, hit.minus, target, best->score, best->query_end, best->target_end};
    /* A sum of hashes does not depend on the order in which the cells come. */
    sw->checksum += app_hash(APP_HASH_START, parts, sizeof parts);
    hit.best.query = query;
    hit.best.target = target;
    if (best->score >= sw->set.min_score)
        sw_hits_add(&f->batch->hits[query], hit, (int)sw->set.top);
    if (query % 64 == 0)
        app_progress(&sw->app, "%ld queries written, %.3g G cells at %.3g GCUPS", sw->queries_done,
                     sw->engine.cells * 1e-9,
                     sw->engine.seconds > 0 ? sw->engine.cells / sw->engine.seconds * 1e-9 : 0);
}

static int check_lengths(struct sw *sw, const struct batch *batch) {
    int longest = 0;
    for (int k = 0; k < sw->target_count; k++)
        if (sw->targets[k].length > longest)
            longest = sw->targets[k].length;
    for (int k = 0; k < batch->count; k++)
        if (!sw_score_fits(sw, batch->at[k].length, longest))
            return app_fail(&sw->app,
                            "record %ld (%s): the score could exceed 32 bits, lower the "
                            "match score",
                            batch->at[k].number, batch->at[k].name);
    return -1;
}

static int score_batch(struct sw *sw, struct batch *batch) {
    struct finder finder = {sw, batch, 0, 0};
    int strands = sw->plus + sw->minus, status = check_lengths(sw, batch);
    if (status >= 0)
        return status;
    if (!sw->set.pairs) {
        sw_score_block(&sw->engine, batch->items, batch->item_count, sw->target_items, sw->target_count, found,
                       &finder);
        return -1;
    }
    for (int k = 0; k < batch->count && sw->queries_done + k < sw->target_count; k++) {
        finder.first_item = k * strands;
        finder.first_target = (int)sw->queries_done + k;
        sw_score_block(&sw->engine, batch->items + finder.first_item, strands, sw->target_items + finder.first_target,
                       1, found, &finder);
    }
    return -1;
}

static int write_batch(struct sw *sw, const struct batch *batch) {
    if (!sw->output.file)
        return -1;
    for (int k = 0; k < batch->count; k++) {
        const struct seq_record *query = &batch->at[k];
        if (sw->output.sam && !sw_sam_name(query->name, false))
            return app_fail(&sw->app,
                            "record %ld (%.100s): SAM cannot hold this name (%d letters, no @ first); use --format=tsv",
                            query->number, query->name, SAM_NAME_MOST);
        enum sw_align_status status = sw_output_query(&sw->output, query, batch->reverse[k], &batch->hits[k]);
        if (status != SW_ALIGN_OK)
            fflush(sw->output.file);
        if (status == SW_ALIGN_TOO_LONG)
            return app_fail(&sw->app, "record %ld (%s): too long to align with these costs", query->number,
                            query->name);
        if (status != SW_ALIGN_OK) {
            app_fail(&sw->app, "record %ld (%s): alignment and score disagree (internal error)", query->number,
                     query->name);
            return APP_CHECK_FAILED;
        }
    }
    if (fflush(sw->output.file) || ferror(sw->output.file))
        return app_fail(&sw->app, "cannot write the results: %s", strerror(errno));
    return -1;
}

static int check_pair_count(const struct sw *sw, bool at_end) {
    if (!sw->set.pairs || (at_end ? sw->queries_done == sw->target_count : sw->queries_done <= sw->target_count))
        return -1;
    return app_fail(&sw->app, "--pairs: %s%ld queries but %d targets", at_end ? "" : "at least ", sw->queries_done,
                    sw->target_count);
}

/* Batches start small so that the first results come soon, and grow to what keeps a device busy. */
static int run_queries(struct sw *sw, struct seq_reader *reader) {
    long size = sw->set.batch < FIRST_BATCH ? sw->set.batch : FIRST_BATCH;
    for (;;) {
        struct batch batch = {0};
        int more = read_batch(&batch, reader, size), status;
        make_items(sw, &batch);
        if ((status = score_batch(sw, &batch)) < 0)
            status = write_batch(sw, &batch);
        for (int k = 0; k < batch.count; k++)
            sw->query_residues += batch.at[k].length;
        sw->queries_done += batch.count;
        free_batch(&batch);
        if (status >= 0)
            return status;
        if (more < 0)
            return app_fail(&sw->app, "%s", seq_error(reader));
        if ((status = check_pair_count(sw, !more)) >= 0 || !more)
            return status;
        size = size * 4 < sw->set.batch ? size * 4 : sw->set.batch;
    }
}

/* SAM names targets where TSV may do with names that do not tell them apart. */
static int check_sam_targets(const struct sw *sw) {
    for (int k = 0; k < sw->target_count; k++)
        if (!sw_sam_name(sw->targets[k].name, true))
            return app_fail(
                &sw->app,
                "%s: record %ld (%.100s): SAM cannot hold this name (%d letters, no * or = first); use --format=tsv",
                sw->app.input[1], sw->targets[k].number, sw->targets[k].name, SAM_NAME_MOST);
    const struct seq_record *twin = sw_sam_twin(sw->targets, sw->target_count);
    return !twin ? -1
                 : app_fail(&sw->app,
                            "%s: record %ld (%.100s): a record before it has this name, and SAM needs one for each; "
                            "use --format=tsv",
                            sw->app.input[1], twin->number, twin->name);
}

static int open_output(struct sw *sw) {
    const struct settings *s = &sw->set;
    sw->output.sam = !strcmp(s->format, "sam");
    if (!sw->output.sam && strcmp(s->format, "tsv"))
        return app_fail(&sw->app, "--format=%s: expected tsv or sam", s->format);
    sw->output.align = s->align || sw->output.sam;
    sw->output.scoring = &sw->scoring;
    const int status = sw->output.sam ? check_sam_targets(sw) : -1;
    if (status >= 0)
        return status;
    if (s->out && strcmp(s->out, "-")) {
        if (!(sw->output.file = app_create(s->out)))
            return app_fail(&sw->app, "%s: %s", s->out, strerror(errno));
    } else if (!sw->app.json) {
        sw->output.file = stdout; /* with --json standard output is for the JSON line alone */
    }
    return -1;
}

static int finish_files(struct sw *sw) {
    FILE *summary = sw->app.json ? stdout : stderr;
    struct app_result result = {.rows = sw->query_residues,
                                .cols = sw->target_residues,
                                .seconds = sw->engine.seconds,
                                .work = sw->engine.cells,
                                .unit = "GCUPS",
                                .checksum = sw->checksum,
                                .check = !sw->app.check       ? APP_NOT_CHECKED
                                         : sw->engine.differs ? APP_CHECK_BAD
                                                              : APP_CHECK_OK};
    app_progress_end(&sw->app);
    if (sw->app.json || sw->app.check || sw->app.progress)
        return app_report(&sw->app, &result, summary, "queries", (double)sw->queries_done);
    return APP_OK;
}

int sw_run_files(struct sw *sw, int argc, char **argv) {
    char message[512];
    int status;
    if (sw->app.input_count != 2)
        return app_fail(&sw->app, "expected two inputs, QUERIES and TARGETS (see sw --help)");
    if (sw->app.sized)
        return app_fail(&sw->app, "--size is for runs without input files");
    if ((status = set_strands(sw)) >= 0 || (status = read_targets(sw, sw->app.input[1])) >= 0)
        return status;
    struct seq_reader *reader = seq_open(sw->app.input[0], &sw->scoring.query, message, sizeof message);
    if (!reader)
        return app_fail(&sw->app, "%s", message);
    if ((status = open_output(sw)) < 0) {
        sw->output.targets = sw->targets;
        sw->output.target_count = sw->target_count;
        if (sw->output.file)
            sw_output_header(&sw->output, argc, argv);
        sw->engine = (struct sw_engine){
            .scoring = &sw->scoring, .rows_most = sw->set.batch, .repeat = (int)sw->app.repeat, .check = sw->app.check};
        sw_engine_start(&sw->engine);
        status = run_queries(sw, reader);
        if (status < 0)
            status = finish_files(sw);
        sw_engine_stop(&sw->engine);
    }
    seq_close(reader);
    const bool all_there = status == APP_OK || status == APP_CHECK_FAILED;
    if (sw->output.file && sw->output.file != stdout && !app_finish(sw->output.file, all_there) && all_there)
        return app_fail(&sw->app, "%s: %s", sw->set.out, strerror(errno));
    return status;
}
