/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tasks of a graph become before the function that holds it: for each construct the structure of what it
 * captures, the function that runs its statement on a thread of the host, and for a target region the one that launches
 * it on a device, whose directive is the user's own without what heddle does itself.
 */
#include "front/macros.h"
#include "analysis/refs.h"
#include "emit.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static const char *flat(const struct graph_task *t, struct span s) { return source_flat(&t->g->u->src, s); }

/* ---- what it captures -------------------------------------------------------------------------------------------- */
static const char *array(const struct var *v) {
    return env_declaration(clang_getCursorType(v->decl), false, v->name, true);
}

static void environment(const struct graph_task *t, struct buf *out) {
    bool any = false;
    buf_printf(out, "struct $_env {\n");
    for (size_t i = 2; i < t->w.vars.n; i++) {
        const struct var *v = t->w.vars.at[i];
        const enum capture_form form = t->captures.at[i].form;
        any |= form != FORM_NONE;
        if (form == FORM_COPY)
            buf_printf(out, "    %s %s;\n", v->type, v->name);
        if (form == FORM_ARRAY)
            buf_printf(out, "    %s;\n", array(v));
        if (form == FORM_POINTER)
            buf_printf(out, "    %s *%s;\n", v->elem, v->name);
        if (form == FORM_ADDRESS && v->kind == VAR_SCALAR)
            buf_printf(out, "    %s *%s;\n", v->type, v->name);
        if (form == FORM_ADDRESS && v->kind != VAR_SCALAR)
            buf_printf(out, "    %s **%s;\n", v->elem, v->name);
        for (int d = 1; form == FORM_POINTER && d < v->ndims; d++)
            if (!v->dim[d])
                buf_printf(out, "    long heddle_%s_ld%d;\n", v->name, d);
    }
    buf_puts(out, any ? "};\n" : "    char heddle_none;\n};\n");
}

/* Variables as the statement knows them. */
static void unpack(const struct graph_task *t, bool device, struct buf *out) {
    for (size_t i = 2; i < t->w.vars.n; i++) {
        const struct var *v = t->w.vars.at[i];
        const struct graph_capture *c = &t->captures.at[i];
        const char *inner = c->form == FORM_POINTER ? emit_inner(v, "heddle_e->") : "";
        if (c->form == FORM_COPY)
            buf_printf(out, "    %s %s = heddle_e->%s;\n", v->type, v->name, v->name);
        if (c->form == FORM_ARRAY)
            buf_printf(out, "    %s;\n    __builtin_memcpy(%s, heddle_e->%s, sizeof %s);\n", array(v), v->name, v->name,
                       v->name);
        if (c->form == FORM_POINTER && v->ndims < 2)
            buf_printf(out, "    %s *%s = heddle_e->%s;\n", v->elem, v->name, v->name);
        if (c->form == FORM_POINTER && v->ndims > 1)
            buf_printf(out, "    %s (*%s)%s = (%s (*)%s)heddle_e->%s;\n", v->elem, v->name, inner, v->elem, inner,
                       v->name);
        if (c->form == FORM_ADDRESS && device && c->here)
            buf_printf(out, "    %s %s = *heddle_e->%s;\n", v->type, v->name, v->name);
        else if (c->form == FORM_ADDRESS)
            buf_printf(out, "    __typeof__(heddle_e->%s) %s = heddle_e->%s;\n", v->name, v->name, v->name);
        if (c->form != FORM_NONE)
            buf_printf(out, "    (void)%s;\n", v->name);
    }
}

/* ---- its statement ----------------------------------------------------------------------------------------------- */
static const char *lines_of(const struct graph_task *t, struct span s) {
    struct buf out = {0};
    buf_add(&out, "", 0);
    for (size_t i = s.b; i < s.e; i++)
        if (t->g->u->src.text[i] == '\n')
            buf_puts(&out, "\n");
    return out.s;
}

/* A shared variable is reached through its address. */
static bool edit_shared(struct graph_task *t, edit_list *edits, bool device) {
    bool ok = true;
    for (size_t i = 0; i < t->w.uses.n; i++) {
        const struct use *use = &t->w.uses.at[i];
        size_t k = 2;
        while (k < t->w.vars.n && t->w.vars.at[k] != use->v)
            k++;
        if (k == t->w.vars.n || t->captures.at[k].form != FORM_ADDRESS || (device && t->captures.at[k].here))
            continue;
        if (!refs_is_whole_text(t->g->u, use->n, use->v->name)) {
            diag_error(t->g->file, use->offset, "'%s' is shared, and comes out of a macro here; write it out",
                       use->v->name);
            ok = false;
        }
        vec_push(edits, (struct edit){use->n->b, use->n->e, mem_printf("(*%s)", use->v->name)});
    }
    return ok;
}

/* Of a region's directives what says how a loop's iterations may run in lanes stays on the host. */
static void edit_directives(const struct graph_task *t, edit_list *edits) {
    for (size_t i = 0; i < t->g->directives.n; i++) {
        const struct omp *d = &t->g->directives.at[i];
        if (d->b <= t->d->e || d->b >= t->end || (d->words & OMP_SIMD && !(d->words & ~(unsigned)OMP_SIMD)))
            continue;
        if (d->words & OMP_OTHER && memcmp(t->g->u->src.text + d->text.b, "atomic", 6) == 0)
            continue;
        vec_push(edits, (struct edit){d->b, d->e, lines_of(t, (struct span){d->b, d->e})});
    }
}

/* Lines that choose between directives stay in the block. */
static void edit_conditions(const struct graph_task *t, edit_list *edits) {
    const struct source *src = &t->g->u->src;
    size_t e, at = t->d->e;
    while ((at = lexer_skip_blank(src->text, at, t->w.root->b)) < t->w.root->b) {
        bool omp = false;
        e = scan_directive_end(src, at);
        for (size_t i = 0; i < t->g->directives.n; i++)
            omp |= t->g->directives.at[i].b == at;
        if (!omp)
            vec_push(edits, (struct edit){at, e, lines_of(t, (struct span){at, e})});
        at = e;
    }
}

static void text(const struct graph_task *t, size_t from, const edit_list *edits, struct buf *out) {
    const struct source *src = &t->g->u->src;
    source_marker(src, out, from, 0);
    buf_pad(out, source_column(src, from) - 1);
    buf_puts(out, source_edited(src, (struct span){from, t->end}, edits));
    buf_puts(out, "\n");
}

static bool holds_loop(const struct node *n) {
    for (const struct node *c = n->first; c; c = c->next)
        if (c->kind == CXCursor_ForStmt || c->kind == CXCursor_WhileStmt || c->kind == CXCursor_DoStmt || holds_loop(c))
            return true;
    return false;
}

static unsigned all_words(const struct graph_task *t) {
    unsigned words = t->d->words;
    for (size_t i = 0; i < t->g->directives.n; i++)
        if (t->g->directives.at[i].b > t->d->b && t->g->directives.at[i].b < t->w.root->b)
            words |= t->g->directives.at[i].words;
    return words;
}

static bool directives_inside(const struct graph_task *t) {
    for (size_t i = 0; i < t->g->directives.n; i++)
        if (t->g->directives.at[i].b > t->w.root->b && t->g->directives.at[i].b < t->end)
            return true;
    return false;
}

/* Iterations of a parallel loop do not depend on each other: a thread may run them in lanes. */
static bool in_lanes(const struct graph_task *t) {
    const unsigned words = all_words(t);
    return t->target && words & OMP_ASSOCIATED && t->w.root->kind == CXCursor_ForStmt && !holds_loop(t->w.root) &&
           !directives_inside(t) && !omp_clause_find(t->g->u, t->d, "collapse");
}

static bool host(struct graph_task *t, struct buf *out) {
    edit_list edits = {0};
    bool ok = edit_shared(t, &edits, false);
    buf_printf(out, "static void $_host(const void *heddle_env)\n{\n"
                    "    const struct $_env *heddle_e = HEDDLE_PTR(heddle_env);\n    (void)heddle_e;\n");
    unpack(t, false, out);
    edit_conditions(t, &edits);
    if (t->target)
        edit_directives(t, &edits);
    if (in_lanes(t))
        macros_include(t->g->file, out, "#pragma clang loop vectorize(assume_safety)\n");
    text(t, t->target ? t->w.root->b : lexer_skip_blank(t->g->u->src.text, t->d->e, t->end), &edits, out);
    buf_puts(out, "}\n");
    return ok;
}

/* ---- the launch -------------------------------------------------------------------------------------------------- */
static bool keeps(const struct graph_task *t, const struct omp_clause *c) {
    static const char *const own[] = {"depend", "map", "nowait", "device", "priority", "affinity", NULL};
    for (int k = 0; own[k]; k++)
        if (omp_clause_is(t->g->u, c, own[k]))
            return false;
    return true;
}

static bool is_listed(const struct graph_task *t, const struct var *v) {
    static const char *const lists[] = {"firstprivate", "private", "lastprivate", "linear", "reduction", NULL};
    for (size_t i = 0; i < t->d->clauses.n; i++)
        for (int k = 0; lists[k]; k++)
            if (omp_clause_is(t->g->u, &t->d->clauses.at[i], lists[k]) &&
                omp_lists(t->g->u, &t->d->clauses.at[i], v->name))
                return true;
    return false;
}

/* A structure, an array, or a pointer that nothing is reached through: its value goes along. */
static bool goes_along(const struct graph_task *t, size_t i) {
    const struct var *v = t->w.vars.at[i];
    const struct graph_capture *c = &t->captures.at[i];
    const CXType type = clang_getCanonicalType(v->elem_type);
    if (is_listed(t, v))
        return false;
    return c->form == FORM_ARRAY || (c->form == FORM_POINTER && !c->mapped) ||
           (c->form == FORM_COPY && type.kind == CXType_Record);
}

static const char *directive(const struct graph_task *t) {
    struct buf out = {0};
    int pointers = 0, along = 0;
    buf_printf(&out, "#pragma omp %s", flat(t, t->d->text));
    for (size_t i = 0; i < t->d->clauses.n; i++) {
        const struct omp_clause *c = &t->d->clauses.at[i];
        if (keeps(t, c))
            buf_printf(&out, " %s%s", flat(t, c->name), c->has_args ? mem_printf("(%s)", flat(t, c->args)) : "");
    }
    buf_puts(&out, " device(heddle_device)");
    for (size_t i = 2; i < t->w.vars.n; i++)
        if (t->captures.at[i].mapped)
            buf_printf(&out, "%s%s", pointers++ ? ", " : " is_device_ptr(", t->w.vars.at[i]->name);
    buf_puts(&out, pointers ? ")" : "");
    for (size_t i = 2; i < t->w.vars.n; i++)
        if (goes_along(t, i))
            buf_printf(&out, "%s%s", along++ ? ", " : " firstprivate(", t->w.vars.at[i]->name);
    buf_puts(&out, along ? ")" : "");
    for (size_t i = 2; i < t->w.vars.n; i++) /* constant: by itself it would come back */
        if (t->captures.at[i].form == FORM_NONE && t->w.vars.at[i]->kind == VAR_ARRAY)
            buf_printf(&out, " map(to : %s)", t->w.vars.at[i]->name);
    for (size_t i = 2; i < t->w.vars.n; i++)
        if (t->captures.at[i].here)
            buf_printf(&out, " map(%s : %s)", t->captures.at[i].written ? "tofrom" : "to", t->w.vars.at[i]->name);
    buf_puts(&out, "\n");
    return out.s;
}

/* The innermost of the loops that belong to the directive. */
static struct node *associated(const struct graph_task *t) {
    const struct omp_clause *collapse = omp_clause_find(t->g->u, t->d, "collapse");
    long loops = collapse ? strtol(flat(t, collapse->args), NULL, 10) : 1;
    struct node *n = t->w.root;
    while (n->kind == CXCursor_ForStmt && --loops > 0) {
        struct node *inner = n->last;
        while (inner && inner->kind == CXCursor_CompoundStmt && inner->first && !inner->first->next)
            inner = inner->first;
        if (!inner || inner->kind != CXCursor_ForStmt)
            break;
        n = inner;
    }
    return n;
}

/* A statement that is no block becomes one, with what else is said of it (atomic). */
static bool guard_statement(const struct graph_task *t, edit_list *edits) {
    const size_t b = lexer_skip_blank(t->g->u->src.text, t->d->e, t->end);
    const bool line = b < t->w.root->b;
    if (line && all_words(t) & OMP_TEAMS) {
        diag_error(t->g->file, t->w.root->b, "the statement of these teams is no block; put it into { }");
        return false;
    }
    vec_push(edits,
             (struct edit){b, b, line ? " if (!HEDDLE_GRAPH_ELSEWHERE) {\n" : " if (!HEDDLE_GRAPH_ELSEWHERE) {"});
    vec_push(edits, (struct edit){t->end, t->end, "}"});
    return true;
}

/* Nothing is done where the device did not take the launch: the pointers are its own. */
static bool guard(const struct graph_task *t, edit_list *edits) {
    struct unit *u = t->g->u;
    struct node *n = associated(t);
    if (all_words(t) & OMP_ASSOCIATED && n->kind == CXCursor_ForStmt) {
        size_t b = ast_loop_body(u, n);
        if (u->src.text[b] == '#') /* a directive begins its line */
            while (u->src.text[b] != '\n')
                b--;
        vec_push(edits, (struct edit){b, b, " if (HEDDLE_GRAPH_ELSEWHERE) {} else "});
        return true;
    }
    if (n->kind != CXCursor_CompoundStmt)
        return guard_statement(t, edits);
    vec_push(edits, (struct edit){n->b + 1, n->b + 1, " if (!HEDDLE_GRAPH_ELSEWHERE) {"});
    vec_push(edits, (struct edit){n->e - 1, n->e - 1, "}"});
    return true;
}

static bool device(struct graph_task *t, struct buf *out) {
    edit_list edits = {0};
    bool ok = edit_shared(t, &edits, true);
    edit_conditions(t, &edits);
    ok = guard(t, &edits) && ok;
    buf_printf(out, "static void $_device(const void *heddle_env, int heddle_device)\n{\n"
                    "    const struct $_env *heddle_e = HEDDLE_PTR(heddle_env);\n    (void)heddle_e;\n");
    unpack(t, true, out);
    buf_puts(out, directive(t));
    text(t, lexer_skip_blank(t->g->u->src.text, t->d->e, t->end), &edits, out);
    for (size_t i = 2; i < t->w.vars.n; i++)
        if (t->captures.at[i].here && t->captures.at[i].written)
            buf_printf(out, "    *heddle_e->%s = %s;\n", t->w.vars.at[i]->name, t->w.vars.at[i]->name);
    buf_puts(out, "}\n");
    return ok;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */
static const char *site(const struct graph *g, size_t at, const char *probe) {
    struct buf marker = {0};
    source_marker(&g->u->src, &marker, at, 0);
    char *path = strchr(marker.s, '"');
    path[strlen(path) - 1] = '\0'; /* its newline */
    return mem_printf("{.file = %s, .function = \"%s\", .kind = \"graph\", .line = %u, .probe = %s}", path,
                      g->function_name, source_line(&g->u->src, at), probe);
}

static bool any_target(const struct graph *g) {
    for (size_t i = 0; i < g->tasks.n; i++)
        if (g->tasks.at[i]->target)
            return true;
    for (size_t i = 0; i < g->called.n; i++)
        if (any_target(g->called.at[i]))
            return true;
    return false;
}

bool emit_graph_task(struct graph_task *t, struct buf *out) {
    out->prefix = emit_prefix(&t->w);
    environment(t, out);
    bool ok = host(t, out);
    ok = (!t->target || device(t, out)) && ok;
    struct buf type = {.prefix = out->prefix};
    buf_printf(&type, "static const struct heddle_graph_type $_type = {\n    .site = %s,\n", site(t->g, t->d->b, "0"));
    buf_printf(&type, "    .env_bytes = sizeof(struct $_env), .host = $_host, ");
    buf_printf(&type, t->target ? ".device = $_device, " : ".device = 0, ");
    buf_puts(&type, t->open ? mem_printf(".open = \"%s\"};\n", t->open) : ".open = 0};\n");
    macros_include(t->g->file, out, type.s);
    return ok;
}

static bool declarations(struct graph *g, const struct nest *whole) {
    const char *prefix = emit_prefix(whole), *probe = mem_printf("%s_probe", prefix);
    struct buf out = {.prefix = prefix};
    const struct source *src = &g->u->src;
    bool ok = true;
    if (source_column(src, g->function_begin) > 1)
        buf_puts(&out, "\n");
    buf_printf(&out, "/* heddle: graph at line %u, in %s() */\n", source_line(src, g->p->b), g->function_name);
    macros_include(g->file, &out, "#include <heddle/engine/nest.h>\nHEDDLE_QUIET\n#include <heddle/engine/graph.h>\n");
    if (any_target(g))
        macros_include(g->file, &out, mem_printf("HEDDLE_PROBE(%s, )\n", probe));
    macros_include(g->file, &out,
                   mem_printf("static const struct heddle_site %s_site = %s;\n", prefix,
                              site(g, g->p->b, any_target(g) ? probe : "0")));
    for (size_t i = 0; i < g->tasks.n; i++)
        ok &= emit_graph_task(g->tasks.at[i], &out);
    buf_puts(&out, "HEDDLE_LOUD\n");
    emit_resume(whole, &out, g->function_begin);
    vec_push(&g->file->edits, (struct edit){g->function_begin, g->function_begin, out.s});
    return ok;
}

bool emit_graph(struct graph *g) {
    struct nest whole = {.u = g->file, .p = g->p, .id = ++g->file->nests};
    for (size_t i = 0; i < g->tasks.n; i++)
        g->tasks.at[i]->w.id = ++g->file->nests;
    for (size_t i = 0; i < g->called.n; i++)
        if (!emit_graph_function(g->called.at[i]))
            return false;
    if (!declarations(g, &whole))
        return false;
    emit_graph_call(g, &whole);
    return true;
}
