/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables that only a moving section names, like start in map(to: a[start[heddle_lo] : …]): the section is computed
 * for every chunk, in a function of its own, so they are captured as the body's are. Directives are no part of clang's
 * tree: names are looked up as a block would.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "loop.h"

#include <stdint.h>
#include <string.h>

struct names {
    struct for_loop *f;
    size_t at;  /* of the expression, for messages */
    bool *used; /* NULL while variables are being captured */
    bool ok;
};

static struct var *known(const struct nest *w, const char *name, size_t n) {
    for (size_t i = 0; i < w->vars.n; i++)
        if (strncmp(w->vars.at[i]->name, name, n) == 0 && !w->vars.at[i]->name[n])
            return w->vars.at[i];
    return NULL;
}

static struct var *capture(struct names *s, const char *name, size_t n) {
    struct nest *w = &s->f->w;
    const uintptr_t from = (uintptr_t)name - (uintptr_t)w->u->src.text; /* large: in a macro */
    const size_t at = from < w->u->src.size ? from : s->at;
    struct node *found = names_local(ast_tree(w->u, w->function), name, n, w->p->b);
    if (!found)
        return NULL; /* a macro, a constant, a function, or something of file scope */
    if (found->kind == CXCursor_EnumConstantDecl) {
        diag_error(w->u, at,
                   "constant '%s' is declared inside the function, but sections are computed before it; move its enum "
                   "to file scope",
                   ast_name(found->c));
        s->ok = false;
        return NULL;
    }
    struct var *v = capture_var(w, found->c);
    v->use = at;
    vec_push(&w->vars, v);
    s->ok &= capture_check_name(w, v, v->use);
    return v;
}

static bool add(const char *name, size_t n, void *data) {
    struct names *s = data;
    struct nest *w = &s->f->w;
    if (n > 7 && !strncmp(name, "heddle_", 7))
        return false;
    const struct var *v = known(w, name, n);
    v = v ? v : capture(s, name, n);
    for (size_t i = 0; s->used && v && i < w->vars.n; i++)
        s->used[i] |= w->vars.at[i] == v;
    return false;
}

void for_scope_text(struct for_loop *f, const char *text, bool *used) {
    struct names state = {f, f->w.p->b, used, true};
    macros_each_name(f->w.u, text, (struct span){0, strlen(text)}, 0, add, &state);
}

static bool names(struct for_loop *f, struct span s, bool *used) {
    struct names state = {f, s.b, used, true};
    macros_each_name(f->w.u, f->w.u->src.text, s, 0, add, &state);
    return state.ok;
}

void for_scope_used(struct for_loop *f, struct span s, bool *used) { names(f, s, used); }

bool for_scope(struct for_loop *f) {
    bool ok = true;
    for (size_t i = 0; i < f->maps.n; i++)
        for (int part = 0; part < 2 && f->maps.at[i].chunked && f->maps.at[i].item; part++) {
            const struct section *s = &f->maps.at[i].item->section[0];
            ok &= names(f, part ? s->count : s->first, NULL);
        }
    if (f->rects.n)
        for_scope_text(f, f->step[0], NULL);
    for (size_t i = 0; i < f->rects.n; i++) {
        const struct for_rect *r = &f->rects.at[i];
        for_scope_text(f, r->some, NULL);
        for (int d = 0; d < r->v->ndims; d++) {
            for_scope_text(f, r->lo[d], NULL);
            for_scope_text(f, r->hi[d], NULL);
        }
    }
    for (size_t i = 0; i < f->variants.n; i++)
        for (int k = 0; k < KINDS; k++)
            ok &= !f->variants.at[i]->on[k] || names(f, f->variants.at[i]->on[k]->arg[0], NULL);
    return ok;
}
