/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel of the register forms on a GPU: row blocks by ticket. Included by heddle/engine/wavefront/gpu_rows.h and
 * heddle/engine/wavefront/gpu_extended.h once per HEDDLE_K. No include guard.
 */
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
    HEDDLE_N(reduce_warp)(&red);
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        ((struct HEDDLE_N(red) *)c.red)[(heddle_block() * heddle_threads() + heddle_thread()) / HEDDLE_WARP] = red;
}
#endif

static void HEDDLE_G(launch)(const struct heddle_gpu_call *call) {
    HEDDLE_LAUNCH(call, HEDDLE_G(kernel), HEDDLE_N(host_device));
}
