/* SPDX-License-Identifier: Apache-2.0 */
/* A directive's way: its engine analyses what stands behind it, and text is made of that, to run or to be verified. */
#include "graph.h"
#include "verify.h"

bool wavefront_translate(struct unit *u, const struct pragma *p) {
    struct nest w;
    if (!wavefront_analyse(u, p, &w))
        return false;
    w.id = ++u->nests;
    if (u->verify)
        verify_wavefront(&w);
    else
        emit_nest(&w);
    return true;
}

bool for_translate(struct unit *u, const struct pragma *p) {
    if (p->b < u->jobs_done)
        return true;
    struct for_loop *f = mem_alloc(sizeof *f);
    if (!for_analyse(u, p, f))
        return false;
    f->w.id = ++u->nests;
    if (u->verify)
        verify_for(f);
    else
        emit_for(f);
    return true;
}

bool jobs_translate(struct unit *u, const struct pragma *p) {
    struct jobs j = {.u = u, .p = p};
    if (!jobs_analyse(u, p, &j))
        return false;
    if (!u->verify) /* else the serial program is what is run */
        emit_jobs(&j);
    return true;
}

bool graph_translate(struct unit *u, const struct pragma *p) {
    struct graph *g = mem_alloc(sizeof *g);
    if (!graph_analyse(u, p, g))
        return false;
    return u->verify || emit_graph(g); /* verified is the serial program, whose tasks are OpenMP's own */
}

static void pool(struct pool *p) {
    emit_pool(p);
    if (p->u->verify && !p->u->errors)
        verify_pool(p);
}

static void team(struct pool *p) {
    emit_pool_team(p);
    if (p->u->verify)
        diag_note(p->u, p->m->p->b, "the tasks of this pool are not checked: on the host they are OpenMP's");
}

bool pool_translate(struct unit *u, const struct pragma *p) {
    (void)p;
    return pools_translate(u, pool, team);
}
