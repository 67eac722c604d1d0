/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a batch adds to its nest: the structure of what the loop over problems takes from outside, the statements before
 * and behind the nest as functions, the first values of a problem's own arrays as expressions, and the call.
 */
#include "front/macros.h"
#include "analysis/refs.h"
#include "emit.h"
#include "analysis/batch.h"

#include <string.h>

/* ---- first values ---- */

static bool is_of(const struct first_value *f, const struct var *v) {
    return clang_equalCursors(clang_getCanonicalCursor(f->array), clang_getCanonicalCursor(v->decl));
}

void emit_first_marks(const struct nest *w, const struct var *v, bool *used) {
    for (size_t i = 0; i < w->batch->firsts.n; i++) {
        const struct first_value *f = &w->batch->firsts.at[i];
        if (is_of(f, v) && !f->zero)
            emit_mark(w, (struct span){f->stmt->b, f->stmt->e}, false, used);
    }
}

/* if (the element is one of those that the statement sets) to = value */
static void set_if(const struct nest *w, const struct first_value *f, const char *to, struct buf *out) {
    const struct loop *l = f->loop.stmt ? &f->loop : NULL;
    int counted = -1;
    buf_puts(out, "        if (1");
    for (int d = 0; d < f->nsubs; d++) {
        if (l && nest_is_variable(f->sub[d], l->var)) {
            if (counted >= 0)
                buf_printf(out, " && heddle_s%d == heddle_s%d", d, counted);
            counted = d;
            buf_printf(out, " && heddle_s%d >= (long)(%s) && heddle_s%d %s (long)(%s)", d,
                       source_flat(&w->u->src, l->lo), d, l->open ? "<" : "<=", source_flat(&w->u->src, l->hi));
        } else {
            buf_printf(out, " && heddle_s%d == (long)(%s)", d, unit_text(w->u, f->sub[d]));
        }
    }
    buf_puts(out, ") {\n");
    if (l && counted >= 0)
        buf_printf(out, "            %s %s = (%s)heddle_s%d;\n            (void)%s;\n", l->type, l->name, l->type,
                   counted, l->name);
    else if (l) /* the last turn counts */
        buf_printf(out, "            %s %s = (%s)((%s)%s);\n            (void)%s;\n", l->type, l->name, l->type,
                   source_flat(&w->u->src, l->hi), l->open ? " - 1" : "", l->name);
    buf_printf(out, "            %s = %s;\n        }\n", to, unit_text(w->u, f->value));
}

void emit_first_value(const struct nest *w, const struct ref *r, const char *to, struct buf *out) {
    buf_puts(out, "    {\n");
    for (int d = 0; d < r->nsubs; d++)
        buf_printf(out, "        const long heddle_s%d = (long)(%s);\n        (void)heddle_s%d;\n", d,
                   unit_text(w->u, r->sub[d]), d);
    buf_printf(out, "        %s = (%s){0};\n", to, r->v->elem_plain);
    for (size_t i = 0; i < w->batch->firsts.n; i++) {
        const struct first_value *f = &w->batch->firsts.at[i];
        if (is_of(f, r->v) && f->zero)
            buf_printf(out, "        %s = (%s){0};\n", to, r->v->elem_plain);
        else if (is_of(f, r->v))
            set_if(w, f, to, out);
    }
    buf_puts(out, "    }\n");
}

/* The cell of an empty nest: what its elements were before. */
static void before(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    used[0] = used[1] = true;
    for (size_t i = 2; i < w->vars.n; i++)
        used[i] = !w->vars.at[i]->local && !w->vars.at[i]->reduced;
    buf_printf(out,
               "static HEDDLE_INLINE void $_before(const struct $_env *heddle_e, long heddle_i, long heddle_j, struct "
               "$_cell *heddle_v)\n{\n    (void)heddle_e, (void)heddle_i, (void)heddle_j, (void)heddle_v;\n");
    emit_unpack(w, used, out);
    for (size_t i = 2; i < w->vars.n; i++)
        if (w->vars.at[i]->local && w->vars.at[i]->write)
            emit_first_value(w, w->vars.at[i]->write, mem_printf("heddle_v->%s", w->vars.at[i]->name), out);
    buf_puts(out, "}\n");
}

/* ---- the statements around the nest ---- */

static const char *outer_prefix(const struct nest *w) { return mem_printf("%s_outer", emit_prefix(w)); }

static bool *all_outer(const struct nest *w) {
    bool *used = emit_set(&w->batch->outer);
    used[0] = true;
    for (size_t i = 2; i < w->batch->outer.vars.n; i++)
        used[i] = true;
    return used;
}

static void text(const struct nest *w, size_t b, size_t e, const edit_list *edits, struct buf *out) {
    const struct source *src = &w->u->src;
    source_marker(src, out, b, 0);
    buf_pad(out, source_column(src, b) - 1);
    buf_puts(out, source_edited(src, (struct span){b, e}, edits));
    buf_puts(out, "\n");
}

/* The variables from outside, then a block with the statements in front of the nest. */
static void open_problem(const struct nest *w, struct buf *out) {
    const struct batch *b = w->batch;
    edit_list edits = {0};
    for (size_t i = 0; i < b->dropped.n; i++)
        vec_push(&edits, (struct edit){b->dropped.at[i].b, b->dropped.at[i].e, ""});
    emit_unpack(&b->outer, all_outer(w), out);
    buf_puts(out, "    {\n");
    text(w, b->body->b + 1, b->nest->b, &edits, out);
}

static void problem(const struct nest *w, struct buf *out) {
    buf_printf(out,
               "static HEDDLE_INLINE void $_problem(const struct $_outer_env *heddle_e, long heddle_i, struct $_env "
               "*heddle_to, struct $_red *heddle_r, struct heddle_problem *heddle_b)\n{\n    (void)heddle_to, "
               "(void)heddle_r;\n");
    open_problem(w, out);
    for (size_t i = 2; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->local)
            continue;
        if (v->kind == VAR_SCALAR)
            buf_printf(out, "        heddle_%s->%s = %s;\n", v->reduced ? "r" : "to", v->name, v->name);
        else
            buf_printf(out, "        heddle_to->%s = (%s *)%s;\n", v->name, v->elem, v->name);
        struct buf sub = {0};
        for (int d = 1; emit_is_array(v) && d < v->ndims; d++) {
            buf_puts(&sub, "[0]");
            if (!v->dim[d])
                buf_printf(out, "        heddle_to->heddle_%s_ld%d = (long)(sizeof %s%s / sizeof %s%s[0]);\n", v->name,
                           d, v->name, sub.s, v->name, sub.s);
        }
    }
    buf_puts(out, "        *heddle_b = (struct heddle_problem){");
    for (int l = 0; l < 2; l++)
        buf_printf(out, "%s.%c0 = (%s), .%c1 = (%s)%s", l ? ", " : "", "ij"[l], loop_first(w->u, &w->loop[l]), "ij"[l],
                   loop_end(w->u, &w->loop[l]), w -> loop[l].open ? " - 1L" : "");
    buf_puts(out, "};\n");
    if (w->batch->last_cell)
        buf_puts(out, "        heddle_to->heddle_last = 0;\n        heddle_to->heddle_j1 = heddle_b->j1;\n");
    buf_puts(out, "    }\n}\n");
}

/* Elements of the last cell, behind the nest. */
static void last_cells(const struct nest *w, struct node *n, edit_list *edits) {
    struct var *v = batch_local(w, n);
    if (v && n->b >= w->batch->nest_end) {
        struct ref r = {.v = v};
        refs_subscripts(v, n, &r);
        vec_push(edits, (struct edit){r.n->b, r.n->e, mem_printf("heddle_last->%s", v->name)});
        return;
    }
    for (struct node *c = n->first; c; c = c->next)
        last_cells(w, c, edits);
}

static void finish(const struct nest *w, struct buf *out) {
    edit_list edits = {0};
    buf_printf(out,
               "static HEDDLE_INLINE void $_finish(const struct $_outer_env *heddle_e, long heddle_i, const struct "
               "$_red *heddle_r, const struct $_cell *heddle_last)\n{\n    (void)heddle_r, (void)heddle_last;\n");
    open_problem(w, out);
    for (size_t i = 2; i < w->vars.n; i++)
        if (w->vars.at[i]->reduced)
            buf_printf(out, "        %s = heddle_r->%s;\n", w->vars.at[i]->name, w->vars.at[i]->name);
    last_cells(w, w->batch->body, &edits);
    text(w, w->batch->nest_end, w->batch->body->e - 1, &edits, out);
    buf_puts(out, "    }\n}\n");
}

static void serial(const struct nest *w, struct buf *out) {
    const edit_list none = {0};
    buf_printf(out, "static HEDDLE_UNUSED void $_serial(const void *heddle_o, long heddle_i)\n{\n    const struct "
                    "$_outer_env *heddle_e = HEDDLE_PTR(heddle_o);\n    (void)heddle_e;\n");
    emit_unpack(&w->batch->outer, all_outer(w), out);
    text(w, w->batch->body->b, w->batch->body->e, &none, out);
    buf_puts(out, "}\n");
}

/* ---- tables ---- */

static const struct ref *first_look(const struct nest *w, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (w->refs.at[k]->look && !strcmp(w->refs.at[k]->look, w->refs.at[i]->look))
            return NULL;
    return w->refs.at[i];
}

/* The subscripts' hoisted values in place of what they name. */
static const char *looked_up(const struct nest *w, const struct ref *r) {
    edit_list edits = {0};
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *inner = w->refs.at[i];
        if (inner != r && inner->b >= r->b && inner->e <= r->e && !inner->macro && emit_replacement(inner))
            vec_push(&edits, (struct edit){inner->b, inner->e, emit_replacement(inner)});
    }
    return source_edited(&w->u->src, (struct span){r->b, r->e}, &edits);
}

static void tables(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    buf_printf(out, "#define $_LOOK(heddle_x)");
    for (size_t i = 0; i < w->refs.n; i++)
        if (w->refs.at[i]->look && first_look(w, i)) {
            buf_printf(out, " heddle_x(%s, %s)", w->refs.at[i]->v->elem_plain, w->refs.at[i]->look);
            emit_mark(w, (struct span){w->refs.at[i]->b, w->refs.at[i]->e}, true, used);
        }
    buf_puts(out, "\n");
    macros_include(w->u, out, mem_printf("HEDDLE_NEST_TYPE(%s, look, LOOK, HEDDLE_FIELD)\n", emit_prefix(w)));
    buf_printf(out, "static HEDDLE_INLINE void $_look_up(const struct $_env *heddle_e, const struct $_row *heddle_row, "
                    "const struct $_col *heddle_col, struct $_look *heddle_look)\n{\n    (void)heddle_e, "
                    "(void)heddle_row, (void)heddle_col, (void)heddle_look;\n");
    emit_unpack_variables(w, used, out);
    for (size_t i = 0; i < w->refs.n; i++)
        if (w->refs.at[i]->look && first_look(w, i))
            buf_printf(out, "    heddle_look->%s = %s;\n", w->refs.at[i]->look, looked_up(w, w->refs.at[i]));
    buf_puts(out, "}\n");
}

/* The column's value that alone chooses the element of a table's row; NULL: more does, or the row's length is not
   known, or longer than what processors permute. */
static const struct hoist *chooser(const struct nest *w, const struct ref *r) {
    enum { LONGEST = 64 };
    const long entries = r->v->dim[r->v->ndims - 1];
    struct node *last = ast_strip(r->sub[r->nsubs - 1]);
    const struct ref *inner = refs_at(w, last);
    const enum CXTypeKind kind = clang_getCanonicalType(r->v->elem_type).kind;
    return r->v->ndims > 1 && entries > 0 && entries <= LONGEST && kind != CXType_Record && inner && !inner->macro &&
                   inner->role == ROLE_COL && ast_is_integer(inner->v->elem_type)
               ? inner->hoist
               : NULL;
}

/* Tables whose row a vector can hold: the row's first element, and the column's value that chooses. */
static void permuted(const struct nest *w, struct buf *out) {
    struct buf list = {.prefix = emit_prefix(w)}, functions = {.prefix = emit_prefix(w)};
    buf_printf(&list, "#define $_PERMUTE(heddle_x)");
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        const struct hoist *by = r->look && first_look(w, i) ? chooser(w, r) : NULL;
        bool *used = emit_set(w);
        edit_list edits = {0};
        if (!by)
            continue;
        emit_mark(w, (struct span){r->b, r->e}, true, used);
        vec_push(&edits, (struct edit){r->sub[r->nsubs - 1]->b, r->sub[r->nsubs - 1]->e, "0"});
        for (size_t k = 0; k < w->refs.n; k++) {
            const struct ref *inner = w->refs.at[k];
            if (inner != r && inner->b >= r->b && inner->e <= r->sub[r->nsubs - 1]->b && emit_replacement(inner))
                vec_push(&edits, (struct edit){inner->b, inner->e, emit_replacement(inner)});
        }
        buf_printf(&list, " heddle_x(%s, %s, %ld, %s)", r->v->elem_plain, r->look, r->v->dim[r->v->ndims - 1],
                   by->name);
        buf_printf(&functions,
                   "static HEDDLE_INLINE const void *$_table_%s(const struct $_env *heddle_e, const struct $_row "
                   "*heddle_row)\n{\n    (void)heddle_e, (void)heddle_row;\n",
                   r->look);
        emit_unpack_variables(w, used, &functions);
        buf_printf(&functions, "    return &%s;\n}\n", source_edited(&w->u->src, (struct span){r->b, r->e}, &edits));
    }
    buf_printf(out, "%s\n%s", list.s, functions.n ? functions.s : "");
}

/* Scalars of the problem that its cells read: each lane has its own. */
static void own_scalars(const struct nest *w, struct buf *out) {
    bool *used = emit_set(w);
    emit_mark(w, (struct span){w->body_begin, w->body_end}, true, used);
    buf_printf(out, "#define $_OWN(heddle_x)");
    for (size_t i = 2; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (used[i] && v->own && v->kind == VAR_SCALAR && !v->reduced)
            buf_printf(out, " heddle_x(%s, %s)", v->type, v->name);
    }
    buf_puts(out, "\n");
}

/* Arrays that tables are: a GPU's blocks keep copies. */
static void table_arrays(const struct nest *w, struct buf *out) {
    buf_printf(out, "#define $_TABLES(heddle_x)");
    for (size_t i = 2; i < w->vars.n; i++) {
        bool looked = false;
        for (size_t k = 0; k < w->refs.n; k++)
            looked |= w->refs.at[k]->look && w->refs.at[k]->v == w->vars.at[i];
        if (looked && !w->vars.at[i]->local)
            buf_printf(out, " heddle_x(%s)", w->vars.at[i]->name);
    }
    buf_puts(out, "\n");
}

static bool is_short(CXType t) {
    const enum CXTypeKind kind = clang_getCanonicalType(t).kind;
    return kind == CXType_Short || kind == CXType_UShort;
}

/* Cells and reductions of 16 bits, all of them: a GPU's lanes hold two problems. */
static bool is_narrow(const struct nest *w) {
    bool any = false;
    for (size_t i = 2; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->field != FIELD_NONE && !is_short(v->elem_type))
            return false;
        if (v->reduced && !is_short(clang_getCursorType(v->decl)))
            return false;
        any |= v->field != FIELD_NONE;
    }
    return any && w->pure;
}

/* One table of 16 bits, whose row is the same for all problems and whose column a column's value chooses: what it holds
   for all rows and values is written down in advance. */
static bool has_profile(const struct nest *w) {
    const struct ref *only = NULL;
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (!r->look || !first_look(w, i))
            continue;
        if (only || !chooser(w, r) || !is_short(r->v->elem_type) || r->v->own)
            return false;
        for (int d = 0; d + 1 < r->nsubs; d++)
            if (batch_mentions_own(w, r->sub[d]))
                return false;
        only = r;
    }
    return only && w->batch->uniform_rows && is_narrow(w);
}

enum { MENTIONED = 1, SUBTRACTED = 2 };

static int mentions(const struct node *n, const struct var *v) {
    if (n->kind == CXCursor_DeclRefExpr)
        return clang_equalCursors(clang_getCursorReferenced(n->c), v->decl) ? MENTIONED : 0;
    int found = 0;
    for (struct node *c = n->first; c; c = c->next) {
        const bool minus = c != n->first && n->kind == CXCursor_BinaryOperator &&
                           ast_binary(n) == CXBinaryOperator_Sub && mentions(ast_strip(c), v) &&
                           ast_strip(c)->kind == CXCursor_DeclRefExpr;
        found |= minus ? SUBTRACTED : mentions(c, v);
    }
    return found;
}

/* Integers that cells only subtract, and the others: a GPU adds and does not subtract pairs of 16 bits. */
static void integers(const struct nest *w, const char *name, bool only_subtracted, struct buf *out) {
    buf_printf(out, "#define $_%s(heddle_x)", name);
    for (size_t i = 2; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(v->decl)).kind;
        const int how = v->kind == VAR_SCALAR && !v->reduced && (kind == CXType_Int || kind == CXType_Short)
                            ? mentions(w->batch->nest, v)
                            : 0;
        if (how && (how == SUBTRACTED) == only_subtracted)
            buf_printf(out, " heddle_x(%s)", v->name);
    }
    buf_puts(out, "\n");
}

void emit_batch(struct nest *w, struct buf *out) {
    struct batch *b = w->batch;
    struct buf outer = {.prefix = outer_prefix(w)};
    emit_environment(&b->outer, &outer);
    buf_puts(out, outer.s);
    macros_include(w->u, out, "#include <heddle/engine/wavefront/batch.h>\n#define HEDDLE_BATCH 1\n");
    buf_printf(out,
               "#define $_LAST_CELL %d\n#define $_UNIFORM_ROWS %d\n#define $_VECTOR %d\n#define $_SAME_I %d\n#define "
               "$_SAME_J %d\n#define $_NARROW %d\n#define $_PROFILE %d\n",
               b->last_cell, b->uniform_rows, w->pure, b->same_first[0], b->same_first[1], is_narrow(w),
               has_profile(w));
    table_arrays(w, out);
    integers(w, "SUBTRACTED", true, out);
    integers(w, "INTEGERS", false, out);
    before(w, out);
    problem(w, out);
    finish(w, out);
    serial(w, out);
    tables(w, out);
    permuted(w, out);
    own_scalars(w, out);
    emit_compute_look(w, out);
}

static int maps(const struct nest *w, struct buf *out, const char *in) {
    const struct nest *o = &w->batch->outer;
    int n = 0;
    for (size_t i = 2; i < o->vars.n; i++) {
        const struct var *v = o->vars.at[i];
        if (!v->map_first)
            continue;
        if (!n++)
            buf_printf(out, "%s    struct heddle_map heddle_m[] = {\n", in);
        bool written = false;
        for (size_t k = 0; k < o->refs.n; k++)
            written |= o->refs.at[k]->v == v && o->refs.at[k]->access & ACCESS_WRITE;
        buf_printf(out, "%s        HEDDLE_MAP%s($_outer, %s, %s%s, heddle_e.%s, %s, %s", in,
                   v->map_slope ? "_ROWS" : "", v->name, clause_map_constant(v->map_kind),
                   written ? " | HEDDLE_MAP_W" : "", v->name, v->map_first, v->map_count);
        if (v->map_slope)
            buf_printf(out, ", %s, %ld, -1", v->map_slope, v->map_reach);
        buf_puts(out, "),\n");
    }
    if (n)
        buf_printf(out, "%s    };\n", in);
    return n;
}

void emit_batch_call(struct nest *w, struct buf *out) {
    const struct batch *b = w->batch;
    const char *in = emit_indent(w->u, w->p->b);
    struct buf values = {.prefix = outer_prefix(w)};
    buf_printf(out, "{\n%s    HEDDLE_QUIET\n", in);
    emit_environment_values(&b->outer, &values, in);
    buf_puts(out, values.s);
    const int n = maps(w, out, in);
    const struct clause *schedule = nest_clause(w, CLAUSE_SCHEDULE);
    buf_printf(out,
               "%s    struct heddle_batch heddle_c = {\n%s        .nest = &$_batch, .outer = &heddle_e, .maps = %s, "
               ".nmaps = %d,\n%s        .p0 = %s, .p1 = %s%s, .serial = %d, ",
               in, in, n ? "heddle_m" : "0", n, in, loop_first(w->u, &b->loop), loop_end(w->u, &b->loop),
               b->loop.open ? " - 1" : "",
               schedule && !strcmp(clause_schedule_constant(schedule->kind), "HEDDLE_SCHEDULE_SERIAL"));
    emit_device(w, out);
    buf_printf(out, "%s    };\n%s    if (heddle_batch_run(&heddle_c) == 0) {\n%s    } else\n%s    HEDDLE_LOUD\n", in,
               in, in, in);
    emit_next_line(w->u, out, w->p);
}
