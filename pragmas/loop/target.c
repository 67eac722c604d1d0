/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies that a host thread runs for a device: with calls that have variants, with target regions of their own, or
 * both. A region gets the device and the translated pointers as clauses; on the host and in the serial form its
 * directive goes. Outside of regions mapped pointers hold addresses of the device, so nothing there may be loaded or
 * stored through them.
 */
#include "front/macros.h"
#include "analysis/capture.h"
#include "loop.h"

#include <string.h>

static bool is_target(const struct node *n) {
    switch ((int)n->kind) {
    case CXCursor_OMPTargetDirective:
    case CXCursor_OMPTargetParallelDirective:
    case CXCursor_OMPTargetParallelForDirective:
    case CXCursor_OMPTargetParallelForSimdDirective:
    case CXCursor_OMPTargetSimdDirective:
    case CXCursor_OMPTargetTeamsDirective:
    case CXCursor_OMPTargetTeamsDistributeDirective:
    case CXCursor_OMPTargetTeamsDistributeParallelForDirective:
    case CXCursor_OMPTargetTeamsDistributeParallelForSimdDirective:
    case CXCursor_OMPTargetTeamsDistributeSimdDirective:
    case CXCursor_OMPTargetTeamsGenericLoopDirective:
    case CXCursor_OMPTargetParallelGenericLoopDirective:
        return true;
    default:
        return false;
    }
}

static void find(struct for_loop *f, struct node *n) {
    if (is_target(n)) {
        struct for_target t = {.n = n, .directive = {n->b, scan_directive_end(&f->w.u->src, n->b)}};
        vec_push(&f->targets, t);
        return;
    }
    for (struct node *c = n->first; c; c = c->next)
        find(f, c);
}

void for_targets(struct for_loop *f) {
    find(f, f->w.body);
    f->host_driven = for_variants_of_devices(f) || f->targets.n;
}

bool for_in_target(const struct for_loop *f, const struct node *n) {
    for (size_t i = 0; i < f->targets.n; i++)
        if (ast_contains(f->targets.at[i].n, n))
            return true;
    return false;
}

/* ---- edits ---- */

static void remove_directives(const struct for_loop *f, edit_list *edits) {
    for (size_t i = 0; i < f->targets.n; i++) {
        const struct span s = f->targets.at[i].directive;
        struct buf lines = {0};
        buf_add(&lines, "", 0);
        for (size_t k = s.b; k < s.e; k++)
            if (f->w.u->src.text[k] == '\n')
                buf_puts(&lines, "\n");
        vec_push(edits, (struct edit){s.b, s.e, lines.s});
    }
}

static bool mapped(const struct for_loop *f, const struct var *v) {
    for (size_t i = 0; i < f->maps.n; i++)
        if (f->maps.at[i].v == v && !*f->maps.at[i].member)
            return true;
    return false;
}

static const char *clauses(const struct for_loop *f, const struct for_target *t) {
    struct buf out = {0};
    int n = 0;
    buf_puts(&out, " device(heddle_variant_device())");
    for (size_t i = 2; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        bool used = false;
        for (size_t k = 0; mapped(f, v) && k < f->w.uses.n; k++)
            used |= f->w.uses.at[k].v == v && ast_contains(t->n, f->w.uses.at[k].n);
        if (used)
            buf_printf(&out, "%s%s", n++ ? ", " : " is_device_ptr(", v->name);
    }
    buf_puts(&out, n ? ")" : "");
    return out.s;
}

void for_target_edits(struct for_loop *f, int kind, edit_list *edits) {
    if (kind == KIND_HOST) {
        remove_directives(f, edits);
        return;
    }
    for (size_t i = 0; i < f->targets.n; i++)
        vec_push(edits, (struct edit){f->targets.at[i].directive.e, f->targets.at[i].directive.e,
                                      clauses(f, &f->targets.at[i])});
}

/* ---- what the host thread itself may do ---- */

/* Is the value of an element taken or set here? */
static bool touches(struct node *n) {
    for (struct node *up = n->up; up; n = up, up = up->up) {
        if ((up->kind == CXCursor_ArraySubscriptExpr && up->first == n) || ast_unary(up) == CXUnaryOperator_Deref ||
            up->kind == CXCursor_MemberRefExpr)
            return !(capture_access(up) & (ACCESS_ADDRESS | ACCESS_UNEVALUATED));
        if (up->kind != CXCursor_ParenExpr && up->kind != CXCursor_UnexposedExpr &&
            ast_binary(up) != CXBinaryOperator_Add && ast_binary(up) != CXBinaryOperator_Sub)
            return false;
    }
    return false;
}

/* A call that every kind of device replaces as a whole takes its arguments with it. */
static bool in_replaced_call(const struct for_loop *f, const struct node *n) {
    for (size_t i = 0; i < f->variants.n; i++)
        if (ast_contains(f->variants.at[i]->call, n) && for_variant_whole((struct for_loop *)f, KIND_CUDA))
            return true;
    return false;
}

/* The device and the chunk's data are given to a region; a map of its own may only name the body's variables. */
static bool check_clauses(struct for_loop *f, struct span s) {
    static const char *const mine[] = {"device", "is_device_ptr", "nowait", "depend"};
    const char *bad = NULL;
    for (size_t k = 0; k < sizeof mine / sizeof *mine; k++)
        bad = macros_name(f->w.u, s, mine[k]) ? mine[k] : bad;
    for (size_t i = 2; !bad && i < f->w.vars.n; i++)
        if (mapped(f, f->w.vars.at[i]) && macros_name(f->w.u, s, f->w.vars.at[i]->name) &&
            macros_name(f->w.u, s, "map"))
            bad = "map";
    if (bad)
        diag_error(f->w.u, s.b,
                   "'%s' on a target region in the loop, whose device and data are those of the chunk; remove it", bad);
    return !bad;
}

bool for_check_host_driven(struct for_loop *f) {
    bool ok = true;
    for (size_t i = 0; i < f->targets.n; i++)
        ok &= check_clauses(f, f->targets.at[i].directive);
    for (size_t i = 0; f->host_driven && i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        if (!mapped(f, use->v) || for_in_target(f, use->n) || in_replaced_call(f, use->n) || !touches(use->n))
            continue;
        diag_error(f->w.u, use->offset,
                   "'%s' is on the device while a host thread runs this; touch it in a target region or in the "
                   "function that is called, or pass its address",
                   use->v->name);
        ok = false;
    }
    return ok;
}
