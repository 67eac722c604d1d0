/* SPDX-License-Identifier: Apache-2.0 */
/* Time tiling, the text: tiles of some steps by some rows in place of the loop over steps (normal_time.c says why they
 * may). */
#include "normal_time.h"

#include <string.h>

static const char *most(const char *a, const char *b) { return mem_printf("(%s > %s ? %s : %s)", a, b, a, b); }
static const char *least(const char *a, const char *b) { return mem_printf("(%s < %s ? %s : %s)", a, b, a, b); }

/* The least or most of some sums of a text and a number: of sums with the same text one is kept. Each further text
 * doubles what is written, so there must be no more of them than loops. */
struct extreme {
    bool low;
    int n;
    struct {
        const char *base;
        long more;
    } at[MAX_LOOPS_IN_STEP];
};

static void extreme_add(struct extreme *x, const char *base, long more) {
    int i = 0;
    while (i < x->n && strcmp(x->at[i].base, base) != 0)
        i++;
    if (i == x->n)
        x->n++;
    else if (x->low ? x->at[i].more <= more : x->at[i].more >= more)
        return;
    x->at[i].base = base, x->at[i].more = more;
}

static const char *extreme_text(const struct extreme *x) {
    const char *text = NULL;
    for (int i = 0; i < x->n; i++) {
        const char *one = mem_printf("((long)(%s) + %ld)", x->at[i].base, x->at[i].more);
        text = !text ? one : x->low ? least(text, one) : most(text, one);
    }
    return text;
}

/* the first row of loop k, and the one behind its last, both moved */
static void add_first_row(struct extreme *x, const struct steps *s, int k, long more) {
    const struct row_loop *l = &s->loop[k];
    const long row = l->one ? l->row : 0;
    extreme_add(x, l->one ? "0" : unit_text(s->x->u, l->c.first), row + l->shift + more);
}

static void add_end_row(struct extreme *x, const struct steps *s, int k, long more) {
    const struct row_loop *l = &s->loop[k];
    const long row = l->one ? l->row + 1 : !l->c.open;
    extreme_add(x, l->one ? "0" : unit_text(s->x->u, l->c.bound), row + l->shift + more);
}

static void edit(struct steps *s, size_t b, size_t e, const char *by) {
    vec_push(s->x->edits, (struct edit){b, e, by});
}

static void put_loop(struct steps *s, int k, const char *from, const char *end) {
    const struct row_loop *l = &s->loop[k];
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(l->c.var))), *i = ast_name(l->c.var);
    if (l->one) {
        edit(s, l->stmt->b, l->stmt->b,
             mem_printf("if (%s <= %ld && %ld < %s) ", from, l->row + l->shift, l->row + l->shift, end));
        return;
    }
    const char *low = mem_printf("%s - %ld", from, l->shift), *high = mem_printf("%s - %ld", end, l->shift);
    normal_put(s->x, (struct span){l->stmt->b, ast_loop_body(s->x->u, l->stmt)},
               mem_printf("for (%s %s = (%s)%s; %s < %s; %s++) ", type, i, type,
                          most(low, mem_printf("(%s)", unit_text(s->x->u, l->c.first))), i,
                          least(high, mem_printf("(long)(%s) + %d", unit_text(s->x->u, l->c.bound), !l->c.open)), i));
}

void normal_time_put(struct steps *s) {
    struct normal *x = s->x;
    const char *t = ast_name(s->time.var),
               *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(s->time.var)));
    const char *block = normal_name(x->u, mem_printf("%s_turn", t)), *tile = mem_printf("%s_row", block),
               *from = mem_printf("%s_from", block);
    const char *end = mem_printf("%s_end", block), *first = unit_text(s->x->u, s->time.first);
    const char *steps = mem_printf("((long)(%s) + %d - (%s))", unit_text(s->x->u, s->time.bound), !s->time.open, first);
    struct extreme first_rows = {.low = true}, end_rows = {.low = false};
    for (int k = 0; k < s->loops; k++)
        add_first_row(&first_rows, s, k, 0), add_end_row(&end_rows, s, k, 0);
    const char *low = extreme_text(&first_rows), *high = extreme_text(&end_rows);
    const long slope = s->slope > 0 ? s->slope : 1, wide = CACHE / 2 / s->row_bytes + 1;
    long deep = CACHE / 2 / s->row_bytes / slope;
    deep = deep < LEAST_STEPS ? LEAST_STEPS : deep > MOST_STEPS ? MOST_STEPS : deep;
    /* several tiles each way, or threads would wait for each other */
    const char *span = mem_printf("(%s - %s)", high, low);
    const char *h = mem_printf("(%s / 4 < 1 ? 1L : %s / 4 < %ld ? %s / 4 : %ldL)", steps, steps, deep, steps, deep);
    const char *w = mem_printf("(%s / 8 < %ld ? %ldL : %s / 8 < %ld ? %s / 8 : %ldL)", span, slope * deep, slope * deep,
                               span, wide, span, wide > slope * deep ? wide : slope * deep);
    const char *rows = mem_printf("(%s + %ld * %s)", span, s->slope, steps);
    normal_put(x, (struct span){x->root->b, x->root->last->b},
               mem_printf("for (long %s = 0; %s < (%s + %s - 1) / %s; %s++) for (long %s = 0; %s < (%s + %s - 1) / %s; "
                          "%s++) { for (%s %s = (%s)((%s) + %s * %s); %s < %s; %s++) { const long %s = %s + %s * %s - "
                          "%ld * ((long)%s - (%s)), %s = %s + %s; ",
                          block, block, steps, h, h, block, tile, tile, rows, w, w, tile, type, t, type, first, block,
                          h, t,
                          least(mem_printf("(%s) + (%s + 1) * %s", first, block, h),
                                mem_printf("(long)(%s) + %d", unit_text(s->x->u, s->time.bound), !s->time.open)),
                          t, from, low, tile, w, s->slope, t, first, end, from, w));
    for (int k = 0; k < s->loops; k++)
        put_loop(s, k, from, end);
    edit(s, x->end, x->end, " } }");
    vec_push(&x->u->clipped,
             (struct clipped){.number = x->number,
                              .first = mem_printf("%ld * %s * %s / %s", s->slope, block, h, w),
                              .end = mem_printf("(%s + %ld * (%s + 1) * %s) / %s + 1", span, s->slope, block, h, w),
                              .tiles = true});
}

const char *normal_time_map(const struct steps *s, CXCursor array) {
    struct extreme low = {.low = true}, high = {.low = false};
    for (size_t r = 0; r < s->refs.n; r++) {
        const struct row_ref *ref = &s->refs.at[r];
        if (!clang_equalCursors(ref->array, array))
            continue;
        add_first_row(&low, s, ref->loop, ref->more - s->loop[ref->loop].shift);
        add_end_row(&high, s, ref->loop, ref->more - s->loop[ref->loop].shift);
    }
    const char *from = extreme_text(&low);
    return from ? mem_printf(" map(tofrom: %s[%s : %s - %s])", ast_name(array), from, extreme_text(&high), from) : NULL;
}
