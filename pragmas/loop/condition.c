/* SPDX-License-Identifier: Apache-2.0 */
/* What the proof lacks, and a program can test before the loop: as C text over variables that the loop sees. */
#include "analysis/capture.h"
#include "loop.h"
#include "analysis/proof.h"

#include <string.h>

/* A variable that the body or the loop's head names. */
static bool has_variable(const struct for_loop *f, const struct node *n, const char *atom, const char **name) {
    const CXCursor d = n->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(n->c) : clang_getNullCursor();
    const enum CXCursorKind kind = clang_getCursorKind(d);
    if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) && !capture_is_inside(&f->w, d) &&
        strcmp(atom, mem_printf("%s@%u", ast_name(d), clang_hashCursor(clang_getCanonicalCursor(d)))) == 0)
        *name = ast_name(d);
    for (const struct node *c = n->first; c && !*name; c = c->next)
        has_variable(f, c, atom, name);
    return *name;
}

/* "n@4711", with '\3' before it where it has no sign: a variable of that name. */
static const char *variable(const struct for_loop *f, const char *atom) {
    const char *name = NULL;
    atom += *atom == '\3';
    for (size_t i = 2; i < f->w.vars.n; i++)
        if ((f->w.vars.at[i]->reduced || f->w.vars.at[i]->private) &&
            strncmp(atom, f->w.vars.at[i]->name, strcspn(atom, "@")) == 0)
            return NULL;
    return has_variable(f, f->w.root, atom, &name) ? name : NULL;
}

const char *for_not_negative(const struct poly *p) {
    struct poly more = {.ok = true}, less = more;
    for (int t = 0; t < p->n; t++) {
        struct poly *side = p->t[t].k > 0 ? &more : &less;
        side->t[side->n] = p->t[t];
        side->t[side->n++].k *= p->t[t].k > 0 ? 1 : -1;
    }
    return mem_printf("%s >= %s", affine_text(&more, "", ""), affine_text(&less, "", ""));
}

const char *for_condition(void *of, const struct packed *need) {
    struct poly p, named = {.ok = true}, term, one;
    proof_unpack(need, &p);
    for (int t = 0; t < p.n; t++) {
        affine_constant(&term, p.t[t].k);
        for (int a = 0; a < p.t[t].n; a++) {
            const char *name = variable(of, p.t[t].atom[a]);
            if (!name)
                return NULL;
            affine_atom(&one, name);
            affine_multiply(&term, &one, &term);
        }
        affine_add(&named, &term, 1);
    }
    return named.ok ? for_not_negative(&named) : NULL;
}

const char *for_conditions(const struct for_loop *f) {
    struct buf all = {0};
    for (size_t i = 0; i < f->conditions.n; i++)
        buf_printf(&all, f->conditions.n > 1 ? "%s(%s)" : "%s%s", i ? " && " : "", f->conditions.at[i]);
    return all.s;
}

void for_add_condition(struct for_loop *f, const char *text) {
    for (size_t i = 0; i < f->conditions.n; i++)
        if (strcmp(f->conditions.at[i], text) == 0)
            return;
    vec_push(&f->conditions, text);
}

const char *for_conditions_shown(const struct for_loop *f) {
    struct buf out = {0};
    const char *text = for_conditions(f), cast[] = "(long)";
    for (const char *at; (at = strstr(text, cast)); text = at + strlen(cast))
        buf_add(&out, text, (size_t)(at - text));
    buf_puts(&out, text);
    return out.s;
}
