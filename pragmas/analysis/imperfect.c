/* SPDX-License-Identifier: Apache-2.0 */
/* Why a row with statements beside its inner loop could not be brought into the form of a nest (normal.h). */
#include "analysis/capture.h"
#include "prepare.h"

#include <string.h>

struct row {
    const struct nest *w;
    struct node *outer, *inner; /* in the function's tree */
    size_t at;
    const char *why;
};

static bool say(struct row *r, const struct node *n, const char *why) {
    r->at = n->b;
    r->why = why;
    return true;
}

static bool holds(const struct node *n, const struct node *loop) { return loop && ast_contains(n, loop); }

/* ---- ways out of a row ---- */

static bool jump(struct row *r, const struct node *n) {
    const char *word = n->kind == CXCursor_ContinueStmt ? "continue"
                       : n->kind == CXCursor_BreakStmt  ? "break"
                       : n->kind == CXCursor_ReturnStmt ? "return"
                                                        : NULL;
    if (word)
        return say(r, n,
                   mem_printf("'%s' leaves cells of the row out, and which ones is known only when the row is "
                              "reached; put the condition into the inner loop",
                              word));
    if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt ||
        n->kind == CXCursor_SwitchStmt)
        return false;
    for (const struct node *c = n->first; c; c = c->next)
        if (jump(r, c))
            return true;
    return false;
}

/* ---- variables ---- */

static const struct node *mention(const struct node *n, CXCursor var) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var))
        return n;
    for (const struct node *c = n->first; c; c = c->next) {
        const struct node *found = mention(c, var);
        if (found)
            return found;
    }
    return NULL;
}

static bool is_shown(struct node *n, CXCursor var) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var) &&
        (capture_access(n) & ACCESS_ADDRESS))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (is_shown(c, var))
            return true;
    return false;
}

static bool is_item(const struct nest *w, const char *name) {
    for (size_t i = 0; i < w->p->clauses.n; i++)
        for (size_t k = 0; k < w->p->clauses.at[i].items.n; k++)
            if (strcmp(source_flat(&w->u->src, w->p->clauses.at[i].items.at[k].name), name) == 0)
                return true;
    return false;
}

/* A scalar that cells read and change; `outside`: it is declared before the nest. */
static const char *scalar(const struct row *r, CXCursor var, bool outside) {
    const char *name = ast_name(var);
    if (is_shown(r->outer->last, var))
        return mem_printf("'%s' has its address taken, so nothing shows which value a cell reads; use a variable of "
                          "the nest's own",
                          name);
    if (outside && live_after(r->outer, var))
        return mem_printf(
            "'%s' is carried along each row and read behind the nest, where no row's value arrives; name it "
            "in reduction() if it only sums up, or keep what is wanted in an array",
            name);
    if (outside && live_reads_first(r->outer->last, var))
        return mem_printf("'%s' is carried from the end of a row to the next one, so no row can begin before the one "
                          "above has ended; set it in front of the inner loop, or name it in reduction()",
                          name);
    return NULL;
}

static bool variable(struct row *r, const struct node *n) {
    const CXCursor var = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    if (clang_getCursorKind(var) == CXCursor_VarDecl || clang_getCursorKind(var) == CXCursor_ParmDecl) {
        struct span at;
        const bool here = ast_span(r->w->u, var, &at) && at.b >= r->outer->b && at.b < r->outer->e;
        const CXType t = clang_getCanonicalType(clang_getCursorType(var));
        const bool carried = !ast_is_array(t) && t.kind != CXType_Pointer && node_changes(r->outer->last, var, NULL) &&
                             !is_item(r->w, ast_name(var)) && live_reads_first(r->inner->last, var);
        const char *why = carried ? scalar(r, var, !here) : NULL;
        if (why)
            return say(r, n, why);
    }
    for (const struct node *c = n->first; c; c = c->next)
        if (variable(r, c))
            return true;
    return false;
}

/* What the row does in front of its cells, and other rows' cells, or somebody outside, would see. */
static bool order(struct row *r, struct node *n) {
    const CXCursor var = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    struct span at;
    if (n->kind == CXCursor_CallExpr && !function_only_reads(r->w->u, n))
        return say(r, n,
                   mem_printf("'%s' in front of the inner loop may do more than give a value, and rows run in another "
                              "order; call it in a loop of its own before the nest, and keep what it gives in an array",
                              unit_text(r->w->u, n)));
    if (clang_getCursorKind(var) == CXCursor_VarDecl && clang_isVolatileQualifiedType(clang_getCursorType(var)))
        return say(
            r, n,
            mem_printf("'%s' is volatile, and rows run in another order; read it before the nest", ast_name(var)));
    if (clang_getCursorKind(var) == CXCursor_VarDecl && ast_span(r->w->u, var, &at) &&
        (at.b < r->outer->b || at.b >= r->outer->e) && !ast_is_array(clang_getCursorType(var)) &&
        node_changes(r->inner->last, var, NULL))
        return say(r, n,
                   mem_printf("the row begins with '%s', which cells of the rows above change, so no row can begin "
                              "before they have ended; let it begin with what the nest does not change",
                              ast_name(var)));
    for (struct node *c = n->first; c; c = c->next)
        if (order(r, c))
            return true;
    return false;
}

static bool in_front(struct row *r) {
    for (struct node *n = r->outer->last->first; n && n != r->inner; n = n->next)
        if (order(r, n))
            return true;
    return false;
}

/* ---- memory ---- */

static const struct node *store(const struct node *n) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if ((ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)) &&
        ast_strip(n->first)->kind != CXCursor_DeclRefExpr)
        return n->first;
    for (const struct node *c = n->first; c; c = c->next) {
        const struct node *found = store(c);
        if (found)
            return found;
    }
    return NULL;
}

/* The row declares something that its cells use, and stores elements beside them. */
static bool beside(struct row *r) {
    const struct node *declared = NULL;
    for (const struct node *n = r->outer->last->first; n; n = n->next)
        for (const struct node *d = n->kind == CXCursor_DeclStmt ? n->first : NULL; d && !declared; d = d->next)
            declared = d->kind == CXCursor_VarDecl && mention(r->inner->last, d->c) ? d : NULL;
    for (const struct node *n = r->outer->last->first; declared && n; n = n->next) {
        const struct node *s = n == r->inner ? NULL : store(n);
        if (s)
            return say(r, s,
                       mem_printf("'%s' is set beside the inner loop, whose cells use the row's '%s'; set it in a loop "
                                  "of its own before or behind the nest",
                                  unit_text(r->w->u, s), ast_name(declared->c)));
    }
    return false;
}

static bool parts(struct row *r) {
    for (struct node *n = r->outer->last->first; n; n = n->next)
        if (n != r->inner && !holds(n, r->inner)) {
            const char *what = n->kind == CXCursor_ForStmt ? "loop" : "statement";
            return say(
                r, n,
                mem_printf(
                    "nothing shows that this %s belongs before the inner loop's columns or behind them: its columns "
                    "may be theirs, or their loop may end before it begins; move it into the inner loop "
                    "or out of the nest",
                    what));
        }
    return false;
}

/* ---- all ---- */

static bool find(struct row *r, size_t at) {
    const struct function *f = function_around(r->w->u, r->w->p->b);
    r->outer = f && f->tree ? ast_at(f->tree, CXCursor_ForStmt, at) : NULL;
    if (!r->outer)
        return false;
    struct node *body = r->outer->last;
    for (struct node *n = body->kind == CXCursor_CompoundStmt ? body->first : body; n && !r->inner; n = n->next)
        if (n->kind == CXCursor_ForStmt && ast_children(n) == 4)
            r->inner = n;
    return r->inner != NULL;
}

const char *imperfect_scalar(const struct nest *w, CXCursor var) {
    struct row r = {.w = w};
    return w->loop[0].stmt && find(&r, w->loop[0].stmt->b) && live_reads_first(r.inner->last, var)
               ? scalar(&r, var, true)
               : NULL;
}

const char *imperfect_row(const struct nest *w, const struct node *outer, size_t *at) {
    struct row r = {.w = w};
    if (!find(&r, outer->b) || r.outer->last->kind != CXCursor_CompoundStmt)
        return NULL;
    bool found = false;
    for (const struct node *n = r.outer->last->first; n && !found; n = n->next)
        found = n != r.inner && jump(&r, n);
    if (!found && !variable(&r, r.inner->last) && !beside(&r) && !in_front(&r) && !parts(&r))
        return NULL;
    *at = r.at;
    return r.why;
}
