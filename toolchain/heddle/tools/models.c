/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - `heddle models`: shows, compares, exports and removes what programs measured (runtime/src/model/table.h):
 * files of CSV, of each kind one per program. */
#include "driver.h"
#include "models.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *models_folder(void) {
    const char *set = secure_getenv("HEDDLE_MODELS"), *cache = secure_getenv("XDG_CACHE_HOME"),
               *user = secure_getenv("HOME");
    if (set && *set)
        return format("%s", set);
    if (cache && *cache)
        return format("%s/heddle/models", cache);
    return format("%s/.cache/heddle/models", user && *user ? user : "");
}

/* How the names of the files of the program at `path` begin: with its name and a hash of the full path. */
static char *stem_of(const char *path) {
    unsigned hash = 2166136261u;
    for (const char *s = path; *s; s++)
        hash = (hash ^ (unsigned char)*s) * 16777619u;
    return format("%.200s-%08x.", base_of(path), hash);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Files whose names begin with `stem`, or that belong to any program called `word`, or all. */
static void add_named(struct list *files, const char *dir, const char *stem, const char *word) {
    const size_t before = files->count;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        const char *dash = strrchr(e->d_name, '-');
        if (!ends_with(e->d_name, ".csv") || !dash || (stem && !starts_with(e->d_name, stem)))
            continue;
        if (!word || (strlen(word) == (size_t)(dash - e->d_name) && starts_with(e->d_name, word)))
            list_add(files, format("%s/%s", dir, e->d_name));
    }
    if (d)
        closedir(d);
    if (files->count > before)
        qsort(files->at + before, files->count - before, sizeof *files->at, by_name);
}

/* `word` is a CSV file, a program, or the name of one. */
static void add_files(struct list *files, const char *dir, const char *word) {
    const size_t before = files->count;
    if (word && ends_with(word, ".csv") && is_file(word)) {
        list_add(files, word);
        return;
    }
    char *program = word ? find_in_path(word) : NULL;
    if (program)
        add_named(files, dir, stem_of(absolute(program)), NULL);
    if (files->count == before)
        add_named(files, dir, NULL, word);
    if (word && files->count == before)
        complain("models: nothing measured for '%s' in %s; `heddle run %s` measures", word, dir, word);
}

/* NULL after a message. A pipe might have nobody at its other end. */
static char *read_text(const char *path) {
    size_t size;
    char *text = is_file(path) ? read_file(path, &size) : NULL;
    if (text && strlen(text) == size)
        return text;
    complain(text ? "models: %s is no text: it has a byte 0" : "models: cannot read %s", path);
    return NULL;
}

/* All that is counted or measured is a number, so nothing is taken for 0. */
static struct models read_rows(const char *path, char *text) {
    struct models m = {.path = path};
    size_t room = 0;
    int number = 0;
    for (char *line; (line = take_line(&text, &number));) {
        if (heddle__row_is_comment(line))
            continue;
        if (m.rows == room) {
            room = room ? 2 * room : 256;
            m.row = realloc(m.row, room * sizeof *m.row);
            if (!m.row)
                fail("out of memory");
        }
        if (heddle__row_read(line, &m.row[m.rows]))
            m.rows++;
        else
            m.strange++;
    }
    return m;
}

static bool show_file(const char *path, void (*show)(const struct models *m)) {
    char *text = read_text(path);
    if (!text)
        return false;
    if (!starts_with(text, HEDDLE__TABLE_HEADER)) {
        complain("models: %s is of another version, or damaged: its first line does not begin with \"%s\"", path,
                 HEDDLE__TABLE_HEADER);
        return false;
    }
    const struct models m = read_rows(path, text);
    show(&m);
    if (m.strange)
        complain("models: %s: %d lines are not understood", path, m.strange);
    free(m.row);
    return !m.strange;
}

static bool export_csv(const char *path) {
    const char *text = read_text(path);
    if (!text)
        return false;
    fputs(text, stdout);
    return true;
}

static int reset(const struct list *files) {
    int status = 0;
    for (size_t k = 0; k < files->count; k++) {
        if (unlink(files->at[k]) != 0) {
            complain("models: cannot remove %s", files->at[k]);
            status = 1;
            continue;
        }
        unlink(format("%s.lock", files->at[k]));
        printf("removed %s\n", files->at[k]);
    }
    return status;
}

static int run(int argc, char **argv) {
    static const char *const verbs[] = {"list", "compare", "export", "reset"};
    const char *verb = "list";
    int first = 1;
    for (int k = 0; k < 4 && argc > 1; k++)
        if (!strcmp(argv[1], verbs[k]))
            verb = verbs[k], first = 2;
    bool json = false, all = false;
    struct list files = {0};
    char *dir = models_folder();
    int named = 0;
    for (int k = first; k < argc; k++) {
        json = json || !strcmp(argv[k], "--json");
        all = all || !strcmp(argv[k], "--all");
        if (argv[k][0] == '-' && strcmp(argv[k], "--json") && strcmp(argv[k], "--all")) {
            complain("models: cannot use '%s'; `heddle models --help` lists the options", argv[k]);
            return 2;
        }
        named += argv[k][0] != '-';
    }
    if (!strcmp(dir, "none") && !named) {
        printf("HEDDLE_MODELS=none: nothing is kept\n");
        return 0;
    }
    for (int k = first; k < argc; k++)
        if (argv[k][0] != '-')
            add_files(&files, dir, argv[k]);
    if (!strcmp(verb, "reset") && !named && !all) {
        complain("models: name the programs to reset, or --all");
        return 2;
    }
    if (!named)
        add_files(&files, dir, NULL);
    if (!strcmp(verb, "reset"))
        return reset(&files) || (named && !files.count);
    if (!files.count && !named)
        printf("nothing measured yet in %s; `heddle run ./prog` measures\n", dir);
    bool good = !named || files.count;
    for (size_t k = 0; k < files.count; k++)
        good &= !strcmp(verb, "compare") ? show_file(files.at[k], models_compare)
                : !strcmp(verb, "list")  ? show_file(files.at[k], models_list)
                : json                   ? show_file(files.at[k], models_json)
                                         : export_csv(files.at[k]);
    return !good;
}

const struct command command_models = {
    .name = "models",
    .summary = "show, compare, export or reset what programs measured: regions, loops, tile widths",
    .usage =
        "usage: heddle models [list | compare | export [--json] | reset] [PROGRAM... | --all]\n"
        "\n"
        "  list      measured times (default). Target regions: per device and size; what of them are\n"
        "            transfers, and at what rate. Links are lines of their own, in brackets.\n"
        "            Loops over every device: per device and length; also what sets of devices took for all of it.\n"
        "            Tile widths of nests: a diagonal's and a hand-over's time\n"
        "  compare   regions: the cost line T = setup + per_item n + per_byte bytes, term by term, against the\n"
        "            measured median, and the error that predictions had when the regions ran\n"
        "  export    the CSV as it is, or one JSON object per line\n"
        "  reset     forget what was measured; --all: of all programs\n"
        "\n"
        "PROGRAM is a path, a name, or a CSV file; without one all programs are meant.\n"
        "The files are in $HEDDLE_MODELS, else in the cache folder under heddle/models.\n",
    .run = run,
};
