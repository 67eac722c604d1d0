/* SPDX-License-Identifier: Apache-2.0 */
/* The function that looks up which part of an array a chunk reads through an index: loop/reach.h. */
#include "emit.h"
#include "analysis/map.h"
#include "loop/reach.h"

/* What its text names; variables that are reduced have no value before the loop. */
static bool *used_by(const struct nest *w) {
    bool *used = emit_set(w);
    emit_mark(w, (struct span){w->body_begin, w->body_end}, false, used);
    for (size_t i = 2; i < w->vars.n; i++)
        used[i] = used[i] && !w->vars.at[i]->reduced && !w->vars.at[i]->joined;
    return used;
}

static void variables(const struct for_loop *f, struct buf *out) {
    for (size_t i = 0; i < f->reached.n; i++) {
        const struct for_reached *one = &f->reached.at[i];
        const char *most = one->wide ? "__LONG_MAX__" : "__INT_MAX__", *name = one->v->name;
        buf_printf(out, "    %s heddle_%s_low = %s, heddle_%s_high = -%s;\n", one->wide ? "long" : "int", name, most,
                   name, most);
    }
}

static void row(const struct reach_row *r, struct buf *out) {
    const char *type = r->is_int ? "int" : "long", *most = r->is_int ? "__INT_MAX__" : "__LONG_MAX__",
               *first = r->begin ? mem_printf("%s[heddle_lo]", r->begin->name) : "heddle_lo",
               *count = r->begin ? mem_printf("(long)%s[heddle_lo + heddle_count] - (long)%s", r->begin->name, first)
                                 : "heddle_count";
    if (r->at)
        buf_printf(out,
                   "        { %s heddle_low = %s, heddle_high = -%s;\n        HEDDLE_REACH_%s(%s + %s, %s, heddle_low, "
                   "heddle_high)\n",
                   type, most, most, r->is_int ? "INTS" : "ROW", r->at->name, first, count);
    else
        buf_printf(out,
                   "        if (%s > 0) {\n        const long heddle_low = %s, heddle_high = heddle_low + %s - 1;\n",
                   count, first, count);
    for (size_t i = 0; i < r->reached.n; i++)
        buf_printf(out, "        HEDDLE_REACH_JOIN(heddle_low, heddle_high, heddle_%s_low, heddle_%s_high)\n",
                   r->reached.at[i]->name, r->reached.at[i]->name);
    buf_puts(out, "        }\n");
}

static void rows(const struct reach_rows *rows, struct buf *out) {
    buf_puts(out, "    if (heddle_count > 0");
    for (size_t i = 0; i < rows->all.n; i++)
        if (rows->all.at[i].begin && (!i || rows->all.at[i - 1].begin != rows->all.at[i].begin))
            buf_printf(out, " && HEDDLE_ROWS_FOLLOW(%s + heddle_lo, heddle_count)", rows->all.at[i].begin->name);
    buf_puts(out, ") {\n");
    for (size_t i = 0; i < rows->all.n; i++)
        row(&rows->all.at[i], out);
    buf_puts(out, "    } else {\n");
}

/* Returns how many stages there are. */
static int stage(struct for_loop *f, struct buf *out, int number) {
    struct reach_rows side_by_side;
    int stages;
    const char *text = for_reach_text(f, number, &side_by_side, &stages);
    buf_printf(out, "    if (heddle_stage == %d) {\n", number);
    if (side_by_side.all.n)
        rows(&side_by_side, out);
    for (int l = 0; l < 2 && f->step[l]; l++) {
        const struct loop *loop = &f->w.loop[l];
        emit_for_turns(f, out, l, "heddle_e->");
        buf_printf(out, "        const %s %s = (%s)(%s);\n", loop->type, loop->name, loop->type,
                   emit_for_value(f, l, "heddle_e->"));
    }
    buf_printf(out, "        %s\n    }%s%s\n    }\n", text, f->step[1] ? "}" : "", side_by_side.all.n ? "}" : "");
    return stages;
}

int emit_for_reach(struct for_loop *f, struct buf *out) {
    int stages = 1;
    buf_printf(out, "HEDDLE_REACH_FUNCTION void $_reach(const void *heddle_env, long heddle_lo, long heddle_step, long "
                    "heddle_count, "
                    "int heddle_stage, struct heddle_map *heddle_m)\n{\n"
                    "    const struct $_env *heddle_e = HEDDLE_PTR(heddle_env);\n");
    emit_unpack_variables(&f->w, used_by(&f->w), out);
    variables(f, out);
    for (int k = 1; k <= stages; k++)
        stages = stage(f, out, k);
    for (size_t i = 0; i < f->maps.n; i++)
        if (f->maps.at[i].reached)
            buf_printf(out,
                       "    heddle_reached(&heddle_m[%zu], heddle_%s_low, heddle_%s_high, (long)sizeof "
                       "*heddle_e->%s%s);\n",
                       i, f->maps.at[i].v->name, f->maps.at[i].v->name, f->maps.at[i].v->name,
                       map_row_factor(f->maps.at[i].v));
    buf_puts(out, "}\n");
    return stages;
}
