/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cells of a nest and iterations of a loop may call: functions whose bodies are here, without variables that
 * outlive a call, and known ones without effects. Anything else could tell the order of the cells, and has no code for
 * a device.
 */
#include "analysis/capture.h"
#include "function.h"

#include <string.h>

bool calls_check_global(const struct calls *c, CXCursor global) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(global));
    if (clang_getCursorTLSKind(global) != CXTLS_None) /* each thread has another one, whatever is asserted */
        return false;
    if (!c->host || c->sure || !c->loop || type_holds_pointer(t))
        return c->host && c->sure;
    return c->objects || !ast_is_array(t) || (c->compares && c->compares(c->of, global));
}

static bool check_globals(const struct calls *c, struct function *g, size_t at) {
    for (size_t i = 0; i < g->globals.n; i++) {
        if (calls_check_global(c, g->globals.at[i]))
            continue;
        const bool threads = c->host && clang_getCursorTLSKind(g->globals.at[i]) != CXTLS_None;
        diag_error(
            c->u, at, "'%s' uses the global variable '%s', which %s; pass it as an argument, or make it const%s",
            g->name, ast_name(g->globals.at[i]),
            !c->host  ? "devices do not have"
            : threads ? "is another one in each thread"
            : c->loop ? "other arrays may overlap"
                      : "other cells may change",
            !c->host || threads ? ""
            : c->loop
                ? ", or write 'independent', with 'private(x)' for each array x that iterations only use to work in"
                : ", or write 'independent'");
        return false;
    }
    return true;
}

static bool check_static(const struct calls *c, struct function *g, struct node *n, size_t at) {
    if (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->c) == CX_SC_Static && !node_is_table(n->c)) {
        diag_error(c->u, g->in_file ? n->b : at,
                   "static variable '%s' in a function that %s run in parallel; pass it as an argument", ast_name(n->c),
                   c->loop ? "iterations" : "cells");
        return false;
    }
    bool ok = true;
    for (struct node *x = n->first; x; x = x->next)
        ok &= check_static(c, g, x, at);
    return ok;
}

/* What a loop's iterations call on the host is the proof's business (proof_call.c). Of cells somebody asserts that a
   function touches nothing of other cells, unless it is known. */
static bool may_call(const struct calls *c, const char *name) {
    return c->host && (c->loop || c->sure || function_is_allocation(name) || function_is_output(name) ||
                       strcmp(name, "free") == 0);
}

bool calls_check_unknown(const struct calls *c, CXCursor callee, size_t at) {
    if (c->host && !c->loop)
        diag_error(c->u, at,
                   "%s is called in the nest, and nothing shows what it touches; define it here or in a header, or "
                   "write 'independent', which says that it touches nothing of other cells",
                   clang_Cursor_isNull(callee) ? "a function whose name is not written"
                                               : mem_printf("'%s'", ast_name(callee)));
    else if (clang_Cursor_isNull(callee))
        diag_error(c->u, at, "call through a pointer in code for devices; call the functions by name");
    else
        diag_error(
            c->u, at,
            "'%s' is called in the %s, but its body is not in this file, so it cannot run on a device; define it "
            "here or in a header%s",
            ast_name(callee), c->loop ? "loop" : "nest",
            c->loop ? ", or say what devices call instead: '#pragma heddle variant(cuda: …)'"
                    : "; without effects and linked for every device, declare it __attribute__((const)); or write "
                      "'independent' if it touches nothing of other cells, and the nest stays on the host");
    return false;
}

bool calls_check_function(const struct calls *c, struct function *g, size_t at) {
    if (function_seen(g, c->visit))
        return true;
    bool ok = check_globals(c, g, at) && check_static(c, g, g->body, at);
    if (ok && c->host && !c->loop && !c->sure) {
        struct calls inside = *c;
        inside.at = g->in_file ? 0 : at;
        return calls_check(&inside, g->body);
    }
    if (ok && g->unknown && !c->host)
        ok = calls_check_unknown(c, function_callee(g->unknown), g->in_file ? g->unknown->b : at);
    for (size_t i = 0; ok && i < g->calls.n; i++)
        ok = calls_check_function(c, g->calls.at[i], at);
    return ok;
}

bool calls_check(const struct calls *c, struct node *n) {
    bool ok = true;
    if (n->kind == CXCursor_CallExpr) {
        CXCursor callee = function_callee(n);
        struct function *g = function_called(c->u, n);
        functions_analyse(c->u);
        const char *name = clang_Cursor_isNull(callee) ? "" : ast_name(callee);
        if (g)
            ok = calls_check_function(c, g, c->at ? c->at : n->b);
        else if (!may_call(c, name) && !function_is_memory(name) && !function_is_pure(callee))
            ok = calls_check_unknown(c, callee, c->at ? c->at : n->b);
    }
    for (struct node *x = n->first; x; x = x->next)
        ok &= calls_check(c, x);
    return ok;
}
