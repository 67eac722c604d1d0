/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of exchanged loops: a loop over strips of j, and in each the pieces of j's body, where the innermost loops
 * run over the strip. Fewer iterations than are worth a strip run as they are written.
 */
#include "analysis/normal.h"
#include "emit.h"
#include "loop/exchange.h"

#include <string.h>

struct text {
    const struct exchange *x;
    struct buf *out;
    edit_list locals; /* scalars as elements */
    bool rows;        /* several iterations of the directive's loop are inside, too */
};

static struct unit *unit_of(const struct text *t) { return t->x->f->w.u; }

static const char *span_text(const struct text *t, const struct node *n) {
    return affine_span(unit_of(t), (struct span){n->b, n->e});
}

/* On its own line. */
static void statement(const struct text *t, struct node *n, const edit_list *edits) {
    const struct source *src = &unit_of(t)->src;
    const struct span s = {n->b, ast_statement_end(unit_of(t), n, n->b)};
    buf_puts(t->out, "\n");
    source_marker(src, t->out, s.b, 0);
    buf_pad(t->out, source_column(src, s.b) - 1);
    buf_puts(t->out, source_edited(src, s, edits));
}

static const struct exchange_local *local_of(const struct text *t, const struct node *v) {
    for (size_t i = 0; i < t->x->locals.n; i++)
        if (clang_equalCursors(t->x->locals.at[i].decl, v->c))
            return &t->x->locals.at[i];
    return NULL;
}

/* A declaration of arrays over the strip: what is left is their first values. */
static bool declaration(const struct text *t, struct node *n, const edit_list *edits) {
    const struct source *src = &unit_of(t)->src;
    if (n->kind != CXCursor_DeclStmt || !n->first || !local_of(t, n->first))
        return false;
    for (struct node *v = n->first; v; v = v->next) {
        if (!v->last || !clang_isExpression(v->last->kind))
            continue;
        buf_puts(t->out, "\n");
        source_marker(src, t->out, v->b, 0);
        buf_printf(t->out, "%s[heddle_q] = (%s);", local_of(t, v)->name,
                   source_edited(src, (struct span){v->last->b, v->last->e}, edits));
    }
    return true;
}

/* ---- innermost loops, over the strip ---- */

static bool has_if(const struct node *n) {
    if (n->kind == CXCursor_IfStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_if(c))
            return true;
    return false;
}

static bool is_vector(const struct text *t, const struct exchange_piece *p) {
    for (size_t i = 0; i < p->statements.n; i++)
        if (has_if(p->statements.at[i]) || !exchange_is_unit(t->x, p->statements.at[i]))
            return false;
    return true;
}

/* Holds the iterations of a strip. */
static const char *counter(const struct exchange *x) {
    const CXType t = clang_getCanonicalType(clang_getCursorType(x->count.var));
    return clang_Type_getSizeOf(t) > 1 ? x->type : "int";
}

static void begin_rows(const struct for_loop *f, struct buf *out) {
    const struct loop *l = &f->w.loop[0];
    buf_printf(out,
               "\nfor (long heddle_p = 0; heddle_p < heddle_rows; heddle_p++) { const %s %s = (%s)(heddle_row + "
               "heddle_p); (void)%s;",
               l->type, l->name, l->type, l->name);
}

/* What is proven is said: the compiler need not look which arrays overlap. */
static void begin(const struct text *t, bool vector) {
    const struct exchange *x = t->x;
    if (t->rows)
        begin_rows(x->f, t->out);
    if (x->width == EXCHANGE_NARROW)
        buf_printf(t->out, "\n_Pragma(\"clang loop unroll(full)\") for (int heddle_q = 0; heddle_q < %d; heddle_q++)",
                   x->width);
    else
        buf_printf(t->out, "\n%sfor (%s heddle_q = 0; heddle_q < heddle_n; heddle_q++)",
                   vector ? "_Pragma(\"clang loop vectorize(assume_safety)\") " : "", counter(x));
    buf_printf(t->out, " { const %s %s = (%s)(heddle_b + heddle_q); (void)%s;", x->type, x->name, x->type, x->name);
}

static void statements(const struct text *t, const struct exchange_piece *p, const edit_list *edits) {
    for (size_t i = 0; i < p->statements.n; i++)
        if (!declaration(t, p->statements.at[i], edits))
            statement(t, p->statements.at[i], edits);
}

/* k and the turns behind it, for each iteration of the strip. */
static void turns(const struct text *t, const struct exchange_piece *p, const edit_list *edits,
                  const struct loop_count *c, int n) {
    const char *name = c ? ast_name(c->var) : NULL,
               *type = c ? ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c->var))) : NULL;
    begin(t, is_vector(t, p));
    for (int k = 0; k < n; k++) {
        if (k)
            buf_printf(t->out, "\n{ const %s heddle_t = (%s)(%s + %d); { const %s %s = heddle_t; (void)%s;", type, type,
                       name, k, type, name, name);
        else
            buf_puts(t->out, " {");
        statements(t, p, edits);
        buf_puts(t->out, k ? " } }" : " }");
    }
    buf_puts(t->out, t->rows ? " } }" : " }");
}

/* ---- loops around them ---- */

static const char *element(const struct text *t, const struct exchange_held *h) {
    return mem_printf(t->rows ? "%s[heddle_p][heddle_q]" : "%s[heddle_q]", h->name);
}

static void held_edits(const struct text *t, const struct exchange_piece *p, struct node *n, edit_list *edits) {
    for (size_t i = 0; n->kind == CXCursor_ArraySubscriptExpr && i < p->held.n; i++)
        if (strcmp(p->held.at[i].text, unit_text(unit_of(t), n)) == 0) {
            vec_push(edits, (struct edit){n->b, n->e, element(t, &p->held.at[i])});
            return;
        }
    for (struct node *c = n->first; c; c = c->next)
        held_edits(t, p, c, edits);
}

static int room(const struct exchange *x) {
    return x->width == EXCHANGE_WIDE ? EXCHANGE_WIDE + EXCHANGE_LEAST : x->width;
}

static void copies(const struct text *t, const struct exchange_piece *p, bool back) {
    for (size_t i = 0; i < p->held.n; i++) {
        const struct exchange_held *h = &p->held.at[i];
        begin(t, true);
        buf_printf(t->out, " %s = %s; }%s", back ? h->text : element(t, h), back ? element(t, h) : h->text,
                   t->rows ? " }" : "");
    }
}

static void pieces(const struct text *t, struct exchange_piece *const *p, size_t n);

static const char *head_of(const struct text *t, struct node *loop) {
    return source_edited(&unit_of(t)->src, (struct span){loop->b, ast_loop_body(unit_of(t), loop)}, &t->locals);
}

static void marker(const struct text *t, const struct node *n) {
    const struct source *src = &unit_of(t)->src;
    buf_puts(t->out, "\n");
    source_marker(src, t->out, n->b, 0);
}

static const char *type_of(CXCursor var) { return ast_spelling(clang_getUnqualifiedType(clang_getCursorType(var))); }

/* The variable with its first value; what follows is where the loop has a turn, by its own test: unsigned numbers may
   have gone round. */
static void begin_turns(const struct text *t, struct node *loop, const struct loop_count *c) {
    buf_printf(t->out, "{ %s %s = %s; if (%s) {", type_of(c->var), ast_name(c->var), unit_text(unit_of(t), c->first),
               unit_text(unit_of(t), ast_child(loop, 1)));
}

/* Four turns at once, and the rest. */
static void jammed(const struct text *t, const struct exchange_piece *p, const struct loop_count *c,
                   const edit_list *edits) {
    const char *name = ast_name(c->var), *type = type_of(c->var);
    const char *bound = mem_printf("%s%s", span_text(t, c->bound), c->open ? "" : " + 1");
    buf_printf(t->out, "for (; %s - (long)%s >= %d; %s = (%s)(%s + %d)) {", bound, name, EXCHANGE_JAM, name, type, name,
               EXCHANGE_JAM);
    turns(t, p->inside.at[0], edits, c, EXCHANGE_JAM);
    buf_printf(t->out, " }\nfor (; (long)%s < %s; %s++) {", name, bound, name);
    turns(t, p->inside.at[0], edits, c, 1);
    buf_puts(t->out, " }");
}

static void loop(const struct text *t, const struct exchange_piece *p) {
    struct loop_count c;
    edit_list edits = {0};
    const bool guarded = p->held.n || p->jams;
    loop_counts(p->loop, &c);
    for (size_t i = 0; p->held.n && i < p->inside.at[0]->statements.n; i++)
        held_edits(t, p, p->inside.at[0]->statements.at[i], &edits);
    for (size_t i = 0; i < t->locals.n; i++)
        vec_push(&edits, t->locals.at[i]);
    marker(t, p->loop);
    if (guarded)
        begin_turns(t, p->loop, &c);
    for (size_t i = 0; i < p->held.n; i++)
        buf_printf(t->out, " %s %s%s[%d];", p->held.at[i].type, p->held.at[i].name,
                   t->rows ? mem_printf("[%d]", EXCHANGE_ROWS) : "", room(t->x));
    copies(t, p, false);
    buf_puts(t->out, "\n");
    if (p->jams) {
        jammed(t, p, &c, &edits);
    } else {
        buf_printf(t->out, "%s {", head_of(t, p->loop));
        if (p->held.n)
            turns(t, p->inside.at[0], &edits, NULL, 1);
        else
            pieces(t, p->inside.at, p->inside.n);
        buf_puts(t->out, " }");
    }
    copies(t, p, true);
    if (guarded)
        buf_puts(t->out, " } }");
}

static void pieces(const struct text *t, struct exchange_piece *const *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i]->loop)
            loop(t, p[i]);
        else
            turns(t, p[i], &t->locals, NULL, 1);
}

/* ---- strips ---- */

static void as_written(const struct text *t) {
    const struct exchange *x = t->x;
    const edit_list none = {0};
    if (t->rows)
        begin_rows(x->f, t->out);
    for (int k = 0; k < x->narounds; k++)
        buf_printf(t->out, "\n%s", head_of(t, x->around[k]));
    buf_printf(t->out,
               "\nfor (%s heddle_q = 0; heddle_q < heddle_n; heddle_q++) { const %s %s = (%s)(heddle_b + "
               "heddle_q); (void)%s;",
               counter(x), x->type, x->name, x->type, x->name);
    statement(t, x->body, &none);
    buf_puts(t->out, t->rows ? " } }" : " }");
}

/* Where j is innermost as written, all that is gained is gained by turns at once. */
static const char *few_turns(const struct text *t) {
    struct loop_count c;
    if (!t->x->narounds || t->x->width == EXCHANGE_NARROW || !loop_counts(t->x->around[0], &c))
        return "";
    return mem_printf(" || %s%s - %s < %d", span_text(t, c.bound), c.open ? "" : " + 1", span_text(t, c.first),
                      EXCHANGE_JAM);
}

static void strips(struct text t, const char *first, const char *end) {
    const struct exchange *x = t.x;
    struct buf *out = t.out;
    for (size_t i = 0; i < x->locals.n; i++)
        normal_mentions(x->f->w.u, x->body, x->locals.at[i].decl, mem_printf("%s[heddle_q]", x->locals.at[i].name),
                        &t.locals);
    buf_printf(
        out,
        "for (long heddle_o = %s, heddle_z = %s; heddle_o < heddle_z;) {\n"
        "const %s heddle_b = (%s)heddle_o; const %s heddle_n = (%s)(heddle_z - heddle_o < %d ? heddle_z - heddle_o : "
        "%d);\nheddle_o += heddle_n;\nif (heddle_n < %d%s) {",
        first, end, x->type, x->type, counter(x), counter(x), room(x), x->width, EXCHANGE_LEAST, few_turns(&t));
    as_written(&t);
    buf_puts(out, "\n} else {");
    for (size_t i = 0; i < x->locals.n; i++)
        buf_printf(out, " %s %s[%d];", x->locals.at[i].type, x->locals.at[i].name, room(x));
    pieces(&t, x->pieces.at, x->pieces.n);
    buf_puts(out, "\n} }");
}

void emit_exchange(const struct exchange *x, const char *first, const char *end, struct buf *out) {
    strips((struct text){.x = x, .out = out}, first, end);
}

/* A loop of the body. */
static void inner(struct text t) {
    const struct exchange *x = t.x;
    begin_turns(&t, x->loop, &x->count);
    buf_puts(t.out, "\n");
    strips(t, mem_printf("(long)%s", x->name),
           mem_printf("%s%s", span_text(&t, x->count.bound), x->count.open ? "" : " + 1"));
    buf_puts(t.out, " } }");
}

/* In place of the loop as written; its lines go on behind it. */
void emit_exchange_edits(const exchange_list *all, edit_list *edits) {
    for (size_t i = 0; i < all->n; i++) {
        const struct exchange *x = all->at[i];
        const struct source *src = &x->f->w.u->src;
        struct buf out = {0};
        inner((struct text){.x = x, .out = &out});
        buf_puts(&out, "\n");
        source_marker(src, &out, x->e, 0);
        buf_pad(&out, source_column(src, x->e) - 1);
        vec_push(edits, (struct edit){x->b, x->e, out.s});
    }
}

/* The directive's loop, some rows at a time. */
void emit_exchange_rows(const struct for_loop *f, const exchange_list *all, struct buf *out) {
    const edit_list none = {0};
    struct node *body = f->w.body;
    buf_printf(
        out,
        "    for (long heddle_row = heddle_lo, heddle_rows; heddle_row < heddle_lo + heddle_count; heddle_row += "
        "heddle_rows) {\n"
        "heddle_rows = heddle_lo + heddle_count - heddle_row;\n"
        "heddle_rows = heddle_rows < %d ? heddle_rows : %d;\n",
        EXCHANGE_ROWS, EXCHANGE_ROWS);
    for (struct node *n = body->kind == CXCursor_CompoundStmt ? body->first : body; n; n = n->next) {
        const struct exchange *x = exchange_at(all, n);
        struct text t = {.x = x ? x : all->at[0], .out = out, .rows = true};
        if (x) {
            inner(t);
        } else {
            begin_rows(f, out);
            statement(&t, n, &none);
            buf_puts(out, " }");
        }
        if (n == body)
            break;
    }
    buf_puts(out, "\n}\n");
}
