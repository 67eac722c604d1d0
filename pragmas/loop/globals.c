/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of file scope that functions use which a loop on the host calls. What the loop writes through pointers might
 * overlap them; so they join the arrays that the run time compares, if the place of the loop knows them by name.
 */
#include "analysis/capture.h"
#include "analysis/map.h"
#include "loop.h"

#include <string.h>

struct seen {
    CXCursor global, function;
    bool before; /* the global is declared before the function */
};

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    struct seen *s = data;
    (void)parent;
    const CXCursor canonical = clang_getCanonicalCursor(c);
    s->before = clang_equalCursors(canonical, s->global);
    return s->before || clang_equalCursors(c, s->function) ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* By its name, which no variable of the function hides. */
static bool is_known(const struct for_loop *f, CXCursor global) {
    const struct nest *w = &f->w;
    const char *name = ast_name(global);
    struct seen s = {clang_getCanonicalCursor(global), w->function, false};
    if (clang_getCursorKind(clang_getCursorSemanticParent(global)) == CXCursor_FunctionDecl ||
        strncmp(name, "heddle_", 7) == 0 || names_local(ast_tree(w->u, w->function), name, strlen(name), w->p->b))
        return false;
    clang_visitChildren(clang_getTranslationUnitCursor(w->u->tu), visit, &s);
    return s.before;
}

bool for_compares(void *of, CXCursor global) {
    struct for_loop *f = of;
    struct var *v = capture_lookup(&f->w, global);
    for (size_t i = 0; v && i < f->maps.n; i++)
        if (f->maps.at[i].v == v)
            return true;
    if (v || f->rows.n || !is_known(f, global))
        return false;
    v = capture_var(&f->w, global);
    if (v->kind != VAR_ARRAY || !v->sized || type_holds_pointer(v->elem_type))
        return false;
    map_whole(v);
    vec_push(&f->w.vars, v);
    vec_push(&f->maps, (struct for_map){.v = v,
                                        .kind = MAP_TOFROM,
                                        .member = "",
                                        .first = v->map_first,
                                        .count = v->map_count,
                                        .written = true}); /* perhaps */
    return true;
}
