/* SPDX-License-Identifier: Apache-2.0 */
/* dependencies.c - files of dependencies for make, which clang writes with the name of the translated file. */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The path as it stands in a make rule. */
static char *make_escape(const char *path) {
    char *out = malloc(2 * strlen(path) + 1), *o = out;
    if (!out)
        fail("out of memory");
    for (const char *s = path; *s; s++) {
        if (*s == ' ' || *s == '#')
            *o++ = '\\';
        if (*s == '$')
            *o++ = '$';
        *o++ = *s;
    }
    *o = 0;
    return out;
}

char *replace_suffix(const char *path, const char *suffix) {
    const char *dot = strrchr(base_of(path), '.');
    return format("%.*s%s", dot ? (int)(dot - path) : (int)strlen(path), path, suffix);
}

char *dep_file_of(const struct args *a, const struct input *in) {
    if (a->dep_file)
        return a->dep_file;
    return replace_suffix(a->output ? a->output : base_of(in->path), ".d");
}

/* From the folder of temporary files to the blank that ends the name; clang writes some letters in it in its own way.
 */
static size_t dep_name_length(const char *at) {
    const char *s = at;
    while (*s && *s != '\n' && (*s != ' ' || s[-1] == '\\'))
        s++;
    return (size_t)(s - at);
}

void mend_dep_file(const char *file, const char *translated, const char *original) {
    char *text = read_file(file, NULL);
    char *from = make_escape(dir_of(translated)), *to = make_escape(original);
    char *at = text ? strstr(text, from) : NULL;
    if (!at)
        return;
    FILE *f = fopen(file, "w");
    if (!f) {
        complain("cannot rewrite %s: %s", file, strerror(errno));
        return;
    }
    for (const char *s = text; *s;) {
        if ((at = strstr(s, from))) {
            fprintf(f, "%.*s%s", (int)(at - s), s, to);
            s = at + dep_name_length(at);
        } else {
            fputs(s, f);
            break;
        }
    }
    if (fclose(f) != 0)
        complain("cannot rewrite %s: %s", file, strerror(errno));
}
