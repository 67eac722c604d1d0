/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scan engines need of a prefix sum: the term, which is the user's body with zeros in place
 * of the carried elements, and the place of a cell.
 */
#include "analysis/refs.h"
#include "emit.h"

/* x + -0.0 and x - 0.0 are x for every x, so the compiler drops them. */
static const char *term_text(const struct nest *w, const struct ref *r) {
    if (r->v != w->prefix_var || (r->access & ACCESS_UNEVALUATED))
        return NULL;
    if (r->role == ROLE_OWN)
        return "heddle_f";
    return mem_printf(r->sign > 0 ? "(-(%s)0)" : "((%s)0)", r->v->elem_plain);
}

/* The variables that the term mentions outside replaced references. */
static void mark(const struct nest *w, struct span s, bool *used) {
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        bool gone = use->offset < s.b || use->offset >= s.e;
        for (size_t k = 0; k < w->refs.n; k++) {
            const struct ref *r = w->refs.at[k];
            gone |= !r->macro && r->b <= use->offset && use->offset < r->e && term_text(w, r);
        }
        for (size_t k = 0; !gone && k < w->vars.n; k++)
            used[k] |= w->vars.at[k] == use->v;
    }
}

static void term(const struct nest *w, struct buf *out) {
    const struct var *v = w->prefix_var;
    const struct span s = {w->body_begin, w->body_end};
    bool *used = emit_set(w);
    edit_list edits = {0};
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        const char *text = r->macro ? NULL : term_text(w, r);
        if (text)
            vec_push(&edits, (struct edit){r->b, r->e, text});
    }
    mark(w, s, used);
    if (v->preload)
        emit_mark(w, (struct span){v->write->b, v->write->e}, false, used);
    buf_printf(out, "static HEDDLE_INLINE %s $_term(const struct $_env *heddle_e, long heddle_i, long heddle_j)\n{\n",
               v->elem_plain);
    buf_puts(out, "    (void)heddle_e, (void)heddle_i, (void)heddle_j;\n");
    emit_unpack(w, used, out);
    if (v->preload) /* in place: the term is, or holds, what the cell had */
        buf_printf(out, "    %s heddle_f = %s;\n", v->elem_plain, refs_text(w, v->write));
    else
        buf_printf(out, "    %s heddle_f;\n", v->elem_plain);
    emit_body(w, out, &edits);
    buf_puts(out, "    return heddle_f;\n}\n");
}

static void place(const struct nest *w, struct buf *out) {
    const struct var *v = w->prefix_var;
    bool *used = emit_set(w);
    emit_mark(w, (struct span){v->write->b, v->write->e}, false, used);
    buf_printf(out, "static HEDDLE_INLINE %s *$_at(const struct $_env *heddle_e, long heddle_i, long heddle_j)\n{\n",
               v->elem_plain);
    buf_puts(out, "    (void)heddle_e, (void)heddle_i, (void)heddle_j;\n");
    emit_unpack(w, used, out);
    buf_printf(out, "    return &%s;\n}\n", refs_text(w, v->write));
}

void emit_prefix_functions(const struct nest *w, struct buf *out) {
    if (!w->prefix)
        return;
    buf_printf(out, "#define $_SUM %s\n", w->prefix_var->elem_plain);
    term(w, out);
    place(w, out);
}
