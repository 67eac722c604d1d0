/* SPDX-License-Identifier: Apache-2.0 */
/* FASTA and FASTQ reader over a 64 KiB window: every parser below looks one character ahead with
 * peek() and takes it with take(), so files, pipes, gzip and memory are all the same to it. */
#include "seqio.h"

#include "app.h"
#include "gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { WINDOW = 1 << 16, LONGEST = INT_MAX - 4096, NO_CHAR = -1 };

struct text {
    char *at;
    size_t used, room;
};

struct seq_reader {
    const struct sw_alphabet *alphabet;
    const char *path;
    gzFile file; /* NULL when reading memory */
    unsigned char *window;
    size_t used, filled;
    long line, record;
    bool started, failed;
    struct text name, codes, quality;
    char error[512];
};

static int fail(struct seq_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(struct seq_reader *r, const char *format, ...) {
    char what[256], record[160] = "";
    va_list arguments;
    if (r->failed)
        return -1; /* the first error is the cause */
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (r->record && r->name.used)
        snprintf(record, sizeof record, "record %ld (%.100s): ", r->record, r->name.at);
    else if (r->record)
        snprintf(record, sizeof record, "record %ld: ", r->record);
    snprintf(r->error, sizeof r->error, "%s:%ld: %s%s", r->path, r->line, record, what);
    r->failed = true;
    return -1;
}

/* zlib reports a file that stops in the middle only when asked after the last byte was handed out.
 */
static void refill(struct seq_reader *r) {
    r->used = r->filled = 0;
    if (!r->file || r->failed)
        return;
    int count = gzread(r->file, r->window, WINDOW), code;
    if (count > 0 && gzip_too_large(r->file)) {
        fail(r, GZIP_MESSAGE);
        return;
    }
    if (count > 0) {
        r->filled = (size_t)count;
        return;
    }
    const char *text = gzerror(r->file, &code);
    if (code == Z_BUF_ERROR)
        fail(r, "the compressed data end early (truncated gzip)");
    else if (code == Z_ERRNO)
        fail(r, "cannot read: %s", strerror(errno));
    else if (code != Z_OK && code != Z_STREAM_END)
        fail(r, "bad compressed data: %s", text);
}

static int peek(struct seq_reader *r) {
    if (r->used == r->filled)
        refill(r);
    return r->used < r->filled ? r->window[r->used] : NO_CHAR;
}

static int take(struct seq_reader *r) {
    int c = peek(r);
    if (c != NO_CHAR)
        r->used++;
    if (c == '\n')
        r->line++;
    return c;
}

static void make_room(struct text *text, size_t more) {
    if (text->used + more >= text->room) {
        text->room = text->room * 2 > text->used + more ? text->room * 2 : text->used + more + 256;
        text->at = app_resize(text->at, text->room, 1);
    }
}

static void append(struct text *text, int c) {
    make_room(text, 1);
    text->at[text->used++] = (char)c;
    text->at[text->used] = 0; /* kept terminated so that names can be printed at any time */
}

static void skip_line(struct seq_reader *r) {
    int c;
    while ((c = take(r)) != '\n' && c != NO_CHAR)
        ;
}

static bool is_space(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

static void skip_space(struct seq_reader *r) {
    while (is_space(peek(r)))
        take(r);
}

/* The header after its mark; the name is its first word, blanks before it are tolerated. */
static void read_header(struct seq_reader *r) {
    take(r);
    while (peek(r) == ' ' || peek(r) == '\t')
        take(r);
    while (peek(r) != NO_CHAR && !is_space(peek(r))) {
        int c = take(r);
        append(&r->name, c < 0x20 || c == 0x7f ? '?' : c);
    }
    skip_line(r);
}

/* A printable form of a character that should not be there. */
static const char *shown(int c, char text[16]) {
    if (c > 0x20 && c < 0x7f)
        snprintf(text, 16, "'%c'", c);
    else
        snprintf(text, 16, "byte 0x%02x", (unsigned)c & 0xff);
    return text;
}

/* Residues up to something else or the end of the window: nearly all of most files. */
static void read_run(struct seq_reader *r) {
    const signed char *const code = r->alphabet->code;
    const size_t left = LONGEST - r->codes.used, count = r->filled - r->used;
    const unsigned char *at = r->window + r->used, *const end = at + (count < left ? count : left);
    make_room(&r->codes, (size_t)(end - at));
    char *to = r->codes.at + r->codes.used;
    while (at < end && code[*at] >= 0)
        *to++ = (char)code[*at++];
    r->codes.used = (size_t)(to - r->codes.at);
    r->used = (size_t)(at - r->window);
}

static int read_residue_line(struct seq_reader *r) {
    int c;
    char text[16];
    while ((c = peek(r)) != '\n' && c != NO_CHAR) {
        if (r->alphabet->code[c] >= 0 && r->codes.used < LONGEST) {
            read_run(r);
            continue;
        }
        if (!is_space(c)) {
            signed char code = r->alphabet->code[c];
            if (code < 0)
                return fail(r, "%s is not a %s residue letter", shown(c, text), r->alphabet->name);
            return fail(r, "longer than %d residues", LONGEST);
        }
        take(r);
    }
    take(r);
    return 0;
}

/* Residue lines up to one that starts with the mark, or to the end. */
static int read_residues(struct seq_reader *r, int mark) {
    while (peek(r) != mark && peek(r) != NO_CHAR)
        if (read_residue_line(r) < 0)
            return -1;
    if (r->failed)
        return -1; /* the input broke off; what was read may be half a sequence */
    return r->codes.used ? 0 : fail(r, "the record has no sequence");
}

static void read_quality_run(struct seq_reader *r) {
    const size_t left = r->codes.used - r->quality.used, count = r->filled - r->used;
    const unsigned char *at = r->window + r->used, *const end = at + (count < left ? count : left);
    make_room(&r->quality, (size_t)(end - at));
    char *to = r->quality.at + r->quality.used;
    while (at < end && *at > 32 && *at < 127)
        *to++ = (char)*at++;
    *to = 0;
    r->quality.used = (size_t)(to - r->quality.at);
    r->used = (size_t)(at - r->window);
}

static int read_quality_line(struct seq_reader *r) {
    int c;
    char text[16];
    while ((c = peek(r)) != '\n' && c != NO_CHAR) {
        if (c > 32 && c < 127 && r->quality.used < r->codes.used) {
            read_quality_run(r);
            continue;
        }
        if (c != '\r') {
            if (c < 33 || c > 126)
                return fail(r, "%s is not a quality character", shown(c, text));
            if (r->quality.used == r->codes.used)
                return fail(r, "the quality is longer than the sequence");
        }
        take(r);
    }
    take(r);
    return 0;
}

static int read_quality(struct seq_reader *r) {
    if (peek(r) != '+')
        return r->failed ? -1 : fail(r, "the record ends before its '+' line");
    skip_line(r);
    while (r->quality.used < r->codes.used) {
        if (peek(r) == NO_CHAR)
            return r->failed ? -1 : fail(r, "the quality is shorter than the sequence");
        if (read_quality_line(r) < 0)
            return -1;
    }
    return r->failed ? -1 : 0;
}

static void hand_out(struct seq_reader *r, struct seq_record *record, bool with_quality) {
    char text[32];
    snprintf(text, sizeof text, "record%ld", r->record);
    record->name = strdup(r->name.used ? r->name.at : text);
    record->length = (int)r->codes.used;
    record->codes = app_resize(NULL, r->codes.used, 1);
    memcpy(record->codes, r->codes.at, r->codes.used);
    record->quality = NULL;
    if (with_quality) {
        record->quality = app_resize(NULL, r->codes.used + 1, 1);
        memcpy(record->quality, r->quality.at, r->codes.used + 1);
    }
    record->number = r->record;
}

int seq_next(struct seq_reader *r, struct seq_record *record) {
    if (r->failed)
        return -1;
    r->name.used = r->codes.used = r->quality.used = 0;
    skip_space(r);
    int mark = peek(r);
    if (r->failed)
        return -1;
    if (mark == NO_CHAR)
        return r->record ? 0 : fail(r, "no record in this file");
    r->record++;
    if (mark != '>' && mark != '@') {
        char text[16];
        return fail(r, "expected '>' (FASTA) or '@' (FASTQ), found %s", shown(mark, text));
    }
    read_header(r);
    if (read_residues(r, mark == '>' ? '>' : '+') < 0 || (mark == '@' && read_quality(r) < 0))
        return -1;
    hand_out(r, record, mark == '@');
    return 1;
}

static struct seq_reader *new_reader(const char *path, const struct sw_alphabet *alphabet) {
    struct seq_reader *r = app_alloc(1, sizeof *r);
    r->alphabet = alphabet;
    r->path = path;
    r->line = 1;
    return r;
}

struct seq_reader *seq_open(const char *path, const struct sw_alphabet *alphabet, char *message, size_t size) {
    bool standard = !strcmp(path, "-");
    errno = 0;
    gzFile file = standard ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    if (!file) {
        snprintf(message, size, "%s: %s", path, errno ? strerror(errno) : "cannot open");
        return NULL;
    }
    struct seq_reader *r = new_reader(standard ? "<stdin>" : path, alphabet);
    r->file = file;
    r->window = app_alloc(WINDOW, 1);
    return r;
}

struct seq_reader *seq_open_memory(const void *data, size_t count, const struct sw_alphabet *alphabet) {
    struct seq_reader *r = new_reader("<memory>", alphabet);
    r->window = app_alloc(count, 1);
    memcpy(r->window, data, count);
    r->filled = count;
    return r;
}

const char *seq_error(const struct seq_reader *r) { return r->error; }

void seq_close(struct seq_reader *r) {
    if (!r)
        return;
    if (r->file)
        gzclose(r->file);
    free(r->window);
    free(r->name.at);
    free(r->codes.at);
    free(r->quality.at);
    free(r);
}

void seq_release(struct seq_record *record) {
    free(record->name);
    free(record->codes);
    free(record->quality);
    *record = (struct seq_record){0};
}
