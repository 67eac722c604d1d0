/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several sweeps of an in-place stencil at once on a CPU core: SIMD lane l is sweep l of a group of HEDDLE_L, one row
 * and one column behind lane l - 1. What a lane reads of the sweep before is then what the lane beside it computed in
 * this step or the last one: a permutation, no memory. A pass takes HEDDLE_SWEEP_K rows of every lane from the
 * first column to the last; only lane 0 loads and only the last lane stores, one scalar for each row and step.
 *
 * With W, N the new left and upper values, C, E, S the old own, right and lower ones, all vectors of lanes:
 *   E = N moved one lane up, C = E of the step before, S = W moved one lane up; lane 0's come from memory.
 * Cells outside the nest hand on C, which is what memory has there: borders need no other code.
 * What cells read of other arrays (a right-hand side) is the same in every sweep: row k's lane l wants in this step
 * what row k - 1's lane l - 1 had in the last one. So that goes from row to row and lane to lane as well, and only lane
 * 0 reads it from memory.
 *
 * Included by heddle/engine/wavefront/cpu.h for nests that are in-place stencils, once per instruction set. No include
 * guard.
 */
#define HEDDLE_SWEEP_K HEDDLE_SWEEP_ROWS

static HEDDLE_INLINE void HEDDLE_I(shift_cell)(struct HEDDLE_I(cell_lanes) *lanes,
                                               struct HEDDLE_N(cell) v){HEDDLE_N(CELL)(HEDDLE_SHIFT)}

/* What cells read of other arrays: those members of heddle_early. */
HEDDLE_LANE_TYPE(early, HEDDLE_N(FIXED), HEDDLE_LANE_ARRAY) static HEDDLE_INLINE
    void HEDDLE_I(shift_early)(struct HEDDLE_I(early_lanes) *lanes, struct HEDDLE_N(early) v) {
    (void)lanes, (void)v;
    HEDDLE_N(FIXED)(HEDDLE_SHIFT)
}

/* A pass's last row on its way to the next pass; without the padding of cell_lanes. */
#define HEDDLE_CARRY(type, name, ...) __typeof__(type) name[HEDDLE_L] __attribute__((aligned(HEDDLE_VECTOR)));
#define HEDDLE_CARRY_FIXED(type, name, ...)                                                                            \
    __typeof__(type) fixed_##name[HEDDLE_L] __attribute__((aligned(HEDDLE_VECTOR)));
#define HEDDLE_CARRY_IN(type, name, ...) memcpy(above.name, from->name, sizeof from->name);
#define HEDDLE_CARRY_OUT(type, name, ...) memcpy(to->name, bottom->name, sizeof to->name);
#define HEDDLE_FIXED_IN(type, name, ...) memcpy(fixed.name, from->fixed_##name, sizeof from->fixed_##name);
#define HEDDLE_FIXED_OUT(type, name, ...) memcpy(to->fixed_##name, fixed->name, sizeof to->fixed_##name);
struct HEDDLE_I(carry) {
    HEDDLE_N(CELL)(HEDDLE_CARRY) HEDDLE_N(FIXED)(HEDDLE_CARRY_FIXED)
};
static HEDDLE_INLINE struct HEDDLE_I(cell_lanes) HEDDLE_I(carry_in)(const struct HEDDLE_I(carry) *from) {
    struct HEDDLE_I(cell_lanes) above;
    HEDDLE_N(CELL)(HEDDLE_CARRY_IN) return above;
}
static size_t HEDDLE_I(carry_bytes)(void) { return sizeof(struct HEDDLE_I(carry)); }
static HEDDLE_INLINE struct HEDDLE_I(early_lanes) HEDDLE_I(carry_fixed)(const struct HEDDLE_I(carry) *from) {
    struct HEDDLE_I(early_lanes) fixed;
    (void)from;
    HEDDLE_N(FIXED)(HEDDLE_FIXED_IN) return fixed;
}
static HEDDLE_INLINE void HEDDLE_I(carry_out)(struct HEDDLE_I(carry) *to, const struct HEDDLE_I(cell_lanes) *bottom,
                                              const struct HEDDLE_I(early_lanes) *fixed) {
    (void)fixed;
    HEDDLE_N(CELL)(HEDDLE_CARRY_OUT) HEDDLE_N(FIXED)(HEDDLE_FIXED_OUT)
}
#undef HEDDLE_CARRY
#undef HEDDLE_CARRY_FIXED
#undef HEDDLE_CARRY_IN
#undef HEDDLE_CARRY_OUT
#undef HEDDLE_FIXED_IN
#undef HEDDLE_FIXED_OUT

/* What a step leaves for the next one. */
struct HEDDLE_I(step) {
    struct HEDDLE_I(cell_lanes) left[HEDDLE_SWEEP_K], centre[HEDDLE_SWEEP_K];
    struct HEDDLE_I(red_lanes) red;
    struct HEDDLE_N(cell) entered[HEDDLE_SWEEP_K + 1];      /* lane 0's column of memory, and the row below */
    struct HEDDLE_I(early_lanes) fixed[HEDDLE_SWEEP_K + 1]; /* the last one: of the row above */
};

struct HEDDLE_I(pass) {
    const struct heddle_cpu_pass *p;
    const struct HEDDLE_N(env) *env;
    struct HEDDLE_I(carry) *carry; /* for each step */
    long columns;                  /* with the border on both sides */
};

/* Lane l's cell of its row k in step s; `some` as in pass_step. */
static HEDDLE_INLINE void HEDDLE_I(pass_lane)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st, int l, int k,
                                              long s, const struct HEDDLE_I(cell_lanes) *above,
                                              const struct HEDDLE_I(cell_lanes) *right,
                                              const struct HEDDLE_I(cell_lanes) *below,
                                              struct HEDDLE_I(cell_lanes) *result, int some) {
    const struct heddle_cpu_pass *p = ps->p;
    const int lane = !some || l < p->sweeps ? l : p->sweeps - 1;
    struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&st->red, l);
    const struct HEDDLE_N(red) kept = red;
    const struct HEDDLE_N(cell) c = HEDDLE_I(get_cell)(&st->centre[k], l);
    const struct HEDDLE_N(early) fixed = HEDDLE_I(get_early)(&st->fixed[k], l);
    struct HEDDLE_N(cell) v = HEDDLE_N(stencil)(
        ps->env, p->t0 + lane, p->row + k - l, p->j0 - 1 + s - l, c, HEDDLE_I(get_cell)(above, l),
        HEDDLE_I(get_cell)(&st->left[k], l), HEDDLE_I(get_cell)(right, l), HEDDLE_I(get_cell)(below, l), &red, &fixed);
    if (some) {
        v = HEDDLE_N(select_cell)(l < p->sweeps, v, c);
        red = HEDDLE_N(select_red)(l < p->sweeps, red, kept);
    }
    HEDDLE_I(put_cell)(result, l, v);
    HEDDLE_I(put_red)(&st->red, l, red);
}

/* Is lane l's cell inside the nest, and one of this group's sweeps? */
static HEDDLE_INLINE int HEDDLE_I(pass_inside)(const struct HEDDLE_I(pass) *ps, int l, int k, long s) {
    const struct heddle_cpu_pass *p = ps->p;
    const long i = p->row + k - l, x = s - l;
    return l < p->sweeps && i >= p->i0 && i <= p->i1 && x >= 1 && x <= ps->columns - 2;
}

/* Memory's value where lane 0 works: row k of the pass, column x with the border. */
static HEDDLE_INLINE void HEDDLE_I(pass_load)(const struct HEDDLE_I(pass) *ps, int k, long x, int fast,
                                              struct HEDDLE_N(cell) *v) {
    const struct heddle_cpu_pass *p = ps->p;
    const long i = p->row + k, j = p->j0 - 1 + x;
    if (fast)
        HEDDLE_N(load_old)(ps->env, i, j, 0, v);
    else
        HEDDLE_N(load_side)(ps->env, i, j, p->i0, p->i1, p->j0, p->j1, v);
}

/* The same of what cells read of other arrays, if there is a cell. */
static HEDDLE_INLINE struct HEDDLE_N(early) HEDDLE_I(pass_read)(const struct HEDDLE_I(pass) *ps, int k, long x,
                                                                int fast) {
    const struct heddle_cpu_pass *p = ps->p;
    const long i = p->row + k, j = p->j0 - 1 + x;
    struct HEDDLE_N(early) v;
    memset(&v, 0, sizeof v);
    if (fast || (i >= p->i0 && i <= p->i1 && x >= 1 && x <= ps->columns - 2))
        HEDDLE_N(load_fixed)(ps->env, i, j, &v);
    return v;
}

/* From the lowest row on: each takes what the one above it had in the last step. */
static HEDDLE_INLINE void HEDDLE_I(pass_fixed)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st, long s,
                                               int fast) {
#pragma clang loop unroll(full)
    for (int k = HEDDLE_SWEEP_K - 1; k >= 0; k--) {
        st->fixed[k] = st->fixed[k ? k - 1 : HEDDLE_SWEEP_K];
        HEDDLE_I(shift_early)(&st->fixed[k], HEDDLE_I(pass_read)(ps, k, s, fast));
    }
    st->fixed[HEDDLE_SWEEP_K] = HEDDLE_I(carry_fixed)(&ps->carry[s]);
}

/* Step s. fast and some are constants. fast: every lane is inside, and so is what lane 0 reads. some: the last
   lanes have no sweep and hand on C. */
static HEDDLE_INLINE void HEDDLE_I(pass_step)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st, long s,
                                              int fast, int some) {
    const struct heddle_cpu_pass *p = ps->p;
    struct HEDDLE_I(cell_lanes) above = HEDDLE_I(carry_in)(&ps->carry[s]);
    struct HEDDLE_N(cell) entering[HEDDLE_SWEEP_K + 1];
    HEDDLE_I(pass_fixed)(ps, st, s, fast);
#pragma clang loop unroll(full)
    for (int k = 0; k <= HEDDLE_SWEEP_K; k++)
        HEDDLE_I(pass_load)(ps, k, s + 1, fast, &entering[k]);
#pragma clang loop unroll(full)
    for (int k = 0; k < HEDDLE_SWEEP_K; k++) {
        struct HEDDLE_I(cell_lanes) right = above, below = st->left[k], result;
        HEDDLE_I(shift_cell)(&right, entering[k]);
        HEDDLE_I(shift_cell)(&below, st->entered[k + 1]);
        if (fast && HEDDLE_N(STENCIL_LOADS)) { /* elements apart from each other */
#pragma clang loop vectorize(assume_safety) interleave(disable)
            for (int l = 0; l < HEDDLE_L; l++)
                HEDDLE_I(pass_lane)(ps, st, l, k, s, &above, &right, &below, &result, some);
        } else if (fast) { /* unrolled early, it would not become vectors of lanes as a whole */
#pragma clang loop vectorize(assume_safety) interleave(disable) unroll(disable)
            for (int l = 0; l < HEDDLE_L; l++)
                HEDDLE_I(pass_lane)(ps, st, l, k, s, &above, &right, &below, &result, some);
        } else {
            result = st->centre[k];
#pragma clang loop vectorize(disable) unroll(disable)
            for (int l = 0; l < HEDDLE_L; l++)
                if (HEDDLE_I(pass_inside)(ps, l, k, s))
                    HEDDLE_I(pass_lane)(ps, st, l, k, s, &above, &right, &below, &result, 0);
        }
        st->centre[k] = right;
        st->left[k] = above = result;
        const struct HEDDLE_N(cell) last = HEDDLE_I(get_cell)(&result, HEDDLE_L - 1);
        const long i = p->row + k - (HEDDLE_L - 1), x = s - (HEDDLE_L - 1);
        if (fast || (i >= p->i0 && i <= p->i1 && x >= 1 && x <= ps->columns - 2))
            HEDDLE_N(store)(ps->env, i, p->j0 - 1 + x, &last);
    }
    HEDDLE_I(carry_out)(&ps->carry[s], &above, &st->fixed[HEDDLE_SWEEP_K - 1]);
#pragma clang loop unroll(full)
    for (int k = 0; k <= HEDDLE_SWEEP_K; k++)
        st->entered[k] = entering[k];
}

/* The steps that take the time work on copies that nobody else can touch: what they keep stays in registers, and what
   is the same in every step (rows' addresses, which sweep a lane has) is worked out once. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void
HEDDLE_I(pass_fast)(const struct HEDDLE_I(pass) *pass, struct HEDDLE_I(step) *st, long s0, long s1, int some) {
    const struct HEDDLE_N(env) env = *pass->env;
    const struct heddle_cpu_pass facts = *pass->p;
    const struct HEDDLE_I(pass) ps = {.p = &facts, .env = &env, .carry = pass->carry, .columns = pass->columns};
    struct HEDDLE_I(step) fast = *st;
    for (long s = s0; s < s1; s++)
        HEDDLE_I(pass_step)(&ps, &fast, s, 1, some);
    *st = fast;
}
HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline, unused)) void
HEDDLE_I(pass_all)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st, long s0, long s1) {
    HEDDLE_I(pass_fast)(ps, st, s0, s1, 0);
}
HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline, unused)) void
HEDDLE_I(pass_some)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st, long s0, long s1) {
    HEDDLE_I(pass_fast)(ps, st, s0, s1, 1);
}

HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline, unused)) void
HEDDLE_I(pass_masked)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st, long s0, long s1) {
    for (long s = s0; s < s1; s++)
        HEDDLE_I(pass_step)(ps, st, s, 0, 0);
}

static inline void HEDDLE_I(pass_begin)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st) {
    memset(st, 0, sizeof *st);
    for (int l = 0; l < HEDDLE_L; l++)
        HEDDLE_I(put_red)(&st->red, l, *(const struct HEDDLE_N(red) *)ps->p->red_start);
    for (int k = 0; k <= HEDDLE_SWEEP_K; k++) {
        HEDDLE_I(pass_load)(ps, k, 0, 0, &st->entered[k]);
        if (k < HEDDLE_SWEEP_K)
            HEDDLE_I(put_cell)(&st->centre[k], 0, st->entered[k]);
    }
}

static HEDDLE_INLINE long HEDDLE_I(pass_clamp)(long v, long low, long high) {
    return v < low ? low : v > high ? high : v;
}

/* Steps s0 … s1 - 1: with masks at both ends, without in between. */
static HEDDLE_INLINE void HEDDLE_I(pass_chunk)(const struct HEDDLE_I(pass) *ps, struct HEDDLE_I(step) *st, long s0,
                                               long s1, int fast) {
    const long from = fast ? HEDDLE_I(pass_clamp)(HEDDLE_L, s0, s1) : s1;
    const long to = HEDDLE_I(pass_clamp)(ps->columns - 2, from, s1);
    if (s0 < from)
        HEDDLE_I(pass_masked)(ps, st, s0, from);
    if (ps->p->sweeps == HEDDLE_L)
        HEDDLE_I(pass_all)(ps, st, from, to);
    else
        HEDDLE_I(pass_some)(ps, st, from, to);
    if (to < s1)
        HEDDLE_I(pass_masked)(ps, st, to, s1);
}

HEDDLE_ISA_ATTRIBUTE static void HEDDLE_I(sweeps)(struct heddle_cpu_pass *p) {
    const struct heddle_cpu_pass facts = *p; /* copies that nothing can alias */
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)p->env;
    const struct HEDDLE_I(pass) ps = {
        .p = &facts, .env = &env, .carry = HEDDLE_PTR(p->carry), .columns = p->j1 - p->j0 + 3};
    struct HEDDLE_I(step) st;
    const long steps = ps.columns + HEDDLE_L - 1;
    const int fast = p->row - (HEDDLE_L - 1) >= p->i0 && p->row + HEDDLE_SWEEP_K <= p->i1 &&
                     (HEDDLE_N(STENCIL_PURE) || p->sweeps == HEDDLE_L);
    if (p->wait)
        p->wait(p, 1);
    HEDDLE_I(pass_begin)(&ps, &st);
    for (long s0 = 0; s0 < steps; s0 += HEDDLE_CPU_CHUNK) {
        const long s1 = s0 + HEDDLE_CPU_CHUNK < steps ? s0 + HEDDLE_CPU_CHUNK : steps;
        if (p->wait)
            p->wait(p, s1);
        HEDDLE_I(pass_chunk)(&ps, &st, s0, s1, fast);
        if (p->publish)
            p->publish(p, s1);
    }
    for (int l = 0; l < HEDDLE_L; l++) {
        const struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&st.red, l);
        HEDDLE_N(red_join)(p->red, &red);
    }
}
#undef HEDDLE_SWEEP_K
