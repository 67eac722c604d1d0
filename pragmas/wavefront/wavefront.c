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

static bool independent_fits(const struct nest *w) {
    const struct clause *c = nest_clause(w, CLAUSE_INDEPENDENT);
    if (!c || w->batch)
        return true;
    diag_error(w->u, c->name.b, "cells depend on each other; 'independent' is for the problems of a batch");
    return false;
}

bool wavefront_analyse(struct unit *u, const struct pragma *p, struct nest *w) {
    if (!nest_find(u, p, w) || !independent_fits(w) || !capture_variables(w) || (w->batch && !batch_variables(w)) ||
        !reduction_apply(w) || !reduction_check(w) || !refs_collect(w) || (w->batch && !batch_firsts(w)) ||
        !dep_find(w) || !sweeps_check(w) || !calls_check(&(struct calls){.u = u, .visit = function_visit()}, w->body))
        return false;
    refs_hoist(w);
    stream_collect(w);
    refs_gather(w);
    if (!w->batch && !map_apply(w))
        return false;
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
