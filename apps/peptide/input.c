/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include "app.h"
#include "gzip.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct input {
    gzFile file;
    char name[256];
};

bool note_fail(struct note *note, const char *format, ...) {
    va_list arguments;
    if (note->text[0])
        return false;
    va_start(arguments, format);
    vsnprintf(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
    return false;
}

struct input *input_open(const char *path, struct note *note) {
    const bool standard = !strcmp(path, "-");
    errno = 0;
    gzFile file = standard ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    if (!file) {
        note_fail(note, "%s: %s", path, errno ? strerror(errno) : "cannot open");
        return NULL;
    }
    gzbuffer(file, 1 << 18);
    struct input *input = app_alloc(1, sizeof *input);
    input->file = file;
    snprintf(input->name, sizeof input->name, "%s", standard ? "<stdin>" : path);
    return input;
}

const char *input_name(const struct input *input) { return input->name; }

/* zlib reports a file that stops in the middle only when asked after the last byte was handed out. */
long input_read(struct input *input, void *bytes, size_t room, struct note *note) {
    errno = 0;
    int count = gzread(input->file, bytes, room < (1u << 30) ? (unsigned)room : 1u << 30), code;
    if (count > 0 && memchr(bytes, 0, (size_t)count)) {
        note_fail(note, "%s: not a text: it has a byte 0", input->name); /* nor might it ever end */
        return -1;
    }
    if (count > 0 && gzip_too_large(input->file)) {
        char what[160];
        snprintf(what, sizeof what, GZIP_MESSAGE);
        note_fail(note, "%s: %s", input->name, what);
        return -1;
    }
    if (count > 0)
        return count;
    const char *text = gzerror(input->file, &code);
    if (code == Z_BUF_ERROR)
        note_fail(note, "%s: the compressed data end early (truncated gzip)", input->name);
    else if (code == Z_ERRNO)
        note_fail(note, "%s: cannot read: %s", input->name, strerror(errno));
    else if (code != Z_OK && code != Z_STREAM_END)
        note_fail(note, "%s: bad compressed data: %s", input->name, text);
    return note->text[0] ? -1 : 0;
}

void input_close(struct input *input) {
    if (input)
        gzclose(input->file);
    free(input);
}

bool input_read_all(const char *path, char **bytes, size_t *length, struct note *note) {
    struct input *input = input_open(path, note);
    size_t used = 0, room = 1 << 20;
    long count = 0;
    *bytes = NULL;
    *length = 0;
    if (!input)
        return false;
    char *text = app_resize(NULL, room, 1);
    while ((count = input_read(input, text + used, room - used - 1, note)) > 0) {
        used += (size_t)count;
        if (room - used < room / 4)
            text = app_resize(text, room *= 2, 1);
    }
    input_close(input);
    if (count < 0) {
        free(text);
        return false;
    }
    text[used] = 0;
    *bytes = text;
    *length = used;
    return true;
}
