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
#include <string.h>

static void walk(struct reach *r, struct node *n);

static bool has_reference(const struct reach *r, const struct node *n) {
    for (size_t i = 0; i < r->f->w.uses.n; i++)
        if (reach_is_looked_up(r, r->f->w.uses.at[i].v) && ast_contains(n, r->f->w.uses.at[i].n))
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
    const int outer = r->loads;
    const bool plain = reach_is_plain(r, value);
    if (of >= 0)
        r->loaded[of] = reach_later(r->loaded[of], r->loads);
    r->later = reach_later(r->later, r->loads);
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

/* Elements whose places are looked up in a later stage are not read yet, nor is what depends on them asked for. */
static void drop_later(struct reach *r, size_t from, int value) {
    if (!r->stage || value <= r->stage + 1 || r->out.n == from)
        return;
    r->out.n = from;
    r->out.s[from] = '\0';
}

static void declaration(struct reach *r, struct node *n) {
    reach_references(r, n);
    if (!declares_needed(r, n))
        return;
    const size_t from = r->out.n;
    r->later = 0;
    r->failed |= !is_plain_declaration(r, n) || r->f->w.u->src.text[n->e - 1] != ';';
    buf_printf(&r->out, "%s ", reach_between(r, n->b, n->e));
    drop_later(r, from, r->later);
}

static bool begins(const struct reach *r, const struct node *n, const char *word) {
    return !strncmp(r->f->w.u->src.text + n->b, word, strlen(word));
}

/* Its statements are run under a condition of their own. */
static void walk_in(struct reach *r, struct node *n) {
    struct node *outer = r->scope;
    r->scope = n;
    walk(r, n);
    r->scope = outer;
}

static void loop(struct reach *r, struct node *n) {
    struct node *init = ast_child(n, 0), *test = ast_child(n, 1), *step = ast_child(n, 2), *body = ast_child(n, 3);
    const int outer = r->loads;
    const bool turned = r->turned;
    const size_t from = r->out.n;
    if (ast_children(n) != 4 || !begins(r, n, "for") || reach_before(r, body->b) != ')' || has_reference(r, init) ||
        has_reference(r, test) || has_reference(r, step)) {
        r->failed = true;
        return;
    }
    for (struct node *d = init->kind == CXCursor_DeclStmt ? init->first : NULL; d; d = d->next)
        reach_need(r, d->c);
    r->later = 0;
    const bool ok = (init->kind == CXCursor_DeclStmt ? is_plain_declaration(r, init) : is_change(r, init)) &&
                    reach_is_plain(r, test) && is_change(r, step);
    const int later = reach_later(r->later, r->loads);
    r->failed |= !ok;
    r->loads = later;
    buf_printf(&r->out, "%s { ", reach_between(r, n->b, body->b));
    const bool row = reach_enter_rows(r, n);
    r->turned |= !row;
    walk_in(r, body);
    r->turned = turned;
    if (row)
        reach_leave_rows(r);
    buf_puts(&r->out, "} ");
    drop_later(r, from, later);
    r->loads = reach_later(outer, r->jumps);
}

static void condition(struct reach *r, struct node *n) {
    struct node *test = ast_child(n, 0), *then = ast_child(n, 1), *other = ast_child(n, 2);
    const int outer = r->loads;
    const bool turned = r->turned;
    reach_references(r, test);
    const size_t from = r->out.n;
    if (!begins(r, n, "if") || reach_before(r, then->b) != ')' || !reach_is_plain(r, test)) {
        r->failed = true;
        return;
    }
    const int later = r->loads;
    r->turned = true;
    buf_printf(&r->out, "%s { ", reach_between(r, n->b, then->b));
    if (is_wanted(r, then))
        walk_in(r, then);
    buf_puts(&r->out, "} ");
    if (other && is_wanted(r, other)) {
        buf_puts(&r->out, "else { ");
        walk_in(r, other);
        buf_puts(&r->out, "} ");
    }
    drop_later(r, from, later);
    r->loads = reach_later(outer, r->jumps);
    r->turned = turned;
}

static void expression(struct reach *r, struct node *n) {
    reach_references(r, n);
    for (int i = 0; i < r->nneeded; i++) {
        if (!node_changes(n, r->needed[i], NULL))
            continue;
        const size_t from = r->out.n;
        r->later = r->loads;
        r->failed |= !is_change(r, n) || reach_behind(r, n->e) != ';';
        buf_printf(&r->out, "%s; ", reach_between(r, n->b, n->e));
        drop_later(r, from, r->later);
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
    case CXCursor_OMPAtomicDirective: /* whatever it updates, the place is the same */
        for (struct node *c = n->first; c; c = c->next)
            walk(r, c);
        return;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        r->jumps = reach_later(r->jumps, r->loads);
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

static enum CXVisitorResult is_no_real(CXCursor c, CXClientData data);

/* Floating numbers, or structures of nothing else. */
static bool are_reals(CXType t) {
    t = clang_getCanonicalType(t);
    while (ast_is_array(t))
        t = clang_getCanonicalType(clang_getArrayElementType(t));
    if (t.kind == CXType_Record)
        return !clang_Type_visitFields(t, is_no_real, NULL);
    return t.kind == CXType_Float || t.kind == CXType_Double || t.kind == CXType_LongDouble;
}

static enum CXVisitorResult is_no_real(CXCursor c, CXClientData data) {
    (void)data;
    return are_reals(clang_getCursorType(c)) ? CXVisit_Continue : CXVisit_Break;
}

/* The language tells them apart from what leads from one to the next. */
static bool writes_reals(struct for_loop *f) {
    if (f->w.u->types_alias)
        return false;
    for (size_t i = 2; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        if (v->kind != VAR_SCALAR && (v->joined || for_may_write(f, v)) && !are_reals(v->elem_type))
            return false;
    }
    return true;
}

static bool is_whole(const struct reach *r) {
    for (int i = 0; i < r->nneeded; i++)
        if (node_changes(r->f->w.body, r->needed[i], NULL) != r->kept[i])
            return false;
    return true;
}

/* Until no further variable is found that what was found depends on. */
static bool compute(struct reach *r) {
    for (int pass = 0, known = -1; !r->failed && (known < r->nneeded || pass < 3); pass++) {
        known = r->nneeded;
        memset(r->kept, 0, sizeof r->kept);
        r->out = (struct buf){0};
        r->rows = (struct reach_rows){0};
        r->loads = r->jumps = r->stages = 0;
        r->turned = false;
        buf_puts(&r->out, "");
        r->seen.n = 0;
        walk_in(r, r->f->w.body);
    }
    return !r->failed && is_whole(r);
}

/* Where something is written is known when all is looked up, and too late for a place that it leads to. */
static bool leads_nowhere(struct for_loop *f, const struct var *v, const struct reach *r) {
    f->reach_follows |= r->follows;
    f->reach_written |= for_may_write(f, v);
    return r->reals || !f->reach_follows || !f->reach_written;
}

bool for_reach(struct for_loop *f, struct var *v) {
    struct reach r = {.f = f, .only = v, .reals = writes_reals(f)};
    if (f->jobs || f->host_driven || f->hidden.n || f->hidden_text.n || for_hidden_uses(f, v) || !v->ndims ||
        type_holds_pointer(v->elem_type) || !compute(&r) || !leads_nowhere(f, v, &r))
        return false;
    vec_push(&f->reached, (struct for_reached){v, r.wide});
    return true;
}

const char *for_reach_text(struct for_loop *f, int stage, struct reach_rows *rows, int *stages) {
    struct reach r = {.f = f, .stage = stage, .reals = writes_reals(f)};
    compute(&r);
    *rows = r.rows;
    *stages = r.stages;
    if (rows->none || f->step[1] || strcmp(f->step[0], "1") != 0)
        rows->all.n = 0;
    return r.out.s;
}
