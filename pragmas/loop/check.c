/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the body of a `for` loop and the functions that it calls do: scalars that only reductions may change, directives
 * that cannot stand there, functions without a body, global variables, and pointers inside structures.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "loop.h"
#include "analysis/written.h"

#include <string.h>

/* ---- arrays ---- */

bool for_writes(struct for_loop *f, const struct var *v, size_t *at) {
    return written_for_sure(&f->w, v, at) || for_hidden_writes(f, v, at);
}

bool for_in_inner_loop(const struct for_loop *f, const struct node *n) {
    for (n = n->up; n && n != f->w.body; n = n->up)
        if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt)
            return true;
    return false;
}

/* Does something before the mention `read` perhaps write v? The left side of its own assignment does so afterwards. */
static bool written_before(struct for_loop *f, const struct var *v, const struct use *read) {
    for (size_t i = 0; i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        struct node *n = use->v == v && use->offset < read->offset ? written_element(use) : NULL,
                    *up = n ? n->up : NULL;
        if (use->v != v || use->offset >= read->offset || (n && capture_access(n) == ACCESS_READ))
            continue;
        while (up && up->kind == CXCursor_ParenExpr)
            up = up->up;
        if (!(up && ast_is_assignment(up) && ast_contains(up, read->n)))
            return true; /* a pointer that is handed on counts */
    }
    return false;
}

bool for_reads_first(struct for_loop *f, const struct var *v, size_t *at) {
    for (size_t i = 0; i < f->w.uses.n && !f->host_driven; i++) {
        const struct use *use = &f->w.uses.at[i];
        struct node *n = use->v == v ? written_element(use) : NULL;
        if (n && (capture_access(n) & ACCESS_READ) && !for_in_inner_loop(f, n) && !written_before(f, v, use)) {
            *at = use->offset;
            return true;
        }
    }
    return false;
}

bool for_uses_unset(struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        struct node *n = use->v == v ? written_element(use) : NULL;
        if (n && (capture_access(n) & ACCESS_READ) && !written_before(f, v, use))
            return true;
    }
    return false;
}

bool for_may_write(struct for_loop *f, const struct var *v) {
    return written_perhaps(&f->w, v) ||
           (!clang_isConstQualifiedType(clang_getCanonicalType(v->elem_type)) && for_hidden_uses(f, v));
}

/* ---- scalars ---- */

/* `if (a[i] > best) { best = a[i]; at = i; }`: the reduced maximum or minimum that decides over a write; or NULL. */
static const struct var *goes_with(const struct for_loop *f, const struct node *written) {
    for (const struct node *n = written; n != f->w.body && n->up; n = n->up)
        for (size_t i = 0; n->up->kind == CXCursor_IfStmt && n->up->first != n && i < f->w.uses.n; i++) {
            const struct var *v = f->w.uses.at[i].v;
            if (v->reduced && (v->op == RED_MAX || v->op == RED_MIN) && ast_contains(n->up->first, f->w.uses.at[i].n))
                return v;
        }
    return NULL;
}

static bool changed_with(struct for_loop *f, const struct use *use, const struct var *best) {
    const char *name = best->op == RED_MAX ? "argmax" : "argmin", *op = best->op == RED_MAX ? ">" : "<";
    diag_error(
        f->w.u, use->offset,
        "'%s' is where the '%s' of '%s' is, and goes with it in a structure: declare 'struct place { %s value; %s "
        "at; };' and '#pragma omp declare reduction(%s : struct place : omp_out = omp_in.value %s omp_out.value || "
        "(omp_in.value == omp_out.value && omp_in.at < omp_out.at) ? omp_in : omp_out) initializer(omp_priv = "
        "omp_orig)' before the function, and let the loop change p.value and p.at of a 'struct place p' under "
        "reduction(%s: p)",
        use->v->name, clause_op_name(best->op), best->name, best->type, use->v->type, name, op, name);
    return false;
}

static bool changed(struct for_loop *f, const struct var *v, size_t at) {
    diag_error(f->w.u, at,
               "'%s' is changed by every iteration; declare it inside the loop, or add reduction(op: %s), or "
               "firstprivate(%s) if no iteration reads what another one wrote",
               v->name, v->name, v->name);
    return false;
}

static bool is_free(const struct var *v) {
    return v->kind == VAR_LOOP || v->kind == VAR_ARRAY || v->reduced || v->private;
}

bool for_check_scalars(struct for_loop *f) {
    bool ok = true;
    size_t at;
    for (size_t i = 0; i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        const struct var *v = use->v;
        unsigned access = capture_access(use->n);
        if (v->kind == VAR_ARRAY && refs_is_array_itself(use->n)) {
            diag_error(
                f->w.u, use->offset,
                "'%s' is an array under sizeof, typeof or &, but a pointer in the loop's functions; use its elements, "
                "or compute its size before the loop",
                v->name);
            ok = false;
        }
        if (is_free(v) || (access & ACCESS_UNEVALUATED))
            continue;
        const struct var *best = access & ACCESS_WRITE ? goes_with(f, use->n) : NULL;
        if (best && v->kind == VAR_SCALAR) {
            ok = changed_with(f, use, best);
        } else if (access & ACCESS_WRITE) {
            ok = changed(f, v, use->offset);
        } else if ((access & ACCESS_ADDRESS) && v->kind == VAR_SCALAR && !clang_isConstQualifiedType(v->elem_type) &&
                   !refs_only_shown(use->n)) {
            diag_error(f->w.u, use->offset,
                       "address of '%s' taken, so it may be written; make the parameter a pointer to const, or copy "
                       "it to a local variable of the body first",
                       v->name);
            ok = false;
        }
    }
    for (size_t i = 0; ok && i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->kind == VAR_SCALAR && !is_free(f->w.vars.at[i]) &&
            for_hidden_writes(f, f->w.vars.at[i], &at))
            ok = changed(f, f->w.vars.at[i], at);
    return ok;
}

/* ---- directives ---- */

static bool check_directives(struct for_loop *f) {
    struct unit *u = f->w.u;
    bool ok = true;
    for (size_t i = 0; i < u->pragmas->n; i++) {
        const struct pragma *p = &u->pragmas->at[i];
        if (p->b < f->w.body_begin || p->b >= f->w.body_end || p->directive->bit == DIRECTIVE_VARIANT)
            continue;
        diag_error(
            u, p->b,
            "'#pragma heddle %s' inside a loop whose iterations run on many devices; put it into a function that a "
            "'variant' calls, or take it out",
            p->directive->name);
        ok = false;
    }
    return ok;
}

static bool check_openmp(struct for_loop *f, struct node *n) {
    bool ok = true;
    if (for_in_target(f, n))
        return true;
    if (node_is_openmp(n) && n->kind != CXCursor_OMPCriticalDirective) {
        diag_error(f->w.u, n->b,
                   "an OpenMP directive other than 'simd', 'atomic', 'critical' and 'target …' inside the loop; its "
                   "iterations are "
                   "what runs in parallel");
        return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_openmp(f, c);
    return ok;
}

static bool check_critical(struct for_loop *f, struct node *n) {
    bool ok = n->kind != CXCursor_OMPCriticalDirective;
    if (!ok)
        diag_error(f->w.u, n->b,
                   "devices have no locks for 'critical'; use 'atomic' or reduction(), or leave the loop to the host");
    for (struct node *c = n->first; c && ok; c = c->next)
        ok = check_critical(f, c);
    return ok;
}

static bool check_hidden(struct for_loop *f, const struct calls *calls) {
    bool ok = true;
    for (size_t i = 0; i < f->hidden.n; i++) {
        const struct for_hidden *h = &f->hidden.at[i];
        const char *name = ast_name(h->c);
        if (clang_getCursorKind(h->c) == CXCursor_VarDecl) {
            if (!calls_check_global(calls, h->c) && !node_is_table(h->c)) {
                diag_error(
                    f->w.u, h->at,
                    "the global variable '%s' is not on devices; copy it to a local variable before the loop, or make "
                    "it const",
                    name);
                ok = false;
            }
            continue;
        }
        struct function *g = function_of(f->w.u, h->c);
        functions_analyse(f->w.u);
        if (g)
            ok &= calls_check_function(calls, g, h->at);
        else if (!calls->host && !function_is_memory(name) && !function_is_pure(h->c) && strncmp(name, "omp_", 4) != 0)
            ok &= calls_check_unknown(calls, h->c, h->at);
    }
    return ok;
}

/* ---- pointers inside structures ---- */

struct fields {
    struct for_loop *f;
    VEC(CXCursor) used; /* pointers that the body or a function that it reaches takes out of a structure */
    unsigned visit;
    /* the walk over one variable's type */
    const struct var *v;
    const char *path, *found;
};

static void use_fields(struct fields *s, struct node *n) {
    if (n->kind == CXCursor_UnaryExpr)
        return;
    if (n->kind == CXCursor_MemberRefExpr) {
        CXCursor d = clang_getCursorReferenced(n->c);
        CXType t = clang_getCanonicalType(clang_getCursorType(d));
        while (ast_is_array(t))
            t = clang_getCanonicalType(clang_getArrayElementType(t));
        const enum CXTypeKind to = ast_pointee(t).kind;
        const bool code = to == CXType_FunctionProto || to == CXType_FunctionNoProto; /* which overlaps nothing */
        if (t.kind == CXType_Pointer && !(code && s->f->host))
            vec_push(&s->used, d);
    }
    struct function *g = n->kind == CXCursor_CallExpr ? function_called(s->f->w.u, n) : NULL;
    if (g && !function_seen(g, s->visit))
        use_fields(s, g->body);
    for (struct node *c = n->first; c; c = c->next)
        use_fields(s, c);
}

static bool is_used(const struct fields *s, CXCursor field) {
    for (size_t i = 0; i < s->used.n; i++)
        if (clang_equalCursors(s->used.at[i], field))
            return true;
    return false;
}

static bool is_mapped(const struct fields *s, const char *path) {
    for (size_t i = 0; i < s->f->maps.n; i++)
        if (s->f->maps.at[i].v == s->v && strcmp(s->f->maps.at[i].member, path) == 0)
            return true;
    return false;
}

/* The first pointer of the structure, at any depth, that is used and not mapped. */
static enum CXVisitorResult pointer_visit(CXCursor field, CXClientData data) {
    struct fields *s = data;
    CXType t = clang_getCanonicalType(clang_getCursorType(field));
    const char *before = s->path, *name = ast_name(field);
    const char *path = strpbrk(name, " (") ? before : mem_printf("%s.%s", before, name); /* it may have no name */
    while (ast_is_array(t))
        t = clang_getCanonicalType(clang_getArrayElementType(t));
    if (t.kind == CXType_Pointer && is_used(s, field) && !is_mapped(s, path)) {
        s->found = path;
        return CXVisit_Break;
    }
    s->path = path;
    if (t.kind == CXType_Record)
        clang_Type_visitFields(t, pointer_visit, data);
    s->path = before;
    return s->found ? CXVisit_Break : CXVisit_Continue;
}

/* Each mention is v->member, so all are of one structure. */
static bool is_one(const struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < f->w.uses.n; i++) {
        const struct node *up = f->w.uses.at[i].n->up;
        while (up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr))
            up = up->up;
        if (f->w.uses.at[i].v == v && (!up || up->kind != CXCursor_MemberRefExpr))
            return false;
    }
    return v->kind == VAR_POINTER;
}

static bool check_structures(struct for_loop *f) {
    struct fields s = {.f = f, .visit = function_visit()};
    bool ok = true;
    use_fields(&s, f->w.body);
    for (size_t i = 0; i < f->hidden.n; i++) {
        struct function *g = clang_getCursorKind(f->hidden.at[i].c) == CXCursor_FunctionDecl
                                 ? function_of(f->w.u, f->hidden.at[i].c)
                                 : NULL;
        if (g && !function_seen(g, s.visit))
            use_fields(&s, g->body);
    }
    for (size_t i = 2; s.used.n && i < f->w.vars.n; i++) {
        const struct var *v = s.v = f->w.vars.at[i];
        CXType t = clang_getCanonicalType(v->elem_type);
        s.path = "";
        s.found = NULL;
        if (t.kind == CXType_Record)
            clang_Type_visitFields(t, pointer_visit, &s);
        if (!s.found)
            continue;
        if (f->host)
            diag_error(
                f->w.u, v->use,
                "'%s%s' is a pointer in a structure, and nothing shows whether what it points to overlaps; if it "
                "does not, write '#pragma heddle for independent'",
                v->name, s.found);
        else if (v->kind == VAR_SCALAR)
            diag_error(
                f->w.u, v->use,
                "'%s%s' is a pointer, which is not valid on a device; map what it points to, map(to: %s%s[first : "
                "count])",
                v->name, s.found, v->name, s.found);
        else if (is_one(f, v)) /* else members.c would have taken it */
            diag_error(f->w.u, v->use,
                       "'%s->%s' is a pointer in a structure, which is not valid on a device; copy it to a variable "
                       "before the loop, and use that",
                       v->name, s.found + 1);
        else
            diag_error(f->w.u, v->use,
                       "the elements of '%s' hold the pointer '%s', which is not valid on a device; use indices into "
                       "a mapped array",
                       v->name, s.found + 1);
        ok = false;
    }
    return ok;
}

static bool check_pointers(struct for_loop *f) {
    bool ok = true;
    for (size_t i = 2; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        if (v->kind == VAR_SCALAR || clang_getCanonicalType(v->elem_type).kind != CXType_Pointer ||
            (f->host && v->rows_apart))
            continue;
        if (f->host)
            diag_error(f->w.u, v->use,
                       "'%s' holds pointers, and nothing shows whether what they point to overlaps; if it does not, "
                       "write '#pragma heddle for independent', or use a pointer to an array, T (*%s)[columns]",
                       v->name, v->name);
        else
            diag_error(f->w.u, v->use,
                       "'%s' holds pointers, and what they point to cannot be mapped; use a pointer to an array, "
                       "T (*%s)[columns], or one linear array",
                       v->name, v->name);
        ok = false;
    }
    return ok;
}

/* What devices do not have. Pointers in structures are the host's where somebody asserts that nothing overlaps. */
static bool check_devices(struct for_loop *f, bool pointers) {
    const struct calls calls = {.u = f->w.u, .visit = function_visit(), .loop = true};
    return check_critical(f, f->w.body) && (!pointers || (check_structures(f) && check_pointers(f))) &&
           check_hidden(f, &calls) && (f->host_driven || (for_check_memory(f) && calls_check(&calls, f->w.body)));
}

/* Nothing is written through a pointer. */
static bool writes_objects(struct for_loop *f) {
    for (size_t i = 2; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        if (v->kind != VAR_SCALAR && !v->sized && for_may_write(f, v))
            return false;
        if (v->kind == VAR_SCALAR && type_holds_pointer(v->elem_type))
            return false;
    }
    return true;
}

/* Arrays that a clause asserts to be independent need no map on the host, and functions there may touch anything. */
static bool is_all_mapped(struct for_loop *f) {
    struct diag_held held;
    bool all = !f->jobs && !f->host_driven;
    for (size_t i = 2; all && i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        bool mapped = v->kind == VAR_SCALAR;
        for (size_t k = 0; k < f->maps.n; k++)
            mapped |= f->maps.at[k].v == v && !*f->maps.at[k].member;
        all = mapped && !v->private;
    }
    diag_hold(f->w.u, &held);
    all = all && check_devices(f, true);
    diag_release(f->w.u, &held, false);
    return all;
}

static bool check(struct for_loop *f) {
    const bool sure = nest_clause(&f->w, CLAUSE_INDEPENDENT);
    bool ok = for_check_scalars(f) && check_directives(f) && for_check_host_driven(f);
    if (f->host_driven && !f->targets.n) /* runs on the host, whatever it calls */
        return ok;
    ok = ok && check_openmp(f, f->w.body);
    const struct calls calls = {.u = f->w.u,
                                .visit = function_visit(),
                                .loop = true,
                                .host = true,
                                .sure = sure,
                                .objects = writes_objects(f),
                                .compares = for_compares,
                                .of = f};
    if (f->host)
        return ok && (sure || for_only_reads(f) || (check_structures(f) && check_pointers(f))) &&
               check_hidden(f, &calls) && calls_check(&calls, f->w.body);
    return ok && check_devices(f, true);
}

bool for_check(struct for_loop *f) {
    const bool ok = check(f);
    f->apart = ok && is_all_mapped(f);
    return ok;
}

bool for_place(struct for_loop *f) {
    const struct clause *device = nest_clause(&f->w, CLAUSE_DEVICE);
    const char *word = device ? clause_loop_device(device->kind) : NULL;
    if (f->jobs || f->host_driven)
        return true;
    f->host = f->w.u->host || (word && !strcmp(word, "HEDDLE_DEVICE_HOST"));
    if (f->host)
        return true;
    if (device) /* who names one is told why it cannot be */
        return for_updates(f);
    struct diag_held held;
    diag_hold(f->w.u, &held);
    f->host = !for_updates(f) || !check_devices(f, f->rows.n || nest_clause(&f->w, CLAUSE_INDEPENDENT));
    diag_release(f->w.u, &held, false);
    if (held.kept.n)
        diag_note_kept(f->w.u, &held.kept.at[0], "this loop stays on the host: ");
    return true;
}
