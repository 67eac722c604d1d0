/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables that only a moving section names, like start in map(to: a[start[heddle_lo] : …]): the section is computed for
 * every chunk, in a function of its own, so they are captured as the body's are. Directives are no part of
 * clang's tree: names are looked up as a block would.
 */
#include "for.h"

static bool add(struct for_loop *f, struct span name, bool *used)
{
    struct nest *w = &f->w;
    struct var *v = capture_named(w, name);
    if (!v) {
        struct node *found = names_local(ast_tree(w->u, w->function), w->u->src.text + name.b, name.e - name.b, w->p->b);
        if (!found)
            return true; /* a macro, a constant, a function, or something of file scope */
        if (found->kind == CXCursor_EnumConstantDecl) {
            diag_error(w->u, name.b, "constant '%s' is declared inside the function, but sections are computed before it; move its enum "
                                     "to file scope", ast_name(found->c));
            return false;
        }
        v = capture_var(w, found->c);
        v->use = name.b;
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
            ok &= add(f, (struct span){lx.tok.b, lx.tok.e}, used);
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
