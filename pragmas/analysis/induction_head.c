/* SPDX-License-Identifier: Apache-2.0 */
/* for (i = 0, x = 0; i < n; i++, x += 2): what the test does not name follows from what it does. */
#include "induction.h"

#include <string.h>

typedef VEC(struct node *) node_list;

static void flatten(struct node *n, node_list *out) {
    struct node *in = ast_strip(n);
    if (in->kind == CXCursor_DeclStmt) {
        for (struct node *c = in->first; c; c = c->next)
            vec_push(out, c);
    } else if (ast_binary(in) == CXBinaryOperator_Comma) {
        flatten(in->first, out);
        flatten(in->last, out);
    } else {
        vec_push(out, in);
    }
}

/* What is set or changed there. */
static CXCursor variable_of(struct node *n) {
    if (n->kind == CXCursor_VarDecl)
        return n->c;
    struct node *left = n->first ? ast_strip(n->first) : NULL;
    return left && left->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(left->c) : clang_getNullCursor();
}

static struct node *of(const node_list *list, CXCursor var) {
    for (size_t i = 0; i < list->n; i++)
        if (clang_equalCursors(variable_of(list->at[i]), var))
            return list->at[i];
    return NULL;
}

static struct node *first_value(struct node *init) {
    if (init->kind == CXCursor_VarDecl)
        return init->last && clang_isExpression(init->last->kind) ? init->last : NULL;
    return ast_binary(init) == CXBinaryOperator_Assign ? init->last : NULL;
}

/* The variable that the test compares. */
static bool find_main(struct node *test, const node_list *inits, const node_list *steps, struct loop_count *c) {
    for (size_t i = 0; i < steps->n; i++) {
        bool down;
        *c = (struct loop_count){.var = variable_of(steps->at[i])};
        struct node *init = of(inits, c->var);
        if (clang_Cursor_isNull(c->var) || !init || !(c->first = first_value(init)) || !loop_bound(test, c) ||
            nest_is_mentioned(c->bound, c->var))
            continue;
        return loop_step(steps->at[i], c, &down) && down == c->down;
    }
    return false;
}

/* One of several things in the head is left. */
static bool leave_one(struct induction *x, struct node *all, const struct node *one) {
    const struct prepare *s = x->s;
    const char *text = unit_text(s->u, one);
    size_t end = all->e;
    if (one->kind == CXCursor_VarDecl) {
        const char *type = ast_spelling(clang_getCursorType(one->c));
        if (strpbrk(type, "[("))
            return false;
        text = mem_printf("%s %s = %s", type, ast_name(one->c), unit_text(s->u, one->last));
        end = all->last->e;
    }
    if (memchr(s->u->src.text + all->b, '\n', end - all->b))
        return false;
    vec_push(&x->edits, (struct edit){all->b, end, text});
    return true;
}

static bool take(struct induction *x, struct node *init, struct node *step, const struct loop_count *c) {
    struct amount by, so_far, all;
    struct node *value = init ? first_value(init) : NULL, *body = x->s->root->last;
    if (init && (!value || !induction_fixed(x->s, value)))
        return false;
    if (init)
        x->start = mem_printf("(%s)", unit_text(x->s->u, value));
    return induction_update(x, step, &by) && !node_changes(body, x->var, NULL) &&
           !nest_is_mentioned(ast_child(x->s->root, 1), x->var) &&
           induction_turns(x->s, x->s->root, c, by, &so_far, &all) && induction_read(x, body, so_far) &&
           (induction_keep(x, all), true);
}

static bool read_head(struct prepare *s, struct node **others, size_t *n, node_list *inits, node_list *steps,
                      struct loop_count *c) {
    flatten(ast_child(s->root, 0), inits);
    flatten(ast_child(s->root, 2), steps);
    if ((inits->n < 2 && steps->n < 2) || !find_main(ast_child(s->root, 1), inits, steps, c))
        return false;
    *n = 0;
    for (size_t i = 0; i < steps->n && *n < 8; i++)
        if (!clang_equalCursors(variable_of(steps->at[i]), c->var))
            others[(*n)++] = steps->at[i];
    for (size_t i = 0; i < inits->n; i++) /* set, and not changed: not here */
        if (!of(steps, variable_of(inits->at[i])))
            return false;
    return inits->n <= *n + 1 && steps->n == *n + 1;
}

bool induction_head(struct prepare *s) {
    node_list inits = {0}, steps = {0};
    struct node *others[8];
    struct loop_count c;
    size_t n;
    const size_t before = s->edits.n;
    struct induction x = {.s = s};
    if (!read_head(s, others, &n, &inits, &steps, &c))
        return false;
    bool ok = (inits.n < 2 || leave_one(&x, ast_child(s->root, 0), of(&inits, c.var))) &&
              (steps.n < 2 || leave_one(&x, ast_child(s->root, 2), of(&steps, c.var)));
    for (size_t i = 0; i < x.edits.n; i++)
        vec_push(&s->edits, x.edits.at[i]);
    for (size_t i = 0; ok && i < n; i++)
        ok = induction_begin(&x, s, variable_of(others[i])) &&
             take(&x, of(&inits, variable_of(others[i])), others[i], &c);
    if (!ok) {
        s->edits.n = before;
        s->after = (struct buf){0};
    }
    return ok;
}
