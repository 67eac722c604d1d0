/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a `for` loop becomes before its function: environment, one iteration as a function, a loop over it for host
 * threads, a kernel (or, with variants, loops for the threads that drive devices), and where a chunk's sections lie.
 */
#include "front/macros.h"
#include "emit.h"
#include "loop/exchange.h"

#include <string.h>

/* ---- one iteration ---- */

/* The body with a kind's edits; `name`: "body", "body_cuda". */
void emit_for_body(struct for_loop *f, struct buf *out, const char *name, edit_list *edits, int kind) {
    struct nest *w = &f->w;
    bool *used = emit_set(w);
    emit_mark(w, (struct span){w->body_begin, w->body_end}, false, used);
    for (size_t i = 0; i < f->variants.n; i++)
        if (f->variants.at[i]->on[kind])
            for_scope_used(f, f->variants.at[i]->on[kind]->arg[0], used);
    buf_printf(out,
               "static HEDDLE_INLINE void $_%s(const struct $_env *heddle_e, long heddle_i, %sstruct $_red *heddle_r)\n"
               "{\n",
               name, f->step[1] ? "long heddle_j, " : "");
    buf_printf(out, "    (void)heddle_e, (void)heddle_i, %s(void)heddle_r;\n", f->step[1] ? "(void)heddle_j, " : "");
    emit_unpack(w, used, out);
    for (size_t i = 0; i < f->taken.n; i++) /* the loop variable is the record's address */
        vec_push(edits, (struct edit){f->taken.at[i].b, f->taken.at[i].e,
                                      mem_printf("(*(__typeof__(%s->at))heddle_i)", f->lists.at[0].v->name)});
    for (size_t i = 0; f->variants.n && i < w->vars.n; i++) /* a variant may leave some out */
        if (used[i])
            buf_printf(out, "    (void)%s;\n", w->vars.at[i]->name);
    emit_body(w, out, edits);
    emit_write_back(w, used, out);
    buf_puts(out, "}\n");
}

/* ---- loops over it ---- */

static void form_head(struct buf *out, const char *attributes, const char *name) {
    buf_printf(out,
               "static HEDDLE_UNUSED %svoid $_%s(const void *heddle_env, long heddle_lo, long heddle_step, long "
               "heddle_count, void *heddle_red)\n{\n",
               attributes, name);
}

/* A loop's step as the compiler should see it: elements that it knows to lie side by side become vectors. That of jobs
   is the size of a record. */
static const char *pace(const struct for_loop *f, int l) {
    const char *step = f->step[l];
    return f->jobs || step[strspn(step, "-(0123456789)")] ? l ? "heddle_e.heddle_step1" : "heddle_step" : step;
}

const char *emit_for_arguments(const struct for_loop *f, const char *red) {
    const char *first = mem_printf("&heddle_e, heddle_lo + heddle_k * %s", pace(f, 0));
    return f->step[1] ? mem_printf("%s, heddle_e.heddle_lo1 + heddle_q * %s, %s", first, pace(f, 1), red)
                      : mem_printf("%s, %s", first, red);
}

/* An int that is counted on does not go round, as the user's own does not. One that is cut out of a long might, and
   each subscript extends its sign anew. */
static bool counts_int(const struct for_loop *f, int l) {
    return pace(f, l) == f->step[l] && clang_getCanonicalType(clang_getCursorType(f->w.loop[l].var)).kind == CXType_Int;
}

const char *emit_for_value(const struct for_loop *f, int l, const char *env) {
    if (counts_int(f, l))
        return l ? "heddle_at1" : "heddle_at";
    if (!l)
        return mem_printf("heddle_lo + heddle_k * %s", pace(f, 0));
    return mem_printf("%sheddle_lo1 + heddle_q * %s", env, pace(f, 1));
}

void emit_for_turns(const struct for_loop *f, struct buf *out, int l, const char *env) {
    const char *k = l ? "heddle_q" : "heddle_k", *count = l ? mem_printf("%sheddle_count1", env) : "heddle_count",
               *value = emit_for_value(f, l, env);
    if (counts_int(f, l))
        buf_printf(out, "    int %s = (int)%s;\n", value, l ? mem_printf("%sheddle_lo1", env) : "heddle_lo");
    buf_printf(out, "    for (long %s = 0; %s < %s; %s++%s) {\n", k, k, count, k,
               counts_int(f, l) ? mem_printf(", %s += %s", value, f->step[l]) : "");
}

static void iterations(const struct for_loop *f, struct buf *out, const char *iteration, bool apart, bool in_place) {
    buf_printf(out, "    %sstruct $_env heddle_e = *(const struct $_env *)heddle_env;\n", apart ? "" : "const ");
    if (!in_place)
        buf_printf(out, "    struct $_red heddle_r = *(struct $_red *)heddle_red;\n");
    if (apart)
        emit_for_apart_values(f, out);
    emit_for_turns(f, out, 0, "heddle_e.");
    if (f->step[1])
        emit_for_turns(f, out, 1, "heddle_e.");
    buf_printf(out, "        $_%s(&heddle_e, %s, %s%s);\n    %s\n", iteration, emit_for_value(f, 0, "heddle_e."),
               f->step[1] ? mem_printf("%s, ", emit_for_value(f, 1, "heddle_e.")) : "",
               in_place ? mem_printf("(struct %s_red *)heddle_red", emit_prefix(&f->w)) : "&heddle_r",
               f->step[1] ? "}}" : "}");
    if (!in_place)
        buf_printf(out, "    *(struct $_red *)heddle_red = heddle_r;\n");
    buf_puts(out, "}\n");
}

/* Of a loop that assumes its arrays apart the other form is for arrays that overlap, and for size. */
static void forms(const struct for_loop *f, struct buf *out, const char *name, const char *iteration, bool in_place) {
    const bool apart = !strcmp(name, "host") && emit_for_assumes_apart(f);
    if (apart) {
        emit_for_apart_head(f, out, name);
        iterations(f, out, iteration, true, in_place);
        form_head(out, "__attribute__((__cold__, __minsize__)) ", "host_overlapping");
        iterations(f, out, iteration, false, in_place);
    }
    form_head(out, "", name);
    if (apart)
        emit_for_apart_call(f, out, name);
    else
        iterations(f, out, iteration, false, in_place);
}

/* Iterations of a chunk side by side: the directive's loop goes inside of loops of its body. */
static void exchanged_loops(struct for_loop *f, struct buf *out, const exchange_list *all, bool apart) {
    struct nest *w = &f->w;
    bool *used = emit_set(w);
    emit_mark(w, (struct span){w->body_begin, w->body_end}, false, used);
    buf_printf(out, "    %sstruct $_env heddle_e = *(const struct $_env *)heddle_env;\n", apart ? "" : "const ");
    if (apart)
        emit_for_apart_values(f, out);
    buf_printf(out,
               "    const struct $_env *heddle_env_copy = &heddle_e;\n    (void)heddle_env_copy, (void)heddle_red, "
               "(void)heddle_step;\n    {\n    const struct $_env *heddle_e = heddle_env_copy;\n    (void)heddle_e;\n");
    emit_unpack_variables(w, used, out);
    if (all->at[0]->loop)
        emit_exchange_rows(f, all, out);
    else
        emit_exchange(all->at[0], "heddle_lo", "heddle_lo + heddle_count", out);
    buf_puts(out, "\n    }\n}\n");
}

static void side_by_side(struct for_loop *f, struct buf *out, const exchange_list *all) {
    const bool apart = emit_for_assumes_apart(f);
    edit_list none = {0};
    if (apart) {
        emit_for_apart_head(f, out, "host");
        exchanged_loops(f, out, all, true);
        emit_for_body(f, out, "body_overlapping", &none, KIND_HOST);
        form_head(out, "__attribute__((__cold__, __minsize__)) ", "host_overlapping");
        iterations(f, out, "body_overlapping", false, false);
    }
    form_head(out, "", "host");
    if (apart)
        emit_for_apart_call(f, out, "host");
    else
        exchanged_loops(f, out, all, false);
}

/* One call for the whole chunk. */
static void whole(struct for_loop *f, struct buf *out, const char *name, int kind, const char *call) {
    struct nest *w = &f->w;
    bool *used = emit_set(w);
    const size_t at = f->variants.at[0]->on[kind]->arg[0].b;
    for_scope_used(f, f->variants.at[0]->on[kind]->arg[0], used);
    form_head(out, "", name);
    buf_printf(out, "    const struct $_env *heddle_e = HEDDLE_PTR(heddle_env);\n    struct $_red *heddle_r = "
                    "HEDDLE_PTR(heddle_red);\n"
                    "    (void)heddle_e, (void)heddle_r, (void)heddle_lo, (void)heddle_step, (void)heddle_count;\n");
    emit_unpack_variables(w, used, out);
    source_marker(&w->u->src, out, at, 0);
    buf_printf(out, "    %s;\n", call);
    emit_write_back(w, used, out);
    buf_puts(out, "}\n");
}

static const char *const kind_names[] = {[KIND_CUDA] = "cuda", [KIND_HOST] = "host", [KIND_OTHER] = "other"};

/* False: a kind without a form. */
static bool form(struct for_loop *f, struct buf *out, int kind) {
    edit_list edits = {0};
    exchange_list exchanged = {0};
    const bool any = for_variant_edits(f, kind, &edits);
    const char *call = for_variant_whole(f, kind);
    const char *name = kind == KIND_HOST ? "host" : mem_printf("host_driven_%s", kind_names[kind]);
    if (kind == KIND_HOST)
        exchange_find(f, &exchanged);
    if (exchanged.n)
        f->exchanged = exchange_order(&exchanged);
    const bool own =
        kind != KIND_HOST || (f->variants.n && !f->host_driven) || exchanged.n; /* "body" is the kernel's */
    const char *iteration = own ? mem_printf("body_%s", kind_names[kind]) : "body";
    if (!any)
        return false;
    if (call) {
        whole(f, out, name, kind, call);
        return true;
    }
    if (exchanged.n && (!exchanged.at[0]->loop || exchange_rows(f, &exchanged))) {
        side_by_side(f, out, &exchanged);
        return true;
    }
    const bool in_place = kind == KIND_HOST && emit_for_in_place(f, &edits);
    emit_exchange_edits(&exchanged, &edits);
    emit_for_body(f, out, iteration, &edits, kind);
    forms(f, out, name, iteration, in_place);
    for (size_t i = 0; i < f->w.vars.n; i++)
        f->w.vars.at[i]->in_place = false;
    return true;
}

/* ---- the kernel ---- */

/* Types that a GPU changes atomically. */
static bool atomic(CXType type) {
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Int || type.kind == CXType_UInt || type.kind == CXType_Long ||
           type.kind == CXType_ULong || type.kind == CXType_LongLong || type.kind == CXType_ULongLong ||
           type.kind == CXType_Float || type.kind == CXType_Double;
}

/* Device code that changes these atomically does not link, so their loop stays on the host. */
static bool beyond_devices(CXType type) {
    type = clang_getCanonicalType(type);
    return type.kind == CXType_LongDouble || type.kind == CXType_Int128 || type.kind == CXType_UInt128;
}

static bool has_kernel(const struct for_loop *f) {
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->reduced && beyond_devices(f->w.vars.at[i]->elem_type))
            return false;
    return !f->host_driven && !f->host;
}

/* Do reductions go through partial results in device memory? (runtime/include/heddle/engine/loop.h says why they
 * should.) */
static bool partials(const struct for_loop *f) {
    bool any = false;
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->reduced && !atomic(f->w.vars.at[i]->elem_type))
            return false;
        else
            any |= f->w.vars.at[i]->reduced;
    return any;
}

enum when { IN, CLAUSE, EACH, JOIN, BACK, OUT };

static const char *reduction(const struct var *v, enum when when) {
    switch (when) {
    case IN:
        return mem_printf("    %s heddle_r_%s = heddle_l_r->%s;\n", v->type, v->name, v->name);
    case CLAUSE:
        return mem_printf(" map(tofrom : heddle_r_%s) reduction(%s : heddle_r_%s)", v->name, clause_op_name(v->op),
                          v->name);
    case EACH:
        return mem_printf("        heddle_r.%s = heddle_r_%s;\n", v->name, v->name);
    case JOIN:
        return mem_printf("        HEDDLE_LOOP_ATOMIC_%s(heddle_p->%s, heddle_r.%s)\n", clause_op_constant(v->op),
                          v->name, v->name);
    case BACK:
        return mem_printf("        heddle_r_%s = heddle_r.%s;\n", v->name, v->name);
    default:
        return mem_printf("    heddle_l_r->%s = heddle_r_%s;\n", v->name, v->name);
    }
}

static void reductions(const struct for_loop *f, struct buf *out, enum when when) {
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->reduced)
            buf_puts(out, reduction(f->w.vars.at[i], when));
}

/* One loop over the device's threads, of which the launch may leave most without an iteration (heddle_loop_launch). */
static void threads(const struct for_loop *f, struct buf *out) {
    buf_printf(
        out,
        "\n    for (long heddle_thread = 0; heddle_thread < (heddle_count%s) << heddle_spread; heddle_thread++) {\n"
        "        if (HEDDLE_LOOP_ELSEWHERE || heddle_thread & ((1l << heddle_spread) - 1))\n            continue;\n",
        f->step[1] ? " * heddle_count1" : "");
    if (f->step[1])
        buf_puts(out, "        const long heddle_i = heddle_thread >> heddle_spread, heddle_k = heddle_i / "
                      "heddle_count1, heddle_q = heddle_i % heddle_count1;\n");
    else
        buf_puts(out, "        const long heddle_k = heddle_thread >> heddle_spread;\n");
}

/* Nothing of it is the user's text: no macro of theirs, `#define max fmaxf`, comes to the directive's words. */
static const char *launch(const struct for_loop *f) {
    const bool apart = partials(f);
    struct buf text = {.prefix = emit_prefix(&f->w)}, *out = &text;
    buf_printf(out, "static void $_kernel(const struct heddle_loop_launch *heddle_l)\n{\n");
    buf_printf(out, "    const struct $_env *heddle_env = HEDDLE_PTR(heddle_l->env);\n"
                    "    struct $_red *heddle_l_r = HEDDLE_PTR(heddle_l->red);\n");
    buf_puts(
        out,
        "    const long heddle_lo = heddle_l->lo, heddle_step = heddle_l->step, heddle_count = heddle_l->count;\n"
        "    const int heddle_device = heddle_l->device, heddle_spread = heddle_l->spread;\n    (void)heddle_l_r;\n");
    if (apart)
        buf_printf(out, "    struct $_red *heddle_partial = HEDDLE_PTR(heddle_l->partial);\n");
    reductions(f, out, IN);
    if (f->step[1])
        buf_printf(out, "    const long heddle_count1 = ((const struct $_env *)heddle_l->host_env)->heddle_count1;\n");
    buf_printf(out,
               "#pragma omp target teams distribute parallel for is_device_ptr(heddle_env%s) device(heddle_device)",
               apart ? ", heddle_partial" : "");
    if (!apart)
        reductions(f, out, CLAUSE);
    threads(f, out);
    buf_printf(out, "        const struct $_env heddle_e = *heddle_env;\n        struct $_red heddle_r;\n");
    reductions(f, out, EACH);
    buf_printf(out, "        $_body(%s);\n", emit_for_arguments(f, "&heddle_r"));
    if (apart)
        buf_printf(out, "        struct $_red *heddle_p = &heddle_partial[(heddle_k%s) %% HEDDLE_LOOP_PARTIALS];\n",
                   f->step[1] ? " + heddle_q" : "");
    reductions(f, out, apart ? JOIN : BACK);
    buf_puts(out, "    }\n");
    if (!apart)
        reductions(f, out, OUT);
    buf_puts(out, "}\n");
    return text.s;
}

static void kernel(struct for_loop *f, struct buf *out) {
    edit_list edits = {0};
    if (emit_for_reduces(f)) {
        emit_for_reducing_kernel(f, out);
        return;
    }
    if (f->variants.n || f->exchanged) { /* of the host: its body is another one */
        for_variant_edits(f, KIND_OTHER, &edits);
        emit_for_body(f, out, "body", &edits, KIND_OTHER);
    }
    macros_include(f->w.u, out, launch(f));
}

/* ---- all of it ---- */

static const char *type(const struct for_loop *f, const bool *host_driven, int reach_stages) {
    const char *p = emit_prefix(&f->w);
    struct buf marker = {0}, text = {.prefix = emit_prefix(&f->w)}, *out = &text;
    source_marker(&f->w.u->src, &marker, f->w.p->b, 0);
    char *path = strchr(marker.s, '"');
    path[strlen(path) - 1] = '\0'; /* its newline */
    buf_printf(out,
               "static const struct heddle_loop_type $_type = {\n"
               "    .site = {.file = %s, .function = \"%s\", .kind = \"%s\", .line = %u, .probe = $_probe},\n",
               path, f->w.function_name, f->jobs ? "jobs" : "for", source_line(&f->w.u->src, f->w.p->b));
    buf_printf(out, "    .env_bytes = sizeof(struct $_env), .red_bytes = sizeof(struct $_red),\n"
                    "    .red_start = $_red_start, .red_join = $_red_join,\n");
    emit_for_reduction_members(f, out);
    buf_printf(out, "    .sections = %s, .host = $_host", emit_for_is_chunked(f) ? mem_printf("%s_sections", p) : "0");
    if (f->rects.n)
        buf_printf(out, ", .nrects = %zu, .rects = $_rects", f->rects.n);
    if (has_kernel(f))
        buf_printf(out, ", .kernel = $_kernel, %s = %d", emit_for_reduces(f) ? ".reduces" : ".partials",
                   emit_for_reduces(f) || partials(f));
    if (f->host)
        buf_puts(out, ", .host_only = 1");
    if (reach_stages)
        buf_printf(out, ", .reach = $_reach, .reach_stages = %d", reach_stages);
    if (emit_for_assumes_apart(f))
        buf_printf(out, ", .host_overlapping = $_host_overlapping");
    if (f->exchanged)
        buf_printf(out, ", .order = \"%s\"", f->exchanged);
    if (host_driven[KIND_CUDA])
        buf_printf(out, ", .host_driven_cuda = $_host_driven_cuda");
    if (host_driven[KIND_OTHER])
        buf_printf(out, ", .host_driven_other = $_host_driven_other");
    buf_puts(out, "\n};\n");
    return text.s;
}

const char *emit_for_declarations(struct for_loop *f) {
    struct nest *w = &f->w;
    const struct source *src = &w->u->src;
    struct buf out = {.prefix = emit_prefix(w)};
    bool host_driven[KINDS] = {false};
    if (source_column(src, w->function_begin) > 1)
        buf_puts(&out, "\n");
    buf_printf(&out, "/* heddle: for at line %u, in %s() */\n", source_line(src, w->p->b), w->function_name);
    macros_include(w->u, &out,
                   mem_printf("#include <heddle/engine/nest.h>\nHEDDLE_QUIET\n#include <heddle/engine/%s.h>\n",
                              f->jobs ? "jobs" : "loop"));
    if (!f->host_driven && !f->host)
        emit_tables(w->u, w->body, &out);
    for (size_t i = 0; !f->host && (!f->host_driven || f->targets.n) && i < f->hidden.n; i++)
        emit_tables_of(w->u, f->hidden.at[i].c, f->hidden.at[i].at, &out);
    emit_defines(w, &out, true);
    emit_environment(w, &out);
    emit_for_reductions(f, &out);
    form(f, &out, KIND_HOST);
    if (has_kernel(f))
        kernel(f, &out);
    for (int kind = 0; kind < KINDS; kind++)
        host_driven[kind] = f->host_driven && kind != KIND_HOST && form(f, &out, kind);
    emit_for_sections(f, &out);
    const int reach_stages = f->reached.n ? emit_for_reach(f, &out) : 0;
    macros_include(w->u, &out, type(f, host_driven, reach_stages));
    emit_defines(w, &out, false);
    buf_puts(&out, "HEDDLE_LOUD\n");
    emit_resume(w, &out, w->function_begin);
    return out.s;
}

void emit_for(struct for_loop *f) {
    struct nest *w = &f->w;
    struct buf call = {.prefix = emit_prefix(w)};
    edit_list *edits = &w->u->edits;
    emit_for_call(f, &call);
    const char *before = emit_for_declarations(f);
    vec_push(edits, (struct edit){w->function_begin, w->function_begin, before});
    vec_push(edits, (struct edit){w->p->b, w->p->e, call.s});
    for_variant_remove(f);
    vec_push(edits, (struct edit){w->root_end, w->root_end, emit_closing(w)});
}
