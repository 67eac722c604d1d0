/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of one nest: loads of rows, columns and borders, the body with its references
 * replaced (register form), stores, and the body as written (memory form). All of them always
 * exist; one that a nest does not need is empty.
 */
#include "analysis/refs.h"
#include "emit.h"
#include "analysis/batch.h"

#include <string.h>

static void head(struct buf *out, const char *name, const char *more) {
    buf_printf(out, "static HEDDLE_INLINE void $_%s(const struct $_env *heddle_e, %s)\n{\n", name, more);
}

static void unused(struct buf *out, const char *names) {
    buf_puts(out, "    ");
    for (const char *s = names; *s;) {
        size_t n = strcspn(s, " ");
        buf_printf(out, "(void)heddle_%.*s%s", (int)n, s, s[n] ? ", " : ";\n");
        s += n + (s[n] == ' ');
    }
}

static struct span ref_span(const struct ref *r) { return (struct span){r->b, r->e}; }

/* ---- hoisted references ---- */

static void load_hoisted(const struct nest *w, struct buf *out, bool row) {
    const char *p = emit_prefix(w), *what = row ? "row" : "col";
    bool *used = emit_set(w);
    size_t n = !w->registers ? 0 : row ? w->rows.n : w->cols.n;
    head(out, mem_printf("load_%s", what),
         mem_printf("long heddle_%c, struct %s_%s *heddle_%s", row ? 'i' : 'j', p, what, what));
    unused(out, mem_printf("e %c %s", row ? 'i' : 'j', what));
    for (size_t i = 0; i < n; i++)
        emit_mark(w, ref_span((row ? w->rows.at[i] : w->cols.at[i])->ref), false, used);
    emit_unpack(w, used, out);
    for (size_t i = 0; i < n; i++) {
        const struct hoist *h = row ? w->rows.at[i] : w->cols.at[i];
        buf_printf(out, "    heddle_%s->%s = %s;\n", what, h->name, refs_text(w, h->ref));
    }
    buf_puts(out, "}\n");
}

/* ---- borders ---- */

static bool above(const struct ref *r) {
    return r->role == ROLE_TOP_LEFT || r->role == ROLE_TOP_RIGHT || r->role == ROLE_FAR_TOP_LEFT;
}

/* The reference whose text loads a border value of v, and how far it is from the border cell. A
   rolling row is read as the user wrote it, since (i - 1) % 3 of the first row may be negative. */
static const struct ref *border_ref(const struct nest *w, const struct var *v, enum role wanted) {
    const struct ref *found = v->write;
    if (v->field != FIELD_ROLLING)
        return found;
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (r->v == v && (r->role == wanted || (above(r) && found == v->write)))
            found = r;
    }
    return found;
}

static const char *guard(const struct nest *w, const struct ref *r) {
    struct buf b = {0};
    for (int d = 0; d < r->nsubs; d++) {
        CXType t = clang_getCanonicalType(clang_getCursorType(r->sub[d]->c));
        const char *text = source_flat(&w->u->src, (struct span){r->sub[d]->b, r->sub[d]->e});
        /* An unsigned subscript below zero has wrapped: look at it as signed. */
        buf_printf(&b, "%s(long)%s(%s) < 0", b.n ? " || " : "", t.kind == CXType_UInt ? "(int)" : "", text);
    }
    return b.s;
}

static void load_field(const struct nest *w, struct buf *out, const struct var *v, const struct ref *r, bool guarded,
                       bool own_scope) {
    bool *used = emit_set(w);
    if (v->local)
        for (int d = 0; d < r->nsubs; d++)
            emit_mark(w, (struct span){r->sub[d]->b, r->sub[d]->e}, false, used);
    else
        emit_mark(w, ref_span(r), false, used);
    if (own_scope) {
        buf_puts(out, "    {\n");
        emit_unpack_loops(w, used, r->di, r->dj, out);
    }
    if (v->local)
        emit_first_value(w, r, mem_printf("heddle_v->%s", v->name), out);
    else if (guarded)
        buf_printf(out, "    heddle_v->%s = %s ? (%s){0} : %s;\n", v->name, guard(w, r), v->elem_plain,
                   refs_text(w, r));
    else
        buf_printf(out, "    heddle_v->%s = %s;\n", v->name, refs_text(w, r));
    if (own_scope)
        buf_puts(out, "    }\n");
}

/* The last two: beside the nest's row i on the right, and two columns before it. */
enum border { BORDER_TOP, BORDER_CORNER, BORDER_LEFT, BORDER_RIGHT, BORDER_BEHIND };

static bool has_border(const struct var *v, enum border which) {
    return which == BORDER_TOP      ? v->edge
           : which == BORDER_CORNER ? v->diagonal
           : which == BORDER_LEFT   ? v->left
           : which == BORDER_RIGHT  ? v->ahead
                                    : v->behind;
}

static bool is_guarded(const struct var *v, enum border which) {
    return (which != BORDER_LEFT && v->guard_top) ||
           ((which == BORDER_LEFT || which == BORDER_BEHIND) && v->guard_left);
}

static void load_border(const struct nest *w, struct buf *out, enum border which) {
    static const char *const names[] = {"load_top", "load_corner", "load_left", "load_right", "load_behind"};
    static const enum role roles[] = {ROLE_TOP, ROLE_TOP_LEFT, ROLE_LEFT, ROLE_TOP_RIGHT, ROLE_FAR_TOP_LEFT};
    bool *used = emit_set(w), shifted = false;
    VEC(const struct var *) fields = {0};
    for (size_t i = 0; w->registers && i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (!has_border(v, which))
            continue;
        const struct ref *r = border_ref(w, v, roles[which]);
        vec_push(&fields, v);
        emit_mark(w, ref_span(r), false, used);
        if (v->local)
            emit_first_marks(w, v, used);
        shifted |= r->di || r->dj;
    }
    head(out, names[which],
         mem_printf("long heddle_i, long heddle_j, struct %s_%s *heddle_v", emit_prefix(w),
                    which == BORDER_LEFT ? "cell" : "edge"));
    unused(out, "e i j v");
    emit_unpack_variables(w, used, out);
    if (!shifted)
        emit_unpack_loops(w, used, 0, 0, out);
    for (size_t i = 0; i < fields.n; i++) {
        const struct var *v = fields.at[i];
        load_field(w, out, v, border_ref(w, v, roles[which]), is_guarded(v, which), shifted);
    }
    buf_puts(out, "}\n");
}

/* ---- stores ---- */

/* how many of the last rows this field wants; 0: none */
static int rows_wanted(const struct var *v) {
    if (v->keep == KEEP_NONE || v->field == FIELD_COLLAPSED_J)
        return 0;
    if (v->field == FIELD_FULL)
        return v->keep == KEEP_LAST;
    return v->field == FIELD_ROLLING && v->keep == KEEP_ALL ? v->rolling : 1;
}

static bool in_last_col(const struct var *v) {
    return (v->field == FIELD_COLLAPSED_J && v->keep != KEEP_NONE) || (v->field == FIELD_FULL && v->keep == KEEP_LAST);
}

enum store { STORE_CELL, STORE_LAST_ROW, STORE_LAST_COL };

static bool stored(const struct var *v, enum store which) {
    if (v->field == FIELD_NONE)
        return false;
    if (which == STORE_LAST_ROW)
        return rows_wanted(v) > 0;
    return which == STORE_LAST_COL ? in_last_col(v) : emit_is_stored(v);
}

static void store(const struct nest *w, struct buf *out, enum store which) {
    static const char *const names[] = {"store", "store_last_row", "store_last_col"};
    bool *used = emit_set(w);
    bool rows = which == STORE_LAST_ROW;
    int most = 0;
    for (size_t i = 0; w->registers && i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (!stored(v, which))
            continue;
        emit_mark(w, ref_span(v->write), false, used);
        most = rows_wanted(v) > most ? rows_wanted(v) : most;
    }
    head(out, names[which],
         mem_printf("long heddle_i, long heddle_j, %sconst struct %s_cell *heddle_v",
                    rows ? "long heddle_rows_left, " : "", emit_prefix(w)));
    unused(out, rows ? "e i j rows_left v" : "e i j v");
    emit_unpack(w, used, out);
    if (rows && w->batch && w->batch->last_cell) /* the array does not exist */
        buf_puts(out, "    if (heddle_e->heddle_last && heddle_j == heddle_e->heddle_j1)\n"
                      "        __builtin_memcpy(heddle_e->heddle_last, heddle_v, sizeof *heddle_v);\n");
    for (size_t i = 0; w->registers && i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (!stored(v, which))
            continue;
        if (rows && rows_wanted(v) < most)
            buf_printf(out, "    if (heddle_rows_left < %d)\n    ", rows_wanted(v));
        buf_printf(out, "    %s = heddle_v->%s;\n", refs_text(w, v->write), v->name);
    }
    buf_puts(out, "}\n");
}

/* Where the cell of each staged array is: rows are contiguous, so engines may store many cells at once. */
static void place(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    int n = 0;
    for (size_t i = 0; emit_is_staged(w) && i < w->vars.n; i++)
        if (emit_is_stored(w->vars.at[i]))
            emit_mark(w, ref_span(w->vars.at[i]->write), false, used);
    head(out, "place", "long heddle_i, long heddle_j, char **heddle_p");
    unused(out, "e i j p");
    emit_unpack(w, used, out);
    for (size_t i = 0; emit_is_staged(w) && i < w->vars.n; i++)
        if (emit_is_stored(w->vars.at[i]))
            buf_printf(out, "    heddle_p[%d] = (char *)&%s;\n", n++, refs_text(w, w->vars.at[i]->write));
    buf_puts(out, "}\n");
}

static void stream_place(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    for (size_t i = 0; i < w->streams.n; i++)
        emit_mark(w, ref_span(w->streams.at[i]->base), false, used);
    head(out, "stream_place", "long heddle_i, long heddle_j, const char **heddle_p");
    unused(out, "e i j p");
    emit_unpack(w, used, out);
    for (size_t i = 0; i < w->streams.n; i++)
        buf_printf(out, "    heddle_p[%zu] = (const char *)&%s;\n", i, refs_text(w, w->streams.at[i]->base));
    buf_puts(out, "}\n");
}

/* ---- the body ---- */

void emit_body(const struct nest *w, struct buf *out, const edit_list *edits) {
    const struct source *src = &w->u->src;
    struct span s = {w->body_begin, w->body_end};
    buf_puts(out, "    do\n");
    source_marker(src, out, s.b, 0);
    buf_pad(out, source_column(src, s.b) - 1);
    buf_puts(out, source_edited(src, s, edits));
    buf_puts(out, "\n    while (0);\n");
}

static void preload(const struct nest *w, struct buf *out, bool far) {
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (!v->preload)
            continue;
        if (v->field == FIELD_FULL && far && v->write->far)
            buf_printf(out, "    heddle_v.%s = heddle_far->%s;\n", v->name, v->write->far);
        else if (v->field == FIELD_FULL)
            buf_printf(out, "    heddle_v.%s = %s;\n", v->name, emit_early(v->old, refs_text(w, v->write)));
        else
            buf_printf(out, "    heddle_v.%s = heddle_%s.%s;\n", v->name,
                       v->field == FIELD_COLLAPSED_J ? "left" : "top", v->name);
    }
}

/* Where some reads are done before: BODY_FAR, those gathered ahead of the nest; BODY_LOOK, tables. */
enum body { BODY_PLAIN, BODY_FAR, BODY_LOOK };

/* The text that stands for a reference, or NULL. The written reference itself stays what it is. */
static const char *replacement(const struct nest *w, const struct ref *r, enum body body) {
    const bool far = body == BODY_FAR;
    if (r->macro)
        return NULL;
    if (body == BODY_LOOK && r->look)
        return mem_printf("heddle_look->%s", r->look);
    if (far && r->far && r != r->v->write)
        return mem_printf("heddle_far->%s", r->far);
    return r->early ? emit_early(r->early, refs_text(w, r)) : emit_replacement(r);
}

static void compute_body(const struct nest *w, struct buf *out, enum body body) {
    const bool far = body == BODY_FAR;
    bool *used = emit_set(w);
    edit_list edits = {0};
    emit_mark(w, (struct span){w->body_begin, w->body_end}, true, used);
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        const char *text = replacement(w, r, body);
        if (text)
            vec_push(&edits, (struct edit){r->b, r->e, text});
        if (r == r->v->write && r->v->preload && r->v->field == FIELD_FULL)
            emit_mark(w, ref_span(r), false, used);
    }
    emit_unpack(w, used, out);
    for (size_t i = 0; far && i < w->vars.n; i++) /* perhaps all its references are gathered */
        if (used[i])
            buf_printf(out, "    (void)%s;\n", w->vars.at[i]->name);
    preload(w, out, far);
    emit_body(w, out, &edits);
    emit_write_back(w, used, out);
}

/* The body with its carried references replaced, for a nest that reads further along the row above. */
static void compute_wide(const struct nest *w, struct buf *out) {
    buf_printf(out, "static HEDDLE_INLINE struct $_cell\n"
                    "$_compute_wide(const struct $_env *heddle_e, long heddle_i, long heddle_j,\n"
                    "    const struct $_row *heddle_row, const struct $_col *heddle_col, struct $_edge heddle_top, "
                    "struct $_cell heddle_left,\n"
                    "    struct $_edge heddle_top_left, struct $_edge heddle_top_right, struct $_edge "
                    "heddle_far_top_left, struct $_red *heddle_r,\n"
                    "    const struct $_early *heddle_x)\n{\n    struct $_cell heddle_v;\n");
    unused(out, "e i j row col top left top_left top_right far_top_left r x");
    compute_body(w, out, BODY_PLAIN);
    buf_puts(out, "    return heddle_v;\n}\n");
}

/* The body with its carried references replaced; `far`: also those that were gathered before. */
static void compute(const struct nest *w, struct buf *out, bool far) {
    const char *p = emit_prefix(w);
    buf_printf(out,
               "static HEDDLE_INLINE struct $_cell\n"
               "$_compute%s(const struct $_env *heddle_e, long heddle_i, long heddle_j,\n"
               "    const struct $_row *heddle_row, const struct $_col *heddle_col,%s\n"
               "    struct $_edge heddle_top, struct $_cell heddle_left, struct $_edge heddle_top_left, struct $_red "
               "*heddle_r,\n    const struct $_early *heddle_x)\n{\n    struct $_cell heddle_v;\n",
               far ? "_far" : "", far ? mem_printf(" const struct %s_far *heddle_far,", p) : "");
    unused(out, far ? "e i j row col far top left top_left r x" : "e i j row col top left top_left r x");
    if (far && !w->fars.n)
        buf_printf(out, "    heddle_v = $_compute(heddle_e, heddle_i, heddle_j, heddle_row, heddle_col, heddle_top, "
                        "heddle_left, heddle_top_left, heddle_r, heddle_x);\n");
    else if (w->registers && !w->extended)
        compute_body(w, out, far ? BODY_FAR : BODY_PLAIN);
    else
        buf_puts(out, "    __builtin_memset(&heddle_v, 0, sizeof heddle_v);\n");
    buf_puts(out, "    return heddle_v;\n}\n");
}

/* The same with tables looked up before. */
void emit_compute_look(const struct nest *w, struct buf *out) {
    buf_printf(out,
               "static HEDDLE_INLINE struct $_cell\n"
               "$_compute_look(const struct $_env *heddle_e, long heddle_i, long heddle_j,\n"
               "    const struct $_row *heddle_row, const struct $_col *heddle_col, const struct $_look *heddle_look,\n"
               "    struct $_edge heddle_top, struct $_cell heddle_left, struct $_edge heddle_top_left, struct $_red "
               "*heddle_r)\n{\n    struct $_cell heddle_v;\n    const struct $_early *heddle_x = 0;\n");
    unused(out, "e i j row col look top left top_left r x");
    compute_body(w, out, BODY_LOOK);
    buf_puts(out, "    return heddle_v;\n}\n");
}

static void load_far(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    head(out, "load_far", mem_printf("long heddle_i, long heddle_j, struct %s_far *heddle_far", emit_prefix(w)));
    unused(out, "e i j far");
    for (size_t i = 0; i < w->fars.n; i++)
        emit_mark(w, ref_span(w->fars.at[i]->ref), false, used);
    emit_unpack(w, used, out);
    for (size_t i = 0; i < w->fars.n; i++)
        buf_printf(out, "    heddle_far->%s = %s;\n", w->fars.at[i]->name, refs_text(w, w->fars.at[i]->ref));
    buf_puts(out, "}\n");
}

static void visit(const struct nest *w, struct buf *out) {
    head(out, "visit", mem_printf("long heddle_i, long heddle_j, struct %s_red *heddle_r", emit_prefix(w)));
    unused(out, "e i j r");
    if (w->memory) {
        bool *used = emit_set(w);
        edit_list none = {0};
        emit_mark(w, (struct span){w->body_begin, w->body_end}, false, used);
        emit_unpack(w, used, out);
        emit_body(w, out, &none);
        emit_write_back(w, used, out);
    }
    buf_puts(out, "}\n");
}

/* The columns that a row has, where rows differ. */
static void clip(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    if (!w->clip)
        return;
    head(out, "clip", "long heddle_i, long *heddle_first, long *heddle_end");
    unused(out, "e i first end");
    for (size_t i = 0; i < w->vars.n; i++)
        used[i] =
            i != 1 && !w->vars.at[i]->reduced && (w->vars.at[i]->kind == VAR_SCALAR || w->vars.at[i]->kind == VAR_LOOP);
    emit_unpack(w, used, out);
    for (size_t i = 0; i < w->vars.n; i++)
        if (used[i])
            buf_printf(out, "    (void)%s;\n", w->vars.at[i]->name);
    buf_printf(out, "    *heddle_first = %s;\n    *heddle_end = %s;\n}\n", w->clip->first, w->clip->end);
}

void emit_functions(struct nest *w, struct buf *out) {
    load_hoisted(w, out, true);
    load_hoisted(w, out, false);
    load_border(w, out, BORDER_TOP);
    load_border(w, out, BORDER_CORNER);
    load_border(w, out, BORDER_LEFT);
    if (w->extended) {
        load_border(w, out, BORDER_RIGHT);
        load_border(w, out, BORDER_BEHIND);
        compute_wide(w, out);
    }
    compute(w, out, false);
    load_far(w, out);
    compute(w, out, true);
    store(w, out, STORE_CELL);
    store(w, out, STORE_LAST_ROW);
    store(w, out, STORE_LAST_COL);
    place(w, out);
    stream_place(w, out);
    visit(w, out);
    clip(w, out);
    emit_prefix_functions(w, out);
}
