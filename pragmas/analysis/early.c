/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands behind a pointer to a structure is read before the loop only where the loop reads the structure, too: a
 * loop without a turn, or one whose loops inside have none, may have a pointer that leads nowhere. The heads of the
 * loops around a mention say when there is a first turn; where they depend on each other, that turn is looked for.
 */
#include "analysis/capture.h"
#include "normal.h"
#include "prepare.h"

enum { MAX_AROUND = 6 };

struct around { /* loops around a mention, the innermost first, in whose turns it is evaluated for sure */
    struct node *loop[MAX_AROUND];
    int n;
};

/* ---- mentions ---- */

static bool is_base(struct node *n, CXCursor base) {
    struct node *of = n->kind == CXCursor_MemberRefExpr && n->first ? ast_strip(n->first) : NULL;
    return of && of->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(of->c), base) &&
           ast_type(n->first).kind == CXType_Pointer;
}

/* Memory is accessed, not only an address computed. */
static bool is_accessed(const struct node *n) {
    while (n->up->kind == CXCursor_ParenExpr ||
           (n->up->kind == CXCursor_MemberRefExpr && ast_type(n).kind == CXType_Record))
        n = n->up;
    return !ast_is_array(ast_type(n)) && ast_unary(n->up) != CXUnaryOperator_AddrOf;
}

static bool leaves_before(const struct node *n) {
    for (const struct node *c = n->up->first; c != n; c = c->next)
        if (live_leaves(c))
            return true;
    return false;
}

/* Evaluated whenever `up`, which it is a part of, is. */
static bool is_certain(const struct node *n, const struct node *up) {
    const enum CXBinaryOperatorKind op = ast_binary(up);
    if (ast_is_openmp(up) || leaves_before(n))
        return false;
    switch ((int)up->kind) {
    case CXCursor_ForStmt:
        return ast_children(up) == 4 && n != up->first->next->next;
    case CXCursor_IfStmt:
    case CXCursor_ConditionalOperator:
    case CXCursor_SwitchStmt:
    case CXCursor_WhileStmt:
    case CXCursor_UnexposedExpr:
        return n == up->first;
    case CXCursor_GenericSelectionExpr:
    case CXCursor_UnaryExpr:
    case CXCursor_LambdaExpr:
    case CXCursor_BlockExpr:
        return false;
    default:
        return (op != CXBinaryOperator_LAnd && op != CXBinaryOperator_LOr) || n == up->first;
    }
}

static bool find_around(const struct prepare *s, const struct node *n, struct around *out) {
    out->n = 0;
    for (struct node *up = n->up; n != s->root; n = up, up = up->up) {
        if (!up || !is_certain(n, up))
            return false;
        if (up->kind == CXCursor_ForStmt && n == up->last) {
            if (out->n == MAX_AROUND)
                return false;
            out->loop[out->n++] = up;
        }
    }
    return true;
}

/* The mention with the fewest loops around. */
static bool find_nearest(const struct prepare *s, struct node *n, CXCursor base, struct around *best) {
    struct around here;
    bool found = false;
    if (n->kind == CXCursor_UnaryExpr)
        return false;
    if (is_base(n, base) && is_accessed(n) && find_around(s, n, &here) && here.n < best->n) {
        *best = here;
        found = true;
    }
    for (struct node *c = n->first; c; c = c->next)
        found |= find_nearest(s, c, base, best);
    return found;
}

/* ---- heads ---- */

struct search {
    struct prepare *s;
    struct around at;
    struct loop_count count[MAX_AROUND];
    const char *name[MAX_AROUND]; /* of their variables, in the search */
};

static bool is_turn_of(const struct search *x, CXCursor var) {
    for (int i = 0; i < x->at.n; i++)
        if (clang_equalCursors(x->count[i].var, var))
            return true;
    return false;
}

static bool is_memory(const struct node *n) {
    return n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_MemberRefExpr ||
           ast_unary(n) == CXUnaryOperator_Deref;
}

/* May it be evaluated once more, and, where `fixed`, in any turn, with the same value? */
static bool is_repeatable(const struct search *x, struct node *n, bool fixed) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    const CXType t = clang_isExpression(n->kind) ? clang_getCursorType(n->c) : (CXType){CXType_Invalid, {0, 0}};
    if (n->kind == CXCursor_UnaryExpr)
        return true;
    if (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec) ||
        n->kind == CXCursor_StmtExpr || clang_isVolatileQualifiedType(t) ||
        (n->kind == CXCursor_CallExpr && !function_is_pure(function_callee(n))))
        return false;
    if (fixed && is_memory(n) && prepare_may_change(x->s, t))
        return false;
    if (fixed && n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        const enum CXCursorKind kind = clang_getCursorKind(d);
        if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !is_turn_of(x, d) &&
            (prepare_is_inside(x->s, d) || node_changes(x->s->root, d, NULL) ||
             ((node_is_global(d) || capture_is_shown(x->s->tree, d)) && prepare_may_change(x->s, t))))
            return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!is_repeatable(x, c, fixed))
            return false;
    return true;
}

static bool reads_head(struct search *x, int i) {
    struct node *loop = x->at.loop[i];
    struct loop_count *c = &x->count[i];
    const bool fixed = x->at.n > 1;
    return is_repeatable(x, c->first, fixed) && is_repeatable(x, ast_child(loop, 1), fixed) &&
           (!c->step || is_repeatable(x, c->step, fixed));
}

/* The text with the search's variables in place of the loops'; with `first`: the only one's first value. */
static const char *text_of(const struct search *x, struct node *n, const char *first) {
    struct buf out = {0};
    size_t at = n->b;
    edit_list edits = {0};
    for (int i = 0; i < x->at.n; i++)
        if (!normal_mentions(x->s->u, n, x->count[i].var, first ? first : x->name[i], &edits))
            return NULL;
    buf_add(&out, "", 0);
    while (at < n->e) {
        const struct edit *next = NULL;
        for (size_t k = 0; k < edits.n; k++)
            if (edits.at[k].b >= at && (!next || edits.at[k].b < next->b))
                next = &edits.at[k];
        buf_puts(&out, source_flat(&x->s->u->src, (struct span){at, next ? next->b : n->e}));
        if (next)
            buf_printf(&out, " %s ", next->text);
        at = next ? next->e : n->e;
    }
    return out.s;
}

static const char *type_of(const struct loop_count *c) {
    return ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c->var)));
}

/* One loop: its test, of its first value. */
static const char *first_test(const struct search *x) {
    const struct loop_count *c = &x->count[0];
    const char *value = text_of(x, c->first, NULL);
    return value ? text_of(x, ast_child(x->at.loop[0], 1), mem_printf("((%s)(%s))", type_of(c), value)) : NULL;
}

static const char *look_for_turn(const struct search *x, const char *found) {
    struct buf out = {0};
    buf_printf(&out, " int %s = 0;", found);
    for (int i = x->at.n; i-- > 0;) {
        const struct loop_count *c = &x->count[i];
        const char *first = text_of(x, c->first, NULL), *test = text_of(x, ast_child(x->at.loop[i], 1), NULL),
                   *step = text_of(x, ast_child(x->at.loop[i], 2), NULL);
        if (!first || !test || !step)
            return NULL;
        buf_printf(&out, " for (%s %s = %s; !%s && (%s); %s)", type_of(c), x->name[i], first, found, test, step);
    }
    buf_printf(&out, " %s = 1;", found);
    return out.s;
}

bool prepare_early(struct prepare *s, CXCursor base, const char **before, const char **when) {
    struct search x = {.s = s, .at.n = MAX_AROUND + 1};
    *before = "";
    *when = NULL;
    if (!find_nearest(s, s->root, base, &x.at))
        return false;
    for (int i = 0; i < x.at.n; i++)
        if (!loop_counts(x.at.loop[i], &x.count[i]))
            return false;
    for (int i = 0; i < x.at.n; i++) {
        if (!reads_head(&x, i))
            return false;
        x.name[i] = normal_name(s->u, mem_printf("%s_turn%d", ast_name(x.count[i].var), i));
    }
    if (x.at.n == 1)
        return (*when = first_test(&x)) != NULL;
    if (x.at.n > 1) {
        *when = normal_name(s->u, mem_printf("%s_is_read", ast_name(base)));
        return (*before = look_for_turn(&x, *when)) != NULL;
    }
    return true;
}
