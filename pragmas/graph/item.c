/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items of depend and map clauses: an lvalue, or a section base[first : count]… of one. What becomes of one is its
 * first byte and how many there are; of a section in several dimensions, all from its first element to its last.
 */
#include "graph.h"

#include <string.h>

struct part { /* [first : count : stride], or [first] */
    struct span first, count, stride;
    bool colon;
};
enum { PARTS = 8 };

static const char *flat(const struct unit *u, struct span s) { return source_flat(&u->src, s); }

static const char *number(const struct unit *u, struct span s) { return mem_printf("(long)(%s)", flat(u, s)); }

/* A bracket's parts; lx stands at '['. False: it does not end. */
static bool bracket(struct lexer *lx, struct part *out) {
    int depth = 0, questions = 0;
    struct span *now = &out->first;
    *out = (struct part){0};
    lexer_next(lx);
    now->b = now->e = lx->tok.b;
    for (; lx->tok.kind != TOKEN_END; lexer_next(lx)) {
        if (depth == 0 && lexer_is(lx, ']')) {
            lexer_next(lx);
            return true;
        }
        if (depth == 0 && lexer_is(lx, ':') && questions-- <= 0) {
            now = now == &out->first ? &out->count : &out->stride;
            out->colon = true;
            questions = 0;
            now->b = now->e = lx->tok.e;
            continue;
        }
        questions += depth == 0 && lexer_is(lx, '?');
        depth += lexer_is(lx, '(') || lexer_is(lx, '[');
        depth -= lexer_is(lx, ')') || lexer_is(lx, ']');
        now->e = lx->tok.e;
    }
    return false;
}

/* Up to the first bracket with a ':'; `end` is where it begins. */
static bool find_section(struct unit *u, struct span text, size_t *end) {
    struct lexer lx;
    int depth = 0;
    for (lexer_init(&lx, u->src.text, text.b, text.e); lx.tok.kind != TOKEN_END;) {
        struct lexer inside = lx;
        struct part part;
        if (depth == 0 && lexer_is(&lx, '[')) {
            *end = lx.tok.b;
            if (bracket(&inside, &part) && part.colon)
                return true;
            lx = inside;
            continue;
        }
        depth += lexer_is(&lx, '(');
        depth -= lexer_is(&lx, ')');
        lexer_next(&lx);
    }
    return false;
}

static const char *subscripted(const char *base, int n) {
    struct buf b = {0};
    buf_printf(&b, "(%s)", base);
    for (int k = 0; k < n; k++)
        buf_puts(&b, "[0]");
    return b.s;
}

static void of_section(const struct unit *u, const char *base, const struct part *part, int parts,
                       struct graph_item *out) {
    struct buf begin = {0}, last = {0}, none = {0};
    const char *count = "1";
    buf_printf(&begin, "(%s)", base);
    buf_printf(&last, "(%s)", base);
    for (int k = 0; k < parts; k++) {
        const struct part *p = &part[k];
        const char *first = p->first.e > p->first.b ? number(u, p->first) : "0L";
        count = !p->colon                 ? "1L"
                : p->count.e > p->count.b ? number(u, p->count)
                                          : mem_printf("((long)(sizeof %s / sizeof %s) - %s)", subscripted(base, k),
                                                       subscripted(base, k + 1), first);
        if (p->stride.e > p->stride.b)
            count = mem_printf("((%s - 1) * %s + 1)", count, number(u, p->stride));
        buf_printf(&begin, "[%s]", first);
        buf_printf(&last, "[%s + %s - 1]", first, count);
        if (p->colon)
            buf_printf(&none, "%s%s < 1", none.n ? " || " : "", count);
    }
    out->begin = mem_printf("&%s", begin.s);
    out->bytes = parts == 1 ? mem_printf("(%s ? 0 : (size_t)%s * sizeof %s)", none.s, count, subscripted(base, 1))
                            : mem_printf("(%s ? 0 : (size_t)((const char *)(&%s + 1) - (const char *)&%s))", none.s,
                                         last.s, begin.s);
}

bool item_read(struct unit *u, struct span text, struct graph_item *out) {
    struct part part[PARTS];
    struct lexer lx;
    size_t end = text.e;
    int parts = 0;
    *out = (struct graph_item){.text = text, .name = ""};
    lexer_init(&lx, u->src.text, text.b, text.e);
    while (lexer_is(&lx, '(') || lexer_is(&lx, '*') || lexer_is(&lx, '&'))
        lexer_next(&lx);
    if (lx.tok.kind == TOKEN_NAME)
        out->name = mem_strndup(u->src.text + lx.tok.b, lx.tok.e - lx.tok.b);
    out->whole = lx.tok.b == text.b && lx.tok.e == text.e;
    if (lexer_is_word(&lx, "omp_all_memory")) {
        out->begin = "(const void *)0";
        out->bytes = "(~(size_t)0)";
        return true;
    }
    if (!find_section(u, text, &end)) {
        out->begin = mem_printf("&(%s)", flat(u, text));
        out->bytes = mem_printf("sizeof(%s)", flat(u, text));
        return true;
    }
    out->section = true;
    const char *base = flat(u, (struct span){text.b, end});
    for (lexer_init(&lx, u->src.text, end, text.e); lexer_is(&lx, '[') && parts < PARTS;)
        if (!bracket(&lx, &part[parts++]))
            break;
    if (lx.tok.kind != TOKEN_END) {
        diag_error(u, text.b, "'%s' is no section that is understood here; write base[first : count]", flat(u, text));
        return false;
    }
    of_section(u, base, part, parts, out);
    return true;
}

void item_of_clause(struct unit *u, const struct item *item, struct graph_item *out) {
    struct part part[MAX_DIMS];
    const char *name = flat(u, item->name);
    *out = (struct graph_item){.text = item->name, .name = name, .whole = !item->nsections};
    for (int d = 0; d < item->nsections; d++)
        part[d] = (struct part){.first = item->section[d].first, .count = item->section[d].count, .colon = true};
    if (item->nsections) {
        out->section = true;
        of_section(u, name, part, item->nsections, out);
        return;
    }
    out->begin = mem_printf("&(%s)", name);
    out->bytes = mem_printf("sizeof(%s)", name);
}
