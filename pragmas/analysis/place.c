/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `if (x[i] > best) { best = x[i]; at = i; }`: a maximum or minimum and its place, in scalars. They become the members
 * of a structure that is reduced, with the number of the iteration, so that of equal values the one is taken that the
 * serial loop takes: the first one, or with >= and <= the last one.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "place.h"

#include <stdint.h>
#include <string.h>

CXType place_type(CXCursor c) { return clang_getCanonicalType(clang_getCursorType(c)); }

const char *place_type_text(CXCursor c) { return ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c))); }

/* A number of the function's own, declared outside of the loop. */
bool place_is_outer(const struct prepare *s, const struct node *n, CXCursor *decl) {
    struct span at;
    if (!n || n->kind != CXCursor_DeclRefExpr)
        return false;
    *decl = clang_getCursorReferenced(n->c);
    const enum CXCursorKind kind = clang_getCursorKind(*decl);
    const CXType t = place_type(*decl);
    return (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !node_is_global(*decl) &&
           t.kind >= CXType_Char_U && t.kind <= CXType_LongDouble && !clang_isVolatileQualifiedType(t) &&
           !strpbrk(place_type_text(*decl), "([") && ast_span(s->u, *decl, &at) &&
           (at.b < s->root->b || at.b >= s->root_end);
}

static bool mentions_any(const struct place *p, struct node *n) {
    bool any = nest_is_mentioned(n, p->best);
    for (int k = 0; k < p->n; k++)
        any |= nest_is_mentioned(n, p->at[k]);
    return any;
}

const char *place_text(const struct prepare *s, struct node *n) {
    n = ast_strip(n);
    return unit_text(s->u, n);
}

static bool has_effects(const struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if ((n->kind == CXCursor_CallExpr && !function_is_pure(function_callee((struct node *)(uintptr_t)n))) ||
        ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_effects(c))
            return true;
    return false;
}

/* The value that is compared, where its type is the variable's: else the comparison knows more than what is kept. */
static struct node *compared(struct place *p, struct node *test) {
    test = ast_strip(test);
    const enum CXBinaryOperatorKind op = ast_binary(test);
    if (op == CXBinaryOperator_LAnd) {
        struct node *one = compared(p, test->first);
        struct node *other = one ? test->last : test->first, *found = one ? one : compared(p, test->last);
        return found && !nest_is_mentioned(other, p->best) ? found : NULL;
    }
    if (op < CXBinaryOperator_LT || op > CXBinaryOperator_GE)
        return NULL;
    const bool left = nest_is_variable(test->first, p->best), right = nest_is_variable(test->last, p->best);
    struct node *value = left ? test->last : test->first;
    if (left == right || nest_is_mentioned(value, p->best) || has_effects(value) ||
        !clang_equalTypes(clang_getUnqualifiedType(ast_type(ast_strip(value))),
                          clang_getUnqualifiedType(place_type(p->best))))
        return NULL;
    const bool greater = op == CXBinaryOperator_GT || op == CXBinaryOperator_GE;
    p->comparison = test;
    p->max = greater != left;
    p->strict = op == CXBinaryOperator_GT || op == CXBinaryOperator_LT;
    return value;
}

/* best = value, or at = …; commas between them, too. False: it is something else. */
static bool statement_fits(struct place *p, struct node *n, CXCursor *best, bool *found) {
    CXCursor decl;
    if (ast_binary(n) == CXBinaryOperator_Comma)
        return statement_fits(p, n->first, best, found) && statement_fits(p, n->last, best, found);
    if (ast_binary(n) != CXBinaryOperator_Assign || !place_is_outer(p->s, ast_strip(n->first), &decl))
        return false;
    vec_push(&p->values, n->last);
    p->best = decl;
    struct node *with = *found ? NULL : compared(p, p->test);
    if (with && strcmp(place_text(p->s, with), place_text(p->s, n->last)) == 0) {
        *found = true;
        *best = decl;
        return true;
    }
    if (p->n == MOST_PLACES || has_effects(n->last))
        return false;
    p->at_value[p->n] = n->last;
    p->at[p->n++] = decl;
    return true;
}

/* { best = value; at = …; … }, in any order; `best` is the variable that gets what was compared. */
static bool block_fits(struct place *p) {
    CXCursor best = clang_getNullCursor();
    bool value = false;
    for (struct node *n = p->block->first; n; n = n->next)
        if (!statement_fits(p, n, &best, &value))
            return false;
    if (!value || !p->n)
        return false;
    p->best = best;
    compared(p, p->test); /* which way, once more */
    for (int k = 0; k < p->n; k++) {
        if (clang_equalCursors(p->at[k], p->best))
            return false;
        for (int i = 0; i < k; i++)
            if (clang_equalCursors(p->at[k], p->at[i]))
                return false;
    }
    for (size_t k = 0; k < p->values.n; k++)
        if (mentions_any(p, p->values.at[k]))
            return false;
    return true;
}

/* Nothing else in the loop knows of them. */
static bool only_there(const struct place *p, struct node *n) {
    CXCursor decl;
    if (n == p->block)
        return true;
    if (n->kind == CXCursor_DeclRefExpr && place_is_outer(p->s, n, &decl)) {
        for (int k = 0; k < p->n; k++)
            if (clang_equalCursors(decl, p->at[k]))
                return false;
        if (clang_equalCursors(decl, p->best) && !ast_contains(p->test, n))
            return false;
    }
    if (ast_is_openmp(n))
        return false; /* what it hides may */
    for (struct node *c = n->first; c; c = c->next)
        if (!only_there(p, c))
            return false;
    return true;
}

/* ---- the text ---- */

static bool replace(struct place *p, struct node *n, edit_list *edits) {
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        const char *name = ast_name(d);
        int k = -1;
        while (k < p->n && !clang_equalCursors(d, k < 0 ? p->best : p->at[k]))
            k++;
        if (k < p->n) {
            if (!refs_is_whole_text(p->s->u, n, name) || strncmp(p->s->u->src.text + n->b, name, strlen(name)) != 0)
                return false;
            vec_push(edits, (struct edit){n->b, n->b + strlen(name),
                                          k < 0 ? mem_printf("%s.value", p->name) : mem_printf("%s.at%d", p->name, k)});
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!replace(p, c, edits))
            return false;
    return true;
}

static size_t clause_end(const struct prepare *s, const struct clause *c) {
    struct lexer lx;
    int depth = 0;
    for (lexer_init(&lx, s->u->src.text, c->name.e, s->p->e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        depth += lexer_is(&lx, '(');
        if (lexer_is(&lx, ')') && --depth == 0)
            return lx.tok.e;
    }
    return c->name.e;
}

/* reduction(max: best) goes, where it stands; false: another clause, or another operator, names one of them. */
bool place_without_clause(const struct place *p, edit_list *edits) {
    for (size_t i = 0; i < p->s->p->clauses.n; i++) {
        const struct clause *c = &p->s->p->clauses.at[i];
        if (c->id == CLAUSE_COLLAPSE)
            return false;
        for (size_t k = 0; k < c->items.n; k++) {
            const char *name = source_flat(&p->s->u->src, c->items.at[k].name);
            for (int a = 0; a < p->n; a++)
                if (strcmp(name, ast_name(p->at[a])) == 0)
                    return false;
            if (strcmp(name, ast_name(p->best)) != 0)
                continue;
            if (c->id != CLAUSE_REDUCTION || c->kind != (p->max ? RED_MAX : RED_MIN))
                return false;
            struct edit e = {c->name.b, clause_end(p->s, c), ""};
            if (c->items.n > 1 && k)
                e.b = c->items.at[k - 1].name.e, e.e = c->items.at[k].name.e;
            else if (c->items.n > 1)
                e.b = c->items.at[k].name.b, e.e = c->items.at[k + 1].name.b;
            vec_push(edits, e);
        }
    }
    return true;
}

/* Where a declaration may stand before the directive's loop. */
size_t place_before(const struct prepare *s) {
    struct node *up = s->root->up, *last = NULL;
    if (!up || up->kind != CXCursor_CompoundStmt || s->u->src.text[up->b] != '{')
        return 0;
    for (struct node *n = up->first; n && n != s->root; n = n->next)
        last = n;
    const size_t at = last ? ast_statement_end(s->u, last, last->b) : up->b + 1;
    return at <= s->p->b ? at : 0;
}

static void rewrite(struct place *p) {
    struct prepare *s = p->s;
    struct loop_count c;
    struct span f;
    struct buf type = {0}, first = {0};
    edit_list edits = {0};
    const size_t at = place_before(s);
    const unsigned line = source_line(&s->u->src, s->p->b);
    p->name = mem_printf("%s_place%u", ast_name(p->best), line);
    if (!at || !loop_counts(s->root, &c) || !ast_span(s->u, s->function, &f) || s->u->src.text[p->block->b] != '{' ||
        strstr(s->u->src.text, p->name) || !place_without_clause(p, &edits) || !replace(p, p->test, &edits) ||
        !replace(p, p->block, &edits))
        return;
    buf_printf(&type, "struct heddle_place%zu { %s value;", p->block->b, place_type_text(p->best));
    buf_printf(&first, " struct heddle_place%zu %s = {%s", p->block->b, p->name, ast_name(p->best));
    buf_printf(&s->after, " %s = %s.value;", ast_name(p->best), p->name);
    for (int k = 0; k < p->n; k++) {
        buf_printf(&type, " %s at%d;", place_type_text(p->at[k]), k);
        buf_printf(&first, ", %s", ast_name(p->at[k]));
        buf_printf(&s->after, " %s = %s.at%d;", ast_name(p->at[k]), p->name, k);
    }
    buf_puts(&type, " long order; }; ");
    buf_puts(&first, ", -0x7fffffffffffffffl - 1};"); /* before all iterations */
    vec_push(&s->edits, (struct edit){f.b, f.b, type.s});
    vec_push(&s->edits, (struct edit){at, at, first.s});
    vec_push(&s->edits, (struct edit){s->p->name.e, s->p->name.e,
                                      mem_printf(" reduction(heddle_place_%s_%s: %s)", p->max ? "max" : "min",
                                                 p->strict ? "first" : "last", p->name)});
    vec_push(&s->edits,
             (struct edit){p->block->b + 1, p->block->b + 1,
                           mem_printf(" %s.order = %s%s;", p->name, c.down ? "-(long)" : "", ast_name(c.var))});
    for (size_t i = 0; i < edits.n; i++)
        vec_push(&s->edits, edits.at[i]);
}

static void look(struct prepare *s, struct node *n) {
    struct place p = {.s = s};
    if (n->kind == CXCursor_IfStmt && ast_children(n) == 2 && n->last->kind == CXCursor_CompoundStmt) {
        p.test = n->first;
        p.block = n->last;
        if (block_fits(&p) && only_there(&p, s->root))
            (s->p->directive->bit == DIRECTIVE_FOR ? rewrite : place_of_cell)(&p);
    }
    for (struct node *c = n->first; c; c = c->next)
        look(s, c);
}

void prepare_places(struct prepare *s) {
    if (s->p->directive->bit & (DIRECTIVE_FOR | DIRECTIVE_WAVEFRONT))
        look(s, s->root->last);
}

/* ---- the operators ---- */

const struct declared *place_declared(struct unit *u, const char *name, size_t at) {
    static const char *const names[] = {"heddle_place_max_first", "heddle_place_max_last", "heddle_place_min_first",
                                        "heddle_place_min_last"};
    for (int k = 0; k < 4; k++) {
        if (strcmp(name, names[k]) != 0)
            continue;
        struct declared *d = mem_alloc(sizeof *d);
        const char *combiner =
            mem_printf("omp_out = omp_in.value %c omp_out.value || (omp_in.value == omp_out.value && omp_in.order %c "
                       "omp_out.order) ? omp_in : omp_out",
                       k < 2 ? '>' : '<', k & 1 ? '>' : '<');
        static const char start[] = "omp_priv = omp_orig";
        d->at = at;
        d->combiner.b = source_more(&u->src, combiner, at);
        d->combiner.e = d->combiner.b + strlen(combiner);
        d->initializer.b = source_more(&u->src, start, at);
        d->initializer.e = d->initializer.b + strlen(start);
        return d;
    }
    return NULL;
}
