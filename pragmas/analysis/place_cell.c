/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `if (H[i][j] > best) { best = H[i][j]; bi = i; bj = j; }` in a nest of two loops, whose cells run in another order
 * than the serial ones. The nest keeps the best value and the numbers of its row and column, which all workers compare:
 * of equal values the one is taken that the serial loop takes, the first or with >= and <= the last. What the
 * variables of the place are is worked out behind the nest.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "place.h"

#include <string.h>

/* A loop's variable as the nest counts it: what is earlier is less. */
struct turn {
    struct loop_count count;
    bool wide;              /* in long */
    const char *own;        /* the variable that keeps it */
    const char *is;         /* the cell's */
    const char *afterwards; /* what the loop's variable was */
};

/* The two loops around the test, and nothing else that repeats it. */
static bool find_loops(const struct place *p, struct node *inner[1]) {
    int loops = 0;
    for (struct node *n = p->block->up; n; n = n->up) {
        if (n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt || n->kind == CXCursor_SwitchStmt)
            return false;
        if (n->kind == CXCursor_ForStmt && loops++ == 0)
            *inner = n;
        if (n == p->s->root)
            return loops == 2;
    }
    return false;
}

static bool number_turn(const struct place *p, struct node *loop, char letter, struct turn *t) {
    if (!loop_counts(loop, &t->count) || ast_hides(loop, t->count.var))
        return false;
    const CXType type = place_type(t->count.var);
    const char *name = ast_name(t->count.var);
    t->wide = type.kind != CXType_Int && type.kind != CXType_Short && type.kind != CXType_UShort &&
              type.kind != CXType_UChar && type.kind != CXType_SChar && type.kind != CXType_Char_S &&
              type.kind != CXType_Char_U;
    t->own = mem_printf("%s_%c%u", ast_name(p->best), letter, source_line(&p->s->u->src, p->s->p->b));
    t->is = mem_printf("%s(%s)%s", t->count.down ? "-" : "", t->wide ? "long" : "int", name);
    t->afterwards = mem_printf("((%s)(%s%s))", place_type_text(t->count.var), t->count.down ? "-" : "", t->own);
    return !strstr(p->s->u->src.text, t->own);
}

static bool changes(const struct node *n, CXCursor var) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    if (n->first && (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_AddrOf)) &&
        nest_is_variable(n->first, var))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (changes(c, var))
            return true;
    return false;
}

/* A call that changes it, or nobody knows what. */
static bool is_changed_by_calls(const struct prepare *s, struct node *n, CXCursor var, unsigned visit) {
    if (n->kind == CXCursor_CallExpr) {
        struct function *f = function_called(s->u, n);
        if (f ? !function_seen(f, visit) && (changes(f->body, var) || is_changed_by_calls(s, f->body, var, visit))
              : !function_is_pure(function_callee(n)))
            return true;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (is_changed_by_calls(s, c, var, visit))
            return true;
    return false;
}

/* A number from before the nest, that stays as it is. */
static bool stays(const struct place *p, const struct node *n) {
    CXCursor decl;
    if (place_is_outer(p->s, n, &decl))
        return !changes(p->s->root, decl);
    decl = clang_getCursorReferenced(n->c);
    const CXType t = place_type(decl);
    return clang_getCursorKind(decl) == CXCursor_VarDecl && node_is_global(decl) && t.kind >= CXType_Char_U &&
           t.kind <= CXType_LongDouble && !clang_isVolatileQualifiedType(t) && !changes(p->s->root, decl) &&
           !is_changed_by_calls(p->s, p->s->root, decl, function_visit());
}

static bool is_of_turns(const struct place *p, struct node *n, const struct turn *turn, edit_list *edits);

/* `index = m * i + j`, a variable of the cell's own that is made of the same and stays so. */
static bool is_own(const struct place *p, struct node *n, const struct turn *turn, edit_list *edits) {
    const CXCursor decl = clang_getCursorReferenced(n->c);
    struct node *own = ast_declaration(p->s->root, decl);
    edit_list were = {0};
    if (!own || !own->last || !clang_isExpression(own->last->kind) || strpbrk(place_type_text(decl), "([*") ||
        changes(p->s->root, decl) || !refs_is_whole_text(p->s->u, n, ast_name(decl)) ||
        !is_of_turns(p, own->last, turn, &were))
        return false;
    const struct span value = {own->last->b, own->last->e};
    vec_push(edits, (struct edit){
                        n->b, n->b + strlen(ast_name(decl)),
                        mem_printf("((%s)(%s))", place_type_text(decl), source_edited(&p->s->u->src, value, &were))});
    prepare_unused(p->s, decl);
    return true;
}

/* Made of the loops' variables and of what stays as it is; edits put in what they were. */
static bool is_of_turns(const struct place *p, struct node *n, const struct turn *turn, edit_list *edits) {
    const enum CXUnaryOperatorKind unary = ast_unary(n);
    long constant;
    if (ast_constant(n, &constant))
        return true;
    switch ((int)n->kind) {
    case CXCursor_DeclRefExpr:
        for (int l = 0; l < 2; l++)
            if (nest_is_variable(n, turn[l].count.var)) {
                const char *name = ast_name(turn[l].count.var);
                vec_push(edits, (struct edit){n->b, n->b + strlen(name), turn[l].afterwards});
                return refs_is_whole_text(p->s->u, n, name);
            }
        return stays(p, n) || is_own(p, n, turn, edits);
    case CXCursor_UnaryOperator:
        if (unary != CXUnaryOperator_Plus && unary != CXUnaryOperator_Minus)
            return false;
        break;
    case CXCursor_BinaryOperator:
        if (ast_is_assignment(n))
            return false;
        break;
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
        break;
    default:
        return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (!is_of_turns(p, c, turn, edits))
            return false;
    return true;
}

/* What replaces text keeps its lines. */
static void take_place(struct prepare *s, size_t b, size_t e, const char *text) {
    struct buf with = {0};
    buf_puts(&with, text);
    for (size_t i = b; i < e; i++)
        if (s->u->src.text[i] == '\n')
            buf_puts(&with, "\n");
    vec_push(&s->edits, (struct edit){b, e, with.s});
}

/* The cell's value beats the best one, or is as good and earlier (later). A worker comes to the cells of a row in the
   loop's order, so that rows alone have to be compared here. */
static const char *beats(const struct place *p, const char *value, const struct turn *turn) {
    const char *than = p->max ? ">" : "<", *order = p->strict ? "<" : ">=", *best = ast_name(p->best);
    return mem_printf("((%s) %s %s || ((%s) == %s && %s %s %s))", value, than, best, value, best, turn->is, order,
                      turn->own);
}

static void declare(const struct turn *turn, struct buf *out) {
    for (int l = 0; l < 2; l++) /* before all cells */
        buf_printf(out, " %s %s = %s;", turn[l].wide ? "long" : "int", turn[l].own,
                   turn[l].wide ? "-0x7fffffffffffffffl - 1" : "-0x7fffffff - 1");
}

void place_of_cell(struct place *p) {
    struct prepare *s = p->s;
    struct node *inner;
    struct turn turn[2];
    struct buf first = {0}, after = {0};
    edit_list clause = {0};
    const size_t at = place_before(s);
    const char *text = s->u->src.text, *best = ast_name(p->best);
    if (!at || clause_find(s->p, CLAUSE_BATCH) || clause_find(s->p, CLAUSE_SWEEPS) || !find_loops(p, &inner) ||
        !number_turn(p, s->root, 'i', &turn[0]) || !number_turn(p, inner, 'j', &turn[1]) || text[p->block->b] != '{' ||
        memchr(text + p->block->b, '#', p->block->e - p->block->b) || !place_without_clause(p, &clause))
        return;
    struct node *compared =
        nest_is_variable(p->comparison->first, p->best) ? p->comparison->last : p->comparison->first;
    const char *value = place_text(s, compared);
    buf_printf(&after, " if (%s != %s) {", turn[0].own, turn[0].wide ? "-0x7fffffffffffffffl - 1" : "-0x7fffffff - 1");
    for (int k = 0; k < p->n; k++) {
        edit_list were = {0};
        if (!is_of_turns(p, p->at_value[k], turn, &were))
            return;
        const struct span v = {p->at_value[k]->b, p->at_value[k]->e};
        buf_printf(&after, " %s = %s;", ast_name(p->at[k]), source_edited(&s->u->src, v, &were));
    }
    buf_puts(&after, " }");
    declare(turn, &first);
    vec_push(&s->edits, (struct edit){at, at, first.s});
    vec_push(&s->edits, (struct edit){s->p->name.e, s->p->name.e,
                                      mem_printf(" reduction(heddle_place_%s_%s: %s, %s, %s)", p->max ? "max" : "min",
                                                 p->strict ? "first" : "last", best, turn[0].own, turn[1].own)});
    for (size_t i = 0; i < clause.n; i++)
        vec_push(&s->edits, clause.at[i]);
    take_place(s, p->comparison->b, p->comparison->e, beats(p, value, turn));
    take_place(
        s, p->block->b, p->block->e,
        mem_printf("{ %s = %s; %s = %s; %s = %s; }", best, value, turn[0].own, turn[0].is, turn[1].own, turn[1].is));
    buf_puts(&s->after, after.s);
}
