/* SPDX-License-Identifier: Apache-2.0 */
/* sw: local alignment of many queries against many targets; without input, a benchmark of one
 * seeded pair. Options and their defaults; see README.md for usage and formats. */
#include "sw.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { UNSET = -1, COST_LIMIT = 100 };

bool sw_score_fits(const struct sw *sw, int x, int y) {
    return (double)(x < y ? x : y) * sw->scoring.largest < INT_MAX / 2;
}

static int check_cost(const struct sw *sw, const char *name, long value, long least) {
    if (value < least || value > COST_LIMIT)
        return app_fail(&sw->app, "--%s=%ld: expected %ld to %d", name, value, least, COST_LIMIT);
    return -1;
}

static void set_default(long *value, long otherwise) {
    if (*value == UNSET)
        *value = otherwise;
}

static int set_gaps(struct sw *sw, bool benchmark) {
    struct settings *s = &sw->set;
    int status;
    bool affine = s->open != UNSET || s->extend != UNSET;
    if (s->gap != UNSET && affine)
        return app_fail(&sw->app, "--gap does not go with --gap-open and --gap-extend");
    if (benchmark && !affine && !sw->scoring.matrix_mode)
        set_default(&s->gap, 1);
    if (s->gap != UNSET)
        s->open = s->extend = s->gap;
    set_default(&s->open, sw->scoring.matrix_mode ? 11 : 3);
    set_default(&s->extend, 1);
    if ((status = check_cost(sw, s->gap != UNSET ? "gap" : "gap-open", s->open, 1)) >= 0 ||
        (status = check_cost(sw, "gap-extend", s->extend, 1)) >= 0)
        return status;
    if (s->open < s->extend)
        return app_fail(&sw->app, "--gap-open must not be below --gap-extend");
    sw->scoring.open = (int)s->open;
    sw->scoring.extend = (int)s->extend;
    sw->statistics = sw_statistics_of(&sw->scoring);
    if (s->evalue >= 0 && !sw->statistics.known)
        return app_fail(&sw->app, sw->scoring.matrix_mode
                                      ? "--evalue: this matrix lacks amino acids, or its scores do not allow statistics"
                                      : "--evalue needs --protein, or a matrix of the amino acids");
    return -1;
}

static int set_scoring(struct sw *sw, bool benchmark) {
    struct settings *s = &sw->set;
    char message[512];
    int status;
    bool letters = s->match != UNSET || s->mismatch != UNSET;
    if (letters && (s->protein || s->matrix))
        return app_fail(&sw->app, "--match and --mismatch do not go with a score matrix");
    set_default(&s->match, 2);
    set_default(&s->mismatch, benchmark ? 1 : 2);
    if ((status = check_cost(sw, "match", s->match, 1)) >= 0 ||
        (status = check_cost(sw, "mismatch", s->mismatch, 0)) >= 0)
        return status;
    if (s->matrix) {
        if (!sw_scoring_file(&sw->scoring, s->matrix, message, sizeof message))
            return app_fail(&sw->app, "%s", message);
        if (sw->scoring.largest < 1)
            return app_fail(&sw->app, "%s: no score above 0, nothing can align", s->matrix);
    } else if (s->protein) {
        sw_scoring_blosum62(&sw->scoring);
    } else {
        sw_scoring_dna(&sw->scoring, (int)s->match, -(int)s->mismatch);
    }
    return set_gaps(sw, benchmark);
}

static void free_targets(struct sw *sw) {
    for (int k = 0; k < sw->target_count; k++) {
        sw->targets[k].codes = NULL; /* in sw->many */
        seq_release(&sw->targets[k]);
    }
    sw_many_free(&sw->many);
    free(sw->targets);
    free(sw->target_items);
}

int main(int argc, char **argv) {
    struct sw sw = {.set = {.match = UNSET,
                            .mismatch = UNSET,
                            .gap = UNSET,
                            .open = UNSET,
                            .extend = UNSET,
                            .top = 1,
                            .min_score = 1,
                            .batch = 1 << 21,
                            .hold = 1 << 28,
                            .seed = 1,
                            .evalue = -1,
                            .strand = "plus",
                            .format = "tsv"},
                    .app = {.name = "sw",
                            .summary = "Smith-Waterman local alignment",
                            .inputs = "[QUERIES TARGETS]   (FASTA or FASTQ, plain or gzip, - is stdin)",
                            .inputs_max = 2,
                            .two_sizes = true,
                            .device_later = true,
                            .rows = 4096,
                            .cols = 4096}};
    struct settings *s = &sw.set;
    const struct app_option options[] = {
        {"match", "N", "score of equal letters (2)", APP_LONG, &s->match, 1},
        {"mismatch", "N", "cost of different letters (2; without input 1)", APP_LONG, &s->mismatch, 0},
        {"gap", "N", "linear gaps: cost per residue (without input: 1)", APP_LONG, &s->gap, 1},
        {"gap-open", "N", "affine gaps: cost of the first residue (3; matrix: 11)", APP_LONG, &s->open, 1},
        {"gap-extend", "N", "affine gaps: cost of each further one (1)", APP_LONG, &s->extend, 1},
        {"protein", NULL, "protein, scored by BLOSUM62", APP_FLAG, &s->protein, 0},
        {"matrix", "FILE", "score matrix in NCBI format", APP_INPUT, &s->matrix, 0},
        {"strand", "S", "DNA: plus, minus or both (plus)", APP_TEXT, &s->strand, 0},
        {"align", NULL, "find start, identity and CIGAR too", APP_FLAG, &s->align, 0},
        {"format", "F", "tsv or sam; sam implies --align (tsv)", APP_TEXT, &s->format, 0},
        {"top", "N", "best N hits of each query, 0: all (1)", APP_LONG, &s->top, 0},
        {"min-score", "N", "leave out hits below (1)", APP_LONG, &s->min_score, 0},
        {"evalue", "MAX", "protein: leave out hits with a larger E-value", APP_REAL, &s->evalue, 0},
        {"pairs", NULL, "query k against target k only", APP_FLAG, &s->pairs, 0},
        {"out", "FILE", "results to a file (stdout; with --json nowhere)", APP_OUTPUT, &s->out, 0},
        {"batch", "N", "residues of queries scored at once (2097152)", APP_LONG, &s->batch, 1},
        {"hold", "N", "residues of targets, and of queries, held at most (268435456)", APP_LONG, &s->hold, 1},
        {"seed", "N", "of the random pair (1)", APP_LONG, &s->seed, 0},
        {0}};
    sw.app.options = options;
    int status = app_parse(&sw.app, argc, argv);
    if (status < 0)
        status = set_scoring(&sw, !sw.app.input_count);
    if (status < 0)
        status = sw.app.input_count ? sw_run_files(&sw, argc, argv) : sw_run_seeded(&sw);
    free_targets(&sw);
    return status;
}
