/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops before devices have started, which takes a GPU a third of a second. The host runs them until what it has spent
 * on them, with the one that runs, is as long as that; then devices start on a thread of their own, and the host goes
 * on with the loop by pieces until they are there. So a process takes at most about twice as long as it could, a short
 * one nothing, and nobody waits for a start.
 */
#include "early.h"
#include "device/start.h"
#include <omp.h>
#include <stdatomic.h>

static const double PIECE = 10e-3;     /* seconds between two looks whether they have */
static const double STARTING = 0.5e-3; /* seconds: the host's threads may have started in them */
enum { FIRST = 64 /* of the iterations, to see how long they take */ };

static _Atomic double paid;

static void begin_start(void) {
    static atomic_bool begun;
    if (!atomic_load_explicit(&begun, memory_order_relaxed) && !atomic_exchange(&begun, true))
        heddle_start_devices();
}

void heddle__early_pay(double seconds) {
    double old = atomic_load_explicit(&paid, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(&paid, &old, old + seconds, memory_order_relaxed, memory_order_relaxed))
        continue;
    if (old + seconds >= HEDDLE__START_SECONDS)
        begin_start();
}

static long least(long a, long b) { return a < b ? a : b; }

static bool run_piece(struct heddle__host_way *w, const struct heddle_loop *l, long first, long count, double *each) {
    struct heddle_loop part = *l;
    const double begin = heddle__now();
    part.lo = l->lo + first * l->step;
    const bool done = heddle__host_way_run(w, &part, count, begin);
    *each = (heddle__now() - begin) / (double)count;
    return done;
}

/* Some iterations, to see how long one takes; some more where that was so long that threads may have started. Their
   times say nothing of whole loops, so they are not noted. Returns how many. */
static long look(const struct heddle__host_way *w, const struct heddle_loop *l, long n, double *each) {
    const long count = n / FIRST > w->threads ? n / FIRST : least(w->threads, n);
    long done = 0;
    for (int k = 0; k < 2 && done + count <= n && (!k || *each * (double)count > STARTING); k++, done += count) {
        struct heddle__host_way alike = *w;
        double now;
        if (!run_piece(&alike, l, done, count, &now))
            break;
        *each = !k || now < *each ? now : *each;
    }
    return done;
}

/* So many that they take about as long as a piece; all, if that is not much. */
static long size_of(long left, double each) {
    const double seconds = (double)left * each;
    if (atomic_load_explicit(&paid, memory_order_relaxed) + seconds >= HEDDLE__START_SECONDS)
        begin_start();
    return seconds > PIECE ? least((long)((double)left * PIECE / seconds) + 1, left) : left;
}

static long run_pieces(struct heddle__host_way *w, const struct heddle_loop *l, long n, double start) {
    double each = heddle__host_way_each(w);
    long done = each > 0 ? 0 : look(w, l, n, &each);
    int pieces = done > 0;
    if (!done && !(each > 0))
        return 0;
    while (done < n && heddle__devices_wait()) {
        const long count = size_of(n - done, each);
        if (!run_piece(w, l, done, count, &each))
            break;
        done += count;
        pieces++;
    }
    if (pieces > 1) { /* one has told of itself */
        heddle__loop_report_team(l, NULL, done, start, heddle__now() - start);
        heddle__report()->workers = w->threads;
    }
    return done;
}

long heddle__early_run(struct heddle__host_way *w, const struct heddle_loop *l, long n, double start) {
    if (!heddle__devices_wait() || omp_in_parallel() || !heddle__host_way_early(w, l))
        return 0;
    return run_pieces(w, l, n, start);
}
