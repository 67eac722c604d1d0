/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in x `x[index[i]]` lies nothing in the text says, and without that nobody sees whether x overlaps what the loop
 * writes. On the host the iterations' subscripts are computed once more, before the loop: its body without all that
 * they do not need. What is computed has no effect, and reads arrays that the loop does not write, in the same turns
 * and under the same conditions, so that nothing is read that the loop would not read. If one of these arrays overlaps
 * what is written after all, that is seen as with any other array; what leads from one element to another is only
 * followed where numbers of another kind are written.
 */
#include "reach_walk.h"

#include "analysis/capture.h"
#include "analysis/refs.h"

#include <ctype.h>
#include <string.h>

static void walk(struct reach *r, struct node *n);

/* ---- text ---- */

static const char *between(const struct reach *r, size_t b, size_t e) {
    return source_flat(&r->f->w.u->src, (struct span){b, e});
}

static char before(const struct reach *r, size_t at) {
    const char *s = r->f->w.u->src.text;
    while (at > 0 && (isspace((unsigned char)s[at - 1]) || s[at - 1] == '('))
        at--;
    return at > 0 ? s[at - 1] : '\0';
}

static char behind(const struct reach *r, size_t at) {
    const char *s = r->f->w.u->src.text;
    at += strspn(s + at, " \t\r\n)");
    return s[at];
}

static bool is_looked_up(const struct reach *r, const struct var *v) {
    if (r->only)
        return v == r->only;
    for (size_t i = 0; i < r->f->reached.n; i++)
        if (r->f->reached.at[i].v == v)
            return true;
    return false;
}

/* ---- references ---- */

/* Evaluated whenever the statement is. */
static bool is_certain(const struct node *n, const struct node *statement) {
    for (const struct node *up = n->up; n != statement; n = up, up = up->up) {
        const enum CXBinaryOperatorKind op = ast_binary(up);
        if ((up->kind == CXCursor_ConditionalOperator || op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) &&
            n != up->first)
            return false;
    }
    return true;
}

static bool is_subscript(const struct reach *r, const struct node *sub) {
    return before(r, sub->b) == '[' && behind(r, sub->e) == ']';
}

static bool fits_int(CXType t) {
    return t.kind == CXType_Int || t.kind == CXType_Short || t.kind == CXType_SChar || t.kind == CXType_Char_S ||
           t.kind == CXType_UChar || t.kind == CXType_UShort;
}

static void look_up(struct reach *r, struct var *v, struct node *use, const struct node *statement) {
    struct ref ref = {.v = v};
    const bool loads = r->loads;
    if (capture_access(use) & ACCESS_UNEVALUATED)
        return;
    if (!refs_subscripts(v, use, &ref) || (capture_access(ref.n) & ACCESS_ADDRESS) || !is_subscript(r, ref.sub[0]) ||
        !is_certain(use, statement) || !reach_is_plain(r, ref.sub[0])) {
        r->failed = true;
        return;
    }
    r->loads = loads;
    r->wide |= !fits_int(ast_type(ref.sub[0]));
    reach_add_row(r, v, ref.sub[0]);
    buf_printf(&r->out, "HEDDLE_REACH(%s, heddle_%s_low, heddle_%s_high) ", between(r, ref.sub[0]->b, ref.sub[0]->e),
               v->name, v->name);
}

static void references(struct reach *r, const struct node *n) {
    for (size_t i = 0; i < r->f->w.uses.n; i++) {
        const struct use *use = &r->f->w.uses.at[i];
        if (is_looked_up(r, use->v) && ast_contains(n, use->n))
            look_up(r, use->v, use->n, n);
    }
}

static bool has_reference(const struct reach *r, const struct node *n) {
    for (size_t i = 0; i < r->f->w.uses.n; i++)
        if (is_looked_up(r, r->f->w.uses.at[i].v) && ast_contains(n, r->f->w.uses.at[i].n))
            return true;
    return false;
}

/* ---- statements ---- */

static bool is_jump(const struct node *n) {
    switch ((int)n->kind) {
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        return true;
    default:
        return false;
    }
}

static bool is_wanted(const struct reach *r, struct node *n) {
    if (has_reference(r, n) || is_jump(n))
        return true;
    for (int i = 0; i < r->nneeded; i++)
        if (node_changes(n, r->needed[i], NULL) || ast_declaration(n, r->needed[i]))
            return true;
    for (struct node *c = n->first; c; c = c->next)
        if (is_wanted(r, c))
            return true;
    return false;
}

static bool is_plain_value(struct reach *r, struct node *value, int of) {
    const bool outer = r->loads, plain = reach_is_plain(r, value);
    if (of >= 0)
        r->loaded[of] |= r->loads;
    r->loads = outer;
    return plain;
}

/* v = …, v += …, v++: changes of a variable of the body; `text`: the text has it. */
static bool is_change(struct reach *r, struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if (ast_binary(n) == CXBinaryOperator_Comma)
        return is_change(r, ast_child(n, 0)) && is_change(r, ast_child(n, 1));
    struct node *of = n->first ? ast_strip(n->first) : NULL;
    const bool changes = ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec);
    if (!changes || of->kind != CXCursor_DeclRefExpr || !reach_is_name(r, of))
        return false;
    const int i = reach_needed(r, clang_getCursorReferenced(of->c));
    if (i < 0)
        return false;
    r->kept[i]++;
    return !ast_is_assignment(n) || is_plain_value(r, ast_child(n, 1), i);
}

static bool is_plain_declaration(struct reach *r, const struct node *n) {
    for (struct node *d = n->first; d; d = d->next) {
        if (d->kind != CXCursor_VarDecl || ast_type(d).kind == CXType_Pointer || ast_is_array(ast_type(d)))
            return false;
        for (struct node *c = d->first; c; c = c->next)
            if (clang_isExpression(c->kind) && !is_plain_value(r, c, reach_needed(r, d->c)))
                return false;
        if (reach_needed(r, d->c) >= 0)
            r->value[reach_needed(r, d->c)] = d->last;
    }
    return true;
}

static bool declares_needed(const struct reach *r, const struct node *n) {
    for (const struct node *d = n->first; d; d = d->next)
        if (reach_needed(r, d->c) >= 0)
            return true;
    return false;
}

static void declaration(struct reach *r, struct node *n) {
    references(r, n);
    if (!declares_needed(r, n))
        return;
    r->failed |= !is_plain_declaration(r, n) || r->f->w.u->src.text[n->e - 1] != ';';
    buf_printf(&r->out, "%s ", between(r, n->b, n->e));
}

static bool begins(const struct reach *r, const struct node *n, const char *word) {
    return !strncmp(r->f->w.u->src.text + n->b, word, strlen(word));
}

static void loop(struct reach *r, struct node *n) {
    struct node *init = ast_child(n, 0), *test = ast_child(n, 1), *step = ast_child(n, 2), *body = ast_child(n, 3);
    const bool outer = r->loads, turned = r->turned;
    if (ast_children(n) != 4 || !begins(r, n, "for") || before(r, body->b) != ')' || has_reference(r, init) ||
        has_reference(r, test) || has_reference(r, step)) {
        r->failed = true;
        return;
    }
    for (struct node *d = init->kind == CXCursor_DeclStmt ? init->first : NULL; d; d = d->next)
        reach_need(r, d->c);
    const bool ok = (init->kind == CXCursor_DeclStmt ? is_plain_declaration(r, init) : is_change(r, init)) &&
                    reach_is_plain(r, test) && is_change(r, step);
    r->failed |= !ok;
    buf_printf(&r->out, "%s { ", between(r, n->b, body->b));
    const bool row = reach_enter_rows(r, n);
    r->turned |= !row;
    walk(r, body);
    r->turned = turned;
    if (row)
        reach_leave_rows(r);
    buf_puts(&r->out, "} ");
    r->loads = outer || r->jumps;
}

static void condition(struct reach *r, struct node *n) {
    struct node *test = ast_child(n, 0), *then = ast_child(n, 1), *other = ast_child(n, 2);
    const bool outer = r->loads, turned = r->turned;
    if (!begins(r, n, "if") || before(r, then->b) != ')' || has_reference(r, test) || !reach_is_plain(r, test)) {
        r->failed = true;
        return;
    }
    r->turned = true;
    buf_printf(&r->out, "%s { ", between(r, n->b, then->b));
    if (is_wanted(r, then))
        walk(r, then);
    buf_puts(&r->out, "} ");
    if (other && is_wanted(r, other)) {
        buf_puts(&r->out, "else { ");
        walk(r, other);
        buf_puts(&r->out, "} ");
    }
    r->loads = outer || r->jumps;
    r->turned = turned;
}

static void expression(struct reach *r, struct node *n) {
    references(r, n);
    for (int i = 0; i < r->nneeded; i++) {
        if (!node_changes(n, r->needed[i], NULL))
            continue;
        r->failed |= !is_change(r, n) || behind(r, n->e) != ';';
        buf_printf(&r->out, "%s; ", between(r, n->b, n->e));
        return;
    }
}

static void block(struct reach *r, struct node *n) {
    buf_puts(&r->out, "{ ");
    for (struct node *c = n->first; c; c = c->next)
        if (is_wanted(r, c))
            walk(r, c);
    buf_puts(&r->out, "} ");
}

static void walk(struct reach *r, struct node *n) {
    switch ((int)n->kind) {
    case CXCursor_CompoundStmt:
        block(r, n);
        return;
    case CXCursor_ForStmt:
        loop(r, n);
        return;
    case CXCursor_IfStmt:
        condition(r, n);
        return;
    case CXCursor_DeclStmt:
        declaration(r, n);
        return;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        r->jumps |= r->loads;
        r->rows.none = true;
        buf_puts(&r->out, n->kind == CXCursor_BreakStmt ? "break; " : "continue; ");
        return;
    default:
        r->failed |= !clang_isExpression(n->kind);
        if (!r->failed)
            expression(r, n);
    }
}

/* ---- the whole ---- */

/* What is written are other objects than those that lead from one to the next: the language tells them apart. */
static bool writes_other_kinds(struct for_loop *f) {
    for (size_t i = 2; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        const enum CXTypeKind kind = clang_getCanonicalType(v->elem_type).kind;
        if (v->kind != VAR_SCALAR && (v->joined || for_may_write(f, v)) && kind != CXType_Float &&
            kind != CXType_Double && kind != CXType_LongDouble)
            return false;
    }
    return true;
}

static bool is_whole(const struct reach *r) {
    for (int i = 0; i < r->nneeded; i++)
        if (node_changes(r->f->w.body, r->needed[i], NULL) != r->kept[i])
            return false;
    return !r->follows || writes_other_kinds(r->f);
}

/* Until no further variable is found that what was found depends on. */
static bool compute(struct reach *r) {
    for (int pass = 0, known = -1; !r->failed && (known < r->nneeded || pass < 3); pass++) {
        known = r->nneeded;
        memset(r->kept, 0, sizeof r->kept);
        r->out = (struct buf){0};
        r->rows = (struct reach_rows){0};
        r->loads = r->jumps = r->turned = false;
        buf_puts(&r->out, "");
        walk(r, r->f->w.body);
    }
    return !r->failed && is_whole(r);
}

bool for_reach(struct for_loop *f, struct var *v) {
    struct reach r = {.f = f, .only = v};
    if (f->step[1] || f->jobs || f->host_driven || f->hidden.n || f->hidden_text.n || for_hidden_uses(f, v) ||
        !v->ndims || type_holds_pointer(v->elem_type) || !compute(&r))
        return false;
    vec_push(&f->reached, (struct for_reached){v, r.wide});
    return true;
}

const char *for_reach_text(struct for_loop *f, struct reach_rows *rows) {
    struct reach r = {.f = f};
    compute(&r);
    *rows = r.rows;
    if (rows->none || strcmp(f->step[0], "1") != 0)
        rows->all.n = 0;
    return r.out.s;
}
