/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP directives as text: the words of the construct, and clauses with what stands between their parentheses. */
#include "graph.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned word;
} words[] = {{"task", OMP_TASK},         {"target", OMP_TARGET},
             {"teams", OMP_TEAMS},       {"distribute", OMP_DISTRIBUTE},
             {"parallel", OMP_PARALLEL}, {"for", OMP_FOR},
             {"simd", OMP_SIMD},         {"loop", OMP_LOOP},
             {"taskwait", OMP_TASKWAIT}, {"taskgroup", OMP_TASKGROUP},
             {"single", OMP_SINGLE},     {"master", OMP_MASTER},
             {"masked", OMP_MASKED}};

static unsigned word_at(const struct lexer *lx) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lexer_is_word(lx, words[i].name))
            return words[i].word;
    return 0;
}

static void skip_parentheses(struct lexer *lx, struct span *args) {
    int depth = 0;
    *args = (struct span){lx->tok.e, lx->tok.e};
    for (; lx->tok.kind != TOKEN_END; lexer_next(lx)) {
        depth += lexer_is(lx, '(');
        if (lexer_is(lx, ')') && --depth == 0) {
            args->e = lx->tok.b;
            lexer_next(lx);
            return;
        }
    }
}

static void parse(struct unit *u, size_t b, size_t e, struct omp *d) {
    struct lexer lx;
    *d = (struct omp){.b = b, .e = e};
    lexer_init(&lx, u->src.text, b, e);
    for (int skip = 0; skip < 3; skip++) /* # pragma omp */
        lexer_next(&lx);
    d->text = (struct span){lx.tok.b, lx.tok.b};
    for (unsigned word; (word = word_at(&lx)); lexer_next(&lx)) {
        d->words |= word;
        d->text.e = lx.tok.e;
    }
    if (!d->words) {
        d->words = OMP_OTHER;
        d->text.e = lx.tok.e;
        lexer_next(&lx);
    }
    while (lx.tok.kind != TOKEN_END) {
        if (lexer_is(&lx, ',')) {
            lexer_next(&lx);
            continue;
        }
        struct omp_clause c = {.name = {lx.tok.b, lx.tok.e}};
        lexer_next(&lx);
        c.has_args = lexer_is(&lx, '(');
        if (c.has_args)
            skip_parentheses(&lx, &c.args);
        vec_push(&d->clauses, c);
    }
}

static bool skipped(CXSourceRangeList *ranges, size_t offset) {
    for (unsigned i = 0; ranges && i < ranges->count; i++) {
        unsigned b, e;
        clang_getFileLocation(clang_getRangeStart(ranges->ranges[i]), NULL, NULL, NULL, &b);
        clang_getFileLocation(clang_getRangeEnd(ranges->ranges[i]), NULL, NULL, NULL, &e);
        if (offset >= b && offset < e)
            return true;
    }
    return false;
}

static bool begins_line(const struct unit *u, size_t at) {
    while (at && (u->src.text[at - 1] == ' ' || u->src.text[at - 1] == '\t'))
        at--;
    return !at || u->src.text[at - 1] == '\n';
}

void omp_scan(struct unit *u, struct span s, omp_list *out) {
    CXSourceRangeList *ranges = clang_getSkippedRanges(u->tu, u->file);
    struct lexer lx, next;
    for (lexer_init(&lx, u->src.text, s.b, s.e); lx.tok.kind != TOKEN_END;) {
        const size_t b = lx.tok.b;
        if (!lexer_is(&lx, '#') || !begins_line(u, b)) {
            lexer_next(&lx);
            continue;
        }
        const size_t e = scan_directive_end(&u->src, b);
        lexer_init(&next, u->src.text, lx.tok.e, e);
        const bool pragma = lexer_is_word(&next, "pragma");
        if (pragma)
            lexer_next(&next);
        if (pragma && lexer_is_word(&next, "omp") && !skipped(ranges, b)) {
            struct omp d;
            parse(u, b, e, &d);
            vec_push(out, d);
        }
        lexer_init(&lx, u->src.text, e, s.e > e ? s.e : e);
    }
    if (ranges)
        clang_disposeSourceRangeList(ranges);
}

bool omp_clause_is(const struct unit *u, const struct omp_clause *c, const char *name) {
    return strlen(name) == c->name.e - c->name.b && memcmp(u->src.text + c->name.b, name, strlen(name)) == 0;
}

const struct omp_clause *omp_clause_find(const struct unit *u, const struct omp *d, const char *name) {
    for (size_t i = 0; i < d->clauses.n; i++)
        if (omp_clause_is(u, &d->clauses.at[i], name))
            return &d->clauses.at[i];
    return NULL;
}

/* Where a character stands outside of brackets, and not as a part of ?:; the end: nowhere. */
static size_t outside(const struct unit *u, struct span s, char c) {
    struct lexer lx;
    int depth = 0, questions = 0;
    for (lexer_init(&lx, u->src.text, s.b, s.e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (depth == 0 && lexer_is(&lx, c) && (c != ':' || questions-- <= 0))
            return lx.tok.b;
        depth += lexer_is(&lx, '(') || lexer_is(&lx, '[') || lexer_is(&lx, '{');
        depth -= lexer_is(&lx, ')') || lexer_is(&lx, ']') || lexer_is(&lx, '}');
        questions += depth == 0 && lexer_is(&lx, '?');
    }
    return s.e;
}

static struct span trimmed(const struct unit *u, struct span s) {
    s.b = lexer_skip_blank(u->src.text, s.b, s.e);
    while (s.e > s.b && strchr(" \t\r\n\\", u->src.text[s.e - 1]))
        s.e--;
    return s;
}

struct span omp_modifier(const struct unit *u, struct span *s) {
    const size_t at = outside(u, *s, ':');
    if (at == s->e)
        return (struct span){s->b, s->b};
    const struct span before = trimmed(u, (struct span){s->b, at});
    s->b = at + 1;
    return before;
}

bool omp_next(const struct unit *u, struct span *list, struct span *item) {
    if (list->b >= list->e)
        return false;
    const size_t at = outside(u, *list, ',');
    *item = trimmed(u, (struct span){list->b, at});
    list->b = at < list->e ? at + 1 : list->e;
    return item->e > item->b;
}

bool omp_lists(const struct unit *u, const struct omp_clause *c, const char *name) {
    struct span list = c->args, item;
    omp_modifier(u, &list);
    while (omp_next(u, &list, &item))
        if (strlen(name) <= item.e - item.b && memcmp(u->src.text + item.b, name, strlen(name)) == 0 &&
            (strlen(name) == item.e - item.b || u->src.text[item.b + strlen(name)] == '[' ||
             u->src.text[item.b + strlen(name)] == ' '))
            return true;
    return false;
}
