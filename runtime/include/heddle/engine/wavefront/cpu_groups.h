/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row block whose cells read from memory, in groups of HEDDLE_GROUP steps: cpu_streams.h says how what they read and
 * store is turned. Groups at the ends of the nest, where some rows are left or right of it, are vector code as well if
 * the body may be computed for cells that do not exist (HEDDLE_N(EARLY_PURE), pragmas/analysis/pure.c): elements that
 * no cell reads stand for nothing, and what comes out is dropped.
 *
 * Included by heddle/engine/wavefront/cpu.h once per instruction set. No include guard.
 */
/* Whole groups from step s0 on. */
HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline, unused)) void
HEDDLE_I(groups)(const struct HEDDLE_I(sweep) *sweep, struct HEDDLE_I(state) *st, long s0, long s1) {
    const struct HEDDLE_N(env) env = *sweep->env;
    struct HEDDLE_I(sweep) copy = *sweep, *sw = &copy;
    struct HEDDLE_I(moving) m = st->moving;
    const int last = HEDDLE_N(LAST_ROWS) && sw->block->row + HEDDLE_I(ROWS) - 1 > sw->block->i1 - HEDDLE_N(LAST_ROWS);
    copy.env = &env;
    for (long g = s0; g < s1; g += HEDDLE_GROUP) {
        const struct HEDDLE_I(part) part = {g, g + HEDDLE_GROUP, 0};
        HEDDLE_I(turn)(sw, &st->early, g, 0);
        HEDDLE_I(load_cols)(sw, st, g, g + HEDDLE_GROUP, 1);
        for (long s = g; s < g + HEDDLE_GROUP; s++) {
            HEDDLE_I(step)(sw, st, &m, &part, s);
            HEDDLE_I(hand_on)(sw, &m, s, 1);
            if (last) {
                st->moving = m;
                HEDDLE_I(store_last_rows)(sw, &st->moving, s);
            }
        }
        HEDDLE_I(scatter)(sw, &st->early, st->cells[0], g, 0);
    }
    st->moving = m;
}

/* Groups of which some rows are left or right of the nest, the last one perhaps with fewer steps. */
HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline, unused)) void
HEDDLE_I(end_groups)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, long s0, long s1) {
    for (long g = s0; g < s1; g += HEDDLE_GROUP) {
        const struct HEDDLE_I(part) part = {g, g + HEDDLE_GROUP < s1 ? g + HEDDLE_GROUP : s1, 0};
        HEDDLE_I(ask)(sw, g);
        HEDDLE_I(turn)(sw, &st->early, g, 1);
        HEDDLE_I(load_cols)(sw, st, g, part.s1, 0);
        for (long s = g; s < part.s1; s++) {
            HEDDLE_I(step_masked)(sw, st, &part, s, HEDDLE_I(ENDS));
            HEDDLE_I(hand_on)(sw, &st->moving, s, 0);
            if (HEDDLE_N(LAST_ROWS))
                HEDDLE_I(store_last_rows)(sw, &st->moving, s);
        }
        HEDDLE_I(scatter)(sw, &st->early, st->cells[0], g, 1);
    }
}

/* The block in groups of steps, but for incomplete blocks, and the first and last steps of bodies that need their
 * memory to exist. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE int
HEDDLE_I(squares)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, struct heddle_cpu_block *b) {
    const long lag = HEDDLE_I(lag)(sw), steps = sw->columns + lag;
    const long first = HEDDLE_I(ENDS) ? (lag + HEDDLE_GROUP - 1) / HEDDLE_GROUP * HEDDLE_GROUP : lag,
               some = sw->columns - first;
    const struct HEDDLE_I(part) none = {0, 0, 0};
    const long chunk = HEDDLE_I(chunk)(b);
    const int any = sw->rows == HEDDLE_I(ROWS) && some >= HEDDLE_GROUP;
    const long from = any ? first : steps, to = any ? from + some / HEDDLE_GROUP * HEDDLE_GROUP : steps;
    const long open = any ? HEDDLE_I(ENDS) ? 0 : from : -1;
    for (long s0 = 0, s1; s0 < steps; s0 = s1) {
        const long end = s0 < from ? from : s0 < to ? to : steps;
        s1 = heddle_follow(b, s0, s0 + chunk < end ? s0 + chunk : end, sw->columns, HEDDLE_CPU_UNIT);
        if (!s1)
            return 1;
        HEDDLE_I(expect)(sw, s0, s1);
        if (s0 == open)
            HEDDLE_I(open)(sw, s0, &st->early);
        if (s0 >= from && s0 < to)
            HEDDLE_I(groups)(sw, st, s0, s1);
        else if (any && HEDDLE_I(ENDS))
            HEDDLE_I(end_groups)(sw, st, s0, s1);
        else
            HEDDLE_I(steps_masked)(sw, st, &none, s0, s1);
        if (b->publish && s1 > lag)
            b->publish(b, s1 - lag);
    }
    HEDDLE_I(end)(sw, &st->moving);
    return 0;
}
