/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HEDDLE_JOBS_RECORD: what the batches of one site made, as `heddle sim jobs` reads it:
 *
 *     type todo                  a line for each type, called as its list
 *     frame                      an execution
 *     new todo 1                 jobs that are there when it begins
 *     ran todo 1 todo=3 small=1  jobs that ran, and how many of each type they made
 *
 * Beside it FILE.machine: the devices and what was measured on them, for --machine.
 */
#include "engine.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static FILE *file;
static char machine[HEDDLE__OPTION_MAX + 16];
static const struct heddle_loop_type *recorded;  /* of this site's first type */
static atomic_flag recording = ATOMIC_FLAG_INIT; /* of several executions at once the first one is; it has all here */

static const char *name(const struct heddle__jobs_engine *e, int type) {
    return e->call->lists[e->kind[type].call->list].name;
}

static long begin; /* of the frame in the file */

static bool start(const struct heddle__jobs_engine *e) {
    char path[HEDDLE__OPTION_MAX];
    heddle__option_read("jobs-record", path, sizeof path);
    if (!*path)
        return false;
    recorded = e->kind[0].loop;
    snprintf(machine, sizeof machine, "%s.machine", path);
    if (!(file = fopen(path, "we"))) {
        heddle__warn(&e->site, "HEDDLE_JOBS_RECORD=%s: cannot be written: %s; nothing is recorded", path,
                     strerror(errno));
        return false;
    }
    fprintf(file, "# %s:%d\n", e->site.file, e->site.line);
    for (int t = 0; t < e->types; t++)
        fprintf(file, "type %s\n", name(e, t));
    return true;
}

void heddle__jobs_record_begin(struct heddle__jobs_engine *e) {
    if (atomic_flag_test_and_set(&recording))
        return;
    if ((!recorded && !start(e)) || recorded != e->kind[0].loop || !file) {
        atomic_flag_clear(&recording);
        return;
    }
    e->record = file;
    begin = ftell(file);
    fprintf(file, "frame\n");
    for (int t = 0; t < e->types; t++) {
        const struct heddle_jobs_any_list *list = e->call->lists[e->kind[t].call->list].list;
        if (list->count)
            fprintf(file, "new %s %ld\n", name(e, t), list->count);
    }
}

void heddle__jobs_record(struct heddle__jobs_engine *e, int type, long count, const long *made) {
    if (!e->record)
        return;
    fprintf(e->record, "ran %s %ld", name(e, type), count);
    for (int t = 0; t < e->types; t++)
        if (made[t])
            fprintf(e->record, " %s=%ld", name(e, t), made[t]);
    fputc('\n', e->record);
}

static void write_class(const struct heddle__jobs_engine *e, int class, FILE *to) {
    int count = 0;
    bool host = false;
    for (int d = 0; d < e->devices; d++)
        if (e->device[d].class == class) {
            count++;
            host = e->device[d].device < 0;
        }
    fprintf(to, "# %s\nclass%d count=%d%s\n", e->class_name[class], class, count, host ? " host" : "");
    for (int t = 0; t < e->types; t++)
        if (e->time[t * e->classes + class].each >= 0)
            fprintf(to, "type class%d %s setup=%gus each=%gus\n", class, name(e, t),
                    1e6 * e->time[t * e->classes + class].setup, 1e6 * e->time[t * e->classes + class].each);
}

static void write_moves(const struct heddle__jobs_engine *e, FILE *to) {
    for (int t = 0; t < e->types; t++)
        for (int a = 0; a < e->classes; a++)
            for (int b = 0; b < e->classes; b++)
                fprintf(to, "move class%d class%d %s each=%gus\n", a, b, name(e, t),
                        1e6 * e->move[(t * e->classes + a) * e->classes + b]);
}

static bool write_machine(struct heddle__jobs_engine *e) {
    FILE *to = fopen(machine, "we");
    if (!to)
        return false;
    heddle__jobs_fill_times(e);
    fprintf(to, "# %s:%d\n", e->site.file, e->site.line);
    for (int c = 0; c < e->classes; c++)
        write_class(e, c, to);
    write_moves(e, to);
    const bool good = !ferror(to);
    return !fclose(to) && good;
}

/* A frame that starts again is written again. */
static bool take_back(const struct heddle__jobs_engine *e) {
    return !e->again || (begin >= 0 && !ftruncate(fileno(file), begin) && !fseek(file, begin, SEEK_SET));
}

void heddle__jobs_record_end(struct heddle__jobs_engine *e) {
    if (!e->record)
        return;
    if (fflush(e->record) || ferror(e->record) || !take_back(e) || !write_machine(e)) {
        heddle__warn(&e->site, "HEDDLE_JOBS_RECORD: the file cannot be written to any more; the rest is not recorded");
        fclose(file);
        file = NULL;
    }
    atomic_flag_clear(&recording);
}
