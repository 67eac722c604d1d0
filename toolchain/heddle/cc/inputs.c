/* SPDX-License-Identifier: Apache-2.0 */
/* Which inputs of a compilation are sources, and which of these hold a directive. */
#include "driver.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *s) {
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

bool holds_directive(const char *text) {
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *s = skip_blanks(line);
        if (*s != '#')
            continue;
        s = skip_blanks(s + 1);
        if (strncmp(s, "pragma", 6) != 0 || (s[6] != ' ' && s[6] != '\t'))
            continue;
        s = skip_blanks(s + 6);
        if (!strncmp(s, "heddle", 6) && !isalnum((unsigned char)s[6]) && s[6] != '_')
            return true;
    }
    return false;
}

/* ... or may take one from a macro: HEDDLE_FOR, PRAGMA(heddle for), _Pragma("heddle for"), or one of a header. */
static bool may_hold_directive(const char *path, const char *text, const struct list *options) {
    return holds_directive(text) || holds_pragma_macro(text) || strstr(text, "HEDDLE") ||
           headers_hold_directives(path, text, options);
}

bool is_source(const struct input *in) {
    static const char *const objects[] = {".o", ".a", ".so", ".obj", ".lo", ".ld", ".bc"};
    if (in->language)
        return true;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (ends_with(in->path, objects[i]))
            return false;
    return !strstr(base_of(in->path), ".so.");
}

bool to_translate(const struct input *in, const struct list *options) {
    if (!is_source(in) || !is_file(in->path))
        return false;
    char *text = read_file(in->path, NULL);
    bool yes = text && may_hold_directive(in->path, text, options);
    if (yes && !in->c_source && !holds_directive(text) && !strstr(text, "(\"heddle "))
        yes = false;
    free(text);
    if (yes && !in->c_source)
        complain("%s is neither C nor C++: its directives are ignored", in->path);
    return yes && in->c_source;
}
