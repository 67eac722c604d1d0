/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of tasks that are calls of one function: a record of its arguments, the function that makes such a task or
 * runs a call without tasks at once, and the function that runs the task.
 */
#include "emit.h"

static CXCursor parameter(const struct called *c, int i) { return clang_Cursor_getArgument(c->c->f->c, (unsigned)i); }
static int parameters(const struct called *c) { return clang_Cursor_getNumArguments(c->c->f->c); }

static const char *declared(const struct called *c, int i, const char *name) {
    return env_declaration(clang_getCursorType(parameter(c, i)), true, name, false);
}

void emit_called_record(const struct called *c, struct buf *out) {
    buf_printf(out, "struct $_%s {\n", c->name);
    for (int i = 0; i < parameters(c); i++)
        buf_printf(out, "    %s;\n", declared(c, i, mem_printf("heddle_a%d", i)));
    if (c->c->r.waits.n)
        buf_printf(out, "    struct $_%s_frame heddle_frame;\n", c->c->r.name);
    buf_printf(
        out,
        "};\n"
        "_Static_assert(sizeof(struct $_%s) <= HEDDLE_RECORD_MAX, \"a task captures too much: map what is large\");\n",
        c->name);
}

/* "static HEDDLE_TASK int N_leaf_fib(struct heddle_worker *heddle_w, const struct N_env *heddle_e, int n, …)" */
static void head(const struct called *c, const char *type, const char *name, struct buf *out) {
    buf_printf(out, "static HEDDLE_TASK %s $_%s(struct heddle_worker *heddle_w, const struct $_env *heddle_e", type,
               name);
    for (int i = 0; i < parameters(c); i++)
        buf_printf(out, ", %s", declared(c, i, ast_name(parameter(c, i))));
    buf_puts(out, ")\n{\n    (void)heddle_w, (void)heddle_e;\n");
}

static void leaf(const struct called *c, struct buf *out) {
    const struct region *r = &c->leaf->r;
    head(c, "int", r->name, out);
    if (r->waits.n)
        buf_printf(out, "    struct $_%s_frame heddle_f, *heddle_r = &heddle_f;\n    (void)heddle_r;\n", c->c->r.name);
    emit_pool_env(r, out);
    emit_moved_parameters(r, out);
    emit_pool_text(r, out);
    buf_puts(out, "    return 1;\n}\n");
}

void emit_called_makers(const struct pool *p, const struct called *c, struct buf *out) {
    if (c->leaf)
        leaf(c, out);
    head(c, "void", mem_printf("%s_make", c->name), out);
    if (c->leaf) {
        buf_printf(out, "    if (heddle_lane_at_once(heddle_w) && $_%s(heddle_w, heddle_e", c->leaf->r.name);
        for (int i = 0; i < parameters(c); i++)
            buf_printf(out, ", %s", ast_name(parameter(c, i)));
        buf_puts(out, ")) {\n        heddle_lane_ran(heddle_w);\n        return;\n    }\n");
    }
    buf_printf(out, "    struct $_%s heddle_t = {", c->name);
    for (int i = 0; i < parameters(c); i++)
        buf_printf(out, "%s.heddle_a%d = %s", i ? ", " : "", i, ast_name(parameter(c, i)));
    buf_printf(out, "};\n    heddle_spawn(heddle_w, $_%s_kind, &heddle_t, %s, 0);\n}\n", c->name,
               c->c->r.waits.n ? mem_printf("__builtin_offsetof(struct %s_%s, heddle_frame)", pool_prefix(p), c->name)
                               : "sizeof heddle_t");
}

void emit_called_run(const struct called *c, struct buf *out) {
    const bool waits = c->c->r.waits.n > 0;
    buf_printf(out,
               "static HEDDLE_TASK int $_%s_run(struct heddle_worker *heddle_w, const struct $_env *heddle_e, struct "
               "$_%s *heddle_r,\n    const long *heddle_at, int heddle_part)\n{\n    (void)heddle_at, "
               "(void)heddle_part;\n    %s$_%s(heddle_w, heddle_e%s",
               c->name, c->name, waits ? "return " : "", c->c->r.name,
               waits ? ", &heddle_r->heddle_frame, heddle_part" : "");
    for (int i = 0; i < parameters(c); i++)
        buf_printf(out, ", heddle_r->heddle_a%d", i);
    buf_puts(out, waits ? ");\n}\n" : ");\n    return 0;\n}\n");
}
