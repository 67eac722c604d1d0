/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a `for` loop reduces: the lists from which the engine makes structures, users' own operators as functions, and
 * the kernel of loops that reduce arrays or by such operators (runtime/include/heddle/engine/loop_reduce.h).
 */
#include "analysis/capture.h"
#include "front/macros.h"
#include "emit.h"

#include <string.h>

/* More than values by OpenMP's operators. */
static bool reduces_more(const struct for_loop *f) {
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->joined || f->w.vars.at[i]->user)
            return true;
    return false;
}

bool emit_for_reduces(const struct for_loop *f) {
    bool any = reduces_more(f);
    for (size_t i = 0; i < f->w.vars.n; i++)
        any |= !f->jobs && f->w.vars.at[i]->reduced; /* a launch of jobs has partial results of its own */
    return any;
}

/* ---- users' operators ---- */

static bool is_value(const char *text) {
    static const char name[] = "omp_priv";
    const size_t n = sizeof name - 1;
    if (strncmp(text, name, n) != 0)
        return false;
    text += n + strspn(text + n, " ");
    return text[0] == '=' && text[1] != '=';
}

/* omp_priv = value, or a call that is given &omp_priv; nothing: zeros */
static void starting_value(const struct for_loop *f, const struct var *v, struct buf *out) {
    const struct source *src = &f->w.u->src;
    const char *text = source_flat(src, v->user->initializer);
    buf_printf(out,
               "static HEDDLE_UNUSED void $_start_%s(__typeof__(%s) *heddle_to, const __typeof__(%s) *heddle_from)\n{\n"
               "    const __typeof__(%s) omp_orig = *heddle_from;\n    (void)omp_orig;\n",
               v->name, v->type, v->type, v->type);
    source_marker(src, out, v->user->at, 0);
    if (is_value(text))
        buf_printf(out, "    __typeof__(%s) %s;\n", v->type, text);
    else
        buf_printf(out, "    __typeof__(%s) omp_priv; __builtin_memset(&omp_priv, 0, sizeof omp_priv); %s;\n", v->type,
                   text);
    buf_puts(out, "    *heddle_to = omp_priv;\n}\n");
}

static void joining(const struct for_loop *f, const struct var *v, struct buf *out) {
    const struct source *src = &f->w.u->src;
    buf_printf(out,
               "static HEDDLE_UNUSED void $_join_%s(__typeof__(%s) *heddle_into, const __typeof__(%s) *heddle_from)\n"
               "{\n    __typeof__(%s) omp_out = *heddle_into, omp_in = *heddle_from;\n",
               v->name, v->type, v->type, v->type);
    source_marker(src, out, v->user->at, 0);
    buf_printf(out, "    %s;\n    *heddle_into = omp_out;\n}\n", source_flat(src, v->user->combiner));
}

/* ---- lists ---- */

enum list { VALUES, USERS, ARRAYS };

static bool is_listed(const struct var *v, enum list list) {
    return list == ARRAYS ? v->joined : v->reduced && (v->user != NULL) == (list == USERS);
}

static bool list(const struct for_loop *f, enum list list, struct buf *out) {
    static const char *const names[] = {[VALUES] = "RED", [USERS] = "RED_USERS", [ARRAYS] = "RED_ARRAYS"};
    bool any = false;
    buf_printf(out, "#define $_%s(heddle_x)", names[list]);
    for (size_t i = 0; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        if (!is_listed(v, list))
            continue;
        any = true;
        if (list == VALUES)
            buf_printf(out, " heddle_x(%s, %s, %s)", v->type, v->name, clause_op_constant(v->op));
        else if (list == USERS)
            buf_printf(out, " heddle_x(%s, %s, $_start_%s, $_join_%s)", v->type, v->name, v->name, v->name);
        else
            buf_printf(out, " heddle_x(%s, %s, heddle_%s_first, heddle_%s_count, %s)", v->elem, v->name, v->name,
                       v->name, clause_op_constant(v->op));
    }
    buf_puts(out, "\n");
    return any;
}

void emit_for_reductions(const struct for_loop *f, struct buf *out) {
    const char *p = emit_prefix(&f->w);
    list(f, VALUES, out);
    if (!reduces_more(f)) {
        macros_include(f->w.u, out, mem_printf("HEDDLE_LOOP_TYPES(%s)\n", p));
        return;
    }
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->user) {
            starting_value(f, f->w.vars.at[i], out);
            joining(f, f->w.vars.at[i], out);
        }
    const bool users = list(f, USERS, out), arrays = list(f, ARRAYS, out);
    macros_include(f->w.u, out,
                   mem_printf("HEDDLE_LOOP_TYPES_%s(%s)\n%s", arrays ? "ARRAYS" : "USERS", p,
                              users ? mem_printf("HEDDLE_LOOP_FRESH(%s)\n", p) : ""));
}

void emit_for_reduction_members(const struct for_loop *f, struct buf *out) {
    bool users = false, arrays = false;
    for (size_t i = 0; i < f->w.vars.n; i++) {
        users |= f->w.vars.at[i]->user != NULL;
        arrays |= f->w.vars.at[i]->joined;
    }
    if (arrays)
        buf_printf(out, "    .red_more = $_red_more,\n");
    if (users)
        buf_printf(out, "    .red_fresh = $_red_fresh, .red_again = $_red_again,\n");
}

/* ---- the host's body ---- */

/* A structure that the body changes under a condition is changed where it lies: with a copy in registers, taken and
   given back by each iteration, compilers compute both and choose, and wait for the one before. */
bool emit_for_in_place(struct for_loop *f, edit_list *edits) {
    const struct source *src = &f->w.u->src;
    const size_t before = edits->n;
    bool any = false;
    for (size_t i = 0; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        any |= v->user != NULL;
        if ((v->reduced && !v->user) || (v->user && for_hidden_uses(f, v)))
            return false;
    }
    for (size_t i = 0; any && i < f->w.uses.n; i++) {
        const struct use *use = &f->w.uses.at[i];
        const struct span s = {use->offset, use->offset + strlen(use->v->name)};
        struct lexer lx;
        if (!use->v->user)
            continue;
        lexer_init(&lx, src->text, s.b, src->size);
        if (!lexer_is_word(&lx, use->v->name) || lx.tok.b != s.b) { /* out of a macro */
            edits->n = before;
            return false;
        }
        vec_push(edits, (struct edit){s.b, s.e, mem_printf("(*heddle_at_%s)", use->v->name)});
    }
    for (size_t i = 0; any && i < f->w.vars.n; i++)
        f->w.vars.at[i]->in_place = f->w.vars.at[i]->user != NULL;
    return any;
}

/* ---- the kernel ---- */

/* One iteration, with its number among all of the chunk. */
static void iteration(const struct for_loop *f, struct buf *out, const char *body) {
    buf_printf(
        out, "static HEDDLE_INLINE void $_iteration(const struct $_env *heddle_env, long heddle_lo, long heddle_step, "
             "long heddle_thread, struct $_red *heddle_red)\n{\n"
             "    const struct $_env heddle_e = *heddle_env;\n    struct $_red heddle_r = *heddle_red;\n");
    if (f->step[1])
        buf_puts(out, "    if (heddle_e.heddle_count1 < 1)\n        return;\n"
                      "    const long heddle_k = heddle_thread / heddle_e.heddle_count1, heddle_q = heddle_thread % "
                      "heddle_e.heddle_count1;\n");
    else
        buf_puts(out, "    const long heddle_k = heddle_thread;\n");
    buf_printf(out, "    $_%s(%s);\n    *heddle_red = heddle_r;\n}\n", body, emit_for_arguments(f, "&heddle_r"));
}

void emit_for_reducing_kernel(struct for_loop *f, struct buf *out) {
    bool values = false, arrays = false;
    for (size_t i = 0; i < f->w.vars.n; i++) {
        values |= f->w.vars.at[i]->reduced;
        arrays |= f->w.vars.at[i]->joined;
    }
    const bool own = reduces_more(f) || f->variants.n; /* the host's body is another one */
    edit_list edits = {0};
    if (f->variants.n)
        for_variant_edits(f, KIND_OTHER, &edits);
    for (size_t i = 0; i < f->updates.n; i++)
        vec_push(&edits, f->updates.at[i]);
    if (arrays)
        macros_include(f->w.u, out, "#include <heddle/engine/reduce_update.h>\n");
    if (own)
        emit_for_body(f, out, "body_reduce", &edits, KIND_OTHER);
    iteration(f, out, own ? "body_reduce" : "body");
    macros_include(f->w.u, out,
                   mem_printf("#define HEDDLE_LOOP %s\n#define HEDDLE_LOOP_VALUES %d\n#define HEDDLE_LOOP_COPIES %d\n"
                              "#define HEDDLE_LOOP_SHORT %d\n"
                              "#include <heddle/engine/loop_reduce.h>\n#undef HEDDLE_LOOP\n"
                              "#undef HEDDLE_LOOP_VALUES\n#undef HEDDLE_LOOP_COPIES\n#undef HEDDLE_LOOP_SHORT\n",
                              emit_prefix(&f->w), values, arrays, !arrays && !emit_for_repeats(f)));
}
