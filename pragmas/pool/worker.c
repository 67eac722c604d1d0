/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region's text as a worker runs it. All lanes run it together, so what changes memory that they share is done
 * by the first lane alone: a statement that does nothing else gets HEDDLE_ONCE in front, an assignment that also
 * changes a lane's own variables becomes HEDDLE_STORE, the value of a call with effects is HEDDLE_ONCE_VALUE.
 */
#include "front/macros.h"
#include "analysis/refs.h"
#include "pool.h"

#include <string.h>

static bool fail(struct region *r, size_t offset, const char *text) {
    diag_error(r->pool->u, offset, "%s", text);
    r->bad = true;
    return false;
}

void worker_insert(struct region *r, size_t at, const char *text) { vec_push(&r->edits, (struct edit){at, at, text}); }

void worker_replace(struct region *r, size_t b, size_t e, const char *text) {
    vec_push(&r->edits, (struct edit){b, e, text});
}

/* Back to the user's text after several emitted lines. */
void worker_resume(const struct unit *u, struct buf *out, size_t offset) {
    const struct source *src = &u->src;
    struct buf marker = {0};
    size_t pos = offset;
    while (pos < src->size && (src->text[pos] == ' ' || src->text[pos] == '\t' || src->text[pos] == '\r'))
        pos++;
    bool blank = pos == src->size || src->text[pos] == '\n';
    buf_puts(out, "\n");
    source_marker(src, &marker, offset, blank);
    buf_add(out, marker.s, marker.n - blank); /* the user's own newline ends it */
    if (!blank)
        buf_pad(out, source_column(src, offset) - 1);
}

/* A made directive's text stands behind emitted lines. */
const char *worker_behind(const struct unit *u, const struct site *m, const char *text) {
    struct buf out = {0};
    if (!m->made)
        return text;
    buf_printf(&out, "\n%s", text);
    worker_resume(u, &out, m->p->b);
    return out.s;
}

/* Text in place of a span on one line, with as many line breaks as the span had. */
const char *worker_same_lines(const struct unit *u, size_t b, size_t e, const char *text) {
    struct buf out = {0};
    int lines = 0;
    for (size_t i = b; i < e; i++)
        lines += u->src.text[i] == '\n';
    for (const char *c = text; *c; c++)
        lines -= *c == '\n';
    buf_puts(&out, text);
    for (; lines > 0; lines--)
        buf_puts(&out, "\n");
    return out.s;
}

/* ---- what an expression does ---- */

/* The variable that an lvalue is part of; NULL when it is reached through a pointer. */
struct local *worker_root(struct region *r, struct node *n) {
    for (n = ast_strip(n); n; n = ast_strip(n->first)) {
        CXType t = clang_getCanonicalType(clang_getCursorType(n->c));
        if (n->kind == CXCursor_DeclRefExpr) {
            struct local *l = region_local(r, clang_getCursorReferenced(n->c));
            bool pointer = l && l->param && ast_is_array(t) && n->up && n->up->kind != CXCursor_BinaryOperator;
            return pointer ? NULL : l;
        }
        if (n->kind == CXCursor_MemberRefExpr) {
            if (!n->first || clang_getCanonicalType(clang_getCursorType(n->first->c)).kind == CXType_Pointer)
                return NULL;
        } else if (n->kind == CXCursor_ArraySubscriptExpr) {
            struct node *base = ast_strip(n->first);
            if (!base || !ast_is_array(clang_getCanonicalType(clang_getCursorType(base->c))))
                return NULL;
        } else {
            return NULL;
        }
    }
    return NULL;
}

bool worker_is_shared(struct region *r, struct node *lvalue) {
    const struct local *l = worker_root(r, lvalue);
    return !l || l->place != PLACE_LANE;
}

bool worker_is_step(const struct node *n) {
    enum CXUnaryOperatorKind unary = ast_unary(n);
    return unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec;
}

unsigned worker_effects(struct region *r, struct node *n) {
    unsigned effects = 0;
    if (n->kind == CXCursor_UnaryExpr)
        return 0;
    if (ast_is_assignment(n) || worker_is_step(n))
        effects |= worker_is_shared(r, n->first) ? EFFECT_STORE : EFFECT_LANE;
    if (n->kind == CXCursor_CallExpr) {
        struct function *f = function_called(r->pool->u, n);
        CXCursor callee = function_callee(n);
        if (f)
            effects |= f->worker ? EFFECT_WORKER : f->stores ? EFFECT_ONCE : 0;
        else if (!function_is_pure(callee))
            effects |= EFFECT_ONCE;
    }
    for (struct node *c = n->first; c; c = c->next)
        effects |= worker_effects(r, c);
    return effects;
}

/* ---- calls ---- */

/* A function that waits returns, and comes back: its stack is not kept. */
static bool is_alloca(CXCursor callee) {
    const char *name = clang_Cursor_isNull(callee) ? "" : ast_name(callee);
    return !strcmp(name, "alloca") || !strcmp(name, "__builtin_alloca");
}

/* Those that a function of the host's reads, and those that it calls. */
static bool globals_stay(struct pool *p, struct function *f, size_t at, unsigned visit) {
    bool ok = true;
    if (function_seen(f, visit))
        return true;
    for (size_t i = 0; i < f->globals.n; i++)
        ok &= env_check_unchanged(p, f->globals.at[i], at);
    for (size_t i = 0; i < f->calls.n; i++)
        ok &= globals_stay(p, f->calls.at[i], at, visit);
    return ok;
}

static bool check_callee(struct region *r, struct node *n, struct function *f) {
    struct unit *u = r->pool->u;
    CXCursor callee = function_callee(n);
    if (r->pool->host && (!is_alloca(callee) || !r->waits.n))
        return !f || globals_stay(r->pool, f, n->b, function_visit()) || (r->bad = true, false);
    if (f) {
        if (function_check(u, f, n->b))
            return true;
    } else if (clang_Cursor_isNull(callee)) {
        diag_error(u, n->b, "call through a pointer in code that tasks run; call the functions by name");
    } else if (function_is_pure(callee) || function_is_memory(ast_name(callee))) {
        return true;
    } else {
        diag_error(u, n->b,
                   "'%s' is called by a task, but its body is not in this file, so it cannot run on a device; "
                   "define it here or in a header",
                   ast_name(callee));
    }
    r->bad = true;
    return false;
}

/* f(…) becomes N_f_f(heddle_w, heddle_e, …). */
static void rename_call(struct region *r, struct node *n, const struct copy *c, const char *more) {
    struct unit *u = r->pool->u;
    struct node *callee = ast_strip(n->first);
    struct lexer lx;
    if (expansion_begins(r->pool->u, callee) || !refs_is_whole_text(u, callee, c->f->name)) {
        fail(r, n->b, "the call comes out of a macro; write it out");
        return;
    }
    worker_replace(r, callee->b, callee->e, mem_printf("%s_%s", pool_prefix(r->pool), c->r.name));
    for (lexer_init(&lx, u->src.text, callee->e, u->src.size); !lexer_is(&lx, '('); lexer_next(&lx))
        if (lx.tok.kind == TOKEN_END)
            return;
    size_t open = lx.tok.e;
    lexer_next(&lx);
    worker_insert(r, open, mem_printf("heddle_w, heddle_e%s%s", more, lexer_is(&lx, ')') ? "" : ", "));
}

/* Functions that only need the globals, in any position; `plain` code runs the serial form of all others. */
void worker_plain_calls(struct region *r, struct node *n) {
    if (n->kind == CXCursor_CallExpr) {
        struct function *f = function_called(r->pool->u, n);
        if (!check_callee(r, n, f))
            return;
        if (f && f->spawns) {
            fail(r, n->b,
                 "this function makes tasks, which is not possible inside a lanes loop or in a function that "
                 "only one lane runs");
            return;
        }
        if (f && f->uses_globals && !r->pool->host) {
            struct copy *c = pool_copy(r->pool, f, true, n->b);
            if (c)
                rename_call(r, n, c, "");
            else
                r->bad = true;
        }
    }
    for (struct node *c = n->first; c; c = c->next)
        worker_plain_calls(r, c);
}

/* Where a function that waits puts its value. */
static const char *result_argument(struct region *r, struct node *n, struct function *f) {
    struct unit *u = r->pool->u;
    CXType result = clang_getCanonicalType(clang_getCursorResultType(f->c));
    struct node *left = n == r->root ? NULL : r->root->first;
    if (result.kind == CXType_Void)
        return "";
    if (!left) {
        diag_error(u, n->b, "the value of '%s' is dropped, but it waits for its tasks to compute it; assign it",
                   f->name);
        r->bad = true;
        return "";
    }
    CXType t = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(left->c)));
    if (!clang_equalTypes(t, clang_getUnqualifiedType(result)) || worker_effects(r, left)) {
        diag_error(u, left->b,
                   "the value of '%s' must go to an object of its own type, '%s', that is named without side effects",
                   f->name, ast_spelling(result));
        r->bad = true;
        return "";
    }
    const char *text = source_edited(&u->src, (struct span){left->b, left->e}, &r->edits);
    worker_replace(r, r->root->b, n->b, worker_same_lines(u, r->root->b, n->b, ""));
    return mem_printf(", &(%s)", text);
}

static void worker_call(struct region *r, struct node *n, struct function *f) {
    struct copy *c = pool_copy(r->pool, f, false, n->b);
    if (!c) {
        r->bad = true;
        return;
    }
    bool whole = r->task && r->task->call == n;
    if (c->r.waits.n && !whole) {
        diag_error(
            r->pool->u, n->b,
            "'%s' waits for its tasks, so its call is a task or a statement of a block; put '#pragma heddle task' "
            "before it, or '{ }' around it",
            f->name);
        r->bad = true;
        return;
    }
    vec_push(&r->calls, f);
    rename_call(r, n, c, whole ? mem_printf(", &heddle_r->heddle_frame, heddle_part%s", result_argument(r, n, f)) : "");
}

/* ---- expressions ---- */

static void children(struct region *r, struct node *n) {
    for (struct node *c = n->first; c; c = c->next)
        if (clang_isExpression(c->kind) || c->kind == CXCursor_InitListExpr)
            worker_expression(r, c, true);
}

void worker_share(struct region *r, CXType t) {
    long long size = clang_Type_getSizeOf(t);
    if (size > r->share)
        r->share = (long)size;
}

static void call(struct region *r, struct node *n, bool used) {
    struct function *f = function_called(r->pool->u, n);
    if (!check_callee(r, n, f))
        return;
    if (f && f->worker) {
        worker_call(r, n, f);
        children(r, n);
        return;
    }
    bool once = f ? f->stores : !function_is_pure(function_callee(n));
    if (!once) {
        if (f && f->uses_globals && !r->pool->host) {
            struct copy *c = pool_copy(r->pool, f, true, n->b);
            if (!c)
                r->bad = true;
            else
                rename_call(r, n, c, "");
        }
        children(r, n);
        return;
    }
    unsigned arguments = 0;
    for (struct node *c = n->first->next; c; c = c->next)
        arguments |= worker_effects(r, c);
    if (arguments & (EFFECT_LANE | EFFECT_WORKER)) {
        fail(r, n->b,
             "the call changes shared memory, and its arguments change local variables or make tasks; compute "
             "them before the call");
        return;
    }
    CXType t = clang_getCanonicalType(clang_getCursorType(n->c));
    if (expansion_begins(r->pool->u, n)) {
        fail(r, n->b, "the call comes out of a macro; write it out");
        return;
    }
    worker_insert(r, n->b,
                  t.kind == CXType_Void || !used ? "HEDDLE_ONCE_DO(heddle_w, " : "HEDDLE_ONCE_VALUE(heddle_w, ");
    worker_plain_calls(r, n);
    worker_insert(r, n->e, ")");
    if (t.kind != CXType_Void && used)
        worker_share(r, t);
}

static void store(struct region *r, struct node *n, bool used) {
    struct unit *u = r->pool->u;
    struct node *left = ast_strip(n->first);
    if (used) {
        fail(r, n->b, "the value of a change to shared memory is used; make the change a statement of its own");
        return;
    }
    if (expansion_begins(r->pool->u, n)) {
        fail(r, n->b, "the assignment comes out of a macro and changes local variables too; write it out");
        return;
    }
    if (left->kind == CXCursor_MemberRefExpr && clang_Cursor_isBitField(clang_getCursorReferenced(left->c))) {
        fail(r, n->b, "a bit-field is changed together with local variables; make two statements of it");
        return;
    }
    if (worker_is_step(n)) {
        if (worker_effects(r, n->first) & (EFFECT_LANE | EFFECT_WORKER)) {
            fail(r, n->b, "shared memory and a local variable change in one expression; make two statements of it");
            return;
        }
        worker_insert(r, n->b, "HEDDLE_ONCE_DO(heddle_w, ");
        worker_plain_calls(r, n);
        worker_insert(r, n->e, ")");
        return;
    }
    worker_insert(r, n->b, "HEDDLE_STORE(heddle_w, ");
    worker_expression(r, n->first, true);
    const char *op = source_flat(&u->src, (struct span){n->first->e, n->last->b});
    while (*op == ' ' || *op == ')')
        op++;
    size_t len = strcspn(op, " (");
    worker_replace(r, n->first->e, n->last->b,
                   worker_same_lines(u, n->first->e, n->last->b, mem_printf(", %.*s, ", (int)len, op)));
    worker_expression(r, n->last, true);
    worker_insert(r, n->e, ")");
}

void worker_expression(struct region *r, struct node *n, bool used) {
    if (n->kind == CXCursor_UnaryExpr)
        return;
    if (n->kind == CXCursor_StmtExpr) {
        if (worker_effects(r, n))
            fail(r, n->b, "a statement expression with effects in a task; make it a function");
        return;
    }
    if ((ast_is_assignment(n) || worker_is_step(n)) && worker_is_shared(r, n->first))
        store(r, n, used);
    else if (n->kind == CXCursor_CallExpr)
        call(r, n, used);
    else if (ast_binary(n) == CXBinaryOperator_Comma)
        worker_expression(r, n->first, false), worker_expression(r, n->last, used);
    else if (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr)
        for (struct node *c = n->first; c; c = c->next)
            worker_expression(r, c, used);
    else
        children(r, n);
}

void worker_expression_statement(struct region *r, struct node *n) {
    if (r->task && r->task->call && n == r->root) { /* the function stores its value itself */
        worker_expression(r, r->task->call, true);
        return;
    }
    unsigned effects = worker_effects(r, n);
    if ((effects & (EFFECT_STORE | EFFECT_ONCE)) && !(effects & (EFFECT_LANE | EFFECT_WORKER))) {
        if (expansion_begins(r->pool->u, n) && n->up && n->up->b == n->b) {
            fail(r, n->b, "the statement comes out of a macro and changes shared memory; write it out");
            return;
        }
        worker_insert(r, n->b, "HEDDLE_ONCE(heddle_w) ");
        worker_plain_calls(r, n);
        return;
    }
    worker_expression(r, n, false);
}
