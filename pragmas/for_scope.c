/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables that only a moving section names, like start in map(to: a[start[heddle_lo] : …]): the section is computed for
 * every chunk, in a function of its own, so they are captured as the body's are. Directives are no part of
 * clang's tree: names are looked up as a block would.
 */
#include "for.h"

#include <string.h>

struct scope {
    struct unit *u;
    const char *name;
    size_t n, offset;
    struct node *found;
};

static void consider(struct scope *s, struct node *n)
{
    const char *name = ast_name(n->c);
    const bool kind = n->kind == CXCursor_VarDecl || n->kind == CXCursor_ParmDecl || n->kind == CXCursor_EnumConstantDecl;
    if (kind && strlen(name) == s->n && memcmp(name, s->name, s->n) == 0)
        s->found = n;
}

/* Declarations before the directive in all blocks around it; inner ones come later and win. */
static void look(struct scope *s, struct node *n)
{
    for (struct node *c = n->first; c; c = c->next) {
        if (c->kind == CXCursor_ParmDecl)
            consider(s, c);
        if (c->kind == CXCursor_DeclStmt && c->e <= s->offset)
            for (struct node *d = c->first; d; d = d->next) {
                consider(s, d);
                for (struct node *e = d->first; e && d->kind == CXCursor_EnumDecl; e = e->next)
                    consider(s, e);
            }
        if (c->b <= s->offset && s->offset < c->e)
            look(s, c);
    }
}

static bool add(struct for_loop *f, struct scope *s, bool *used)
{
    struct nest *w = &f->w;
    struct var *v = capture_named(w, (struct span){(size_t)(s->name - w->u->src.text), (size_t)(s->name - w->u->src.text) + s->n});
    if (!v) {
        look(s, ast_tree(w->u, w->function));
        if (!s->found)
            return true; /* a macro, a constant, a function, or something of file scope */
        if (s->found->kind == CXCursor_EnumConstantDecl) {
            diag_error(w->u, (size_t)(s->name - w->u->src.text), "constant '%s' is declared inside the function, but sections are computed "
                                                                 "before it; move its enum to file scope", ast_name(s->found->c));
            return false;
        }
        v = capture_var(w, s->found->c);
        v->use = (size_t)(s->name - w->u->src.text);
        vec_push(&w->vars, v);
        if (!capture_check_name(w, v, v->use))
            return false;
    }
    for (size_t i = 0; used && i < w->vars.n; i++)
        used[i] |= w->vars.at[i] == v;
    return true;
}

/* used: NULL while variables are being captured */
static bool names(struct for_loop *f, struct span s, bool *used)
{
    struct unit *u = f->w.u;
    struct lexer lx;
    bool member = false, ok = true;
    for (lexer_init(&lx, u->src.text, s.b, s.e); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (lx.tok.kind == TOKEN_NAME && !member && !lexer_is_word(&lx, "heddle_lo") && !lexer_is_word(&lx, "heddle_count"))
            ok &= add(f, &(struct scope){u, u->src.text + lx.tok.b, lx.tok.e - lx.tok.b, f->w.p->b, NULL}, used);
        member = lexer_is(&lx, '.') || (lexer_is(&lx, '>') && lx.tok.b && u->src.text[lx.tok.b - 1] == '-');
    }
    return ok;
}

void for_scope_used(struct for_loop *f, struct span s, bool *used)
{
    names(f, s, used);
}

bool for_scope(struct for_loop *f)
{
    bool ok = true;
    for (size_t i = 0; i < f->maps.n; i++)
        for (int part = 0; part < 2 && f->maps.at[i].chunked; part++) {
            const struct section *s = &f->maps.at[i].item->section[0];
            ok &= names(f, part ? s->count : s->first, NULL);
        }
    for (size_t i = 0; i < f->variants.n; i++)
        for (int k = 0; k < KINDS; k++)
            ok &= !f->variants.at[i]->on[k] || names(f, f->variants.at[i]->on[k]->arg[0], NULL);
    return ok;
}
