/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a nest with a loop over sweeps has besides: the number of the sweep into an environment and, for an
 * in-place stencil, a cell's old value and the body with all five cells in registers.
 */
#include "analysis/refs.h"
#include "emit.h"

static void set_sweep(const struct nest *w, struct buf *out) {
    buf_printf(out,
               "static HEDDLE_INLINE void $_set_sweep(void *heddle_e, long heddle_t)\n{\n"
               "    ((struct $_env *)heddle_e)->%s = (%s)heddle_t;\n}\n",
               w->sweep.name, w->sweep.type);
}

/* The value that a cell has in memory. Outside the nest only what some cell reads is known to exist: `side` is
   where the cell lies, 0 inside. */
static void load_old(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->field != FIELD_NONE)
            emit_mark(w, (struct span){w->vars.at[i]->write->b, w->vars.at[i]->write->e}, false, used);
    buf_printf(out, "static HEDDLE_INLINE void $_load_old(const struct $_env *heddle_e, long heddle_i, long heddle_j, "
                    "int heddle_side, struct $_cell *heddle_v)\n{\n");
    emit_unpack(w, used, out);
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->field != FIELD_NONE)
            buf_printf(out, "    if (!(heddle_side & ~%d))\n        heddle_v->%s = %s;\n", sweeps_sides(w, v), v->name,
                       refs_text(w, v->write));
    }
    buf_puts(out, "}\n");
}

/* Where the first of them lies: engines move several cells at once if a cell is one number. */
static void element(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    const struct var *first = NULL;
    int fields = 0;
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->field != FIELD_NONE && !fields++)
            first = w->vars.at[i];
    emit_mark(w, (struct span){first->write->b, first->write->e}, false, used);
    buf_printf(out,
               "#define $_STENCIL_FIELDS %d\n"
               "static HEDDLE_INLINE void *$_element(const struct $_env *heddle_e, long heddle_i, long heddle_j)\n{\n",
               fields);
    emit_unpack(w, used, out);
    buf_printf(out, "    return (void *)&%s;\n}\n", refs_text(w, first->write));
}

/* NULL: not an array that the nest writes */
static const char *stencil_text(const struct ref *r) {
    static const char *const from[] = {
        [0] = "v", [SIDE_TOP] = "top", [SIDE_BOTTOM] = "bottom", [SIDE_LEFT] = "left", [SIDE_RIGHT] = "right"};
    if (r->v->field == FIELD_NONE || r->access & ACCESS_UNEVALUATED)
        return NULL;
    return mem_printf("heddle_%s.%s", from[r->role == ROLE_OWN ? 0 : sweeps_side(r)], r->v->name);
}

/* Its array is not written and the sweep's number does not choose the element: every sweep reads the same, and it may
 * come with the cell. */
static bool is_fixed(struct nest *w, const struct ref *r) {
    return r->early && !r->macro && r->v->field == FIELD_NONE && !(r->access & ACCESS_UNEVALUATED) &&
           !nest_sweep_chooses(w, r);
}

static const char *text_of(struct nest *w, const struct ref *r) {
    if (r->macro)
        return NULL;
    return is_fixed(w, r) ? emit_early(r->early, refs_text(w, r)) : stencil_text(r);
}

/* The members of heddle_early that come so, a function that reads them, and whether the body reads anything else from
 * memory. */
static void reads(struct nest *w, struct buf *out) {
    bool *used = emit_set(w), loads = false;
    struct buf text = {0};
    buf_printf(out, "#define $_FIXED(heddle_x)");
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        bool before = false;
        loads |= !(r->access & ACCESS_UNEVALUATED) && !text_of(w, r);
        for (size_t k = 0; k < i; k++)
            before |= w->refs.at[k]->early == r->early && is_fixed(w, w->refs.at[k]);
        if (!is_fixed(w, r) || before)
            continue;
        emit_mark(w, (struct span){r->b, r->e}, false, used);
        buf_printf(out, " heddle_x(%s, %s)", r->v->elem_plain, r->early->name);
        buf_printf(&text, "    heddle_x->%s = %s;\n", r->early->name, refs_text(w, r));
    }
    buf_printf(out,
               "\n#define $_STENCIL_LOADS %d\n"
               "static HEDDLE_INLINE void $_load_fixed(const struct $_env *heddle_e, long heddle_i, long heddle_j, "
               "struct $_early *heddle_x)\n{\n    (void)heddle_e, (void)heddle_i, (void)heddle_j, (void)heddle_x;\n",
               loads);
    emit_unpack(w, used, out);
    buf_puts(out, text.s ? text.s : "");
    buf_puts(out, "}\n");
}

static void mark_rest(const struct nest *w, bool *used) {
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        bool replaced = use->v->sweep;
        for (size_t k = 0; k < w->refs.n && !replaced; k++) {
            const struct ref *r = w->refs.at[k];
            replaced = !r->macro && r->b <= use->offset && use->offset < r->e && stencil_text(r);
        }
        for (size_t k = 0; k < w->vars.n && !replaced; k++)
            if (w->vars.at[k] == use->v)
                used[k] = true;
    }
}

static void stencil(struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    edit_list edits = {0};
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        const char *text = text_of(w, r);
        if (text)
            vec_push(&edits, (struct edit){r->b, r->e, text});
    }
    mark_rest(w, used);
    buf_printf(
        out,
        "static HEDDLE_INLINE struct $_cell\n"
        "$_stencil(const struct $_env *heddle_e, long heddle_t, long heddle_i, long heddle_j,\n"
        "    struct $_cell heddle_v, struct $_cell heddle_top, struct $_cell heddle_left, struct $_cell heddle_right,\n"
        "    struct $_cell heddle_bottom, struct $_red *heddle_r, const struct $_early *heddle_x)\n{\n"
        "    (void)heddle_e, (void)heddle_x, (void)heddle_t, (void)heddle_i, (void)heddle_j, (void)heddle_top, "
        "(void)heddle_left, (void)heddle_right, (void)heddle_bottom, (void)heddle_r;\n"
        "    %s %s = (%s)heddle_t;\n    (void)%s;\n",
        w->sweep.type, w->sweep.name, w->sweep.type, w->sweep.name);
    emit_unpack(w, used, out);
    emit_body(w, out, &edits);
    emit_write_back(w, used, out);
    buf_puts(out, "    return heddle_v;\n}\n");
}

void emit_sweeps(struct nest *w, struct buf *out) {
    buf_printf(out, "#define HEDDLE_SWEEPS %d\n", w->in_place ? 2 : 1);
    set_sweep(w, out);
    if (!w->in_place)
        return;
    buf_printf(out, "#define $_STENCIL_PURE %d\n", w->in_place_pure);
    reads(w, out);
    load_old(w, out);
    element(w, out);
    stencil(w, out);
}
