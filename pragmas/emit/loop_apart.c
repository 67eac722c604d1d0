/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's form of a `for` loop whose arrays the engine has found apart (heddle__loop_check_apart): what the loop
 * writes overlaps nothing else, so a sum in an element may stay in a register across an inner loop. Arrays are
 * parameters with `restrict`, since compilers believe it of these alone, and of a function that is not inlined.
 */
#include "emit.h"
#include "analysis/capture.h"
#include "analysis/written.h"

static bool repeats(struct unit *u, struct node *n, unsigned visit) {
    struct function *g = n->kind == CXCursor_CallExpr ? function_called(u, n) : NULL;
    if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt ||
        (g && !function_seen(g, visit) && repeats(u, g->body, visit)))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (repeats(u, c, visit))
            return true;
    return false;
}

bool emit_for_repeats(const struct for_loop *f) {
    return f->hidden_text.n || repeats(f->w.u, f->w.body, function_visit());
}

/* The innermost loop of the body around a mention; NULL: none. */
static struct node *loop_around(const struct for_loop *f, struct node *n) {
    do {
        n = n->up;
        if (n && (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt))
            return n;
    } while (n && n != f->w.body);
    return NULL;
}

static bool names_changed(struct node *n, struct node *loop) {
    if (n->kind == CXCursor_DeclRefExpr && node_changes(loop, clang_getCursorReferenced(n->c), NULL))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (names_changed(c, loop))
            return true;
    return false;
}

/* Does an inner loop change one element in all its turns? Only then `restrict` is known to gain. Loops that walk down
   columns were up to a fifth slower with it on an Intel Xeon: fewer loads in between, and more misses at once. */
static bool keeps_element(const struct for_loop *f) {
    for (size_t i = 0; i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        struct node *n = emit_is_array(use->v) ? written_element(use) : NULL, *loop = n ? loop_around(f, n) : NULL;
        if (loop && (capture_access(n) & ACCESS_WRITE) && !names_changed(n, loop))
            return true;
    }
    return false;
}

bool emit_for_assumes_apart(const struct for_loop *f) {
    bool written = false, joined = false;
    for (size_t i = 0; i < f->maps.n; i++) {
        written |= f->maps.at[i].written;
        joined |= f->maps.at[i].v->joined;
    }
    return f->apart && written && f->maps.n > 1 && ((joined && emit_for_repeats(f)) || keeps_element(f));
}

static bool is_parameter(const struct var *v) { return emit_is_array(v) && !v->local; }

enum list { PARAMETERS, ARGUMENTS, VALUES };

static void arrays(const struct for_loop *f, struct buf *out, enum list list) {
    for (size_t i = 2; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        const char *in = v->joined ? "red" : "env";
        if (!is_parameter(v))
            continue;
        if (list == PARAMETERS)
            buf_printf(out, ", %s *__restrict heddle_a_%s", v->elem, v->name);
        else if (list == ARGUMENTS)
            buf_printf(out, ", ((const struct $_%s *)heddle_%s)->%s", in, in, v->name);
        else
            buf_printf(out, "    heddle_%c.%s = heddle_a_%s;\n", v->joined ? 'r' : 'e', v->name, v->name);
    }
}

void emit_for_apart_values(const struct for_loop *f, struct buf *out) { arrays(f, out, VALUES); }

void emit_for_apart_head(const struct for_loop *f, struct buf *out, const char *name) {
    buf_printf(out,
               "static HEDDLE_UNUSED __attribute__((__noinline__)) void $_%s_apart(const void *heddle_env, long "
               "heddle_lo, long heddle_step, long heddle_count, void *heddle_red",
               name);
    arrays(f, out, PARAMETERS);
    buf_puts(out, ")\n{\n");
}

void emit_for_apart_call(const struct for_loop *f, struct buf *out, const char *name) {
    buf_printf(out, "    $_%s_apart(heddle_env, heddle_lo, heddle_step, heddle_count, heddle_red", name);
    arrays(f, out, ARGUMENTS);
    buf_puts(out, ");\n}\n");
}
