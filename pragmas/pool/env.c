/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of a pool: what its map clauses name, as pointers that become the device's, and the global
 * variables that its tasks read, by value. It is filled in where the pool begins.
 */
#include "analysis/capture.h"
#include "analysis/map.h"
#include "pool.h"

#include <string.h>

static bool same(CXCursor a, CXCursor b) {
    return clang_equalCursors(clang_getCanonicalCursor(a), clang_getCanonicalCursor(b));
}

const struct var *env_find(struct pool *p, CXCursor decl) {
    for (size_t i = 2; i < p->env.vars.n; i++)
        if (same(p->env.vars.at[i]->decl, decl))
            return p->env.vars.at[i];
    return NULL;
}

/* A mapped scalar is a pointer in the environment. */
bool env_is_scalar(const struct var *v) { return v->type != NULL; }

/* By a clause, or as the subscripts show; else it is a copy of a global. */
bool env_is_mapped(const struct var *v) { return v->map_first != NULL; }

static bool is_name(const struct unit *u, struct span s, const char *name) {
    return strlen(name) == s.e - s.b && memcmp(name, u->src.text + s.b, s.e - s.b) == 0;
}

/* The variable of that name as the pool's block sees it. */
static struct node *find_use(struct pool *p, struct node *n, struct span name) {
    if (n->kind == CXCursor_DeclRefExpr) {
        CXCursor d = clang_getCursorReferenced(n->c);
        enum CXCursorKind kind = clang_getCursorKind(d);
        struct span at;
        bool inside = ast_span(p->u, d, &at) && at.b >= p->m->stmt->b && at.b < p->m->end;
        if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !inside && is_name(p->u, name, ast_name(d)))
            return n;
    }
    for (struct node *c = n->first; c; c = c->next) {
        struct node *found = find_use(p, c, name);
        if (found)
            return found;
    }
    return NULL;
}

static bool reached_global(struct pool *p, struct function *f, struct span name, unsigned visit, CXCursor *out) {
    for (size_t i = 0; i < f->globals.n; i++)
        if (is_name(p->u, name, ast_name(f->globals.at[i]))) {
            *out = f->globals.at[i];
            return true;
        }
    for (size_t i = 0; i < f->calls.n; i++)
        if (!function_seen(f->calls.at[i], visit) && reached_global(p, f->calls.at[i], name, visit, out))
            return true;
    return false;
}

bool env_check_variable(struct pool *p, const struct var *v, size_t offset) {
    CXType elem = clang_getCanonicalType(v->elem_type);
    if (strncmp(v->name, "heddle_", 7) == 0) {
        diag_error(p->u, offset, "the name '%s' collides with emitted ones; do not begin names with 'heddle_'",
                   v->name);
        return false;
    }
    if (capture_type_is_local(v->elem_type)) {
        diag_error(p->u, offset,
                   "the type of '%s' is declared inside the function, but tasks become functions before "
                   "it; move the type to file scope",
                   v->name);
        return false;
    }
    if (strstr(ast_spelling(v->elem_type), "(unnamed")) {
        diag_error(p->u, offset, "the type of '%s' has no name, so the task's record cannot hold it; name the type",
                   v->name);
        return false;
    }
    if (p->host)
        return true;
    if ((v->ndims && elem.kind == CXType_Pointer) || (elem.kind == CXType_Record && type_holds_pointer(elem))) {
        diag_error(p->u, offset, "'%s' holds pointers, and what they point to cannot be mapped; use indices", v->name);
        return false;
    }
    return true;
}

static bool add_mapped(struct pool *p, const struct clause *c, const struct item *item) {
    struct unit *u = p->u;
    CXCursor decl = clang_getNullCursor();
    struct node *use = find_use(p, p->m->stmt, item->name);
    if (use)
        decl = clang_getCursorReferenced(use->c);
    else if (!reached_global(p, p->m->f, item->name, function_visit(), &decl)) {
        diag_error(u, item->name.b, "'map' of '%s', which the pool does not use; remove it",
                   source_flat(&u->src, item->name));
        return false;
    }
    if (env_find(p, decl)) {
        diag_error(u, item->name.b, "'%s' is mapped twice; name it once", source_flat(&u->src, item->name));
        return false;
    }
    struct var *v = capture_var(&p->env, decl);
    v->map_kind = (enum map_kind)c->kind;
    v->map_item = item;
    v->use = item->name.b;
    vec_push(&p->env.vars, v);
    if (!env_check_variable(p, v, item->name.b))
        return false;
    if (v->kind == VAR_SCALAR) {
        if (item->nsections) {
            diag_error(u, item->name.b, "'%s' is not an array; map it without a section", v->name);
            return false;
        }
        v->elem = v->elem_plain = v->type;
        v->map_first = "0";
        v->map_count = "1";
        return true;
    }
    if (item->nsections)
        return map_section(&p->env, v, item);
    if (!v->sized) {
        diag_error(u, item->name.b, "'%s' is a pointer, so its size is not known; write %s[first : count]", v->name,
                   v->name);
        return false;
    }
    map_whole(v);
    return true;
}

bool env_collect(struct pool *p) {
    p->env = (struct nest){.u = p->u, .p = p->m->p, .id = p->id, .function_name = p->m->f->name};
    struct var *none = mem_alloc(sizeof *none);
    none->name = "";
    none->kind = VAR_LOOP;
    vec_push(&p->env.vars, none); /* the places of a nest's loop variables */
    vec_push(&p->env.vars, none);
    bool ok = true;
    for (size_t i = 0; i < p->m->p->clauses.n; i++) {
        const struct clause *c = &p->m->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_MAP && k < c->items.n; k++)
            ok &= add_mapped(p, c, &c->items.at[k]);
    }
    return ok;
}

/* ---- global variables that nobody mapped: scalars as they are when the pool begins ---- */

static bool changed_by(struct pool *p, struct node *n, CXCursor decl) {
    if (n->kind == CXCursor_DeclRefExpr && same(clang_getCursorReferenced(n->c), decl) &&
        node_is_modified(capture_access(n)))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (changed_by(p, c, decl))
            return true;
    return false;
}

static bool changed_in_function(struct pool *p, struct function *f, CXCursor decl, unsigned visit) {
    if (function_seen(f, visit))
        return false;
    if (changed_by(p, f->body, decl))
        return true;
    for (size_t i = 0; i < f->calls.n; i++)
        if (changed_in_function(p, f->calls.at[i], decl, visit))
            return true;
    return false;
}

static bool changed_in_calls(struct pool *p, struct node *n, CXCursor decl, unsigned visit) {
    if (n->kind == CXCursor_CallExpr) {
        struct function *f = function_called(p->u, n);
        if (f && changed_in_function(p, f, decl, visit))
            return true;
    }
    for (struct node *c = n->first; c; c = c->next)
        if (changed_in_calls(p, c, decl, visit))
            return true;
    return false;
}

static bool is_changed(struct pool *p, CXCursor decl) {
    return changed_by(p, p->m->stmt, decl) || changed_in_calls(p, p->m->stmt, decl, function_visit());
}

/* The block itself, outside of its tasks. */
static bool changed_by_block(struct pool *p, struct node *n, CXCursor decl) {
    const struct site *m = site_of(p->u, n);
    if (m && site_is(m, DIRECTIVE_TASK | DIRECTIVE_TASKLOOP))
        return false;
    if (n->kind == CXCursor_DeclRefExpr && same(clang_getCursorReferenced(n->c), decl) &&
        node_is_modified(capture_access(n)))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (changed_by_block(p, c, decl))
            return true;
    return false;
}

bool env_check_unchanged(struct pool *p, CXCursor decl, size_t offset) {
    if (clang_getCursorTLSKind(decl) != CXTLS_None) {
        diag_error(p->u, offset,
                   "a task uses the variable '%s', which is another one in each thread, and runs on any of them; pass "
                   "its value to the task as an argument",
                   ast_name(decl));
        p->wrong |= p->host;
        return false;
    }
    if (ast_is_array(clang_getCanonicalType(clang_getCursorType(decl))) || !changed_by_block(p, p->m->stmt, decl))
        return true;
    diag_error(p->u, offset,
               "global variable '%s' changes while the pool runs; pass its value to the task as an argument",
               ast_name(decl));
    p->wrong |= p->host;
    return false;
}

/* Tasks reach it through functions, which the block's text does not show. */
static bool add_reached(struct pool *p, struct var *v, bool changed) {
    if (v->kind == VAR_SCALAR) {
        v->elem = v->elem_plain = v->type;
        v->map_first = "0";
        v->map_count = "1";
    } else if (v->sized) {
        map_whole(v);
    } else {
        diag_error(p->u, v->use,
                   "'%s' is global and used by a task; add map(tofrom: %s[0 : count]) to the pool, with the number of "
                   "elements that tasks touch",
                   v->name, v->name);
        return false;
    }
    v->map_kind = changed ? MAP_TOFROM : MAP_TO;
    return true;
}

const struct var *env_global(struct pool *p, CXCursor decl, size_t offset) {
    const struct var *old = env_find(p, decl);
    if (old)
        return old;
    struct var *v = capture_var(&p->env, decl);
    v->use = offset;
    if (!env_check_variable(p, v, offset))
        return NULL;
    const bool changed = is_changed(p, decl);
    if (v->kind == VAR_SCALAR && !env_check_unchanged(p, decl, offset))
        return NULL;
    if ((v->kind != VAR_SCALAR || changed) && !add_reached(p, v, changed))
        return NULL;
    vec_push(&p->env.vars, v);
    return v;
}

/* ---- types in emitted structures ---- */

static bool is_variable(CXType t) {
    const char *name = ast_spelling(t);
    if (strstr(name, "(unnamed") || strstr(name, "(anonymous"))
        return true; /* cannot be written down */
    for (int i = 0; i < 16; i++) {
        t = clang_getCanonicalType(t);
        if (t.kind == CXType_VariableArray || t.kind == CXType_IncompleteArray)
            return true;
        if (t.kind == CXType_Pointer)
            t = clang_getPointeeType(t);
        else if (ast_is_array(t))
            t = clang_getArrayElementType(t);
        else
            return false;
    }
    return true;
}

static const char *declarable(CXType t) {
    const char *s = ast_spelling(t);
    return strpbrk(s, "([") ? mem_printf("__typeof__(%s)", s) : s;
}

/* The type of a copy of a variable, as text that may stand before a name; NULL: its size depends on variables. */
const char *env_type(CXType t, bool param) {
    CXType canonical = clang_getCanonicalType(t);
    if (param && ast_is_array(canonical)) {
        CXType elem = clang_getArrayElementType(ast_is_array(t) ? t : canonical);
        return is_variable(elem) ? NULL : mem_printf("__typeof__(%s) *", ast_spelling(elem));
    }
    return is_variable(t) ? NULL : declarable(clang_getUnqualifiedType(t));
}

/* A declaration of a copy; arrays with elements that can be written. */
const char *env_declaration(CXType t, bool param, const char *name, bool by_value_array) {
    CXType canonical = clang_getCanonicalType(t);
    if (!by_value_array || param || !ast_is_array(canonical)) {
        const char *type = env_type(t, param);
        return type ? mem_printf("%s%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ", name) : NULL;
    }
    struct buf dims = {0};
    CXType elem = t;
    while (ast_is_array(clang_getCanonicalType(elem))) {
        long n = clang_getArraySize(clang_getCanonicalType(elem));
        if (n <= 0)
            return NULL;
        buf_printf(&dims, "[%ld]", n);
        elem = clang_getArrayElementType(ast_is_array(elem) ? elem : clang_getCanonicalType(elem));
    }
    return mem_printf("%s %s%s", declarable(clang_getUnqualifiedType(elem)), name, dims.s);
}
