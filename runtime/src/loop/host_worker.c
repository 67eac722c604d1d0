/* SPDX-License-Identifier: Apache-2.0 */
/* A thread of the host as a participant of its own: chunk after chunk, the loop as it is written. */
#include "engine.h"
#include "variant.h"
#include "trace/record.h"
#include <time.h>

/* Makes a participant slower by a factor, for tests of balance. */
void heddle__loop_slow_down(const struct heddle__participant *p, double seconds) {
    const double more = (p->slow - 1) * seconds;
    if (more > 0)
        nanosleep(&(struct timespec){(time_t)more, (long)((more - (double)(time_t)more) * 1e9)}, NULL);
}

void heddle__loop_serve_host(struct heddle__server *s) {
    struct heddle__participant *p = s->participant;
    const struct heddle__engine *e = p->engine;
    const struct heddle_loop *loop = e->loop;
    struct heddle_loop_chunk chunk;
    heddle__variant_enter(HEDDLE_DEVICE_HOST, NULL);
    while (heddle__loop_take_chunk(s, &chunk)) {
        const bool turn = heddle__turn_begin();
        const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
        const double before = heddle__clock_begin(p, HEDDLE__COMPUTES), start = heddle__now();
        heddle__loop_run_host(loop, chunk.first, chunk.count, s->red);
        heddle__turn_end(turn);
        heddle__loop_slow_down(p, heddle__now() - start);
        const struct heddle_loop_sample measured = {
            .chunk = chunk, .n = e->n, .compute = heddle__clock_end(p, HEDDLE__COMPUTES, before)};
        if (begin)
            heddle__trace_span(heddle__trace_thread(), e->trace_name, begin, heddle__trace_now());
        heddle__loop_finish_chunk(s, &measured, NULL);
    }
    heddle__variant_leave();
}
