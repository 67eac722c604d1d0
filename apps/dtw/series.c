/* SPDX-License-Identifier: Apache-2.0 */
/* Text reader for series; strict, because a sample that is silently wrong makes a wrong distance.
 */
#include "series.h"

#include "app.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const char *path;
    long line;
    int field;
    char *message;
    size_t size;
};

static bool fail(const struct source *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(const struct source *s, const char *format, ...) {
    va_list arguments;
    int used = s->line ? snprintf(s->message, s->size, "%s:%ld: ", s->path, s->line)
                       : snprintf(s->message, s->size, "%s: ", s->path);
    va_start(arguments, format);
    if (used >= 0 && (size_t)used < s->size)
        vsnprintf(s->message + used, s->size - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

void series_add_sample(struct series_set *set, double value) {
    if (set->used == set->room) {
        set->room = set->room ? set->room * 2 : 1024;
        set->samples = app_resize(set->samples, set->room, sizeof *set->samples);
    }
    set->samples[set->used++] = value;
}

void series_end(struct series_set *set) {
    size_t start = 0;
    if (set->count)
        start = set->at[set->count - 1].start + (size_t)set->at[set->count - 1].length;
    if (set->count == set->slots) {
        set->slots = set->slots ? set->slots * 2 : 64;
        set->at = app_resize(set->at, (size_t)set->slots, sizeof *set->at);
    }
    set->at[set->count++] = (struct series){start, (int)(set->used - start)};
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool read_sample(struct series_set *set, struct source *s, char **at) {
    char *end;
    const double most = set->most > 0 ? set->most : SERIES_MOST;
    const size_t letters = strcspn(*at, " \t\r\n,;");
    const int length = letters < INT_MAX ? (int)letters : INT_MAX;
    s->field++;
    if (!length)
        return fail(s, "sample %d is empty", s->field);
    double value = strtod(*at, &end);
    if (end != *at + length)
        return fail(s, "sample %d is not a number: %.*s", s->field, length > 40 ? 40 : length, *at);
    if (!(value - value == 0)) /* NaN and infinity */
        return fail(s, "sample %d is not a finite number: %.*s", s->field, length > 40 ? 40 : length, *at);
    if (!(value >= -most && value <= most)) /* the squares of differences, summed up, stay numbers */
        return fail(s, "sample %d is out of range (at most %g): %.*s", s->field, most, length > 40 ? 40 : length, *at);
    if (s->field > INT_MAX / 2)
        return fail(s, "series longer than %d samples", INT_MAX / 2);
    series_add_sample(set, value);
    *at = end;
    return true;
}

/* One separator between samples; a separator after the last sample is tolerated. */
static bool read_line(struct series_set *set, struct source *s, char *at) {
    s->field = 0;
    for (;;) {
        while (is_blank(*at))
            at++;
        if (!*at)
            break;
        if (!read_sample(set, s, &at))
            return false;
        while (is_blank(*at))
            at++;
        if (*at == ',' || *at == ';')
            at++;
    }
    if (s->field)
        series_end(set);
    return true;
}

/* The next line, with a 0 in place of its end. False: there is none, or it is no text, which is said at once: a line of
 * a device never ends. */
static bool next_line(struct source *s, FILE *file, char **text, size_t *room, bool *good) {
    size_t used = 0;
    int c;
    s->line++;
    while ((c = getc_unlocked(file)) != EOF && c != '\n') {
        if (!c) {
            *good = fail(s, "a zero byte: not a text file");
            return false;
        }
        if (used + 1 >= *room)
            *text = app_resize(*text, *room *= 2, 1);
        (*text)[used++] = (char)c;
    }
    (*text)[used] = 0;
    s->line -= c == EOF && !used;
    return c != EOF || used;
}

static bool read_file(struct series_set *set, struct source *s, FILE *file) {
    size_t room = 4096;
    char *text = app_resize(NULL, room, 1);
    bool good = true;
    int before = set->count;
    errno = 0;
    while (good && next_line(s, file, &text, &room, &good))
        if (text[0] != '#')
            good = read_line(set, s, text);
    if (good && ferror(file))
        good = fail(s, "cannot read: %s", strerror(errno));
    if (good && set->count == before)
        good = fail(s, "no series in this file");
    free(text);
    return good;
}

bool series_read(struct series_set *set, const char *path, char *message, size_t size) {
    bool standard = !strcmp(path, "-");
    struct source source = {.path = standard ? "<stdin>" : path, .message = message, .size = size};
    FILE *file = standard ? stdin : fopen(path, "r");
    if (!file) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = read_file(set, &source, file);
    if (!standard)
        fclose(file);
    return good;
}

void series_free(struct series_set *set) {
    free(set->samples);
    free(set->at);
    *set = (struct series_set){0};
}
