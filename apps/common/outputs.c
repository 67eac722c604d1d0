/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is read and written would be gone before it is read. Files are told apart by device and inode, so links
 * do not hide them, and before anything is opened. Devices, pipes and what is not there yet lose nothing. */
#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUTS = 16 };

/* What a program will write; its one command line is valid until it ends. */
static struct output {
    char option[32];
    const char *path;
    struct stat file;
    bool there;
} outputs[OUTPUTS];
static int output_count;

/* False: nothing that can be lost is at this path. "-" is a standard stream. */
static bool look(const char *path, int stream, struct stat *file) {
    return !(strcmp(path, "-") ? stat(path, file) : fstat(stream, file)) &&
           (S_ISREG(file->st_mode) || S_ISBLK(file->st_mode));
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Two names of one file that is yet to be made: one folder, one name in it. */
static bool same_new_file(const char *a, const char *b) {
    const char *names[2] = {a, b}, *base[2];
    struct stat folder[2];
    for (int k = 0; k < 2; k++) {
        const char *slash = strrchr(names[k], '/');
        char *dir = slash ? strndup(names[k], (size_t)(slash - names[k]) + 1) : strdup(".");
        const bool there = dir && !stat(dir, &folder[k]);
        free(dir);
        if (!there)
            return false;
        base[k] = slash ? slash + 1 : names[k];
    }
    return !strcmp(base[0], base[1]) && same_file(&folder[0], &folder[1]);
}

static void keep(const char *option, const char *path, const struct stat *file) {
    struct output *o = &outputs[output_count < OUTPUTS ? output_count++ : OUTPUTS - 1];
    *o = (struct output){.path = path, .there = file};
    snprintf(o->option, sizeof o->option, "%s", option);
    if (file)
        o->file = *file;
}

/* "-" is a standard stream, which the program did not open. */
static int add(const struct app *app, const char *option, const char *path) {
    struct stat file;
    if (!path || !*path || !strcmp(path, "-"))
        return -1;
    const bool there = look(path, STDOUT_FILENO, &file), missing = !there && access(path, F_OK);
    for (int k = 0; k < output_count; k++) {
        const struct output *o = &outputs[k];
        if (there ? o->there && same_file(&o->file, &file) : missing && !o->there && same_new_file(o->path, path))
            return app_fail(app, "%s and %s are one file, %s: each would write over the other", o->option, option,
                            path);
    }
    if (there || missing)
        keep(option, path, there ? &file : NULL);
    return -1;
}

const char *app_writes(const char *path) {
    struct stat file;
    if (!look(path, STDIN_FILENO, &file))
        return NULL;
    for (int k = 0; k < output_count; k++)
        if (outputs[k].there && same_file(&outputs[k].file, &file))
            return outputs[k].option;
    return NULL;
}

static int check_input(const struct app *app, const char *path) {
    const char *option = path ? app_writes(path) : NULL;
    return !option ? -1
                   : app_fail(app, "%s is read, and %s would write over it: give another file",
                              strcmp(path, "-") ? path : "standard input", option);
}

static int add_outputs(const struct app *app) {
    int status =
        add(app, app->trace ? "--trace" : "HEDDLE_TRACE", getenv("HEDDLE_TRACE")); /* what the runtime writes */
    if (status < 0)
        status = add(app, "HEDDLE_RECORD", getenv("HEDDLE_RECORD"));
    for (const struct app_option *o = app->options; status < 0 && o && o->name; o++) {
        char name[32];
        snprintf(name, sizeof name, "--%s", o->name);
        if (o->kind == APP_OUTPUT)
            status = add(app, name, *(const char *const *)o->value);
    }
    return status;
}

int app_outputs_apart(const struct app *app) {
    struct stat file;
    output_count = 0;
    int status = add_outputs(app);
    if (look("-", STDOUT_FILENO, &file)) /* by the shell's >>, which empties nothing */
        keep("standard output", "-", &file);
    for (const struct app_option *o = app->options; status < 0 && o && o->name; o++)
        if (o->kind == APP_INPUT)
            status = check_input(app, *(const char *const *)o->value);
    for (int k = 0; status < 0 && k < app->input_count; k++)
        status = check_input(app, app->input[k]);
    return status;
}
