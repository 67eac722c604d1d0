/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma heddle jobs`: a while loop until lists are empty; in its body, for each list, the loop over it, with a `for`
 * before it, and the list's being cleared. Jobs run in any order, so nothing else may stand there.
 */
#include "analysis/capture.h"
#include "loop.h"

#include <string.h>

/* ---- the while loop ---- */

static bool is_statement(const struct node *n) { return clang_isStatement(n->kind); }

static struct node *find_statement(struct node *n, size_t offset) {
    for (struct node *c = n->first; c; c = c->next) {
        if (is_statement(c) && c->b == offset)
            return c;
        struct node *found = find_statement(c, offset);
        if (found)
            return found;
    }
    return NULL;
}

static bool find(struct jobs *j) {
    const struct function *f = function_around(j->u, j->p->b);
    if (!f) {
        diag_error(j->u, j->p->b, "'#pragma heddle jobs' outside a function; put it before the while loop");
        return false;
    }
    j->root = find_statement(f->body, j->p->next);
    if (!j->root || j->root->kind != CXCursor_WhileStmt || j->root->last->kind != CXCursor_CompoundStmt) {
        diag_error(j->u, j->p->next,
                   "'#pragma heddle jobs' has to stand before while (list->count || …) { … }, the loop that ends when "
                   "all lists are empty");
        return false;
    }
    j->root_end = ast_statement_end(j->u, j->root, j->root->b);
    j->u->jobs_done = j->root_end;
    return true;
}

/* ---- lists ---- */

/* The variable in list->count; NULL: that is something else. */
static struct node *list_in(struct node *n, const char *member) {
    n = ast_strip(n);
    if (!n || n->kind != CXCursor_MemberRefExpr || strcmp(ast_name(n->c), member) != 0 || !n->first)
        return NULL;
    n = ast_strip(n->first);
    return n && n->kind == CXCursor_DeclRefExpr && ast_type(n).kind == CXType_Pointer ? n : NULL;
}

static struct jobs_all_list *list_of(struct jobs *j, CXCursor decl) {
    for (size_t i = 0; i < j->lists.n; i++)
        if (clang_equalCursors(clang_getCanonicalCursor(j->lists.at[i].decl), clang_getCanonicalCursor(decl)))
            return &j->lists.at[i];
    return NULL;
}

int jobs_list_number(const struct jobs *j, const struct var *v) {
    for (size_t i = 0; i < j->lists.n; i++)
        if (clang_equalCursors(clang_getCanonicalCursor(j->lists.at[i].decl), clang_getCanonicalCursor(v->decl)))
            return (int)i;
    return -1;
}

static bool zero(struct node *n) {
    long value;
    return n && ast_constant(n, &value) && value == 0;
}

/* a->count, a->count > 0, a->count != 0, joined by || */
static bool condition(struct jobs *j, struct node *n) {
    n = ast_strip(n);
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (op == CXBinaryOperator_LOr)
        return condition(j, n->first) && condition(j, n->last);
    struct node *list = (op == CXBinaryOperator_GT || op == CXBinaryOperator_NE) && zero(ast_strip(n->last))
                            ? list_in(n->first, "count")
                            : list_in(n, "count");
    if (!list) {
        diag_error(j->u, n->b,
                   "the condition of jobs is that some list has elements: list->count, joined by ||; 'list' is a "
                   "variable that points to it");
        return false;
    }
    const CXCursor decl = clang_getCursorReferenced(list->c);
    if (!list_of(j, decl))
        vec_push(&j->lists, (struct jobs_all_list){.decl = decl, .name = ast_name(decl), .at = list->b});
    return true;
}

/* ---- its body ---- */

static const struct pragma *pragma_before(const struct jobs *j, const struct node *n) {
    for (size_t i = 0; i < j->u->pragmas->n; i++) {
        const struct pragma *p = &j->u->pragmas->at[i];
        if (p->directive->bit == DIRECTIVE_FOR && p->next == n->b && p->b > j->p->b)
            return p;
    }
    return NULL;
}

/* list->count = 0, as heddle_list_clear writes it */
static struct node *cleared(struct node *n) {
    n = ast_strip(n);
    while (n && n->kind == CXCursor_CStyleCastExpr)
        n = ast_strip(n->last);
    return n && ast_binary(n) == CXBinaryOperator_Assign && zero(ast_strip(n->last)) ? list_in(n->first, "count")
                                                                                     : NULL;
}

static bool loop(struct jobs *j, struct node *n) {
    const struct pragma *p = pragma_before(j, n);
    if (!p) {
        diag_error(j->u, n->b,
                   "a loop of jobs needs '#pragma heddle for' before it, with append(list, …) if it appends");
        return false;
    }
    if (p->bad)
        return false;
    struct for_loop *f = mem_alloc(sizeof *f);
    f->jobs = j;
    if (!for_analyse(j->u, p, f))
        return false;
    struct jobs_all_list *l = list_of(j, f->lists.at[0].v->decl);
    if (!l) {
        diag_error(j->u, f->w.loop[0].bound->b,
                   "the condition of the while loop does not ask for '%s'; write '|| %s->count' there",
                   f->lists.at[0].v->name, f->lists.at[0].v->name);
        return false;
    }
    if (l->loop) {
        diag_error(j->u, n->b, "a second loop over '%s'; do what both do in one", l->name);
        return false;
    }
    l->loop = f;
    vec_push(&j->loops, f);
    struct node *clear = n->next ? cleared(n->next) : NULL;
    if (!clear || !clang_equalCursors(clang_getCanonicalCursor(clang_getCursorReferenced(clear->c)),
                                      clang_getCanonicalCursor(l->decl))) {
        diag_error(j->u, n->next ? n->next->b : n->e,
                   "the jobs of '%s' are done behind their loop: heddle_list_clear(%s) has to stand here", l->name,
                   l->name);
        return false;
    }
    return true;
}

static bool body(struct jobs *j) {
    bool ok = true;
    for (struct node *n = j->root->last->first; n; n = n->next) {
        if (n->kind == CXCursor_NullStmt)
            continue;
        if (n->kind != CXCursor_ForStmt) {
            diag_error(j->u, n->b,
                       "jobs run in any order, so nothing may stand here but loops with '#pragma heddle for' and "
                       "heddle_list_clear(list) behind each");
            return false;
        }
        ok &= loop(j, n);
        if (n->next && cleared(n->next))
            n = n->next;
    }
    return ok;
}

/* ---- all of them together ---- */

static bool consumed(struct jobs *j) {
    bool ok = true;
    for (size_t i = 0; i < j->lists.n; i++)
        if (!j->lists.at[i].loop) {
            diag_error(j->u, j->lists.at[i].at,
                       "no loop is over '%s', so it is never empty; remove it here, or write a "
                       "loop over it",
                       j->lists.at[i].name);
            ok = false;
        }
    return ok;
}

static void add_outputs(struct jobs *j) {
    for (size_t i = 0; i < j->loops.n; i++) {
        struct for_loop *f = j->loops.at[i];
        for (size_t k = 0; k < f->lists.n; k++) {
            const struct var *v = f->lists.at[k].v;
            if (!list_of(j, v->decl))
                vec_push(&j->lists, (struct jobs_all_list){.decl = v->decl, .name = v->name, .at = v->use});
        }
    }
}

/* A variable that one loop reduces is read by no other. */
static bool reduced_once(struct jobs *j, struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < j->loops.n; i++) {
        struct for_loop *other = j->loops.at[i];
        const struct var *o = other == f ? NULL : capture_lookup(&other->w, v->decl);
        if (!o)
            continue;
        diag_error(j->u, o->use,
                   "'%s' is reduced by another loop of these jobs, which run at the same time; give each loop a "
                   "variable of its own",
                   v->name);
        return false;
    }
    return true;
}

static bool variables(struct jobs *j) {
    bool ok = true;
    for (size_t i = 0; i < j->loops.n; i++) {
        struct for_loop *f = j->loops.at[i];
        for (size_t k = 2; ok && k < f->w.vars.n; k++)
            if (f->w.vars.at[k]->reduced)
                ok = reduced_once(j, f, f->w.vars.at[k]);
    }
    return ok;
}

static bool clauses(struct jobs *j) {
    bool ok = true;
    static const enum clause_id mine[] = {CLAUSE_SCHEDULE, CLAUSE_DEVICE, CLAUSE_COLLAPSE};
    for (size_t i = 0; i < j->loops.n; i++)
        for (size_t k = 0; k < sizeof mine / sizeof *mine; k++) {
            const struct clause *c = clause_find(j->loops.at[i]->w.p, mine[k]);
            if (c) {
                diag_error(j->u, c->name.b, "a loop of jobs takes no '%.*s'%s", (int)(c->name.e - c->name.b),
                           j->u->src.text + c->name.b,
                           mine[k] == CLAUSE_COLLAPSE ? "; remove it" : "; write it behind '#pragma heddle jobs'");
                ok = false;
            }
        }
    return ok;
}

bool jobs_analyse(struct unit *u, const struct pragma *p, struct jobs *j) {
    (void)u, (void)p;
    if (!find(j) || !condition(j, j->root->first) || !body(j) || !consumed(j) || !clauses(j) || !variables(j))
        return false;
    add_outputs(j);
    return true;
}
