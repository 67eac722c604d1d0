/* SPDX-License-Identifier: Apache-2.0 */
#include "textfile.h"

#include "app.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool complain(struct complaint *c, const char *file, size_t line, const char *format, ...) {
    va_list arguments;
    int used = line ? snprintf(c->text, sizeof c->text, "%.200s:%zu: ", file, line)
                    : snprintf(c->text, sizeof c->text, "%.200s: ", file);
    va_start(arguments, format);
    vsnprintf(c->text + used, sizeof c->text - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

char *textfile_load(const char *path, size_t *size, struct complaint *c) {
    const char *option = app_writes(path); /* a file that another one names */
    if (option) {
        complain(c, path, 0, "is read, and %s would write over it: give another file", option);
        return NULL;
    }
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    size_t room = 1 << 16, count = 0, before;
    char *all = NULL;
    bool text;
    if (!file) {
        complain(c, path, 0, "%s", strerror(errno));
        return NULL;
    }
    do {
        room *= 2;
        all = app_resize(all, room, 1);
        before = count;
        count += fread(all + count, 1, room - count - 1, file);
        text = !memchr(all + before, 0, count - before);
    } while (text && count == room - 1);
    const bool good = text && !ferror(file);
    if (!good)
        complain(c, path, 0, "%s", text ? strerror(errno) : "not a text: it has a byte 0");
    if (file != stdin)
        fclose(file);
    if (!good) {
        free(all);
        return NULL;
    }
    all[count] = 0;
    *size = count;
    return all;
}

char *textfile_beside(const char *path, const char *name, int length) {
    const char *slash = *name == '/' ? NULL : strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *whole = app_alloc(folder + (size_t)length + 1, 1);
    memcpy(whole, path, folder);
    memcpy(whole + folder, name, (size_t)length);
    return whole;
}
