/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers and pointers that go on by the same amount in each iteration: k++, *p++, for (i = 0, x = 0; …; i++, x += 2).
 * Where they are read, an expression of the loops' own variables takes their place; what they are afterwards is
 * computed behind the loop. Then nothing is left that one iteration hands to the next.
 */
#include "induction.h"
#include "front/macros.h"
#include "analysis/capture.h"
#include "analysis/refs.h"

#include <string.h>

/* The same in all iterations: numbers, and variables that only this function knows. */
bool induction_fixed(const struct prepare *s, struct node *n) {
    long k;
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (ast_hides_any(s->root, n))
        return false;
    if (ast_constant(n, &k) || n->kind == CXCursor_UnaryExpr) /* sizeof */
        return true;
    if (op == CXBinaryOperator_Div) /* by zero where the loop has no turn? */
        return induction_fixed(s, n->first) &&
               (ast_strip(n->last)->kind == CXCursor_UnaryExpr || (ast_constant(n->last, &k) && k));
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorReferenced(n->c);
        return (clang_getCursorKind(d) == CXCursor_VarDecl || clang_getCursorKind(d) == CXCursor_ParmDecl) &&
               !node_is_global(d) && ast_is_integer(clang_getCursorType(d)) && !prepare_is_inside(s, d) &&
               !capture_is_shown(s->tree, d) && !node_changes(s->root, d, NULL) &&
               refs_is_whole_text(s->u, n, ast_name(d));
    }
    return (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub || op == CXBinaryOperator_Mul) &&
           induction_fixed(s, n->first) && induction_fixed(s, n->last);
}

/* ---- amounts ---- */

static const struct amount none = {0, ""};

static struct amount plus(struct amount a, struct amount b) {
    const char *text = !*a.text ? b.text : !*b.text ? a.text : mem_printf("%s + %s", a.text, b.text);
    return (struct amount){a.number + b.number, text};
}

static const char *amount_text(struct amount a) {
    return !*a.text ? mem_printf("%ld", a.number) : a.number ? mem_printf("%s + %ld", a.text, a.number) : a.text;
}

static struct amount times(struct amount a, const char *turns) {
    if (!a.number && !*a.text)
        return none;
    if (!*a.text && a.number == 1)
        return (struct amount){0, turns};
    return (struct amount){0, mem_printf("(%s) * %s", amount_text(a), turns)};
}

bool induction_update(const struct induction *x, struct node *n, struct amount *by) {
    struct loop_count c = {.var = x->var};
    bool down;
    long k = 1;
    n = ast_strip(n);
    if (!loop_step(n, &c, &down))
        return false;
    if (!c.step || ast_constant(c.step, &k)) {
        k = k < 0 ? -k : k;
        *by = (struct amount){down ? -k : k, ""};
        return true;
    }
    *by = (struct amount){0, mem_printf("%s(long)(%s)", down ? "-" : "", unit_text(x->s->u, c.step))};
    return induction_fixed(x->s, c.step);
}

/* ---- loops ---- */

bool induction_turns(const struct prepare *s, const struct node *loop, const struct loop_count *l, struct amount by,
                     struct amount *so_far, struct amount *all) {
    const struct loop_count c = *l;
    long step = 1, first, bound;
    const bool number = !c.step || ast_constant(c.step, &step);
    if (c.sooner || ast_hides(loop, c.var) || !induction_fixed(s, c.first) || (!number && !induction_fixed(s, c.step)))
        return false;
    step = step < 0 ? -step : step;
    const char *by_step = number ? mem_printf("%ld", step) : mem_printf("(long)(%s)", unit_text(s->u, c.step));
    step = number ? step : 0;
    const char *name = ast_name(c.var), *begin = count_first(s->u, &c);
    const bool zero = ast_constant(c.first, &first) && first == 0 && !c.down;
    const char *turns = zero     ? mem_printf("(long)%s", name)
                        : c.down ? mem_printf("((long)(%s) - %s)", begin, name)
                                 : mem_printf("((long)%s - (%s))", name, begin);
    if (step > 1 && !*by.text && by.number % step == 0)
        *so_far = times((struct amount){by.number / step, ""}, turns);
    else
        *so_far = times(by, step == 1 ? turns : mem_printf("(%s / %s)", turns, by_step));
    if (!all)
        return true;
    if (!induction_fixed(s, c.bound))
        return false;
    if (number && count_numbers(&c, &first, &bound)) {
        const long span = (c.down ? first - bound : bound - first) + !c.open, n = (span + step - 1) / step;
        const char *made = mem_printf("%ld", span > 0 ? n : 0);
        *all = *by.text ? times(by, made) : (struct amount){by.number * (span > 0 ? n : 0), ""};
        return true;
    }
    const char *end = count_bound(s->u, &c);
    const char *span =
        mem_printf("((long)(%s) - (%s) + %s - %d)", c.down ? begin : end, c.down ? end : begin, by_step, c.open);
    const char *made = step == 1 ? span : mem_printf("%s / %s", span, by_step);
    *all = times(by, mem_printf("(%s ? %s : 0)", count_test(s->u, &c), made));
    return true;
}

static bool has_jump(const struct node *n, bool inner) {
    if (n->kind == CXCursor_ContinueStmt || n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt ||
        (n->kind == CXCursor_BreakStmt && !inner))
        return true;
    const bool in = inner || n->kind == CXCursor_SwitchStmt;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_jump(c, in))
            return true;
    return false;
}

/* ---- mentions ---- */

static const char *value(const struct induction *x, struct amount at) {
    if (!at.number && !*at.text)
        return mem_printf("(%s)", x->start);
    return x->type ? mem_printf("((%s)((%s) + (%s)))", x->type, x->start, amount_text(at))
                   : mem_printf("((%s) + (%s))", x->start, amount_text(at));
}

static bool put(struct induction *x, const struct node *n, const char *text) {
    if (memchr(x->s->u->src.text + n->b, '\n', n->e - n->b))
        return false;
    if (!x->dry)
        vec_push(&x->edits, (struct edit){n->b, n->e, text});
    return true;
}

static struct node *around(struct node *n) {
    struct node *up = n->up;
    while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr))
        n = up, up = up->up;
    return up && up->first == n ? up : NULL;
}

/* In place of n; pointers become subscripts: *p, p[k]. */
static bool put_value(struct induction *x, struct node *n, struct amount at) {
    struct node *up = around(n);
    if (x->type || !up || !at.text || (!at.number && !*at.text))
        return put(x, n, value(x, at));
    if (ast_unary(up) == CXUnaryOperator_Deref && x->s->u->src.text[up->b] == '*')
        return put(x, up, mem_printf("%s[%s]", x->start, amount_text(at)));
    if (up->kind != CXCursor_ArraySubscriptExpr || up->last->b < n->e)
        return put(x, n, value(x, at));
    return put(x, n, x->start) &&
           put(x, &(struct node){.b = up->last->b, .e = up->last->b}, mem_printf("%s + (", amount_text(at))) &&
           put(x, &(struct node){.b = up->last->e, .e = up->last->e}, ")");
}

bool induction_read(struct induction *x, struct node *n, struct amount at) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), x->var))
        return refs_is_whole_text(x->s->u, n, ast_name(x->var)) && put_value(x, n, at);
    for (struct node *c = n->first; c; c = c->next)
        if (!induction_read(x, c, at))
            return false;
    return true;
}

/* All that is below n is surely evaluated, once. */
static bool evaluates_all(const struct node *n) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    switch ((int)n->kind) {
    case CXCursor_BinaryOperator:
        return op != CXBinaryOperator_LAnd && op != CXBinaryOperator_LOr;
    case CXCursor_UnexposedExpr: /* a ?: b is one, too */
        return n->first && !n->first->next;
    case CXCursor_CallExpr:
        return strncmp(ast_name(n->c), "__builtin_", strlen("__builtin_")) != 0;
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_InitListExpr:
    case CXCursor_DeclStmt:
    case CXCursor_VarDecl:
        return true;
    default:
        return false;
    }
}

/* The one update in a statement, which is surely made; NULL: there is none of that kind. */
static struct node *update_in(const struct induction *x, struct node *n, struct amount *by) {
    if (ast_strip(n) == n && induction_update(x, n, by))
        return n;
    if (!evaluates_all(n))
        return NULL;
    for (struct node *c = n->first; c; c = c->next)
        if (node_changes(c, x->var, NULL))
            return update_in(x, c, by);
    return NULL;
}

static bool statement(struct induction *x, struct node *n, struct amount *at) {
    struct amount by;
    struct node *update = update_in(x, n, &by);
    if (!update || !by.text || ast_mentions(n, x->var) != ast_mentions(update, x->var))
        return false;
    const enum CXUnaryOperatorKind op = ast_unary(update);
    const struct amount then = plus(*at, by);
    const bool before = op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PostDec;
    const struct amount here = before ? *at : then;
    *at = then;
    return update == n ? put(x, update, "(void)0") : put_value(x, update, here);
}

static bool walk(struct induction *x, struct node *n, struct amount *at);

static bool inner_loop(struct induction *x, struct node *loop, struct amount *at) {
    struct loop_count c;
    struct amount by = none, so_far, all, inside;
    const bool dry = x->dry;
    x->dry = true;
    const bool counted = !node_changes(ast_child(loop, 0), x->var, NULL) && !has_jump(loop->last, false) &&
                         walk(x, loop->last, &by) && loop_counts(loop, &c) &&
                         induction_turns(x->s, loop, &c, by, &so_far, &all);
    x->dry = dry;
    if (!counted)
        return false;
    for (int k = 0; k < 3; k++)
        if (ast_mentions(ast_child(loop, k), x->var))
            return false;
    inside = plus(*at, so_far);
    if (!walk(x, loop->last, &inside))
        return false;
    *at = plus(*at, all);
    return true;
}

/* Both ways make the same of it. */
static bool branches(struct induction *x, struct node *n, struct amount *at) {
    struct amount other = *at;
    if (ast_children(n) != 3 || node_changes(n->first, x->var, NULL) || !induction_read(x, n->first, *at) ||
        !walk(x, ast_child(n, 1), at) || !walk(x, n->last, &other))
        return false;
    return at->number == other.number && strcmp(at->text, other.text) == 0;
}

static bool walk(struct induction *x, struct node *n, struct amount *at) {
    if (!node_changes(n, x->var, NULL))
        return induction_read(x, n, *at);
    if (n->kind == CXCursor_CompoundStmt) {
        for (struct node *c = n->first; c; c = c->next)
            if (!walk(x, c, at))
                return false;
        return true;
    }
    if (n->kind == CXCursor_ForStmt)
        return inner_loop(x, n, at);
    return n->kind == CXCursor_IfStmt ? branches(x, n, at) : statement(x, n, at);
}

/* ---- one variable ---- */

static bool is_automatic(const struct prepare *s, CXCursor decl) {
    const enum CX_StorageClass storage = clang_Cursor_getStorageClass(decl);
    const enum CXCursorKind kind = clang_getCursorKind(decl);
    return kind == CXCursor_ParmDecl ||
           (kind == CXCursor_VarDecl && storage != CX_SC_Static && storage != CX_SC_Extern && !node_is_global(decl) &&
            clang_equalCursors(clang_getCursorSemanticParent(decl), s->function));
}

bool induction_begin(struct induction *x, struct prepare *s, CXCursor var) {
    const CXType t = clang_getCursorType(var), c = clang_getCanonicalType(t);
    const CXType to = clang_getCanonicalType(clang_getPointeeType(c));
    *x = (struct induction){.s = s, .var = var, .start = ast_name(var)};
    if (clang_isVolatileQualifiedType(c) || capture_is_shown(s->tree, var))
        return false;
    if (c.kind == CXType_Pointer)
        return clang_Type_getSizeOf(to) > 0 && to.kind != CXType_Void;
    x->type = ast_spelling(clang_getUnqualifiedType(t));
    return ast_is_integer(c) && clang_Type_getSizeOf(c) >= (long long)sizeof(int) && c.kind != CXType_Enum;
}

void induction_keep(struct induction *x, struct amount all) {
    const char *name = ast_name(x->var);
    for (size_t i = 0; i < x->edits.n; i++)
        vec_push(&x->s->edits, x->edits.at[i]);
    if (prepare_is_inside(x->s, x->var))
        return;
    if (strcmp(x->start, name) == 0)
        buf_printf(&x->s->after, " %s += %s;", name, amount_text(all));
    else
        buf_printf(&x->s->after, " %s = %s + (%s);", name, x->start, amount_text(all));
}

/* Changed in the body. */
static bool in_body(struct prepare *s, CXCursor var) {
    struct induction x;
    struct loop_count c;
    struct amount by = none, so_far, all;
    if (!is_automatic(s, var) || prepare_is_inside(s, var) || !induction_begin(&x, s, var) ||
        prepare_is_named(s, ast_name(var)) || has_jump(s->root->last, false) || !loop_counts(s->root, &c))
        return false;
    for (int k = 0; k < 3; k++)
        if (ast_mentions(ast_child(s->root, k), var))
            return false;
    x.dry = true;
    if (!walk(&x, s->root->last, &by) || !induction_turns(s, s->root, &c, by, &so_far, &all))
        return false;
    x.dry = false;
    if (!walk(&x, s->root->last, &so_far))
        return false;
    induction_keep(&x, all);
    return true;
}

/* The first of them in the body. */
static bool any_in_body(struct prepare *s, struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr && (capture_access(n) & ACCESS_WRITE) &&
        in_body(s, clang_getCursorReferenced(n->c)))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (any_in_body(s, c))
            return true;
    return false;
}

bool prepare_inductions(struct prepare *s) {
    const enum CXCursorKind up = s->root->up->kind;
    if (ast_children(s->root) != 4 || ast_has_openmp(s->root) || clause_find(s->p, CLAUSE_COLLAPSE) ||
        s->p->directive->bit != DIRECTIVE_FOR || (up != CXCursor_CompoundStmt && up != CXCursor_ForStmt))
        return false;
    s->after = (struct buf){0};
    s->close = "";
    if (!induction_head(s) && !any_in_body(s, s->root->last))
        return false;
    prepare_add_after(s);
    return true;
}
