/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers of the project may hold directives, or macros that hold some: #define PARALLEL_FOR PRAGMA(heddle for).
 * Headers are found by their names, in the folder of the file that includes them and in those of -I and -iquote;
 * conditions are not looked at, for what is found too much is only translated without a change.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 2000 }; /* headers of one source; a project that needs more says HEDDLE in the source */

struct search {
    struct list folders, seen;
};

static bool is_new(struct search *s, const char *path) {
    for (size_t i = 0; i < s->seen.count; i++)
        if (strcmp(s->seen.at[i], path) == 0)
            return false;
    list_add(&s->seen, path);
    return s->seen.count <= MOST;
}

static bool look(struct search *s, const char *path);

static bool included(struct search *s, const char *from, const char *name, bool quoted) {
    char *beside = format("%s%s", dir_of(from), name);
    if (quoted && is_file(beside))
        return look(s, beside);
    for (size_t i = 0; i < s->folders.count; i++) {
        char *path = format("%s/%s", s->folders.at[i], name);
        if (is_file(path))
            return look(s, path);
    }
    return false;
}

bool holds_pragma_macro(const char *text) { return strstr(text, "(heddle ") || strstr(text, "(\"heddle "); }

/* Those that the text, of the file `path`, includes. */
static bool look_behind(struct search *s, const char *path, const char *text) {
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        line += strspn(line, " \t");
        if (*line != '#')
            continue;
        line++;
        line += strspn(line, " \t");
        if (strncmp(line, "include", 7) != 0)
            continue;
        line += 7;
        line += strspn(line, " \t");
        const bool quoted = *line == '"';
        const size_t n = quoted || *line == '<' ? strcspn(line + 1, "\">\n") : 0;
        if (n && included(s, path, format("%.*s", (int)n, line + 1), quoted))
            return true;
    }
    return false;
}

static bool look(struct search *s, const char *path) {
    if (!is_new(s, path))
        return false;
    char *text = read_file(path, NULL);
    const bool found = text && (holds_directive(text) || holds_pragma_macro(text) || look_behind(s, path, text));
    free(text);
    return found;
}

/* -I folder, -Ifolder */
static const char *argument(const struct list *options, size_t i, const char *name) {
    const char *w = options->at[i];
    if (!starts_with(w, name))
        return NULL;
    return w[strlen(name)] ? w + strlen(name) : i + 1 < options->count ? options->at[i + 1] : NULL;
}

bool headers_hold_directives(const char *path, const char *text, const struct list *options) {
    struct search s = {0};
    for (size_t i = 0; i < options->count; i++) {
        const char *folder = argument(options, i, "-I");
        folder = folder ? folder : argument(options, i, "-iquote");
        if (folder)
            list_add(&s.folders, folder);
    }
    for (size_t i = 0; i < options->count; i++) {
        const char *file = strcmp(options->at[i], "-include") == 0 ? argument(options, i, "-include") : NULL;
        if (file && (is_file(file) ? look(&s, file) : included(&s, "", file, false)))
            return true;
    }
    return look_behind(&s, path, text);
}
