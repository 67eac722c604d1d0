/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - `heddle models`: shows, compares, exports and removes what the device selector measured.
 * The files are CSV, one per program, written by libheddle (runtime/src/select/model_file.c). */
#include "driver.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 15 };
enum { REGION, WHERE, DEVICE, HOST_OK, CODE, ITEMS, BYTES, TO_BYTES, RUNS, MEDIAN, SPREAD, ERROR, SETUP, PER_ITEM, PER_BYTE };

static char *models_folder(void)
{
    const char *set = getenv("HEDDLE_MODELS"), *cache = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    if (set && *set)
        return format("%s", set);
    if (cache && *cache)
        return format("%s/heddle/models", cache);
    return format("%s/.cache/heddle/models", user && *user ? user : "");
}

/* The file of the program at `path`: its name carries a hash of the full path. */
static char *file_of(const char *dir, const char *path)
{
    unsigned hash = 2166136261u;
    for (const char *s = path; *s; s++)
        hash = (hash ^ (unsigned char)*s) * 16777619u;
    return format("%s/%.200s-%08x.csv", dir, base_of(path), hash);
}

/* `word` is a CSV file, a program, or the name of one. */
static void add_files(struct list *files, const char *dir, const char *word)
{
    const size_t before = files->count;
    if (word && ends_with(word, ".csv") && is_file(word)) {
        list_add(files, word);
        return;
    }
    char *program = word ? find_in_path(word) : NULL;
    if (program && is_file(file_of(dir, absolute(program)))) {
        list_add(files, file_of(dir, absolute(program)));
        return;
    }
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        const char *dash = strrchr(e->d_name, '-');
        if (!ends_with(e->d_name, ".csv") || !dash)
            continue;
        if (!word || (strlen(word) == (size_t)(dash - e->d_name) && starts_with(e->d_name, word)))
            list_add(files, format("%s/%s", dir, e->d_name));
    }
    if (d)
        closedir(d);
    if (word && files->count == before)
        complain("models: nothing measured for '%s' in %s; `heddle run %s` measures", word, dir, word);
}

/* The next line of measurements, split; false at the end. */
static bool next_line(char **text, char **field)
{
    while (**text) {
        char *line = *text;
        const size_t n = strcspn(line, "\n");
        *text += n + (line[n] == '\n');
        line[n] = 0;
        if (*line == '#' || starts_with(line, "region,"))
            continue;
        int k = 0;
        for (char *p = line; p && k < FIELDS; k++) {
            field[k] = p;
            p = strchr(p, ',');
            if (p)
                *p++ = 0;
        }
        if (k == FIELDS)
            return true;
    }
    return false;
}

/* The term of the line that grows with bytes; on a device that is what the region's own maps take on their way. */
static double bytes_us(char **f) { return 1e-3 * atof(f[PER_BYTE]) * atof(f[BYTES]); }
static double transfers_us(char **f) { return starts_with(f[DEVICE], "host") ? 0 : bytes_us(f); }

static void list_file(const char *path, bool compare)
{
    char *text = read_file(path, NULL), *f[FIELDS];
    if (!text) {
        complain("models: cannot read %s", path);
        return;
    }
    printf("%s\n", path);
    if (compare)
        printf("  %-28s %-18s %12s %12s %10s %10s %12s %12s %12s %7s %8s\n", "region", "device", "n", "bytes", "setup us", "items us",
               "transfers us", "line us", "median us", "off %", "error %");
    else
        printf("  %-28s %-18s %12s %12s %12s %12s %9s %12s %10s\n", "region", "device", "n", "bytes", "median us", "spread us", "runs",
               "transfers us", "GB/s");
    while (next_line(&text, f)) {
        const double items = 1e-3 * atof(f[PER_ITEM]) * atof(f[ITEMS]), transfers = transfers_us(f), median = atof(f[MEDIAN]);
        const double line = atof(f[SETUP]) + items + bytes_us(f);
        const char *name = *f[WHERE] ? f[WHERE] : f[REGION];
        if (compare)
            printf("  %-28s %-18s %12s %12s %10s %10.1f %12.1f %12.1f %12.1f %7.1f %8s\n", name, f[DEVICE], f[ITEMS], f[BYTES], f[SETUP],
                   items, transfers, line, median, median > 0 ? 100 * (line - median) / median : 0, f[ERROR]);
        else
            printf("  %-28s %-18s %12s %12s %12s %12s %9s %12.1f %10.3g\n", name, f[DEVICE], f[ITEMS], f[BYTES], f[MEDIAN], f[SPREAD],
                   f[RUNS], transfers, transfers > 0 ? 1e-3 * atof(f[BYTES]) / transfers : 0);
    }
}

static void print_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            putchar('\\');
        putchar((unsigned char)*s < ' ' ? ' ' : *s);
    }
    putchar('"');
}

static void export_json(const char *path)
{
    static const char *const names[] = {"region", "where", "device", "host_ok", "code", "n", "bytes", "to_bytes", "runs", "median_us",
                                        "spread_us", "error_percent", "setup_us", "per_item_ns", "per_byte_ns"};
    char *text = read_file(path, NULL), *f[FIELDS];
    while (text && next_line(&text, f)) {
        printf("{\"file\": ");
        print_string(path);
        for (int k = 0; k < FIELDS; k++) {
            printf(", \"%s\": ", names[k]);
            if (k <= DEVICE || k == CODE)
                print_string(f[k]);
            else
                printf("%.9g", atof(f[k]));
        }
        puts("}");
    }
}

static void export_csv(const char *path)
{
    const char *text = read_file(path, NULL);
    if (text)
        fputs(text, stdout);
}

static int reset(const struct list *files)
{
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

static int run(int argc, char **argv)
{
    const char *verb = argc > 1 && argv[1][0] != '-' ? argv[1] : "list";
    bool json = false, all = false;
    struct list files = {0};
    char *dir = models_folder();
    const int first = argc > 1 && argv[1][0] != '-' ? 2 : 1;
    int named = 0;
    for (int k = first; k < argc; k++) {
        json = json || !strcmp(argv[k], "--json");
        all = all || !strcmp(argv[k], "--all");
        if (argv[k][0] == '-')
            continue;
        named++;
        add_files(&files, dir, argv[k]);
    }
    if (!strcmp(verb, "reset") && !named && !all) {
        complain("models: name the programs to reset, or --all");
        return 2;
    }
    if (!named)
        add_files(&files, dir, NULL);
    if (!strcmp(verb, "reset"))
        return reset(&files);
    if (strcmp(verb, "list") && strcmp(verb, "compare") && strcmp(verb, "export")) {
        complain("models: no verb '%s' (list, compare, export, reset)", verb);
        return 2;
    }
    if (!files.count && !named)
        printf("nothing measured yet in %s; `heddle run ./prog` measures\n", dir);
    for (size_t k = 0; k < files.count; k++)
        if (!strcmp(verb, "export"))
            (json ? export_json : export_csv)(files.at[k]);
        else
            list_file(files.at[k], !strcmp(verb, "compare"));
    return named && !files.count;
}

const struct command command_models = {
    .name = "models",
    .summary = "show, compare, export or reset the measured times of the device selector",
    .usage = "usage: heddle models [list | compare | export [--json] | reset] [PROGRAM... | --all]\n"
             "\n"
             "  list      measured times per region, device and size (default); what of them are transfers,\n"
             "            and at what rate. Links are lines of their own, in brackets\n"
             "  compare   the cost line T = setup + per_item n + per_byte bytes, term by term, against the\n"
             "            measured median, and the error that predictions had when the regions ran\n"
             "  export    the CSV as it is, or one JSON object per line\n"
             "  reset     forget what was measured\n"
             "\n"
             "PROGRAM is a path, a name, or a CSV file; without one all programs are meant.\n"
             "The files are in $HEDDLE_MODELS, else in the cache folder under heddle/models.\n",
    .run = run,
};
