/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in place of `#pragma heddle jobs`: a block for each loop, one in the other, with its environment and the
 * lists that it appends to; in the innermost one the call of the runtime. The while loop stays as the serial form.
 */
#include "emit.h"

static const char *flat(const struct jobs *j, struct span s) { return source_flat(&j->u->src, s); }

static void lists(const struct jobs *j, struct buf *out, const char *in) {
    buf_printf(out, "%s    struct heddle_jobs_list heddle_lists[] = {\n", in);
    for (size_t i = 0; i < j->lists.n; i++)
        buf_printf(out, "%s        {.list = %s, .record = sizeof *%s->at, .name = \"%s\"},\n", in, j->lists.at[i].name,
                   j->lists.at[i].name, j->lists.at[i].name);
    buf_printf(out, "%s    };\n", in);
}

static int outputs(const struct jobs *j, const struct for_loop *f, struct buf *out, const char *in) {
    int n = 0;
    for (size_t i = 0; i < f->lists.n; i++) {
        const struct jobs_list *l = &f->lists.at[i];
        if (!l->appended)
            continue;
        buf_printf(out, "%s%s        {.list = %d, .slot = offsetof(struct $_env, %s)},\n",
                   n++ ? "" : mem_printf("%s    struct heddle_jobs_output heddle_o[] = {\n", in), in,
                   jobs_list_number(j, l->v), l->v->name);
    }
    if (n)
        buf_printf(out, "%s    };\n", in);
    return n;
}

static void type(const struct jobs *j, const struct for_loop *f, struct buf *out, const char *in) {
    out->prefix = emit_prefix(&f->w);
    buf_printf(out, "%s    ", in);
    emit_call_begin(&f->w, out, in);
    emit_for_maps(f, out, in);
    const int n = outputs(j, f, out, in);
    buf_printf(out,
               "%s    struct heddle_jobs_type heddle_t = {\n"
               "%s        .loop = &$_type, .env = &heddle_e, .red = &heddle_r, .maps = %s, .nmaps = %zu,\n"
               "%s        .list = %d, .outputs = %s, .noutputs = %d, .before = heddle_before};\n",
               in, in, f->maps.n ? "heddle_m" : "0", f->maps.n, in, jobs_list_number(j, f->lists.at[0].v),
               n ? "heddle_o" : "0", n);
    buf_printf(out, "%s    {\n%s    struct heddle_jobs_type *heddle_before = &heddle_t;\n", in, in);
}

static void call(const struct jobs *j, struct buf *out, const char *in) {
    const struct clause *schedule = clause_find(j->p, CLAUSE_SCHEDULE), *device = clause_find(j->p, CLAUSE_DEVICE);
    const char *word = device ? clause_loop_device(device->kind) : "HEDDLE_DEVICE_AUTO";
    buf_printf(out,
               "%s    struct heddle_jobs_call heddle_c = {\n"
               "%s        .line = %u, .lists = heddle_lists, .nlists = %zu, .types = heddle_before,\n%s        ",
               in, in, source_line(&j->u->src, j->p->b), j->lists.n, in);
    if (schedule)
        buf_printf(out, ".schedule = \"%s\", ", clause_jobs_schedule(schedule->kind));
    if (schedule && schedule->nargs)
        buf_printf(out, ".parameter = %s, ", flat(j, schedule->arg[0]));
    buf_printf(out, ".device = %s};\n", word ? word : mem_printf("(int)(%s)", flat(j, device->arg[0])));
    buf_printf(out, "%s    heddle_failed = heddle_jobs_run(&heddle_c);\n", in);
}

/* The innermost block ends first: reductions of its loop are the last one's. */
static void end(const struct for_loop *f, struct buf *out, const char *in) {
    buf_printf(out, "%s    }\n%s    if (!heddle_failed) {\n", in, in);
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->reduced)
            buf_printf(out, "%s        %s = heddle_r.%s;\n", in, f->w.vars.at[i]->name, f->w.vars.at[i]->name);
    buf_printf(out, "%s    }\n%s    HEDDLE_LOUD\n%s    }\n", in, in, in);
}

static const char *text(const struct jobs *j) {
    struct buf text = {0}, *out = &text;
    const char *in = emit_indent(j->u, j->p->b);
    buf_printf(out,
               "{\n%s    HEDDLE_QUIET\n%s    int heddle_failed;\n"
               "%s    struct heddle_jobs_type *heddle_before = 0;\n",
               in, in, in);
    lists(j, out, in);
    for (size_t i = 0; i < j->loops.n; i++)
        type(j, j->loops.at[i], out, in);
    call(j, out, in);
    for (size_t i = j->loops.n; i > 0; i--)
        end(j->loops.at[i - 1], out, in);
    buf_printf(out, "%s    if (heddle_failed)\n%s    HEDDLE_LOUD\n", in, in);
    emit_next_line(j->u, out, j->p);
    return text.s;
}

/* The directive's line goes; its line breaks stay. */
static void remove_line(const struct jobs *j, const struct pragma *p) {
    struct buf lines = {0};
    buf_add(&lines, "", 0);
    for (size_t i = p->b; i < p->e; i++)
        if (j->u->src.text[i] == '\n')
            buf_puts(&lines, "\n");
    vec_push(&j->u->edits, (struct edit){p->b, p->e, lines.s});
}

void emit_jobs(struct jobs *j) {
    edit_list *edits = &j->u->edits;
    for (size_t i = 0; i < j->loops.n; i++) {
        struct for_loop *f = j->loops.at[i];
        f->w.id = ++j->u->nests;
        vec_push(edits, (struct edit){f->w.function_begin, f->w.function_begin, emit_for_declarations(f)});
        remove_line(j, f->w.p);
    }
    vec_push(edits, (struct edit){j->p->b, j->p->e, text(j)});
    const struct nest around = {.u = j->u, .p = j->p, .root_end = j->root_end};
    vec_push(edits, (struct edit){j->root_end, j->root_end, emit_closing(&around)});
}
