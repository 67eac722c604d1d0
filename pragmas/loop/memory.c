/* SPDX-License-Identifier: Apache-2.0 */
/* What the body, and the functions that it calls, declare: a GPU's threads are many, and each has little memory. */
#include "loop.h"

enum { MOST = 16 << 10 }; /* bytes for each of some hundred thousand threads */

struct memory {
    struct for_loop *f;
    unsigned visit;
    long bytes;
    bool ok;
};

static void declared(struct memory *m, struct node *n, size_t at) {
    const CXType t = ast_type(n);
    if (!ast_is_array(t) || clang_Cursor_getStorageClass(n->c) == CX_SC_Static)
        return;
    const long long bytes = clang_Type_getSizeOf(t);
    m->bytes += bytes > 0 ? bytes : 0;
    if (t.kind == CXType_VariableArray)
        diag_error(m->f->w.u, at,
                   "'%s' has a variable length, which devices have no memory for; give it a constant one",
                   ast_name(n->c));
    else if (m->bytes > MOST)
        diag_error(m->f->w.u, at, "'%s' makes it %ld bytes of arrays for each thread, and a device's threads have %d",
                   ast_name(n->c), m->bytes, MOST);
    m->ok &= t.kind != CXType_VariableArray && m->bytes <= MOST;
}

static void look(struct memory *m, struct node *n, size_t site) {
    struct function *g = n->kind == CXCursor_CallExpr ? function_called(m->f->w.u, n) : NULL;
    if (n->kind == CXCursor_VarDecl)
        declared(m, n, site ? site : n->b);
    if (g && !function_seen(g, m->visit))
        look(m, g->body, site ? site : n->b);
    for (struct node *c = n->first; c && m->ok; c = c->next)
        look(m, c, site);
}

bool for_check_memory(struct for_loop *f) {
    struct memory m = {.f = f, .visit = function_visit(), .ok = true};
    look(&m, f->w.body, 0);
    return m.ok;
}
