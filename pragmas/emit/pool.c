/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pool becomes before the function that holds it: the environment, a record and a run function for every
 * kind of task, the functions that tasks call as workers run them, and where their scratch memory lies.
 * heddle/engine/pool/pool.h describes the whole.
 */
#include "front/macros.h"
#include "emit.h"

#include <string.h>

/* ---- structures ---- */

static bool is_array(const struct var *v) { return v->kind == VAR_POINTER || v->kind == VAR_ARRAY; }

static void environment(const struct pool *p, struct buf *out) {
    buf_printf(out, "struct $_env {\n");
    for (size_t i = 2; i < p->env.vars.n; i++) {
        const struct var *v = p->env.vars.at[i];
        if (is_array(v) || env_is_mapped(v))
            buf_printf(out, "    %s *%s;\n", v->elem, v->name);
        else
            buf_printf(out, "    %s %s;\n", v->type, v->name);
        for (int d = 1; is_array(v) && d < v->ndims; d++)
            if (!v->dim[d])
                buf_printf(out, "    long heddle_%s_ld%d;\n", v->name, d);
    }
    if (p->env.vars.n == 2) /* a structure of no size has no address to speak of */
        buf_puts(out, "    char heddle_none;\n");
    buf_puts(out, "};\n");
}

bool emit_is_member(const struct local *l) { return l->captured && !l->looped && !l->env; }

static const char *member(const struct local *l) {
    if (l->place == PLACE_DEREF)
        return mem_printf("__typeof__(%s) *%s", env_type(l->type, l->param), l->name);
    return env_declaration(l->type, l->param, l->name, true);
}

static size_t frame_members(const struct region *r, struct buf *out) {
    size_t n = 0;
    for (size_t i = 0; i < r->locals.n; i++) {
        const struct local *l = r->locals.at[i];
        if (l->captured || (l->place != PLACE_FRAME && !l->saved))
            continue;
        buf_printf(out, "    %s;\n", env_declaration(l->type, l->param, l->field, true));
        n++;
    }
    return n;
}

static void scratch_structure(const struct region *r, struct buf *out) {
    if (!r->scratch)
        return;
    buf_printf(out, "struct $_%s_scratch {\n", r->name);
    for (size_t i = 0; i < r->locals.n; i++) {
        const struct local *l = r->locals.at[i];
        if (l->place == PLACE_SCRATCH)
            buf_printf(out, "    %s;\n", env_declaration(l->type, l->param, l->field, true));
    }
    buf_puts(out, "};\n");
}

/* ---- size of a record: heddle/engine/pool/pool.h has the same limit, and the emitted code checks it ---- */
enum { RECORD_MAX = 240 };

struct size {
    long long bytes, align, largest;
    const char *name;
};

static void add_member(struct size *s, const struct local *l) {
    bool pointer = l->place == PLACE_DEREF || (l->param && ast_is_array(clang_getCanonicalType(l->type)));
    long long n = pointer ? 8 : clang_Type_getSizeOf(l->type), align = pointer ? 8 : clang_Type_getAlignOf(l->type);
    if (n <= 0 || align <= 0)
        return;
    s->bytes = (s->bytes + align - 1) / align * align + n;
    s->align = align > s->align ? align : s->align;
    if (n > s->largest) {
        s->largest = n;
        s->name = l->name;
    }
}

static void add_frame(struct size *s, const struct region *r) {
    for (size_t i = 0; i < r->locals.n; i++) {
        const struct local *l = r->locals.at[i];
        if (!l->captured && (l->place == PLACE_FRAME || l->saved))
            add_member(s, l);
    }
}

static bool check_size(const struct task_type *k) {
    struct size s = {.align = 1, .bytes = 8 * k->dims};
    const struct pool *p = k->r.pool;
    for (size_t i = 0; i < k->r.locals.n; i++)
        if (emit_is_member(k->r.locals.at[i]))
            add_member(&s, k->r.locals.at[i]);
    add_frame(&s, &k->r);
    for (size_t i = 0; k->whole && i < p->copies.n; i++)
        if (p->copies.at[i]->f == k->whole && !p->copies.at[i]->plain)
            add_frame(&s, &p->copies.at[i]->r);
    if (s.bytes <= RECORD_MAX)
        return true;
    diag_error(p->u, k->m->p->b,
               "the task holds %lld bytes of variables, and its record %d at most; map '%s' (%lld bytes) "
               "instead, or make it smaller",
               s.bytes, RECORD_MAX, s.name, s.largest);
    return false;
}

static void record(const struct task_type *k, struct buf *out) {
    size_t n = 0;
    buf_printf(out, "struct $_%s {\n", k->name);
    for (size_t i = 0; i < k->r.locals.n; i++)
        if (emit_is_member(k->r.locals.at[i])) {
            buf_printf(out, "    %s;\n", member(k->r.locals.at[i]));
            n++;
        }
    if (k->dims)
        buf_printf(out, "    long heddle_lo[%d];\n", k->dims);
    n += (size_t)k->dims + frame_members(&k->r, out);
    if (k->whole && !k->called)
        buf_printf(out, "    struct $_f_%s_frame heddle_frame;\n", k->whole->name);
    else if (!n)
        buf_puts(out, "    char heddle_none;\n");
    buf_printf(
        out,
        "};\n"
        "_Static_assert(sizeof(struct $_%s) <= HEDDLE_RECORD_MAX, \"a task captures too much: map what is large\");\n",
        k->name);
}

/* ---- scratch memory: a function's begins where the deepest caller's ends ---- */

static struct region *region_at(const struct pool *p, size_t i) {
    return i < p->task_types.n ? &p->task_types.at[i]->r : &p->copies.at[i - p->task_types.n]->r;
}

static bool calls(const struct region *r, const struct function *f) {
    for (size_t i = 0; i < r->calls.n; i++)
        if (r->calls.at[i] == f)
            return true;
    return false;
}

/* A region's place in the order of calls; NULL, or a function that calls itself. */
static const struct function *order(const struct pool *p) {
    size_t n = p->task_types.n + p->copies.n;
    for (size_t round = 0; round <= n + 1; round++) {
        const struct function *deeper = NULL;
        for (size_t i = 0; i < n; i++)
            for (size_t k = p->task_types.n; k < n; k++) {
                struct region *from = region_at(p, i), *to = region_at(p, k);
                if (!to->plain && calls(from, to->f) && to->depth <= from->depth) {
                    to->depth = from->depth + 1;
                    deeper = to->f;
                }
            }
        if (!deeper || round == n + 1)
            return deeper;
    }
    return NULL;
}

static void scratch_offset(const struct pool *p, const struct region *r, struct buf *out) {
    const char *prefix = pool_prefix(p);
    struct buf at = {.prefix = out->prefix};
    buf_printf(&at, "$_share");
    for (size_t i = 0; !r->task && i < p->task_types.n + p->copies.n; i++) {
        const struct region *from = region_at(p, i);
        if (calls(from, r->f))
            at = (struct buf){.s = mem_printf("HEDDLE_LARGER(%s, %s_%s_end)", at.s, prefix, from->name)};
    }
    buf_printf(out, "    $_%s_at = %s, $_%s_end = $_%s_at", r->name, at.s, r->name, r->name);
    if (r->scratch)
        buf_printf(out, " + HEDDLE_UP16(sizeof(struct $_%s_scratch))", r->name);
    buf_puts(out, ",\n");
}

/* Enumerators in the order of calls. */
static void scratch(struct pool *p, struct buf *out) {
    const char *prefix = pool_prefix(p);
    bool any = false, reduces = false;
    long share = 0;
    int deepest = 0;
    for (size_t i = 0; i < p->task_types.n + p->copies.n; i++) {
        const struct region *r = region_at(p, i);
        any |= r->scratch;
        reduces |= r->reduces;
        share = r->share > share ? r->share : share;
        deepest = r->depth > deepest ? r->depth : deepest;
    }
    const bool blocks = reduces && pool_worker(p) == HEDDLE_WORKER_BLOCK;
    buf_printf(out, "enum {\n    $_share = %s%ld%s,\n", blocks ? "HEDDLE_LARGER(8 * HEDDLE_LANES_MAX, " : "",
               (share + 15) / 16 * 16, blocks ? ")" : "");
    struct buf end = {.prefix = out->prefix};
    buf_printf(&end, "$_share");
    for (int d = 0; any && d <= deepest; d++)
        for (size_t i = 0; i < p->task_types.n + p->copies.n; i++) {
            const struct region *r = region_at(p, i);
            if (r->plain || r->depth != d)
                continue;
            scratch_offset(p, r, out);
            if (r->scratch)
                end = (struct buf){.s = mem_printf("HEDDLE_LARGER(%s, %s_%s_end)", end.s, prefix, r->name)};
        }
    buf_printf(out,
               "};\n#define $_SCRATCH %s\n"
               "_Static_assert($_SCRATCH <= HEDDLE_SCRATCH_MAX, \"the local arrays of the tasks need too much memory "
               "of a worker\");\n",
               end.s);
}

/* ---- functions ---- */

void emit_pool_env(const struct region *r, struct buf *out) {
    const struct nest *env = &r->pool->env;
    bool *used = emit_set(env);
    for (size_t i = 0; i < r->locals.n; i++) {
        const struct var *v = r->locals.at[i]->env;
        if (v && env_is_scalar(v) && env_is_mapped(v))
            buf_printf(out, "    %s *%s = heddle_e->%s;\n", v->elem, v->name, v->name);
        for (size_t k = 2; v && k < env->vars.n; k++)
            if (env->vars.at[k] == v && !(env_is_scalar(v) && env_is_mapped(v)))
                used[k] = true;
    }
    emit_unpack(env, used, out);
}

static void unpack_record(const struct task_type *k, struct buf *out) {
    for (size_t i = 0; i < k->r.locals.n; i++) {
        const struct local *l = k->r.locals.at[i];
        CXType canonical = clang_getCanonicalType(l->type);
        if (!emit_is_member(l))
            continue;
        if (l->place == PLACE_DEREF)
            buf_printf(out, "    __typeof__(%s) *%s = heddle_r->%s;\n", env_type(l->type, l->param), l->name, l->name);
        else if (l->array)
            buf_printf(out, "    const __typeof__(%s) *%s = heddle_r->%s;\n",
                       env_type(clang_getArrayElementType(canonical), false), l->name, l->name);
        else
            buf_printf(out, "    %s = heddle_r->%s;\n", env_declaration(l->type, l->param, l->name, false), l->name);
    }
    for (int d = 0; d < k->dims; d++)
        for (size_t i = 0; i < k->r.locals.n; i++)
            if (k->r.locals.at[i]->looped && clang_equalCursors(k->r.locals.at[i]->decl, k->loop[d].var))
                buf_printf(out, "    const %s %s = (%s)(heddle_r->heddle_lo[%d] + heddle_at[%d]);\n", k->loop[d].type,
                           k->loop[d].name, k->loop[d].type, d, d);
}

static void scratch_pointer(const struct region *r, struct buf *out) {
    if (r->scratch)
        buf_printf(out, "    struct $_%s_scratch *heddle_s = HEDDLE_SCRATCH(heddle_w, $_%s_at);\n", r->name, r->name);
}

/* The region's text on its own lines. */
void emit_pool_text(const struct region *r, struct buf *out) {
    const struct source *src = &r->pool->u->src;
    source_marker(src, out, r->b, 0);
    buf_pad(out, source_column(src, r->b) - 1);
    buf_puts(out, source_edited(src, (struct span){r->b, r->e}, &r->edits));
    buf_puts(out, "\n");
}

/* Its record's members as the text knows them. */
static void unpack(const struct task_type *k, struct buf *out) {
    emit_pool_env(&k->r, out);
    unpack_record(k, out);
}

/* The call with its arguments from the record makes a task of the function's own kind. */
static void make_function(const struct task_type *k, struct buf *out) {
    buf_printf(out,
               "static HEDDLE_TASK void $_%s_make(struct heddle_worker *heddle_w, const struct $_env *heddle_e, const "
               "struct $_%s *heddle_r)\n{\n    (void)heddle_w, (void)heddle_e, (void)heddle_r;\n",
               k->name, k->name);
    unpack(k, out);
    emit_pool_text(&k->r, out);
    buf_puts(out, ";\n}\n");
    if (!k->parent)
        buf_printf(
            out,
            "static HEDDLE_TASK int $_%s_run(struct heddle_worker *heddle_w, const struct $_env *heddle_e, struct "
            "$_%s *heddle_r,\n    const long *heddle_at, int heddle_part)\n{\n    (void)heddle_at;\n    if "
            "(!heddle_part)\n        $_%s_make(heddle_w, heddle_e, heddle_r);\n    return 0;\n}\n",
            k->name, k->name, k->name);
}

static void run_function(const struct task_type *k, struct buf *out) {
    bool parted = k->r.waits.n > 0;
    buf_printf(out,
               "static HEDDLE_TASK int $_%s_run(struct heddle_worker *heddle_w, const struct $_env *heddle_e, struct "
               "$_%s *heddle_r,\n    const long *heddle_at, int heddle_part)\n{\n"
               "    (void)heddle_w, (void)heddle_e, (void)heddle_r, (void)heddle_at, (void)heddle_part;\n",
               k->name, k->name);
    unpack(k, out);
    scratch_pointer(&k->r, out);
    if (k->whole)
        buf_puts(out, "    return\n");
    if (parted)
        buf_puts(out, "    switch (heddle_part) {\n    case 0:;\n");
    if (k->dims)
        buf_puts(out, "    do\n"); /* so that `continue` ends the iteration */
    emit_pool_text(&k->r, out);
    buf_puts(out, k->dims ? "    while (0);\n" : parted ? "    }\n" : "");
    buf_puts(out, k->whole ? "}\n" : "    return 0;\n}\n");
}

/* "static int N_f_f(struct heddle_worker *heddle_w, const struct N_env *heddle_e, …)" */
static const char *head(const struct copy *c) {
    const struct region *r = &c->r;
    struct unit *u = r->pool->u;
    struct buf out = {.prefix = pool_prefix(r->pool)};
    unsigned name = 0;
    struct lexer lx;
    clang_getFileLocation(clang_getCursorLocation(c->f->c), NULL, NULL, NULL, &name);
    lexer_init(&lx, u->src.text, name + strlen(c->f->name), r->b);
    size_t open = lx.tok.e;
    lexer_next(&lx);
    bool none = lexer_is(&lx, ')');
    if (lexer_is_word(&lx, "void")) {
        size_t after = lx.tok.e;
        lexer_next(&lx);
        none = lexer_is(&lx, ')');
        open = none ? after : open;
    }
    if (r->waits.n)
        buf_puts(&out, "static HEDDLE_TASK int ");
    else
        buf_printf(&out, "%s%s %s ", clang_Cursor_getStorageClass(c->f->c) == CX_SC_Static ? "" : "static ",
                   c->plain ? "HEDDLE_UNUSED" : "HEDDLE_TASK", source_flat(&u->src, (struct span){c->f->begin, name}));
    buf_printf(&out, "$_%s(struct heddle_worker *heddle_w, const struct $_env *heddle_e%s", r->name, none ? "" : ", ");
    if (r->waits.n) {
        CXType result = clang_getCursorResultType(c->f->c);
        out.s[out.n -= none ? 0 : 2] = 0;
        buf_printf(&out, ", struct $_%s_frame *heddle_r, int heddle_part", r->name);
        if (clang_getCanonicalType(result).kind != CXType_Void)
            buf_printf(&out, ", __typeof__(%s) *heddle_result", ast_spelling(result));
        buf_puts(&out, none ? "" : ", ");
    }
    buf_puts(&out, source_flat(&u->src, (struct span){open, r->b}));
    while (out.n && out.s[out.n - 1] == ' ')
        out.s[--out.n] = 0;
    return out.s;
}

void emit_moved_parameters(const struct region *r, struct buf *out) {
    for (size_t i = 0; i < r->locals.n; i++) {
        const struct local *l = r->locals.at[i];
        if (!l->captured && !l->env && l->param && (l->place == PLACE_SCRATCH || l->place == PLACE_FRAME))
            buf_printf(out, "    HEDDLE_ONCE(heddle_w) %s->%s = %s;\n",
                       l->place == PLACE_FRAME ? "heddle_r" : "heddle_s", l->field, l->name);
    }
}

static void function(const struct copy *c, struct buf *out) {
    const struct region *r = &c->r;
    bool parted = r->waits.n > 0;
    buf_printf(out, "%s\n{\n    (void)heddle_w, (void)heddle_e%s;\n", head(c),
               parted ? ", (void)heddle_r, (void)heddle_part" : "");
    emit_pool_env(r, out);
    scratch_pointer(r, out);
    if (parted)
        buf_puts(out, "    switch (heddle_part) {\n    case 0:;\n");
    emit_moved_parameters(r, out);
    emit_pool_text(r, out);
    buf_puts(out, parted ? "    }\n    return 0;\n}\n" : "}\n");
}

/* No directive in it and none that it reaches: a lane alone can run it. */
static bool is_plain(const struct task_type *k) {
    return !k->waits && !k->r.directives && !k->r.calls.n && !k->r.waits.n && !k->r.scratch;
}

static const char *flags(const struct task_type *k) {
    const char *text = mem_printf("%s%s%s%s", is_plain(k) ? " | HEDDLE_TASK_PLAIN" : "",
                                  k->waits ? " | HEDDLE_TASK_WAITS" : "", k->depends ? " | HEDDLE_TASK_DEPENDS" : "",
                                  k->parent && site_clause(k->m, CLAUSE_PRIORITY) ? " | HEDDLE_TASK_PRIORITY" : "");
    return *text ? text + strlen(" | ") : "0";
}

/* ---- all of it ---- */

static void head_lines(const struct pool *p, struct buf *out) {
    const struct source *src = &p->u->src;
    unsigned line = source_line(src, p->m->p->b);
    struct buf marker = {0};
    source_marker(src, &marker, p->m->p->b, 0);
    if (source_column(src, p->m->f->begin) > 1)
        buf_puts(out, "\n");
    buf_printf(out, "/* heddle: pool at line %u, in %s() */\n", line, p->m->f->name);
    macros_include(p->u, out,
                   "#include <heddle/engine/nest.h>\nHEDDLE_QUIET\n#include <heddle/engine/pool/pool.h>\n#include "
                   "<heddle/engine/pool/once.h>\n");
    buf_printf(out, "#define HEDDLE_POOL $\n#define $_FILE %s#define $_FUNCTION \"%s\"\n#define $_LINE %u\n",
               strchr(marker.s, '"'), p->m->f->name, line);
    buf_printf(out, "#define $_WORKER %s\n#define $_KINDS(heddle_x)", clause_worker_constant(pool_worker(p)));
    for (size_t i = 0; i < p->task_types.n; i++)
        if (!p->task_types.at[i]->called || !p->task_types.at[i]->parent)
            buf_printf(out, " heddle_x($, %s, %s)", p->task_types.at[i]->name, flags(p->task_types.at[i]));
    for (size_t i = 0; i < p->called.n; i++)
        buf_printf(out, " heddle_x($, %s, %s)", p->called.at[i]->name,
                   p->called.at[i]->c->r.waits.n ? "HEDDLE_TASK_WAITS" : "0");
    buf_puts(out, "\n");
}

static void structures(struct pool *p, struct buf *out) {
    const char *prefix = pool_prefix(p);
    environment(p, out);
    macros_include(p->u, out, mem_printf("HEDDLE_POOL_TYPES(%s)\n", prefix));
    for (size_t i = 0; i < p->copies.n; i++) {
        struct region *r = &p->copies.at[i]->r;
        if (r->waits.n) {
            buf_printf(out, "struct $_%s_frame {\n", r->name);
            if (!frame_members(r, out))
                buf_puts(out, "    char heddle_none;\n");
            buf_puts(out, "};\n");
        }
        scratch_structure(r, out);
    }
    for (size_t i = 0; i < p->task_types.n; i++) {
        record(p->task_types.at[i], out);
        scratch_structure(&p->task_types.at[i]->r, out);
    }
    for (size_t i = 0; i < p->called.n; i++)
        emit_called_record(p->called.at[i], out);
}

void emit_pool(struct pool *p) {
    struct unit *u = p->u;
    struct buf out = {.prefix = pool_prefix(p)};
    const struct function *recursive = order(p);
    if (recursive) {
        diag_error(u, recursive->begin,
                   "'%s' calls itself, and holds directives; put '#pragma heddle task' before the call",
                   recursive->name);
        return;
    }
    bool fits = true;
    for (size_t i = 0; i < p->task_types.n; i++)
        fits &= check_size(p->task_types.at[i]);
    if (!fits)
        return;
    head_lines(p, &out);
    for (size_t i = 0; !p->host && i < p->task_types.n; i++)
        emit_tables(u, p->task_types.at[i]->r.root, &out);
    structures(p, &out);
    scratch(p, &out);
    for (size_t i = 0; i < p->copies.n; i++)
        buf_printf(&out, "%s;\n", head(p->copies.at[i]));
    for (size_t i = 0; i < p->called.n; i++)
        emit_called_makers(p, p->called.at[i], &out);
    for (size_t i = 0; i < p->task_types.n; i++)
        if (p->task_types.at[i]->called)
            make_function(p->task_types.at[i], &out);
    for (size_t i = 0; i < p->copies.n; i++)
        function(p->copies.at[i], &out);
    for (size_t i = 0; i < p->task_types.n; i++)
        if (!p->task_types.at[i]->called)
            run_function(p->task_types.at[i], &out);
    for (size_t i = 0; i < p->called.n; i++)
        emit_called_run(p->called.at[i], &out);
    emit_engine(u, &out, "#include <heddle/engine/pool/engine.h>\n", p->host);
    buf_puts(&out, "#undef HEDDLE_POOL\nHEDDLE_LOUD\n");
    source_marker(&u->src, &out, p->m->f->begin, 0);
    buf_pad(&out, source_column(&u->src, p->m->f->begin) - 1);
    vec_push(&u->edits, (struct edit){p->m->f->begin, p->m->f->begin, out.s});
    emit_pool_call(p);
}
