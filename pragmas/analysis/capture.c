/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variables that a nest takes from its surroundings, and what happens to each mention of one.
 */
#include "analysis/capture.h"
#include "function.h"

#include <stdint.h>
#include <string.h>

struct var *capture_lookup(struct nest *w, CXCursor decl) {
    CXCursor canonical = clang_getCanonicalCursor(decl);
    for (size_t i = 0; i < w->vars.n; i++)
        if (clang_equalCursors(clang_getCanonicalCursor(w->vars.at[i]->decl), canonical))
            return w->vars.at[i];
    return NULL;
}

struct var *capture_named(struct nest *w, struct span name) {
    for (size_t i = 0; i < w->vars.n; i++) {
        const char *s = w->vars.at[i]->name;
        if (strlen(s) == name.e - name.b && memcmp(s, w->u->src.text + name.b, strlen(s)) == 0)
            return w->vars.at[i];
    }
    return NULL;
}

/* A pointer, although libclang shows a parameter's type as written: double B[100]. */
static bool is_parameter(const struct node *n) {
    while (n->kind == CXCursor_ParenExpr && n->first)
        n = n->first;
    return n->kind == CXCursor_DeclRefExpr && clang_getCursorKind(clang_getCursorReferenced(n->c)) == CXCursor_ParmDecl;
}

/* How the lvalue at n is used, following members and elements of it outwards. */
unsigned capture_access(struct node *n) {
    bool decayed = false;
    for (struct node *up = n->up; up; n = up, up = up->up) {
        enum CXUnaryOperatorKind unary = ast_unary(up);
        if (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_MemberRefExpr)
            continue;
        if (up->kind == CXCursor_UnexposedExpr) {
            if (ast_is_array(clang_getCanonicalType(clang_getCursorType(n->c))) && !is_parameter(n))
                decayed = true;
            if (!decayed)
                return ACCESS_READ;
            continue;
        }
        if (up->kind == CXCursor_ArraySubscriptExpr && up->first == n) {
            decayed = false;
            continue;
        }
        if (unary == CXUnaryOperator_Deref && decayed) {
            decayed = false;
            continue;
        }
        if (up->kind == CXCursor_UnaryExpr)
            return ACCESS_UNEVALUATED;
        if (decayed || unary == CXUnaryOperator_AddrOf)
            return ACCESS_ADDRESS;
        if (ast_is_assignment(up) && up->first == n)
            return ast_binary(up) == CXBinaryOperator_Assign ? ACCESS_WRITE : ACCESS_READ | ACCESS_WRITE;
        if (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec)
            return ACCESS_READ | ACCESS_WRITE;
        break;
    }
    return ACCESS_READ;
}

bool capture_is_shown(const struct node *n, CXCursor var) {
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var) &&
        (capture_access((struct node *)(uintptr_t)n) & ACCESS_ADDRESS))
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (capture_is_shown(c, var))
            return true;
    return false;
}

bool capture_is_inside(const struct nest *w, CXCursor decl) {
    struct span s;
    return ast_span(w->u, decl, &s) && s.b >= w->root->b && s.b < w->root_end;
}

const char *nest_word(const struct nest *w) {
    return w->p->directive->bit == DIRECTIVE_FOR ? "loop" : w->p->directive->bit == DIRECTIVE_GRAPH ? "task" : "nest";
}

bool capture_check_name(struct nest *w, const struct var *v, size_t offset) {
    if (strncmp(v->name, "heddle_", 7) == 0) {
        diag_error(w->u, offset, "the name '%s' collides with emitted ones; do not begin names with 'heddle_'",
                   v->name);
        return false;
    }
    if (strstr(ast_spelling(clang_getCanonicalType(v->elem_type)), "__va_list")) {
        diag_error(w->u, offset,
                   "each use of '%s' takes the next argument, so iterations cannot come in another order; copy the "
                   "arguments into an array before the loop",
                   v->name);
        return false;
    }
    if (capture_type_is_local(v->elem_type)) {
        diag_error(w->u, offset,
                   "the type of '%s' is declared inside the function, but the %s "
                   "becomes a function before it; move the type to file scope",
                   v->name, nest_word(w));
        return false;
    }
    return true;
}

static bool add_use(struct nest *w, struct node *n, CXCursor decl) {
    struct var *v = capture_lookup(w, decl);
    if (!v) {
        if (capture_is_inside(w, decl))
            return true; /* the body's own */
        v = capture_var(w, decl);
        v->use = n->b;
        vec_push(&w->vars, v);
        if (!capture_check_name(w, v, n->b))
            return false;
    }
    vec_push(&w->uses, (struct use){v, n, n->b});
    return true;
}

static bool walk(struct nest *w, struct node *n) {
    bool ok = true;
    if (n->kind == CXCursor_DeclRefExpr) {
        CXCursor d = clang_getCursorReferenced(n->c);
        enum CXCursorKind kind = clang_getCursorKind(d);
        if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl)
            ok = add_use(w, n, d);
    }
    if (n->kind == CXCursor_DeclRefExpr &&
        clang_getCursorKind(clang_getCursorReferenced(n->c)) == CXCursor_EnumConstantDecl) {
        CXCursor d = clang_getCursorReferenced(n->c);
        CXCursor around = clang_getCursorSemanticParent(clang_getCursorSemanticParent(d));
        if (!capture_is_inside(w, d) && clang_getCursorKind(around) == CXCursor_FunctionDecl) {
            diag_error(
                w->u, n->b,
                "constant '%s' is declared inside the function, but the %s becomes a function before it; move its "
                "enum to file scope",
                ast_name(d), nest_word(w));
            ok = false;
        }
    }
    if (n->kind == CXCursor_TypeRef) {
        CXCursor d = clang_getCursorReferenced(n->c);
        if (!capture_is_inside(w, d) &&
            clang_getCursorKind(clang_getCursorSemanticParent(d)) == CXCursor_FunctionDecl) {
            diag_error(w->u, n->b,
                       "type '%s' is declared inside the function, but the %s "
                       "becomes a function before it; move the type to file scope",
                       ast_name(d), nest_word(w));
            ok = false;
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= walk(w, c);
    return ok;
}

static bool check_loop_variables(struct nest *w) {
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        if ((use->v->kind == VAR_LOOP || use->v->sweep) && (capture_access(use->n) & (ACCESS_WRITE | ACCESS_ADDRESS))) {
            diag_error(w->u, use->offset,
                       "not a canonical loop: the body modifies '%s' or takes its address; copy it to a local variable",
                       use->v->name);
            return false;
        }
    }
    return true;
}

bool capture_more(struct nest *w, struct node *n, CXCursor except) {
    bool ok = true;
    if (n->kind == CXCursor_DeclRefExpr) {
        CXCursor d = clang_getCursorReferenced(n->c);
        enum CXCursorKind kind = clang_getCursorKind(d);
        if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !clang_equalCursors(d, except))
            ok = add_use(w, n, d);
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= capture_more(w, c, except);
    return ok;
}

bool capture_body(struct nest *w) { return walk(w, w->body) && check_loop_variables(w); }

bool capture_variables(struct nest *w) {
    for (int i = 0; i < 2; i++) {
        struct var *v = capture_var(w, w->loop[i].var);
        v->kind = VAR_LOOP;
        vec_push(&w->vars, v);
        if (!capture_check_name(w, v, w->loop[i].stmt->b))
            return false;
    }
    if (w->swept) { /* to the two loops inside, the number of the sweep is a scalar from outside */
        struct var *v = capture_var(w, w->sweep.var);
        v->sweep = true;
        vec_push(&w->vars, v);
        if (!capture_check_name(w, v, w->sweep.stmt->b))
            return false;
    }
    return capture_body(w);
}

unsigned capture_access_through(struct node *n) {
    struct node *up = n->up;
    for (; up && (up->kind == CXCursor_ParenExpr || up->kind == CXCursor_UnexposedExpr); up = up->up)
        n = up;
    if (up && ((up->kind == CXCursor_ArraySubscriptExpr && up->first == n) || up->kind == CXCursor_MemberRefExpr ||
               ast_unary(up) == CXUnaryOperator_Deref))
        return capture_access(up);
    return up && up->kind == CXCursor_CallExpr && !function_takes_const(up, n) ? ACCESS_ADDRESS : ACCESS_READ;
}
