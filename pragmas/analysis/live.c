/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which value of a variable is read: one that a statement gave it, or one from before? Every path counts; what is not
 * understood reads. The variable's address is nowhere taken, and nothing jumps by goto.
 */
#include "analysis/capture.h"
#include "prepare.h"

#include <stdint.h>

/* Of a statement: the variable is not touched on some way through, perhaps read before it is set, set on every way
   through, or there is no way through. */
enum flow { NONE, READ, SET, AWAY };

static enum flow flow(const struct node *n, CXCursor var);

static bool is_var(const struct node *n, CXCursor var) {
    return n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var);
}

static bool mentions(const struct node *n, CXCursor var) { return nest_is_mentioned((struct node *)(uintptr_t)n, var); }

static enum flow in_order(const struct node *first, CXCursor var) {
    for (const struct node *c = first; c; c = c->next) {
        const enum flow f = flow(c, var);
        if (f != NONE)
            return f;
    }
    return NONE;
}

static enum flow either(enum flow a, enum flow b) {
    if (a == READ || b == READ)
        return READ;
    if (a == NONE || b == NONE)
        return NONE;
    return a == SET || b == SET ? SET : AWAY;
}

static bool has_continue(const struct node *n) {
    if (n->kind == CXCursor_ContinueStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (has_continue(c))
            return true;
    return false;
}

/* A break or continue in it leaves or goes on with a loop around it. */
static bool escapes(const struct node *n, bool loop, bool choice) {
    if (n->kind == CXCursor_ContinueStmt)
        return !loop;
    if (n->kind == CXCursor_BreakStmt)
        return !loop && !choice;
    loop |= n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
    choice |= n->kind == CXCursor_SwitchStmt;
    for (const struct node *c = n->first; c; c = c->next)
        if (escapes(c, loop, choice))
            return true;
    return false;
}

/* For sure, whatever else the program does. */
static bool has_turn(struct node *loop) {
    struct loop_count c;
    long first, bound;
    if (!loop_counts(loop, &c) || c.sooner || !count_numbers(&c, &first, &bound))
        return false;
    return (c.down ? first > bound : first < bound) || (!c.open && first == bound);
}

/* What is done after the body of a turn: on the way round it is set only if every turn comes that far. */
static bool reads_after(const struct node *body, const struct node *after, CXCursor var) {
    return flow(after, var) == READ && (flow(body, var) != SET || has_continue(body));
}

static enum flow for_flow(const struct node *n, CXCursor var) {
    struct node *loop = (struct node *)(uintptr_t)n;
    if (ast_children(n) != 4)
        return mentions(n, var) ? READ : NONE;
    const struct node *test = ast_child(loop, 1), *inc = ast_child(loop, 2), *body = ast_child(loop, 3);
    enum flow f = flow(n->first, var);
    f = f == NONE ? flow(test, var) : f;
    if (f != NONE)
        return f;
    f = flow(body, var);
    if (f == READ || reads_after(body, inc, var))
        return READ;
    return f == SET && has_turn(loop) && !escapes(body, false, false) ? SET : NONE;
}

static enum flow do_flow(const struct node *n, CXCursor var) {
    const enum flow body = flow(n->first, var);
    if (body == READ || reads_after(n->first, n->last, var))
        return READ;
    return body == SET && !escapes(n->first, false, false) ? SET : NONE;
}

/* ---- switch ---- */

static bool is_label(const struct node *n) { return n->kind == CXCursor_CaseStmt || n->kind == CXCursor_DefaultStmt; }

static int labels(const struct node *n) {
    int count = is_label(n);
    for (const struct node *c = n->first; c; c = c->next)
        if (c->kind != CXCursor_SwitchStmt)
            count += labels(c);
    return count;
}

static bool breaks(const struct node *n) {
    if (n->kind == CXCursor_BreakStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (c->kind != CXCursor_SwitchStmt && c->kind != CXCursor_ForStmt && c->kind != CXCursor_WhileStmt &&
            c->kind != CXCursor_DoStmt && breaks(c))
            return true;
    return false;
}

/* From a statement on, until the switch is left or the variable is set; `left`: a break was met. */
static enum flow until_break(const struct node *first, CXCursor var, bool *left) {
    enum flow f = NONE;
    for (const struct node *c = first; c && f == NONE && !*left; c = c->next) {
        const struct node *stmt = c;
        while (is_label(stmt))
            stmt = stmt->last;
        if (stmt->kind == CXCursor_BreakStmt)
            *left = true;
        else if (stmt->kind == CXCursor_CompoundStmt)
            f = until_break(stmt->first, var, left);
        else
            f = breaks(stmt) ? READ : flow(stmt, var);
    }
    return f;
}

static enum flow switch_flow(const struct node *n, CXCursor var) {
    const struct node *body = n->last;
    enum flow all = AWAY;
    bool any = false;
    int seen = 0;
    if (!mentions(n, var))
        return NONE;
    const enum flow f = flow(n->first, var);
    if (f != NONE || body->kind != CXCursor_CompoundStmt)
        return f != NONE ? f : READ;
    for (const struct node *c = body->first; c; c = c->next) {
        bool left = false;
        if (!is_label(c))
            continue;
        for (const struct node *l = c; is_label(l); l = l->last) {
            any |= l->kind == CXCursor_DefaultStmt;
            seen++;
        }
        all = either(all, until_break(c, var, &left));
    }
    if (seen != labels(body)) /* some lead into a block */
        return READ;
    return any ? all : either(all, NONE);
}

static enum flow binary(const struct node *n, CXCursor var) {
    const enum CXBinaryOperatorKind op = ast_binary(n);
    if (op == CXBinaryOperator_Assign && is_var(ast_strip(n->first), var)) {
        const enum flow f = flow(n->last, var);
        return f == NONE ? SET : f;
    }
    if (op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) {
        const enum flow f = flow(n->first, var);
        return f == NONE ? either(flow(n->last, var), NONE) : f;
    }
    return in_order(n->first, var);
}

static enum flow flow(const struct node *n, CXCursor var) {
    enum flow f;
    if (ast_is_openmp(n)) /* its statement is hidden */
        return READ;
    switch ((int)n->kind) {
    case CXCursor_DeclRefExpr:
        return is_var(n, var) ? READ : NONE;
    case CXCursor_UnaryExpr: /* sizeof */
        return NONE;
    case CXCursor_BinaryOperator:
        return binary(n, var);
    case CXCursor_IfStmt:
    case CXCursor_ConditionalOperator:
        f = flow(n->first, var);
        if (f != NONE)
            return f;
        return either(flow(n->first->next, var), n->first->next->next ? flow(n->first->next->next, var) : NONE);
    case CXCursor_ForStmt:
        return for_flow(n, var);
    case CXCursor_WhileStmt:
        f = flow(n->first, var);
        return f == NONE ? either(flow(n->last, var), NONE) : f;
    case CXCursor_DoStmt:
        return do_flow(n, var);
    case CXCursor_SwitchStmt:
        return switch_flow(n, var);
    case CXCursor_ReturnStmt:
        f = in_order(n->first, var);
        return f == READ ? READ : AWAY;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        return AWAY;
    case CXCursor_UnexposedExpr:
    case CXCursor_GenericSelectionExpr: /* a ?: b, and what else may leave operands out */
        f = in_order(n->first, var);
        return f == SET && n->first->next ? NONE : f;
    default:
        return in_order(n->first, var);
    }
}

bool live_reads_first(const struct node *n, CXCursor var) { return flow(n, var) == READ; }

bool live_is_set(const struct node *n, CXCursor var) { return flow(n, var) == SET; }

/* ---- behind a statement ---- */

static bool returns(const struct node *n) {
    bool any = n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt;
    for (const struct node *c = n->first; c && !any; c = c->next)
        any = returns(c);
    return any;
}

bool live_leaves(const struct node *n) { return escapes(n, false, false) || returns(n); }

static bool read_outside(const struct node *n, const struct node *stmt, CXCursor var) {
    if (n == stmt)
        return false;
    if (is_var(n, var) && capture_access((struct node *)(uintptr_t)n) != ACCESS_WRITE)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (read_outside(c, stmt, var))
            return true;
    return false;
}

/* The rest of a turn, and what the next one begins with; true where it is known whether that reads. */
static bool around(const struct node *up, CXCursor var, bool *reads) {
    const struct node *test = up->kind == CXCursor_DoStmt ? up->last : up->first;
    enum flow f = NONE;
    if (up->kind == CXCursor_ForStmt && ast_children(up) != 4) {
        *reads = true;
        return true;
    }
    if (up->kind == CXCursor_ForStmt) {
        f = flow(up->first->next->next, var);
        test = up->first->next;
    }
    f = f == NONE ? flow(test, var) : f;
    *reads = f == READ || (f == NONE && flow(up->kind == CXCursor_DoStmt ? up->first : up->last, var) == READ);
    return f != NONE || *reads;
}

/* A break or continue of the loop around the statement comes where the variable is read. */
static bool live_where_it_escapes(const struct node *stmt, CXCursor var) {
    const struct node *loop = stmt->up;
    bool reads;
    while (loop && loop->kind != CXCursor_ForStmt && loop->kind != CXCursor_WhileStmt &&
           loop->kind != CXCursor_DoStmt && loop->kind != CXCursor_SwitchStmt)
        loop = loop->up;
    if (!loop || loop->kind == CXCursor_SwitchStmt)
        return true;
    around(loop, var, &reads);
    return reads || live_after(loop, var);
}

bool live_after(const struct node *stmt, CXCursor var) {
    const struct node *top = stmt, *n = stmt;
    bool reads;
    while (top->up)
        top = top->up;
    if (!read_outside(top, stmt, var))
        return false;
    for (const struct node *up = n->up; up; n = up, up = up->up) {
        switch ((int)up->kind) {
        case CXCursor_CompoundStmt:
            for (const struct node *c = n->next; c; c = c->next) {
                const enum flow f = flow(c, var);
                if (f == READ || (escapes(c, false, false) && live_where_it_escapes(c, var)))
                    return true;
                if (f != NONE)
                    return false;
            }
            break;
        case CXCursor_ForStmt:
        case CXCursor_WhileStmt:
        case CXCursor_DoStmt:
            if (around(up, var, &reads))
                return reads;
            break;
        case CXCursor_IfStmt:
        case CXCursor_FunctionDecl:
            break;
        default:
            return true;
        }
    }
    return false;
}
