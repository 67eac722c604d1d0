/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the file in which what loops took is kept between runs. */
#include "table.h"
#include <string.h>

const char *heddle__line_prefix(enum heddle__line_kind kind) {
    return kind == HEDDLE__LINE_TEAM ? "team " : kind == HEDDLE__LINE_PARTS ? "parts " : "";
}

static char plain(char c) { return c == ',' || c == '\n' || c == '"' ? ' ' : c; }

void heddle__line_name(char *to, const char *from) {
    int k = 0;
    for (; from[k] && k < HEDDLE__LOOP_NAME - 1; k++)
        to[k] = plain(from[k]);
    to[k] = 0;
}

bool heddle__line_named(const char *name, const char *from) {
    int k = 0;
    while (k < HEDDLE__LOOP_NAME - 1 && from[k] && name[k] == plain(from[k]))
        k++;
    return !name[k] && (!from[k] || k == HEDDLE__LOOP_NAME - 1);
}

bool heddle__line_skipped(const char *text) {
    return *text == '#' || *text == '\n' || !*text ||
           !strncmp(text, HEDDLE__LINES_COLUMNS, strcspn(HEDDLE__LINES_COLUMNS, ",") + 1);
}

static bool sensible(const struct heddle_loop_sample *s) {
    return s->compute >= 0 && s->compute < 1e9 && s->move >= 0 && s->move < 1e9 && s->n >= 1 &&
           s->n <= 1000000000000000 && s->chunk.first >= 0 && s->chunk.count >= 0 &&
           s->chunk.first <= s->n - s->chunk.count;
}

bool heddle__line_read(const char *text, struct heddle__line *line) {
    struct heddle_loop_sample *s = &line->sample;
    int end = 0;
    if (sscanf(text, "%255[^,\n],%255[^,\n],%ld,%ld,%ld,%lf,%lf %n", line->loop, line->name, &s->n, &s->chunk.first,
               &s->chunk.count, &s->compute, &s->move, &end) != 7 ||
        text[end] || !sensible(s))
        return false;
    line->kind = s->chunk.count ? HEDDLE__LINE_CHUNK : HEDDLE__LINE_READY;
    for (enum heddle__line_kind k = HEDDLE__LINE_TEAM; k <= HEDDLE__LINE_PARTS; k++) {
        const size_t length = strlen(heddle__line_prefix(k));
        if (!strncmp(line->name, heddle__line_prefix(k), length)) {
            line->kind = k;
            memmove(line->name, line->name + length, strlen(line->name + length) + 1);
            break;
        }
    }
    return true;
}

void heddle__lines_begin(FILE *f) {
    fprintf(f, "%s; seconds; edit or delete lines as you like\n%s\n", HEDDLE__LINES_HEADER, HEDDLE__LINES_COLUMNS);
}

void heddle__line_write(FILE *f, enum heddle__line_kind kind, const char *loop, const char *name,
                        const struct heddle_loop_sample *s) {
    fprintf(f, "%s,%s%s,%ld,%ld,%ld,%.9g,%.9g\n", loop, heddle__line_prefix(kind), name, s->n, s->chunk.first,
            s->chunk.count, s->compute, s->move);
}
