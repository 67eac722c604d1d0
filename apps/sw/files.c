/* SPDX-License-Identifier: Apache-2.0 */
/* Many queries against many targets: inputs and outputs of a run. Targets are held in memory; what happens to
 * the queries is in queries.c. */
#include "create.h"
#include "sw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GZIP_GAIN = 4 };
static const double worth_a_device = 4e9; /* cells; a GPU takes a third of a second to start */

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

/* Bytes that a file has about; 0: not known. */
static double text_size(const char *path) {
    struct stat info;
    const size_t length = strlen(path);
    if (!strcmp(path, "-") || stat(path, &info) || !S_ISREG(info.st_mode))
        return 0;
    return (double)info.st_size * (length > 3 && !strcmp(path + length - 3, ".gz") ? GZIP_GAIN : 1);
}

/* Beside the reading, if what is to be read looks large enough. */
static void start_devices(const struct sw *sw) {
    const double cells = text_size(sw->app.input[0]) * text_size(sw->app.input[1]);
    app_start_devices(&sw->app, cells >= worth_a_device);
}

/* SAM's header names all targets, pairs need their partners, and who wants all hits wants all targets. */
static bool can_go_past(const struct sw *sw) {
    return strcmp(sw->set.format, "sam") != 0 && !sw->set.pairs && (sw->set.top > 0 || sw->set.evalue >= 0);
}

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
        struct seq_record *target = &sw->targets[sw->target_count];
        if ((status = seq_next(reader, target)) <= 0)
            break;
        sw_many_add(&sw->many, (struct sw_item){target->codes, target->length});
        free(target->codes);
        sw->longest_target = target->length > sw->longest_target ? target->length : sw->longest_target;
        sw->target_residues += target->length;
        sw->database_count = ++sw->target_count;
        if (sw->target_residues > (double)sw->set.hold && can_go_past(sw)) {
            sw->rest = reader;
            return -1;
        }
        if (sw->target_count % 1024 == 0)
            app_progress(&sw->app, "%d targets read", sw->target_count);
    }
    if (status < 0)
        app_fail(&sw->app, "%s", seq_error(reader));
    seq_close(reader);
    sw->target_items = app_alloc((size_t)sw->target_count, sizeof *sw->target_items);
    for (int k = 0; k < sw->target_count; k++) {
        sw->targets[k].codes = sw->many.residues + sw->many.first[k];
        sw->target_items[k] = (struct sw_item){sw->targets[k].codes, sw->targets[k].length};
    }
    return status < 0 ? APP_BAD_INPUT : -1;
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
    if ((status = set_strands(sw)) >= 0)
        return status;
    start_devices(sw);
    if ((status = read_targets(sw, sw->app.input[1])) >= 0)
        return status;
    struct seq_reader *reader = seq_open(sw->app.input[0], &sw->scoring.query, message, sizeof message);
    if (!reader)
        return app_fail(&sw->app, "%s", message);
    if ((status = open_output(sw)) < 0) {
        sw->output.targets = sw->targets;
        sw->output.target_count = sw->target_count;
        sw->output.statistics = sw->statistics.known ? &sw->statistics : NULL;
        sw->engine = (struct sw_engine){.scoring = &sw->scoring,
                                        .rows_most = sw->set.batch * (sw->plus + sw->minus) / 7 * 8 + 1024,
                                        .repeat = (int)sw->app.repeat,
                                        .check = sw->app.check};
        sw_engine_start(&sw->engine);
        status = sw_run_queries(sw, reader, argc, argv);
        if (status < 0)
            status = finish_files(sw);
        sw_engine_stop(&sw->engine);
    }
    seq_close(reader);
    seq_close(sw->rest);
    const bool all_there = status == APP_OK || status == APP_CHECK_FAILED;
    if (sw->output.file && sw->output.file != stdout && !app_finish(sw->output.file, all_there) && all_there)
        return app_fail(&sw->app, "%s: %s", sw->set.out, strerror(errno));
    return status;
}
