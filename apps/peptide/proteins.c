/* SPDX-License-Identifier: Apache-2.0 */
#include "proteins.h"

#include "app.h"
#include "create.h"

#include <stdlib.h>
#include <string.h>

/* 4 GiB of residues: their places are 32-bit numbers. */
static const size_t most = UINT32_MAX - 1024;

bool proteins_add(struct proteins *p, const char *name, size_t name_length, const uint8_t *codes, size_t length,
                  bool decoy, struct note *note) {
    if (length + 1 > most - p->residues || name_length + 1 > most - p->names_used)
        return note_fail(note, "more than %zu residues or letters of names; split the file", most);
    if (p->count == p->room)
        p->at = app_resize(p->at, (size_t)(p->room = p->room ? 2 * p->room : 1024), sizeof *p->at);
    while (p->residues + length + 1 > p->codes_room)
        p->codes = app_resize(p->codes, p->codes_room = p->codes_room ? 2 * p->codes_room : 1 << 16, 1);
    while (p->names_used + name_length + 1 > p->names_room)
        p->names = app_resize(p->names, p->names_room = p->names_room ? 2 * p->names_room : 1 << 14, 1);
    p->at[p->count++] = (struct protein){(uint32_t)p->residues, (uint32_t)length, (uint32_t)p->names_used, decoy};
    memcpy(p->codes + p->residues, codes, length);
    p->residues += length;
    p->codes[p->residues++] = 0;
    memcpy(p->names + p->names_used, name, name_length);
    p->names_used += name_length;
    p->names[p->names_used++] = 0;
    return true;
}

/* The text being read. */
struct reader {
    const char *name, *at, *end;
    long line, records;
    uint8_t *codes; /* of the record so far */
    size_t used, room;
};

static const char *line_end(const struct reader *r) {
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return end ? end : r->end;
}

static bool read_residues(struct reader *r, const char *end, struct note *note) {
    while (r->used + (size_t)(end - r->at) > r->room)
        r->codes = app_resize(r->codes, r->room = r->room ? 2 * r->room : 4096, 1);
    for (; r->at < end; r->at++) {
        const unsigned char c = (unsigned char)*r->at;
        const unsigned char letter = c & 0xdf;
        if (letter >= 'A' && letter <= 'Z')
            r->codes[r->used++] = (uint8_t)(letter - 'A' + 1);
        else if (c == '*')
            r->codes[r->used++] = 0;
        else if (c != '-' && c != ' ' && c != '\t' && c != '\r' && c > 0x20 && c < 0x7f)
            return note_fail(note, "%s:%ld: '%c' is not a residue letter", r->name, r->line, c);
        else if (c != '-' && c != ' ' && c != '\t' && c != '\r')
            return note_fail(note, "%s:%ld: byte 0x%02x is not a residue letter", r->name, r->line, c);
    }
    return true;
}

static void find_name(const struct reader *r, const char *end, const char **name, size_t *length) {
    const char *at = r->at + 1;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    *name = at;
    while (at < end && (unsigned char)*at > ' ')
        at++;
    *length = (size_t)(at - *name);
}

static bool read_record(struct proteins *p, struct reader *r, const char *prefix, struct note *note) {
    const char *name, *end = line_end(r);
    char unnamed[32];
    size_t length;
    const long line = r->line;
    find_name(r, end, &name, &length);
    r->records++;
    if (!length) {
        length = (size_t)snprintf(unnamed, sizeof unnamed, "protein%ld", r->records);
        name = unnamed;
    }
    r->used = 0;
    for (r->at = end; r->at < r->end && r->at[0] == '\n' && (r->at + 1 == r->end || r->at[1] != '>');) {
        r->at++;
        r->line++;
        end = line_end(r);
        if (!read_residues(r, end, note))
            return false;
    }
    if (r->at < r->end) { /* the line end before the next '>' */
        r->at++;
        r->line++;
    }
    if (!r->used)
        return note_fail(note, "%s:%ld: protein %.*s has no residues", r->name, line, (int)(length < 99 ? length : 99),
                         name);
    const size_t mark = prefix ? strlen(prefix) : 0;
    const bool decoy = mark && length >= mark && !memcmp(name, prefix, mark);
    return proteins_add(p, name, length, r->codes, r->used, decoy, note);
}

bool proteins_parse(struct proteins *p, const char *name, const char *text, size_t length, const char *prefix,
                    struct note *note) {
    struct reader r = {.name = name, .at = text, .end = text + length, .line = 1};
    bool good = true;
    while (r.at < r.end && strchr(" \t\r\n", *r.at) && *r.at)
        r.line += *r.at++ == '\n';
    if (r.at == r.end)
        return note_fail(note, "%s: no protein in this file", name);
    if (*r.at != '>')
        return note_fail(note, "%s:%ld: expected '>' and a protein's name: this is not FASTA", name, r.line);
    while (good && r.at < r.end)
        good = read_record(p, &r, prefix, note);
    free(r.codes);
    return good;
}

bool proteins_read(struct proteins *p, const char *path, const char *prefix, struct note *note) {
    char *text;
    size_t length;
    if (!input_read_all(path, &text, &length, note))
        return false;
    const bool good = proteins_parse(p, path, text, length, prefix, note);
    free(text);
    return good;
}

bool proteins_reverse(struct proteins *p, const char *prefix, struct note *note) {
    const long count = p->count;
    bool good = true;
    for (long k = 0; good && k < count; k++) {
        const struct protein from = p->at[k];
        char name[512];
        const int length = snprintf(name, sizeof name, "%s%s", prefix, p->names + from.name);
        uint8_t *codes = app_alloc(from.length, 1);
        for (uint32_t i = 0; i < from.length; i++)
            codes[i] = p->codes[from.first + from.length - 1 - i];
        good = proteins_add(p, name, (size_t)length < sizeof name ? (size_t)length : sizeof name - 1, codes,
                            from.length, true, note);
        free(codes);
    }
    return good;
}

bool proteins_write(const struct proteins *p, const char *path) {
    FILE *out = app_create(path);
    for (long k = 0; out && k < p->count; k++) {
        fprintf(out, ">%s", p->names + p->at[k].name);
        for (uint32_t i = 0; i < p->at[k].length; i++) {
            const uint8_t code = p->codes[p->at[k].first + i];
            fprintf(out, "%s%c", i % 60 ? "" : "\n", code ? 'A' + code - 1 : '*');
        }
        fputc('\n', out);
    }
    return app_finish(out, true);
}

long proteins_find(const struct proteins *p, uint32_t at) {
    long low = 0, high = p->count - 1;
    while (low < high) {
        const long middle = (low + high + 1) / 2;
        if (p->at[middle].first <= at)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void proteins_free(struct proteins *p) {
    free(p->codes);
    free(p->names);
    free(p->at);
    *p = (struct proteins){0};
}
