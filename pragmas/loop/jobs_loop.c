/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop of jobs: for (long k = 0; k < list->count; k++), whose body takes list->at[k] and appends to lists. On each
 * thread and device the lists are others, so the body may do nothing else with them.
 */
#include "analysis/capture.h"
#include "loop.h"

#include <string.h>

/* ---- the loop's head ---- */

static struct node *counted(struct for_loop *f) {
    struct loop *l = &f->w.loop[0];
    long first;
    struct node *n = ast_strip(l->bound);
    if (!ast_constant(l->first, &first) || first != 0 || l->down || !l->open || l->step ||
        n->kind != CXCursor_MemberRefExpr || strcmp(ast_name(n->c), "count") != 0)
        return NULL;
    n = n->first ? ast_strip(n->first) : NULL;
    return n && n->kind == CXCursor_DeclRefExpr && ast_type(n).kind == CXType_Pointer ? n : NULL;
}

bool jobs_check_header(struct for_loop *f) {
    const struct clause *append = nest_clause(&f->w, CLAUSE_APPEND);
    if (!f->jobs) {
        if (append)
            diag_error(f->w.u, append->name.b,
                       "'append' outside jobs; put the loop into a while loop with '#pragma heddle jobs' before it");
        return !append;
    }
    if (counted(f))
        return true;
    diag_error(f->w.u, f->w.root->b,
               "a loop of jobs is for (long k = 0; k < list->count; k++), where 'list' is a variable that points to "
               "the list");
    return false;
}

/* ---- lists ---- */

struct shape {
    const char *const *names;
    int n;
    bool ok;
};

static enum CXVisitorResult shape_visit(CXCursor field, CXClientData data) {
    struct shape *s = data;
    const CXType t = clang_getCanonicalType(clang_getCursorType(field));
    s->ok = strcmp(ast_name(field), s->names[s->n]) == 0 && t.kind == (s->n < 2 ? CXType_Long : CXType_Pointer);
    return ++s->n < 3 && s->ok ? CXVisit_Continue : CXVisit_Break;
}

static bool is_list(const struct var *v) {
    static const char *const names[] = {"count", "room", "at"};
    struct shape s = {.names = names};
    const CXType t = clang_getCanonicalType(v->elem_type);
    if (v->kind != VAR_POINTER || v->ndims != 1 || t.kind != CXType_Record)
        return false;
    clang_Type_visitFields(t, shape_visit, &s);
    return s.n == 3 && s.ok;
}

/* A pointer that is copied, and nothing that it points to. */
static void as_scalar(struct var *v) {
    v->kind = VAR_SCALAR;
    v->type = mem_printf("%s *", v->elem);
    v->elem_type = clang_getCursorType(v->decl);
}

static bool add_list(struct for_loop *f, struct var *v, size_t at, bool own) {
    if (!is_list(v) && v->kind != VAR_SCALAR) {
        diag_error(f->w.u, at,
                   "'%s' does not point to a list, a structure that begins with long count, room; T *at; see "
                   "heddle/list.h",
                   v->name);
        return false;
    }
    for (size_t i = 0; i < f->lists.n; i++)
        if (f->lists.at[i].v == v) {
            f->lists.at[i].appended = true;
            return true;
        }
    vec_push(&f->lists, (struct jobs_list){.v = v, .type = v->elem_type, .own = own, .appended = !own});
    return true;
}

static bool appended(struct for_loop *f, const struct item *item) {
    struct var *v = capture_named(&f->w, item->name);
    if (!v) {
        diag_error(f->w.u, item->name.b, "'append' of '%s', which the loop does not use; remove it",
                   source_flat(&f->w.u->src, item->name));
        return false;
    }
    return add_list(f, v, item->name.b, false);
}

/* Before there is a job of the list in the body, the list itself is a variable of the loop. */
static bool own(struct for_loop *f) {
    struct node *list = counted(f);
    const CXCursor decl = clang_getCursorReferenced(list->c);
    struct var *v = capture_lookup(&f->w, decl);
    if (!v) {
        v = capture_var(&f->w, decl);
        v->use = list->b;
        vec_push(&f->w.vars, v);
    }
    return capture_check_name(&f->w, v, list->b) && add_list(f, v, list->b, true);
}

/* list->at[k] around a mention of the list; NULL: it is something else. */
static struct node *taken(const struct for_loop *f, struct node *n) {
    for (n = n->up; n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr);)
        n = n->up;
    if (!n || n->kind != CXCursor_MemberRefExpr || strcmp(ast_name(n->c), "at") != 0)
        return NULL;
    struct node *at = n;
    for (n = n->up; n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr); n = n->up)
        at = n;
    if (!n || n->kind != CXCursor_ArraySubscriptExpr || n->first != at)
        return NULL;
    return nest_is_variable(ast_strip(n->last), f->w.loop[0].var) ? n : NULL;
}

static bool is_member(struct node *n) {
    for (n = n->up; n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr);)
        n = n->up;
    return n && (n->kind == CXCursor_MemberRefExpr || ast_unary(n) == CXUnaryOperator_Deref ||
                 n->kind == CXCursor_ArraySubscriptExpr);
}

static bool check_use(struct for_loop *f, const struct use *use, const struct jobs_list *l) {
    struct node *n = l->own ? taken(f, use->n) : NULL;
    if (n && capture_access(n) == ACCESS_READ) {
        vec_push(&f->taken, (struct span){n->b, n->e});
        return true;
    }
    if (n)
        diag_error(f->w.u, use->offset, "a job is only read, and may move when others are appended; copy it first");
    else if (is_member(use->n))
        diag_error(f->w.u, use->offset,
                   l->own ? "a job is one element: of '%s' the body may only read %s->at[%s]"
                          : "jobs run in any order, so they cannot know what is in '%s'; they may only append to it",
                   l->v->name, l->v->name, f->w.loop[0].name);
    else if (!l->appended)
        diag_error(f->w.u, use->offset, "'%s' is handed on; if jobs are appended to it, write append(%s)", l->v->name,
                   l->v->name);
    else
        return true;
    return false;
}

static bool inside_taken(const struct for_loop *f, size_t offset) {
    for (size_t i = 0; i < f->taken.n; i++)
        if (offset >= f->taken.at[i].b && offset < f->taken.at[i].e)
            return true;
    return false;
}

bool jobs_capture(struct for_loop *f) {
    struct nest *w = &f->w;
    bool ok = true;
    if (!f->jobs)
        return true;
    if (!own(f))
        return false;
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_APPEND && k < c->items.n; k++)
            ok &= appended(f, &c->items.at[k]);
    }
    for (size_t i = 0; ok && i < f->lists.n; i++) {
        as_scalar(f->lists.at[i].v);
        for (size_t k = 0; k < w->uses.n; k++)
            if (w->uses.at[k].v == f->lists.at[i].v)
                ok &= check_use(f, &w->uses.at[k], &f->lists.at[i]);
    }
    for (size_t i = 2; ok && i < w->vars.n; i++)
        if (is_list(w->vars.at[i])) {
            diag_error(w->u, w->vars.at[i]->use, "'%s' is a list; if the loop appends to it, write append(%s)",
                       w->vars.at[i]->name, w->vars.at[i]->name);
            ok = false;
        }
    for (size_t k = 0; ok && k < w->uses.n; k++)
        if (w->uses.at[k].v == w->vars.at[0] && !inside_taken(f, w->uses.at[k].offset)) {
            diag_error(w->u, w->uses.at[k].offset,
                       "the number of a job says nothing, since a list's elements are a set; '%s' may only stand in "
                       "%s->at[%s]",
                       w->loop[0].name, f->lists.at[0].v->name, w->loop[0].name);
            ok = false;
        }
    return ok;
}

/* ---- functions that the body calls ---- */

static bool same_record(const struct for_loop *f, CXType t) {
    t = clang_getUnqualifiedType(clang_getCanonicalType(t));
    for (size_t i = 0; i < f->lists.n; i++)
        if (clang_equalTypes(t, clang_getUnqualifiedType(clang_getCanonicalType(f->lists.at[i].type))))
            return true;
    return false;
}

static bool check_function(struct for_loop *f, struct node *n, unsigned visit) {
    bool ok = true;
    if (n->kind == CXCursor_MemberRefExpr && n->first) {
        CXType t = clang_getCanonicalType(clang_getCursorType(n->first->c));
        if (t.kind == CXType_Pointer && same_record(f, clang_getPointeeType(t))) {
            diag_error(f->w.u, n->b, "a function of jobs looks into a list, but it may only append to it");
            return false;
        }
    }
    struct function *g = n->kind == CXCursor_CallExpr ? function_called(f->w.u, n) : NULL;
    if (g && !function_seen(g, visit))
        ok = check_function(f, g->body, visit);
    for (struct node *c = n->first; ok && c; c = c->next)
        ok = check_function(f, c, visit);
    return ok;
}

static bool check_functions(struct for_loop *f, struct node *n, unsigned visit) {
    bool ok = true;
    struct function *g = n->kind == CXCursor_CallExpr ? function_called(f->w.u, n) : NULL;
    if (g && !function_seen(g, visit))
        ok = check_function(f, g->body, visit);
    for (struct node *c = n->first; ok && c; c = c->next)
        ok = check_functions(f, c, visit);
    return ok;
}

bool jobs_check(struct for_loop *f) {
    if (!f->jobs)
        return true;
    if (f->host_driven || f->variants.n) {
        diag_error(f->w.u, f->w.p->b, "variants and target regions in the loop of jobs; take them out");
        return false;
    }
    return check_functions(f, f->w.body, function_visit());
}
