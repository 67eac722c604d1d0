/* SPDX-License-Identifier: Apache-2.0 */
/* The loop behind `#pragma heddle for`: for (T i = first; i < bound; i += step), with <, <=, > or >= and any step. */
#include "loop.h"

#include <string.h>

static bool fail(struct nest *w, size_t offset, const char *what, const char *way_out) {
    diag_error(w->u, offset, "not a canonical loop: %s; %s", what, way_out);
    return false;
}

static bool test(struct nest *w, struct node *n, struct loop *l) {
    struct loop_count c = {.var = l->var};
    if (!loop_bound(n, &c))
        return fail(w, ast_strip(n)->b,
                    mem_printf("the test does not compare '%s' with a bound by <, <=, > or >=", l->name),
                    "rewrite the test that way");
    if (!ast_is_integer(ast_type(ast_strip(c.bound))))
        return fail(w, c.bound->b, "the bound is not an integer", "compute it before the loop");
    l->down = c.down;
    l->open = c.open;
    l->hi = (struct span){c.bound->b, c.bound->e};
    l->bound = c.bound;
    return nest_check_apart(w, c.variable, c.bound, "bound");
}

static bool increment(struct nest *w, struct node *inc, struct loop *l) {
    struct loop_count c = {.var = l->var};
    bool down;
    long constant;
    inc = ast_strip(inc);
    if (ast_binary(inc) == CXBinaryOperator_Comma)
        return fail(w, inc->b, "the increment changes more than one variable, and not each by the same amount",
                    "change the others in the body");
    if (!loop_step(inc, &c, &down))
        return fail(w, inc->b, mem_printf("the increment is not '%s += step'", l->name), "rewrite it that way");
    l->step = c.step;
    const bool known = c.step && ast_constant(c.step, &constant);
    if (known && constant == 0)
        return fail(w, inc->b, "the step is 0", "the loop would never end");
    if (c.step && !known && !nest_check_apart(w, inc->first, c.step, "step"))
        return false;
    if (down != l->down)
        return fail(w, inc->b,
                    mem_printf("it counts %s, but the test waits for '%s' to get %s", down ? "down" : "up", l->name,
                               l->down ? "small" : "large"),
                    "turn one of them round");
    return true;
}

/* Bounds and step are evaluated once: nothing in them may change or call. */
static bool simple(struct nest *w, struct node *n) {
    enum CXUnaryOperatorKind unary = ast_unary(n);
    if (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec))
        return fail(w, n->b, "a bound changes a variable", "compute it before the loop");
    for (struct node *c = n->first; c; c = c->next)
        if (!simple(w, c))
            return false;
    return true;
}

static bool parts(struct nest *w, struct loop *l, struct node *root) {
    l->stmt = root;
    if (ast_children(root) != 4)
        return fail(w, root->b, "it needs an initialisation, a test, an increment and a body",
                    "write for (long i = first; i < bound; i++)");
    if (!nest_loop_init(w, ast_child(root, 0), l) || !test(w, ast_child(root, 1), l) ||
        !increment(w, ast_child(root, 2), l) || !simple(w, l->first) || !simple(w, l->bound) ||
        (l->step && !simple(w, l->step)))
        return false;
    if (nest_is_mentioned(l->bound, l->var))
        return fail(w, l->bound->b, mem_printf("its bound depends on '%s'", l->name), "compute it before the loop");
    return true;
}

static bool fixed(struct nest *w, struct node *n) {
    if (!n || !nest_is_mentioned(n, w->loop[0].var))
        return true;
    diag_error(w->u, n->b,
               "the inner loop's bounds depend on '%s'; collapse(2) needs the same number of iterations in each",
               w->loop[0].name);
    return false;
}

/* collapse(2): chunks are still iterations of the outer loop; a device spreads both over its threads. */
static bool find_inner(struct nest *w) {
    const struct clause *c = nest_clause(w, CLAUSE_COLLAPSE);
    const char *depth = c ? source_flat(&w->u->src, c->arg[0]) : "1";
    struct loop *l = &w->loop[1];
    if (strcmp(depth, "1") == 0)
        return true;
    if (strcmp(depth, "2") != 0) {
        diag_error(w->u, c->arg[0].b, "'collapse' takes 1 or 2 loops");
        return false;
    }
    struct node *inner = w->root->last;
    if (inner->kind == CXCursor_CompoundStmt && inner->first && !inner->first->next)
        inner = inner->first;
    if (inner->kind != CXCursor_ForStmt) {
        diag_error(w->u, inner->b, "collapse(2) needs a second loop directly inside the first, and nothing beside it");
        return false;
    }
    if (!parts(w, l, inner) || !fixed(w, l->first) || !fixed(w, l->bound) || !fixed(w, l->step))
        return false;
    w->body = inner->last;
    w->body_begin = ast_loop_body(w->u, inner);
    w->body_end = ast_statement_end(w->u, w->body, w->body_begin);
    return true;
}

static const char *step_text(struct nest *w, const struct loop *l) {
    long constant;
    const char *step = l->step ? affine_span(w->u, (struct span){l->step->b, l->step->e}) : "1";
    if (l->step && ast_constant(l->step, &constant))
        step = mem_printf("%ld", constant < 0 ? -constant : constant);
    return l->down ? mem_printf("-(%s)", step) : step;
}

bool for_find(struct unit *u, const struct pragma *p, struct for_loop *f) {
    struct nest *w = &f->w;
    if (!nest_find_root(u, p, w) || !parts(w, &w->loop[0], w->root))
        return false;
    w->body = w->root->last;
    w->body_begin = ast_loop_body(u, w->root);
    w->body_end = ast_statement_end(u, w->body, w->body_begin);
    w->root_end = ast_statement_end(u, w->root, w->root->b);
    if (!find_inner(w))
        return false;
    for (int k = 0; k < 2 && w->loop[k].stmt; k++)
        f->step[k] = step_text(w, &w->loop[k]);
    return nest_check_jumps(w) && nest_check_macros(w);
}
