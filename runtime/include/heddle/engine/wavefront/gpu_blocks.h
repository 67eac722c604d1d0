/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel of the register forms on a GPU: row blocks by ticket, and the chunks of steps of each. Included by
 * heddle/engine/wavefront/gpu_rows.h and heddle/engine/wavefront/gpu_extended.h once per HEDDLE_K. No include guard.
 */
/* Rows of one block, all columns. Returns 0, or 1 when the row above did not come. */
static HEDDLE_INLINE int HEDDLE_G(block)(const struct HEDDLE_N(env) *env, struct heddle_gpu_control *control,
                                         const struct heddle_gpu_control *c, long block, struct HEDDLE_N(red) *red) {
    struct HEDDLE_G(warp) wp;
    wp.lane = heddle_thread() & (HEDDLE_WARP - 1);
    HEDDLE_G(begin)(env, &wp, c, block);
    HEDDLE_G(stage_begin)(env, c, &wp.stage, wp.lane, block);
    HEDDLE_G(stream_begin)(env, c, &wp.stream, wp.lane, block);
    const long columns = c->j1 - c->j0 + 1 + HEDDLE_N(AFTER); /* that come in */
    const struct HEDDLE_N(link) out = HEDDLE_N(link_to)(control, c, block + 1),
                                in = HEDDLE_N(link_to)(control, c, block);
    const int all = c->i0 + (block + 1) * HEDDLE_G(ROWS) - 1 <= c->i1 - HEDDLE_N(LAST_ROWS);
    struct HEDDLE_G(coming) next = {.in = &in, .column = wp.lane, .columns = columns, .block = block};
    HEDDLE_G(fetch_next)(&next);
    struct HEDDLE_N(col) next_cols;
    HEDDLE_G(load_cols)(env, c, wp.lane, &next_cols);
    long s0 = 0;

#pragma clang loop unroll(disable)
    for (; s0 < columns + HEDDLE_BEHIND(HEDDLE_G(ROWS) - 1); s0 += HEDDLE_GPU_CHUNK) {
        struct HEDDLE_N(words) now = next.words;
        const struct HEDDLE_N(col) cols = next_cols;
        HEDDLE_G(load_cols)(env, c, s0 + HEDDLE_GPU_CHUNK + wp.lane, &next_cols);
        struct HEDDLE_N(edge) entering;
        memset(&entering, 0, sizeof entering);
        if (block) {
            if (HEDDLE_N(receive)(control, c->timeout_ns, &in, s0 + wp.lane, columns, &now))
                return 1;
            entering = HEDDLE_N(unpack)(&now);
            next.column = s0 + HEDDLE_GPU_CHUNK + wp.lane;
        } else if (s0 + wp.lane < columns) {
            HEDDLE_N(get_above)(env, c, s0 + wp.lane, &entering);
        }
        HEDDLE_G(chunk)(env, &wp, c, &out, entering, &cols, s0, all, &next, red);
    }
    HEDDLE_G(stage_flush)(&wp.stage, c, wp.lane, wp.i - wp.lane * HEDDLE_K, s0, 1);
    if (HEDDLE_N(LAST_COL) && !HEDDLE_EXTENDED)
        for (int k = 0; k < HEDDLE_K; k++)
            if (k < wp.live)
                HEDDLE_N(put_last_col)(env, c, wp.i + k, &wp.left[k]);
    return 0;
}

#if HEDDLE_ON_GPU
static HEDDLE_UNUSED void HEDDLE_G(kernel)(struct heddle_gpu_control *control) {
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)control->env;
    const struct heddle_gpu_control c = *control;
    struct HEDDLE_N(red) red = *(const struct HEDDLE_N(red) *)c.red_start;
    for (;;) {
        const long ticket = heddle_take_ticket(&control->ticket), block = heddle_deal_block(&c, ticket);
        if (ticket >= c.tickets)
            break;
        if (HEDDLE_G(block)(&env, control, &c, block, &red)) {
            heddle_report_all(control, &c, block);
            break;
        }
    }
    HEDDLE_N(put_red)(&c, &red);
}
#endif

static void HEDDLE_G(launch)(const struct heddle_gpu_call *call) {
    HEDDLE_LAUNCH(call, HEDDLE_G(kernel), HEDDLE_N(host_device));
}
