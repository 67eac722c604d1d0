/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `#pragma heddle wavefront`: two perfectly nested loops with uniform dependences, and perhaps a loop over
 * sweeps around them. This file only
 * puts the steps in order; each step reports its own errors and ends the translation of the nest.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "analysis/map.h"
#include "wavefront/wavefront.h"
#include "analysis/batch.h"
#include "analysis/function.h"

#include <string.h>

static bool independent_fits(const struct nest *w) {
    const struct clause *c = nest_clause(w, CLAUSE_INDEPENDENT);
    if (!c || w->batch || w->host)
        return true;
    diag_error(w->u, c->name.b,
               "cells depend on each other; 'independent' is for the problems of a batch, and on the host "
               "for what cells call and reach through pointers");
    return false;
}

static bool analyse(struct unit *u, const struct pragma *p, struct nest *w, bool host) {
    if (!nest_find(u, p, w))
        return false;
    w->host = host;
    w->sure = host && nest_clause(w, CLAUSE_INDEPENDENT);
    const struct calls calls = {.u = u, .visit = function_visit(), .host = w->host, .sure = w->sure};
    if (!capture_variables(w) || (w->batch && !batch_variables(w)) || !reduction_apply(w) || !reduction_check(w))
        return false;
    rows_find(w);
    if (!refs_collect(w) || (w->batch && !batch_firsts(w)) || !dep_find(w) || !sweeps_check(w) ||
        !calls_check(&calls, w->body) || !rows_check(w))
        return false;
    refs_hoist(w);
    stream_collect(w);
    refs_gather(w);
    if (!w->batch && !map_apply(w)) {
        w->unmapped = true;
        return false;
    }
    prefix_recognise(w);
    if (!prefix_check(w))
        return false;
    w->pure = w->registers && refs_pure(w);
    if (w->registers)
        refs_early_pure(w);
    refs_in_place_pure(w);
    dep_hint(w);
    return !w->batch || batch_check(w);
}

/* It may still run on the host where only devices lack what it calls or uses. */
static bool stays(struct unit *u, const struct pragma *p, struct nest *w) {
    struct diag_held held;
    struct nest other;
    diag_hold(u, &held);
    const bool ok = analyse(u, p, &other, true);
    diag_release(u, &held, false);
    if (ok)
        *w = other;
    return ok;
}

bool wavefront_analyse(struct unit *u, const struct pragma *p, struct nest *w) {
    const struct clause *device = clause_find(p, CLAUSE_DEVICE);
    const bool named = device && strcmp(source_flat(&u->src, device->arg[0]), "host") == 0;
    struct diag_held held;
    if (u->host || device) /* who names one is told why it cannot be */
        return analyse(u, p, w, u->host || named) && independent_fits(w);
    diag_hold(u, &held);
    const bool ok = analyse(u, p, w, false), unmapped = w->unmapped, host = !ok && stays(u, p, w);
    const bool elsewhere = !ok && !host && w->follows; /* no device would have it, so the host's reasons count */
    diag_release(u, &held, !host && !elsewhere);
    for (size_t i = 0; host && i < held.kept.n && (i == 0 || unmapped); i++) /* of arrays all */
        diag_note_kept(u, &held.kept.at[i], i ? "" : "this nest stays on the host: ");
    if (elsewhere)
        return analyse(u, p, w, true);
    return host || (ok && independent_fits(w));
}
