/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assembles what one nest becomes: declarations before its function, the call in place of the
 * pragma, the user's loop kept behind `else` as the serial form (docs/decisions/001-emit-a-description.md).
 */
#include "front/macros.h"
#include "emit.h"
#include "analysis/batch.h"

#include <string.h>

bool emit_is_array(const struct var *v) { return v->kind == VAR_POINTER || v->kind == VAR_ARRAY; }

bool emit_is_plain(const struct var *v) { return v->ndims < 2 || v->table; }

const char *emit_pointee(const struct var *v) { return v->table ? v->table : v->elem; }

bool emit_is_stored(const struct var *v) { return v->field == FIELD_FULL && v->keep == KEEP_ALL; }

bool emit_is_staged(const struct nest *w) {
    bool any = false;
    for (size_t i = 0; w->registers && i < w->vars.n; i++) {
        if (emit_is_stored(w->vars.at[i]) && !w->vars.at[i]->unit_stride)
            return false;
        any |= emit_is_stored(w->vars.at[i]);
    }
    return any;
}

bool *emit_set(const struct nest *w) { return mem_alloc((w->vars.n + 1) * sizeof(bool)); }

const char *emit_early(const struct early *e, const char *text) {
    return e ? mem_printf("(heddle_x ? heddle_x->%s : %s)", e->name, text) : text;
}

const char *emit_replacement(const struct ref *r) {
    static const char *const from[] = {[ROLE_OWN] = "heddle_v.",
                                       [ROLE_LEFT] = "heddle_left.",
                                       [ROLE_TOP] = "heddle_top.",
                                       [ROLE_TOP_LEFT] = "heddle_top_left.",
                                       [ROLE_ROW] = "heddle_row->",
                                       [ROLE_COL] = "heddle_col->",
                                       [ROLE_TOP_RIGHT] = "heddle_top_right.",
                                       [ROLE_FAR_TOP_LEFT] = "heddle_far_top_left."};
    if (r->role == ROLE_MEMORY || (r->access & ACCESS_UNEVALUATED))
        return NULL;
    return mem_printf("%s%s", from[r->role], r->hoist ? r->hoist->name : r->v->name);
}

static bool is_replaced(const struct nest *w, size_t offset) {
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (!r->macro && r->b <= offset && offset < r->e && emit_replacement(r))
            return true;
    }
    return false;
}

void emit_mark(const struct nest *w, struct span s, bool replaced, bool *used) {
    for (size_t i = 0; i < w->uses.n; i++) {
        const struct use *use = &w->uses.at[i];
        if (use->offset < s.b || use->offset >= s.e || (replaced && is_replaced(w, use->offset)))
            continue;
        for (size_t k = 0; k < w->vars.n; k++)
            if (w->vars.at[k] == use->v)
                used[k] = true;
    }
}

const char *emit_inner(const struct var *v, const char *env) {
    struct buf b = {0};
    for (int d = 1; d < v->ndims; d++) {
        if (v->dim[d])
            buf_printf(&b, "[%ld]", v->dim[d]);
        else
            buf_printf(&b, "[%sheddle_%s_ld%d]", env, v->name, d);
    }
    return b.n ? b.s : "";
}

void emit_unpack_loops(const struct nest *w, const bool *used, long di, long dj, struct buf *out) {
    for (int l = 0; l < 2; l++) {
        const struct loop *loop = &w->loop[l];
        long shift = l ? dj : di;
        if (!used[l])
            continue;
        if (shift)
            buf_printf(out, "    %s %s = (%s)(heddle_%c + %ld);\n", loop->type, loop->name, loop->type, l ? 'j' : 'i',
                       shift);
        else
            buf_printf(out, "    %s %s = (%s)heddle_%c;\n", loop->type, loop->name, loop->type, l ? 'j' : 'i');
    }
}

void emit_unpack_variables(const struct nest *w, const bool *used, struct buf *out) {
    for (size_t i = 2; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (!used[i] || v->local)
            continue;
        if (v->in_place)
            buf_printf(out, "    __typeof__(heddle_r->%s) *heddle_at_%s = &heddle_r->%s;\n", v->name, v->name, v->name);
        else if (v->kind == VAR_SCALAR)
            buf_printf(out, "    %s %s = heddle_%s->%s;\n", v->type, v->name, v->reduced ? "r" : "e", v->name);
        else if (emit_is_plain(v))
            buf_printf(out, "    %s *%s = heddle_%s->%s;\n", emit_pointee(v), v->name, v->joined ? "r" : "e", v->name);
        else
            buf_printf(out, "    %s (*%s)%s = (%s (*)%s)heddle_%s->%s;\n", v->elem, v->name,
                       emit_inner(v, "heddle_e->"), v->elem, emit_inner(v, "heddle_e->"), v->joined ? "r" : "e",
                       v->name);
    }
}

void emit_unpack(const struct nest *w, const bool *used, struct buf *out) {
    emit_unpack_variables(w, used, out);
    emit_unpack_loops(w, used, 0, 0, out);
}

void emit_write_back(const struct nest *w, const bool *used, struct buf *out) {
    for (size_t i = 2; i < w->vars.n; i++)
        if (used[i] && w->vars.at[i]->reduced && !w->vars.at[i]->in_place)
            buf_printf(out, "    heddle_r->%s = %s;\n", w->vars.at[i]->name, w->vars.at[i]->name);
}

const char *emit_prefix(const struct nest *w) {
    const char *tag = w->u->tag;
    return mem_printf("heddle_%s%s%c%d", tag, *tag ? "_" : "", w->p->directive->bit == DIRECTIVE_FOR ? 'f' : 'w',
                      w->id);
}

/* ---- declarations ---- */

void emit_environment(const struct nest *w, struct buf *out) {
    buf_printf(out, "struct $_env {\n");
    size_t start = out->n;
    for (size_t i = 2; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->local)
            continue;
        if (v->kind == VAR_SCALAR && !v->reduced)
            buf_printf(out, "    %s %s;\n", v->type, v->name);
        if (emit_is_array(v))
            buf_printf(out, "    %s *%s;\n", emit_pointee(v), v->name);
        for (int d = 1; emit_is_array(v) && !emit_is_plain(v) && d < v->ndims; d++)
            if (!v->dim[d])
                buf_printf(out, "    long heddle_%s_ld%d;\n", v->name, d);
    }
    if (w->p->directive->bit == DIRECTIVE_FOR && w->loop[1].stmt) /* the inner loop of collapse(2) */
        buf_puts(out, "    long heddle_lo1, heddle_step1, heddle_count1;\n");
    if (w->batch && w->batch->last_cell) /* where the last cell goes, and its column */
        buf_puts(out, "    long heddle_j1;\n    void *heddle_last;\n");
    if (out->n == start) /* a structure of no size has no address to speak of */
        buf_puts(out, "    char heddle_none;\n");
    buf_puts(out, "};\n");
}

static void begin_list(struct buf *out, const char *name) { buf_printf(out, "#define $_%s(heddle_x)", name); }

/* How two workers' best values and places are joined: analysis/place_cell.c names the operator and its variables. The
   macros see both as they were, `was` and `from`. */
static void places(const struct nest *w, struct buf *out) {
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        if (c->id != CLAUSE_REDUCTION || c->kind != RED_USER)
            continue;
        const char *op = source_flat(&w->u->src, c->arg[0]), *name[3];
        for (int k = 0; k < 3; k++)
            name[k] = source_flat(&w->u->src, c->items.at[k].name);
        const char *order = strstr(op, "_first") ? "<" : ">";
        buf_printf(out, "#define HEDDLE_START_PLACE_%s(a) (a)\n#define HEDDLE_JOIN_PLACE_%s(a, b) ", name[1], name[1]);
        buf_printf(out, "(from->%s %s was.%s || (from->%s == was.%s && ", name[0], strstr(op, "_max_") ? ">" : "<",
                   name[0], name[0], name[0]);
        buf_printf(out, "(from->%s %s was.%s || (from->%s == was.%s && from->%s %s was.%s))) ? (b) : (a))\n", name[1],
                   order, name[1], name[1], name[1], name[2], order, name[2]);
    }
}

static void lists(const struct nest *w, struct buf *out) {
    static const char *const names[] = {"CELL", "EDGE", "LEFT"};
    for (int l = 0; l < 3; l++) {
        begin_list(out, names[l]);
        for (size_t i = 0; i < w->vars.n; i++) {
            const struct var *v = w->vars.at[i];
            /* The memory form carries nothing, but engines want to know what a cell holds. */
            bool carried = w->registers && ((l == 1 && v->edge) || (l == 2 && v->left));
            if (v->field != FIELD_NONE && (l == 0 || carried))
                buf_printf(out, " heddle_x(%s, %s)", v->elem_plain, v->name);
        }
        buf_puts(out, "\n");
    }
    begin_list(out, "STAGED");
    for (size_t i = 0; emit_is_staged(w) && i < w->vars.n; i++)
        if (emit_is_stored(w->vars.at[i]))
            buf_printf(out, " heddle_x(%s, %s)", w->vars.at[i]->elem_plain, w->vars.at[i]->name);
    buf_puts(out, "\n");
    begin_list(out, "STREAM");
    for (size_t i = 0; i < w->streams.n; i++) {
        const struct stream *s = w->streams.at[i];
        buf_printf(out, " heddle_x(%s, %s, %ld, %ld, %ld, %ld)", s->v->elem_plain, s->v->name, s->row_first,
                   s->row_last, s->col_first, s->col_last);
    }
    buf_puts(out, "\n");
    begin_list(out, "EARLY");
    for (size_t i = 0; i < w->early.n; i++) {
        const struct early *e = w->early.at[i];
        size_t number = 0;
        while (w->streams.at[number] != e->stream)
            number++;
        buf_printf(out, " heddle_x(%s, %s, %zu, %ld, %ld)", e->stream->v->elem_plain, e->name, number, e->di, e->dj);
    }
    buf_puts(out, "\n");
    places(w, out);
    begin_list(out, "RED");
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->reduced && w->vars.at[i]->place)
            buf_printf(out, " heddle_x(%s, %s, PLACE_%s)", w->vars.at[i]->type, w->vars.at[i]->name,
                       source_flat(&w->u->src, w->vars.at[i]->place->items.at[1].name)); /* of its own line */
        else if (w->vars.at[i]->reduced)
            buf_printf(out, " heddle_x(%s, %s, %s)", w->vars.at[i]->type, w->vars.at[i]->name,
                       clause_op_constant(w->vars.at[i]->op));
    buf_puts(out, "\n");
    begin_list(out, "ROW");
    for (size_t i = 0; w->registers && i < w->rows.n; i++)
        buf_printf(out, " heddle_x(%s, %s)", w->rows.at[i]->type, w->rows.at[i]->name);
    buf_puts(out, "\n");
    begin_list(out, "FAR");
    for (size_t i = 0; i < w->fars.n; i++)
        buf_printf(out, " heddle_x(%s, %s)", w->fars.at[i]->type, w->fars.at[i]->name);
    buf_puts(out, "\n");
    begin_list(out, "COL");
    for (size_t i = 0; w->registers && i < w->cols.n; i++)
        buf_printf(out, " heddle_x(%s, %s)", w->cols.at[i]->type, w->cols.at[i]->name);
    buf_puts(out, "\n");
}

struct facts {
    int store, last_rows, last_col, corner, loads, lost;
};

static int last_rows(const struct var *v) {
    if (v->field == FIELD_NONE || v->field == FIELD_COLLAPSED_J || v->keep == KEEP_NONE)
        return 0;
    if (v->field == FIELD_ROLLING && v->keep == KEEP_ALL)
        return v->rolling;
    return v->field == FIELD_FULL && v->keep == KEEP_ALL ? 0 : 1;
}

static void collect_facts(const struct nest *w, struct facts *f) {
    f->last_rows = w->batch && w->batch->last_cell;
    for (size_t i = 0; w->registers && i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        f->corner |= v->diagonal;
        f->lost |= v->field != FIELD_NONE && v->keep == KEEP_NONE;
        f->store |= emit_is_stored(v);
        f->last_col |=
            (v->field == FIELD_COLLAPSED_J && v->keep != KEEP_NONE) || (v->field == FIELD_FULL && v->keep == KEEP_LAST);
        if (last_rows(v) > f->last_rows)
            f->last_rows = last_rows(v);
    }
    for (size_t i = 0; i < w->refs.n; i++)
        f->loads |= w->refs.at[i]->role == ROLE_MEMORY;
}

void emit_facts(struct nest *w, struct buf *out) {
    struct facts f = {0};
    collect_facts(w, &f);
    const struct {
        const char *name;
        long value;
    } facts[] = {{"REGISTERS", w->registers},
                 {"MEMORY", w->memory},
                 {"PURE", w->pure},
                 {"STORE", f.store},
                 {"LAST_ROWS", f.last_rows},
                 {"LAST_COL", f.last_col},
                 {"CORNER", f.corner},
                 {"HOST_BORDER", w->host_border},
                 {"SKEW", w->skew},
                 {"AHEAD", w->ahead},
                 {"DEPTH", w->depth},
                 {"LOADS", f.loads},
                 {"PREFIX", w->prefix},
                 {"FARS", (long)w->fars.n},
                 {"SPLIT", !f.lost},
                 {"BATCH", w->batched},
                 {"EARLY_PURE", w->early_pure},
                 {"CLIP", w->clip != NULL}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        buf_printf(out, "#define $_%s %ld\n", facts[i].name, facts[i].value);
}

void emit_engine(struct unit *u, struct buf *out, const char *lines, bool host) {
    macros_include(u, out,
                   host && !u->host ? mem_printf("#include <heddle/engine/device/host_only.h>\n%s"
                                                 "#pragma pop_macro(\"HEDDLE_LAUNCH\")\n",
                                                 lines)
                                    : lines);
}

const char *emit_indent(const struct unit *u, size_t offset) {
    struct buf in = {0};
    buf_add(&in, "", 0);
    buf_pad(&in, source_column(&u->src, offset) - 1);
    return in.s;
}

static bool rest_of_line_blank(const struct source *src, size_t pos) {
    while (pos < src->size && (src->text[pos] == ' ' || src->text[pos] == '\t' || src->text[pos] == '\r'))
        pos++;
    return pos == src->size || src->text[pos] == '\n';
}

void emit_next_line(const struct unit *u, struct buf *out, const struct pragma *p) {
    struct buf marker = {0};
    if (!rest_of_line_blank(&u->src, p->e)) { /* _Pragma("…") for (…) */
        source_marker(&u->src, out, p->e, 0);
        buf_pad(out, source_column(&u->src, p->e) - 1);
        return;
    }
    source_marker(&u->src, &marker, p->e, 1);
    buf_add(out, marker.s, marker.n - 1); /* the newline after the pragma ends it */
}

/* Back to the user's text at an offset: marker, then blanks up to its column. */
void emit_resume(const struct nest *w, struct buf *out, size_t offset) {
    const struct source *src = &w->u->src;
    source_marker(src, out, offset, 0);
    buf_pad(out, source_column(src, offset) - 1);
}

/* As they are written, from the name on; #undef takes them away again, up to where the function defines them. */
void emit_defines(const struct nest *w, struct buf *out, bool begin) {
    for (size_t i = 0; i < w->defines.n; i++) {
        struct span s;
        if (begin && ast_span(w->u, w->defines.at[i].c, &s))
            buf_printf(out, "#define %.*s\n", (int)(scan_directive_end(&w->u->src, s.b) - s.b), w->u->src.text + s.b);
        else
            buf_printf(out, "#undef %s\n", w->defines.at[i].name);
    }
}

static const char *declarations(struct nest *w) {
    struct buf out = {.prefix = emit_prefix(w)};
    const struct source *src = &w->u->src;
    const char *p = emit_prefix(w);
    unsigned line = source_line(src, w->p->b);
    if (source_column(src, w->function_begin) > 1)
        buf_puts(&out, "\n");
    buf_printf(&out, "/* heddle: %s at line %u, in %s() */\n", w->p->directive->name, line, w->function_name);
    macros_include(w->u, &out, "#include <heddle/engine/nest.h>\n");
    buf_printf(&out, "HEDDLE_QUIET\n#define HEDDLE_NEST $\n#define $_FILE ");
    struct buf marker = {0};
    source_marker(src, &marker, w->p->b, 0);
    buf_puts(&out, strchr(marker.s, '"')); /* the path as a string, with its newline */
    buf_printf(&out, "#define $_FUNCTION \"%s\"\n#define $_LINE %u\n", w->function_name, line);
    emit_defines(w, &out, true);
    emit_environment(w, &out);
    lists(w, &out);
    emit_facts(w, &out);
    macros_include(w->u, &out, mem_printf("HEDDLE_NEST_TYPES(%s)\n", p));
    emit_functions(w, &out);
    if (w->swept)
        emit_sweeps(w, &out);
    if (w->batch)
        emit_batch(w, &out);
    const char *engine =
        w->extended
            ? "#define HEDDLE_EXTENDED 1\n#include <heddle/engine/wavefront/wavefront.h>\n#undef HEDDLE_EXTENDED\n"
            : "#include <heddle/engine/wavefront/wavefront.h>\n";
    emit_engine(w->u, &out, engine, w->host);
    buf_printf(&out, "#undef HEDDLE_NEST\n%sHEDDLE_LOUD\n",
               w->swept   ? "#undef HEDDLE_SWEEPS\n"
               : w->batch ? "#undef HEDDLE_BATCH\n"
                          : "");
    emit_defines(w, &out, false);
    emit_resume(w, &out, w->function_begin);
    return out.s;
}

/* Behind the whole loop that the pragma is about. */
static size_t end_of(const struct nest *w) { return w->batch ? w->batch->root_end : w->root_end; }

const char *emit_closing(const struct nest *w) {
    const struct source *src = &w->u->src;
    if (!rest_of_line_blank(src, end_of(w)))
        return " }";
    struct buf out = {0}, marker = {0};
    buf_puts(&out, "\n");
    buf_pad(&out, source_column(src, w->p->b) - 1);
    buf_puts(&out, "}\n");
    source_marker(src, &marker, end_of(w), 1);
    buf_add(&out, marker.s, marker.n - 1); /* the user's own newline ends it */
    return out.s;
}

void emit_nest(struct nest *w) {
    struct buf call = {.prefix = emit_prefix(w)};
    edit_list *edits = &w->u->edits;
    if (w->batch)
        emit_batch_call(w, &call);
    else
        emit_call(w, &call);
    vec_push(edits, (struct edit){w->function_begin, w->function_begin, declarations(w)});
    vec_push(edits, (struct edit){w->p->b, w->p->e, call.s});
    vec_push(edits, (struct edit){end_of(w), end_of(w), emit_closing(w)});
}
