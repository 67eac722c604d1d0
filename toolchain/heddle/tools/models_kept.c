/* SPDX-License-Identifier: Apache-2.0 */
/* models_kept.c - what `heddle models` shows of files that are not the device selector's: times of loops over every
 * device (runtime/src/model/table.h) and of tiles (runtime/src/wavefront/width.c). */
#include "driver.h"
#include "model/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 9, SUMS = 4096 };

bool kept_kind(const char *path) { return ends_with(path, HEDDLE__LINES_SUFFIX) || ends_with(path, ".widths.csv"); }

void print_json_string(const char *s) {
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            putchar('\\');
        putchar((unsigned char)*s < ' ' ? ' ' : *s);
    }
    putchar('"');
}

/* The next line that is no comment, split; the number of fields, 0 at the end. */
static int next_line(char **text, char **field) {
    while (**text) {
        char *line = *text;
        const size_t n = strcspn(line, "\n");
        *text += n + (line[n] == '\n');
        line[n] = 0;
        int k = 0;
        for (char *p = *line && *line != '#' ? line : NULL; p && k < MOST; k++) {
            field[k] = p;
            p = strchr(p, ',');
            if (p)
                *p++ = 0;
        }
        if (k)
            return k;
    }
    return 0;
}

/* Chunks of one loop of one length on one device, or times of all of it by one team. */
struct sum {
    struct heddle__line line; /* the first one */
    long chunks;
    double items, compute, move;
};

static void print_sum(const struct sum *s) {
    const struct heddle__line *l = &s->line;
    if (l->kind == HEDDLE__LINE_TEAM)
        printf("  %-44s %-34s %12ld %8ld %14s %14s %12.1f\n", l->loop,
               format("%s%s", heddle__line_prefix(l->kind), l->name), l->sample.n, s->chunks, "", "",
               1e6 * s->compute / (double)s->chunks);
    else
        printf("  %-44s %-34s %12ld %8ld %14.6g %14.6g\n", l->loop, l->name, l->sample.n, s->chunks,
               1e6 * s->compute / s->items, 1e6 * s->move / s->items);
}

/* False: no room for one more loop, length and device. */
static bool add_line(struct sum *sum, int *count, const struct heddle__line *line) {
    int k = 0;
    while (k < *count && (sum[k].line.kind != line->kind || sum[k].line.sample.n != line->sample.n ||
                          strcmp(sum[k].line.loop, line->loop) || strcmp(sum[k].line.name, line->name)))
        k++;
    if (line->kind != HEDDLE__LINE_CHUNK &&
        (line->kind != HEDDLE__LINE_TEAM || !(line->sample.compute > 0))) /* a team that never ran */
        return true;
    if (k == SUMS)
        return false;
    if (k == *count)
        sum[(*count)++] = (struct sum){.line = *line}; /* what is there is of the file before */
    sum[k].chunks++;
    sum[k].items += (double)line->sample.chunk.count;
    sum[k].compute += line->sample.compute;
    sum[k].move += line->sample.move;
    return true;
}

static bool list_loops(char *text) {
    static struct sum sum[SUMS];
    struct heddle__line line;
    char *save = NULL;
    int count = 0, strange = 0, left_out = 0;
    for (char *at = strtok_r(text, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
        if (heddle__line_read(at, &line))
            left_out += !add_line(sum, &count, &line);
        else
            strange += !heddle__line_skipped(at);
    }
    printf("  %-44s %-34s %12s %8s %14s %14s %12s\n", "loop", "device, or team that shared it", "n", "chunks",
           "us/iteration", "us moving it", "us/loop");
    for (int k = 0; k < count; k++)
        print_sum(&sum[k]);
    if (left_out)
        complain("models: %d lines are left out: more than %d loops, lengths and devices", left_out, SUMS);
    return !strange;
}

static bool widths_good(char **f) {
    double value;
    bool good = true;
    for (int k = 2; k < 9; k++)
        good &= real_number(f[k], 0, 1e18, &value);
    return good;
}

static bool list_widths(char *text) {
    static const char *const layouts[] = {"auto", "row", "hybrid"};
    char *f[MOST];
    int fields, strange = 0;
    printf("  %-44s %-24s %-8s %8s %8s %10s %10s %12s %10s\n", "nest", "device", "layout", "height", "workers", "rows",
           "columns", "diagonal ns", "sync ns");
    while ((fields = next_line(&text, f))) {
        if (fields && !strcmp(f[0], "nest"))
            continue;
        if (fields != 9 || !widths_good(f)) {
            strange++;
            continue;
        }
        const int layout = atoi(f[2]);
        printf("  %-44s %-24s %-8s %8s %8s %10s %10s %12s %10s\n", f[0], f[1],
               layout >= 0 && layout < 3 ? layouts[layout] : "?", f[3], f[4], format("2^%s", f[5]),
               format("2^%s", f[6]), f[7], f[8]);
    }
    return !strange;
}

bool kept_list(const char *path, char *text) {
    printf("%s\n", path);
    const bool good = ends_with(path, HEDDLE__LINES_SUFFIX) ? list_loops(text) : list_widths(text);
    if (!good)
        complain("models: %s: some lines are not understood: another version's, or damaged", path);
    return good;
}

/* One object for each line, with the names of its columns. */
bool kept_json(const char *path, char *text) {
    char *name[MOST], *f[MOST], *end;
    const int columns = next_line(&text, name);
    for (int fields; (fields = next_line(&text, f));) {
        printf("{\"file\": ");
        print_json_string(path);
        for (int k = 0; k < fields && k < columns; k++) {
            printf(", \"%s\": ", name[k]);
            const double value = strtod(f[k], &end);
            if (*f[k] && !*end && value - value == 0)
                printf("%.9g", value);
            else
                print_json_string(f[k]);
        }
        puts("}");
    }
    return true;
}
