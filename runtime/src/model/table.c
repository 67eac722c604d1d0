/* SPDX-License-Identifier: Apache-2.0 */
/* The reader and the writer of learnt costs: each kind of row is described once, by a table of its columns. */
#include "table.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what rows there are ---------------------------------------------------------------------------------- */

static const char *const host_words[] = {"unknown", "same", "differs", NULL};
static const char *const form_words[] = {"none", "shared", "equal-parts", "one-device", "inline", NULL};
static const char *const layout_words[] = {"auto", "row", "hybrid", NULL};

/* clang-format off */
#define AT(member) offsetof(struct heddle__row, member)
#define TEXT(name, member) {name, HEDDLE__TEXT, AT(member), 1, 0, 0, NULL}
#define WORD(name, member, words) {name, HEDDLE__WORD, AT(member), 1, 0, 0, words}
#define WHOLE(name, member, least, most) {name, HEDDLE__WHOLE, AT(member), 1, least, most, NULL}
#define COUNT(name, member) {name, HEDDLE__COUNT, AT(member), 1, 0, 1e18, NULL}
#define REAL(name, member, unit, least, most) {name, HEDDLE__REAL, AT(member), unit, least, most, NULL}
#define END {NULL, HEDDLE__TEXT, 0, 0, 0, 0, NULL}

static const struct heddle__column
    region[] = {TEXT("region", name), TEXT("where", region.where), TEXT("device", device),
                WORD("host_result", region.host, host_words), {"code", HEDDLE__HEX, AT(region.code), 1, 0, 0, NULL},
                COUNT("n", region.n), COUNT("bytes", region.bytes), COUNT("to_bytes", region.to_bytes),
                WHOLE("runs", region.runs, 1, 4e9), REAL("median_us", region.median, 1e-6, 0, 1e15),
                REAL("spread_us", region.spread, 1e-6, 0, 1e15), REAL("error_percent", region.error, 1e-2, 0, 1e18),
                REAL("setup_us", region.setup, 1e-6, -1e18, 1e18), REAL("per_item_ns", region.per_item, 1e-9, -1e18, 1e18),
                REAL("per_byte_ns", region.per_byte, 1e-9, -1e18, 1e18), END},
    first[] = {TEXT("region", name), TEXT("where", region.where), TEXT("device", device),
               REAL("first_us", region.median, 1e-6, 0, 1e15), END},
    link_[] = {TEXT("link", name), TEXT("device", device), COUNT("bytes", region.bytes),
               WHOLE("runs", region.runs, 1, 4e9), REAL("median_us", region.median, 1e-6, 0, 1e15),
               REAL("spread_us", region.spread, 1e-6, 0, 1e15), REAL("error_percent", region.error, 1e-2, 0, 1e18),
               REAL("setup_us", region.setup, 1e-6, -1e18, 1e18), REAL("per_byte_ns", region.per_byte, 1e-9, -1e18, 1e18), END},
    chunk[] = {TEXT("loop", name), TEXT("device", device), WHOLE("n", chunk.n, 1, 1e15),
               WHOLE("first", chunk.chunk.first, 0, 1e15), WHOLE("count", chunk.chunk.count, 1, 1e15),
               REAL("compute_s", chunk.compute, 1, 0, 1e9), REAL("move_s", chunk.move, 1, 0, 1e9), END},
    ready[] = {TEXT("loop", name), TEXT("device", device), REAL("ready_s", ready, 1, 0, 1e9), END},
    set[] = {TEXT("loop", name), WORD("form", set.form, form_words), TEXT("devices", device),
             WHOLE("n", set.n, 1, 1e15), REAL("loop_s", set.seconds, 1, 0, 1e9), REAL("since_s", set.since, 1, 0, 1e12), END},
    split[] = {TEXT("loop", name), WORD("form", split.form, form_words), TEXT("devices", device),
               WHOLE("n", split.n, 1, 1e15), WHOLE("part", split.part, 1, 1e6), REAL("end", split.share, 1, 0, 1), END},
    width[] = {TEXT("nest", name), TEXT("device", device), WORD("layout", width.layout, layout_words),
               WHOLE("height", width.height, 1, 1e15), WHOLE("workers", width.workers, 1, 1e15),
               WHOLE("rows_log2", width.rows, 0, 62), WHOLE("columns_log2", width.columns, 0, 62),
               REAL("diagonal_ns", width.diagonal, 1e-9, 1e-6, 1e9), REAL("sync_ns", width.sync, 1e-9, 0, 1e9), END};
/* clang-format on */

static const struct {
    const char *name;
    const struct heddle__column *columns;
} kinds[HEDDLE__ROW_KINDS] = {
    [HEDDLE__ROW_REGION] = {"region", region}, [HEDDLE__ROW_FIRST] = {"first", first},
    [HEDDLE__ROW_LINK] = {"link", link_},      [HEDDLE__ROW_CHUNK] = {"chunk", chunk},
    [HEDDLE__ROW_READY] = {"ready", ready},    [HEDDLE__ROW_SET] = {"set", set},
    [HEDDLE__ROW_SPLIT] = {"split", split},    [HEDDLE__ROW_WIDTH] = {"width", width},
};

const struct heddle__column *heddle__row_columns(enum heddle__row_kind kind) { return kinds[kind].columns; }
const char *heddle__row_kind_name(enum heddle__row_kind kind) { return kinds[kind].name; }

/* ---- names ------------------------------------------------------------------------------------------------- */

static char plain(char c) { return strchr(",;\"\n\r", c) && c ? ' ' : c; }

void heddle__name_copy(char *to, const char *from, size_t size) {
    size_t k = 0;
    for (; from[k] && k < size - 1; k++)
        to[k] = plain(from[k]);
    to[k] = 0;
}

bool heddle__name_is(const char *name, const char *from, size_t size) {
    size_t k = 0;
    while (k < size - 1 && from[k] && name[k] == plain(from[k]))
        k++;
    return !name[k] && (!from[k] || k == size - 1);
}

/* ---- reading ----------------------------------------------------------------------------------------------- */

bool heddle__row_is_comment(const char *line) { return *line == '#' || *line == '\n' || *line == '\r' || !*line; }

/* The next field of *rest, which it ends with a zero; NULL: there is none. */
static char *next_field(char **rest) {
    char *field = *rest, *comma = field ? strchr(field, ',') : NULL;
    *rest = comma ? comma + 1 : NULL;
    if (comma)
        *comma = 0;
    return field;
}

static bool read_whole(const struct heddle__column *c, const char *text, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && !*end && !errno && (double)*value >= c->least && (double)*value <= c->most;
}

static bool read_real(const struct heddle__column *c, const char *text, double *value) {
    char *end;
    const double v = strtod(text, &end);
    *value = v * c->unit;
    return end != text && !*end && v >= c->least && v <= c->most; /* neither is true of a NaN */
}

static bool read_word(const struct heddle__column *c, const char *text, long *value) {
    for (*value = 0; c->words[*value]; ++*value)
        if (!strcmp(c->words[*value], text))
            return true;
    return false;
}

static bool read_hex(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 16);
    return *text && *text != '-' && !*end && !errno;
}

static bool read_column(const struct heddle__column *c, const char *text, struct heddle__row *row) {
    void *at = (char *)row + c->at;
    switch (c->type) {
    case HEDDLE__TEXT:
        *(const char **)at = text;
        return true;
    case HEDDLE__WORD:
        return read_word(c, text, at);
    case HEDDLE__HEX:
        return read_hex(text, at);
    case HEDDLE__WHOLE:
        return read_whole(c, text, at);
    case HEDDLE__COUNT:
    case HEDDLE__REAL:
        return read_real(c, text, at);
    }
    return false;
}

/* What its columns do not tell one by one. */
static bool is_sensible(const struct heddle__row *row) {
    return *row->name &&
           (row->kind != HEDDLE__ROW_CHUNK || row->chunk.chunk.first <= row->chunk.n - row->chunk.chunk.count);
}

bool heddle__row_read(char *line, struct heddle__row *row) {
    char *rest = line;
    line[strcspn(line, "\r\n")] = 0;
    const char *kind = next_field(&rest);
    *row = (struct heddle__row){.name = "", .device = ""};
    while (row->kind < HEDDLE__ROW_KINDS && strcmp(kinds[row->kind].name, kind))
        row->kind++;
    if (row->kind == HEDDLE__ROW_KINDS)
        return false;
    for (const struct heddle__column *c = kinds[row->kind].columns; c->name; c++) {
        const char *text = next_field(&rest);
        if (!text || !read_column(c, text, row))
            return false;
    }
    return !rest && is_sensible(row);
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

/* A ';' joins the names of several devices, which are free of it. */
static void write_text(FILE *f, const char *text) {
    for (; text && *text; text++)
        fputc(*text == ';' ? ';' : plain(*text), f);
}

void heddle__column_write(FILE *f, const struct heddle__column *c, const struct heddle__row *row) {
    const void *at = (const char *)row + c->at;
    switch (c->type) {
    case HEDDLE__TEXT:
        write_text(f, *(const char *const *)at);
        break;
    case HEDDLE__WORD:
        fputs(c->words[*(const long *)at], f);
        break;
    case HEDDLE__HEX:
        fprintf(f, "%016llx", *(const unsigned long long *)at);
        break;
    case HEDDLE__WHOLE:
        fprintf(f, "%ld", *(const long *)at);
        break;
    case HEDDLE__COUNT:
        fprintf(f, "%.0f", *(const double *)at);
        break;
    case HEDDLE__REAL:
        fprintf(f, "%.9g", *(const double *)at / c->unit);
        break;
    }
}

void heddle__row_write(FILE *f, const struct heddle__row *row) {
    fputs(kinds[row->kind].name, f);
    for (const struct heddle__column *c = kinds[row->kind].columns; c->name; c++) {
        fputc(',', f);
        heddle__column_write(f, c, row);
    }
    fputc('\n', f);
}

void heddle__table_begin(FILE *f, unsigned set_of_kinds) {
    fprintf(f, "%s edit or delete lines as you like\n", HEDDLE__TABLE_HEADER);
    for (int k = 0; k < HEDDLE__ROW_KINDS; k++) {
        if (!(set_of_kinds & HEDDLE__ROW_BIT(k)))
            continue;
        fprintf(f, "# %s", kinds[k].name);
        for (const struct heddle__column *c = kinds[k].columns; c->name; c++)
            fprintf(f, ",%s", c->name);
        fputc('\n', f);
    }
}
