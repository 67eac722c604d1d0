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
    extreme_add(x, l->one ? "0" : unit_text(s->x->u, l->c.first), row + l->shift[ROWS] + more);
}

static void add_end_row(struct extreme *x, const struct steps *s, int k, long more) {
    const struct row_loop *l = &s->loop[k];
    const long row = l->one ? l->row + 1 : !l->c.open;
    extreme_add(x, l->one ? "0" : unit_text(s->x->u, l->c.bound), row + l->shift[ROWS] + more);
}

static void edit(struct steps *s, size_t b, size_t e, const char *by) {
    vec_push(s->x->edits, (struct edit){b, e, by});
}

/* for (i = first; i < bound; i++), moved by `shift`, between from and end, which may lie below 0: compared with a sign.
   The end is a variable: clang does not vectorize a loop that chooses it each time. */
static void put_head(struct steps *s, struct node *loop, const struct loop_count *c, long shift, const char *from,
                     const char *end) {
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(c->var))), *i = ast_name(c->var);
    const char *stop = normal_name(s->x->u, mem_printf("%s_end", i));
    const char *low = most(mem_printf("%s - %ld", from, shift), mem_printf("(long)(%s)", unit_text(s->x->u, c->first)));
    const char *high = least(mem_printf("%s - %ld", end, shift),
                             mem_printf("(long)(%s) + %d", unit_text(s->x->u, c->bound), !c->open));
    normal_put(s->x, (struct span){loop->b, ast_loop_body(s->x->u, loop)},
               mem_printf("for (%s %s = (%s)%s, %s = (%s)%s; %s < %s; %s++) ", type, i, type, low, stop, type,
                          most(high, mem_printf("(long)%s", i)), i, stop, i));
}

/* names in what is written: <block>, and with the others behind it */
struct tile_names {
    const char *block, *tile, *from, *end, *cut, *left, *right;
};

static void put_loop(struct steps *s, int k, const struct tile_names *n) {
    const struct row_loop *l = &s->loop[k];
    const long row = l->row + l->shift[ROWS];
    if (s->apart && s->loops > 1)
        edit(s, l->stmt->b, l->stmt->b,
             mem_printf("if (%s >= 0 || (-1 - %s) %% %d == %d) ", n->block, n->block, s->loops, k));
    if (l->one)
        edit(s, l->stmt->b, l->stmt->b, mem_printf("if (%s <= %ld && %ld < %s) ", n->from, row, row, n->end));
    else
        put_head(s, l->stmt, &l->c, l->shift[ROWS], n->from, n->end);
    if (s->by_lines)
        put_head(s, l->lines, &l->line, l->shift[LINES], n->left, n->right);
}

struct tile { /* as C text */
    const char *steps, *low, *span, *h, *w;
    const char *low_line, *cut, *cuts;
};

/* Several tiles each way, or threads would wait for each other. Rows of which a cache holds too few for that are cut
 * into lines: threads then hand on what they have less often, by twice as many steps. */
static void size_tile(const struct steps *s, struct tile *t) {
    const long slope = s->slope[ROWS] > 0 ? s->slope[ROWS] : 1, fit = normal_time_fit(s);
    const long deep = s->by_lines ? CUT_STEPS : fit < LEAST_STEPS ? LEAST_STEPS : fit > MOST_STEPS ? MOST_STEPS : fit;
    const long least_wide = s->by_lines ? CUT_ROWS : slope * deep, most_wide = CACHE / 2 / s->bytes[ROWS] + 1;
    t->h = mem_printf("(%s / 4 < 1 ? 1L : %s / 4 < %ld ? %s / 4 : %ldL)", t->steps, t->steps, deep, t->steps, deep);
    t->w = mem_printf("(%s / 8 < %ld ? %ldL : %s / 8 < %ld ? %s / 8 : %ldL)", t->span, least_wide, least_wide, t->span,
                      most_wide, t->span, most_wide > least_wide ? most_wide : least_wide);
    const long lines = CUT_CACHE / s->bytes[LINES] / CUT_ROWS;
    t->cut = mem_printf("%ldL", lines < LEAST_LINES ? LEAST_LINES : lines);
}

static void size_rows(const struct steps *s, struct tile *t) {
    struct extreme first = {.low = true}, end = {.low = false};
    for (int k = 0; k < s->loops; k++)
        add_first_row(&first, s, k, 0), add_end_row(&end, s, k, 0);
    t->low = extreme_text(&first);
    t->span = mem_printf("(%s - %s)", extreme_text(&end), t->low);
}

/* A tile's lines are moved from its first step on. */
static void size_lines(const struct steps *s, struct tile *t) {
    struct extreme first = {.low = true}, end = {.low = false};
    for (int k = 0; k < s->loops; k++) {
        const struct row_loop *l = &s->loop[k];
        extreme_add(&first, unit_text(s->x->u, l->line.first), l->shift[LINES]);
        extreme_add(&end, unit_text(s->x->u, l->line.bound), !l->line.open + l->shift[LINES]);
    }
    t->low_line = extreme_text(&first);
    t->cuts = mem_printf("(%s - %s + %ld * %s + %s - 1) / %s", extreme_text(&end), t->low_line, s->slope[LINES], t->h,
                         t->cut, t->cut);
}

static struct tile_names name_tile(const struct normal *x, const char *time) {
    const char *block = normal_name(x->u, mem_printf("%s_turn", time));
    return (struct tile_names){.block = block,
                               .tile = mem_printf("%s_row", block),
                               .from = mem_printf("%s_from", block),
                               .end = mem_printf("%s_end", block),
                               .cut = mem_printf("%s_cut", block),
                               .left = mem_printf("%s_left", block),
                               .right = mem_printf("%s_right", block)};
}

/* A block below 0 stands for one loop of one step, counted down from -1, and its tiles for rows: so the engine runs
 * loop by loop where too few tiles could run at once. */
static const char *choice(const struct steps *s, const struct tile_names *n, const char *loop, const char *tile) {
    return s->apart ? mem_printf("(%s < 0 ? %s : %s)", n->block, loop, tile) : tile;
}

/* for (t = first + block * h; t is before the next block and in the steps; t++) { rows, lines */
static const char *steps_of_tile(const struct steps *s, const struct tile_names *n, const struct tile *is) {
    const char *t = ast_name(s->time.var), *first = mem_printf("(long)(%s)", unit_text(s->x->u, s->time.first));
    const char *type = ast_spelling(clang_getUnqualifiedType(clang_getCursorType(s->time.var)));
    const char *all = mem_printf("(long)(%s) + %d", unit_text(s->x->u, s->time.bound), !s->time.open);
    const char *begin = choice(s, n, mem_printf("(%s) + (-1 - %s) / %d", first, n->block, s->loops),
                               mem_printf("(%s) + %s * %s", first, n->block, is->h));
    const char *end = choice(s, n, mem_printf("(%s) + 1 + (-1 - %s) / %d", first, n->block, s->loops),
                             least(mem_printf("(%s) + (%s + 1) * %s", first, n->block, is->h), all));
    const char *from = choice(
        s, n, n->tile, mem_printf("%s * %s - %ld * ((long)%s - (%s))", n->tile, is->w, s->slope[ROWS], t, first));
    const char *head =
        mem_printf("for (%s %s = (%s)(%s); (long)%s < %s; %s++) { const long %s = %s + %s, %s = %s + %s; ", type, t,
                   type, begin, t, end, t, n->from, is->low, from, n->end, n->from, choice(s, n, "1", is->w));
    if (!s->by_lines)
        return head;
    return mem_printf("for (long %s = 0; %s < %s; %s++) %sconst long %s = %s + %s * %s - %ld * ((long)%s - (%s)), "
                      "%s = %s + %s; ",
                      n->cut, n->cut, is->cuts, n->cut, head, n->left, is->low_line, n->cut, is->cut, s->slope[LINES],
                      t, begin, n->right, n->left, is->cut);
}

void normal_time_put(struct steps *s) {
    struct normal *x = s->x;
    const struct tile_names n = name_tile(x, ast_name(s->time.var));
    struct tile is = {.steps = mem_printf("((long)(%s) + %d - (long)(%s))", unit_text(x->u, s->time.bound),
                                          !s->time.open, unit_text(x->u, s->time.first))};
    size_rows(s, &is);
    size_tile(s, &is);
    if (s->by_lines)
        size_lines(s, &is);
    normal_put(x, (struct span){x->root->b, x->root->last->b},
               mem_printf("for (long %s = 0; %s < (%s + %s - 1) / %s; %s++) for (long %s = 0; %s < (%s + %ld * %s + %s "
                          "- 1) / %s; %s++) { %s",
                          n.block, n.block, is.steps, is.h, is.h, n.block, n.tile, n.tile, is.span, s->slope[ROWS],
                          is.steps, is.w, is.w, n.tile, steps_of_tile(s, &n, &is)));
    for (int k = 0; k < s->loops; k++)
        put_loop(s, k, &n);
    edit(s, x->end, x->end, " } }");
    const char *first = mem_printf("%ld * %s * %s / %s", s->slope[ROWS], n.block, is.h, is.w);
    const char *end = mem_printf("(%s + %ld * (%s + 1) * %s) / %s + 1", is.span, s->slope[ROWS], n.block, is.h, is.w);
    struct clipped c = {
        .number = x->number, .first = choice(s, &n, "0", first), .end = choice(s, &n, is.span, end), .tiles = true};
    if (s->apart) {
        const char *moved = mem_printf("%ld * %s", s->slope[ROWS], is.h);
        c.loops = mem_printf("%d * %s", s->loops, is.steps);
        c.rows = is.span;
        c.at_once = mem_printf("(%s + %s) / (%s + %s) + 1", is.span, moved, moved, is.w);
    }
    vec_push(&x->u->clipped, c);
}

const char *normal_time_map(const struct steps *s, CXCursor array) {
    struct extreme low = {.low = true}, high = {.low = false};
    for (size_t r = 0; r < s->refs.n; r++) {
        const struct row_ref *ref = &s->refs.at[r];
        if (!clang_equalCursors(ref->array, array))
            continue;
        add_first_row(&low, s, ref->loop, ref->more[ROWS] - s->loop[ref->loop].shift[ROWS]);
        add_end_row(&high, s, ref->loop, ref->more[ROWS] - s->loop[ref->loop].shift[ROWS]);
    }
    const char *from = extreme_text(&low);
    return from ? mem_printf(" map(tofrom: %s[%s : %s - %s])", ast_name(array), from, extreme_text(&high), from) : NULL;
}
