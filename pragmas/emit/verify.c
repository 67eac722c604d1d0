/* SPDX-License-Identifier: Apache-2.0 */
/* Marks for --verify: loops over devices, and nests. */
#include "verify.h"
#include "analysis/batch.h"
#include "analysis/refs.h"

#include <string.h>

/* ---- what an iteration has a copy of ---- */

static void copies(const struct nest *w, struct buf *out) {
    struct node *tree = ast_tree(w->u, w->function);
    verify_shared(w->u, tree, w->p->b, out);
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->kind == VAR_SCALAR && !v->sweep && verify_in_memory(tree, v->decl))
            buf_printf(out, " heddle_verify_copied(&%s, sizeof %s);", v->name, v->name);
        else if (v->joined)
            buf_printf(out, " heddle_verify_copied(&%s[0], sizeof(%s) * (size_t)(%s));",
                       mem_printf("((const %s *)%s + %s)", v->elem, v->name, v->map_first), v->elem, v->map_count);
        else if (v->kind == VAR_POINTER && node_is_global(v->decl)) /* the pointer, not what it points to */
            buf_printf(out, " heddle_verify_copied(&%s, sizeof %s);", v->name, v->name);
    }
}

static void around(const struct nest *w, const struct verify_site *s, int id, const char *before, const char *iteration,
                   const char *after) {
    struct unit *u = w->u;
    verify_replace(u, w->p, mem_printf("{ %s heddle_verify_begin(&heddle_v%d);%s", verify_site(s, id), id, before));
    verify_body(u, w->p, w->body, w->body_begin, w->body_end, iteration, "heddle_verify_done();");
    verify_insert(u, w->root_end, mem_printf("%s heddle_verify_end(); }", after));
}

/* ---- for ---- */

static const char *for_section_text(const struct for_map *m, int k) {
    const char *name = mem_printf("%s%s", m->v->name, m->member);
    return verify_section(k, name, m->kind, m->unsent, mem_printf("(const volatile void *)%s", name), m->first,
                          m->count, *m->member ? m->elem : m->v->elem);
}

/* Sections as clauses give them, or of whole arrays. What subscripts show holds by itself. */
static bool has_section(const struct for_map *m) {
    return m->item || m->v->joined || (m->v->sized && !m->rects && !m->chunked);
}

static bool all_have_sections(const struct for_loop *f) {
    for (size_t i = 0; i < f->maps.n; i++)
        if (!has_section(&f->maps.at[i]))
            return false;
    return true;
}

void verify_for(struct for_loop *f) {
    struct nest *w = &f->w;
    const int id = verify_number();
    struct verify_site s = {.u = w->u,
                            .p = w->p,
                            .kind = "FOR",
                            .flags = f->host_driven || f->host || !all_have_sections(f) ? "0" : "HEDDLE_VERIFY_MAPPED",
                            .dims = f->step[1] ? 2 : 1,
                            .loop = {&w->loop[0], &w->loop[1]}};
    struct buf before = {0}, iteration = {0};
    copies(w, &before);
    buf_printf(&iteration, "{ const long heddle_lo = (long)%s, heddle_count = 1; (void)heddle_lo, (void)heddle_count;",
               w->loop[0].name);
    for (size_t i = 0; !f->host_driven && i < f->maps.n; i++)
        if (f->host ? f->maps.at[i].item != NULL : has_section(&f->maps.at[i])) /* there it names what is touched */
            buf_printf(f->maps.at[i].chunked ? &iteration : &before, " %s", for_section_text(&f->maps.at[i], (int)i));
    buf_printf(&iteration, " %s }", verify_iteration(s.loop, s.dims));
    around(w, &s, id, before.n ? before.s : "", iteration.s, "");
}

/* ---- wavefront ---- */

static void add_sink(struct verify_site *s, long t, long i, long j) {
    const char *text = s->dims == 3 ? mem_printf("{%ld, %ld, %ld}", t, i, j) : mem_printf("{%ld, %ld}", i, j);
    const bool known = s->sink.s && strstr(s->sink.s, text);
    if (!known && (t || i || j) && s->sinks < 24)
        buf_printf(&s->sink, "%s%s", s->sinks++ ? ", " : "", text);
}

/* What a cell reads of itself and its neighbours, it reads of this sweep or the one before. */
static void add_sinks(const struct nest *w, struct verify_site *s) {
    for (size_t i = 0; i < w->vectors.n; i++)
        add_sink(s, 0, w->vectors.at[i].di, w->vectors.at[i].dj);
    if (!w->swept || w->batched)
        return;
    add_sink(s, 1, 0, 0);
    for (size_t i = 0; i < w->vectors.n; i++) {
        add_sink(s, 1, w->vectors.at[i].di, w->vectors.at[i].dj);
        add_sink(s, 1, -w->vectors.at[i].di, -w->vectors.at[i].dj);
    }
}

static bool names_own_variables(const struct nest *w, struct node *n) {
    struct span s;
    if (n->kind == CXCursor_DeclRefExpr && ast_span(w->u, clang_getCursorReferenced(n->c), &s) &&
        s.b >= w->body_begin && s.b < w->body_end)
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (names_own_variables(w, c))
            return true;
    return false;
}

static const char *loop_head(const struct nest *w, const struct loop *l) {
    return source_flat(&w->u->src, (struct span){l->stmt->b, ast_loop_body(w->u, l->stmt)});
}

static const char *among_last(const struct nest *w, const struct loop *l, int n) {
    return mem_printf("(long)%s >= (long)(%s)%s - %d", l->name, source_flat(&w->u->src, l->hi), l->open ? " - 1" : "",
                      n - 1);
}

/* The element that every cell writes can be named outside the nest's body. */
static bool can_be_named(const struct nest *w, const struct ref *r) {
    return r && r->v->field != FIELD_NONE && !r->macro && !names_own_variables(w, r->n);
}

/* Rolling rows, and rows or columns that all cells share: values travel from cell to cell, whatever the storage holds
 * meanwhile. */
static void carried(const struct nest *w, struct buf *out) {
    int k = 0;
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct ref *r = w->vars.at[i]->write;
        if (!can_be_named(w, r) || r->v->field == FIELD_FULL)
            continue;
        const char *text = refs_text(w, r);
        buf_printf(out, " %s%s %s heddle_verify_carried(%d, &(%s), sizeof(%s));",
                   w->swept ? loop_head(w, &w->sweep) : "", loop_head(w, &w->loop[0]), loop_head(w, &w->loop[1]), k++,
                   text, text);
    }
}

/* The cells once more: those that keep() drops, and those that stay. */
static void cells(const struct nest *w, const struct var *v, struct buf *out) {
    const struct ref *r = v->write;
    if (v->keep == KEEP_ALL || !can_be_named(w, r))
        return;
    const int rows = v->keep == KEEP_LAST && v->field != FIELD_COLLAPSED_J;
    const bool column = v->keep == KEEP_LAST && (v->field == FIELD_FULL || v->field == FIELD_COLLAPSED_J);
    const char *text = refs_text(w, r);
    buf_printf(out, " %s %s heddle_verify_cell(\"%s\", &(%s), sizeof(%s), %s || %s);", loop_head(w, &w->loop[0]),
               loop_head(w, &w->loop[1]), v->name, text, text, rows ? among_last(w, &w->loop[0], 1) : "0",
               column ? among_last(w, &w->loop[1], 1) : "0");
}

/* Sections tell what a device has only if every array has one. */
static bool all_mapped(const struct nest *w) {
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if ((v->kind == VAR_POINTER || v->kind == VAR_ARRAY) && !v->map_first)
            return false;
    }
    return true;
}

/* Problems are iterations of a parallel loop; inside one nothing runs in another order. */
static void verify_batch(const struct nest *w) {
    const struct nest *o = &w->batch->outer;
    const int id = verify_number();
    struct verify_site s = {.u = o->u,
                            .p = o->p,
                            .kind = "FOR",
                            .flags = "HEDDLE_VERIFY_MAPPED",
                            .dims = 1,
                            .loop = {&o->loop[0], &o->loop[1]}};
    struct buf before = {0};
    int k = 0;
    copies(o, &before);
    for (size_t i = 2; i < o->vars.n; i++) {
        const struct var *v = o->vars.at[i];
        if (v->map_first)
            buf_printf(&before, " %s",
                       verify_section(k++, v->name, v->map_kind, NULL, mem_printf("(const volatile void *)%s", v->name),
                                      v->map_first, v->map_count, v->elem));
    }
    around(o, &s, id, before.n ? before.s : "", verify_iteration(s.loop, s.dims), "");
}

void verify_wavefront(struct nest *w) {
    if (w->batch) {
        verify_batch(w);
        return;
    }
    const int id = verify_number();
    const bool mapped = all_mapped(w);
    struct verify_site s = {.u = w->u, .p = w->p, .kind = "WAVEFRONT", .flags = mapped ? "HEDDLE_VERIFY_MAPPED" : "0"};
    struct buf before = {0}, after = {0};
    if (w->swept)
        s.loop[s.dims++] = &w->sweep;
    s.loop[s.dims++] = &w->loop[0];
    s.loop[s.dims++] = &w->loop[1];
    add_sinks(w, &s);
    copies(w, &before);
    int k = 0;
    for (size_t i = 0; mapped && i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->map_first)
            buf_printf(&before, " %s",
                       verify_section(k++, v->name, v->map_kind == MAP_FROM ? MAP_TOFROM : v->map_kind,
                                      NULL, /* nests send what they write */
                                      mem_printf("(const volatile void *)%s", v->name), v->map_first, v->map_count,
                                      v->elem));
    }
    carried(w, &before);
    for (size_t i = 0; !w->swept && i < w->vars.n; i++)
        cells(w, w->vars.at[i], &after);
    around(w, &s, id, before.n ? before.s : "", verify_iteration(s.loop, s.dims), after.n ? after.s : "");
}

/* ---- the file ---- */

static bool is_replaced(const struct unit *u, const struct pragma *p) {
    for (size_t i = 0; i < u->verify_edits.n; i++)
        if (u->verify_edits.at[i].b == p->b && u->verify_edits.at[i].e == p->e)
            return true;
    return false;
}

void verify_finish(struct unit *u) {
    for (size_t i = 0; i < u->pragmas->n; i++)
        if (!is_replaced(u, &u->pragmas->at[i]))
            verify_replace(u, &u->pragmas->at[i],
                           u->pragmas->at[i].directive->bit == DIRECTIVE_TASKWAIT ? "heddle_verify_wait();" : "");
    struct buf head = {0};
    buf_puts(&head, "#include <heddle/engine/verify.h>\n");
    source_marker(&u->src, &head, 0, 0);
    vec_push(&u->verify_edits, (struct edit){0, 0, head.s});
}
