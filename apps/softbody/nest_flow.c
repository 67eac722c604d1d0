/* SPDX-License-Identifier: Apache-2.0 */
/* All steps as one graph of tasks that run anywhere: on devices and on threads of the host, where the policy says. A
 * group of bodies is a task, contacts between two groups are one that depends on both, scalars are those of all groups
 * that are solved together. One long function: a graph records the tasks that stand in its own block. Compiled twice:
 * as it stands, and with the pragmas ignored (SOFTBODY_SERIAL). */
#include "flow_tasks.h"

#ifdef SOFTBODY_SERIAL
#define NEST(name) name##_serial
#else
#define NEST(name) name##_heddle
#endif

#define TEAMS_OF(count) (((count) + TEAM - 1) / TEAM)

void NEST(flow)(const struct flow_run *run) {
    struct flow_scene *f = run->flow;
    const struct flow *all = &f->all;
    const struct settings *o = &f->scene->settings;
    const struct flow_shape *shape = all->shape;
    const struct flow_body *body = all->body;
    const struct flow_part *row_part = all->row_part, *element_part = all->element_part;
    const uint32_t *number = all->number, *next_member = f->next.member, *next_of = f->next.set_of;
    uint32_t *member = (uint32_t *)all->member, *set_of = (uint32_t *)all->set_of;
    const float *value = all->value, *held = all->free;
    float *x = all->x, *v = all->v, *u = all->u, *w = all->w, *turn = all->turn, *pull = all->pull,
          *matrix = all->matrix, *inverse = all->inverse, *cg = all->cg, *elastic = all->elastic;
    float(*total)[8] = all->total, (*dots)[2] = all->dots;
    uint32_t *bad = all->bad, *go = all->go;
    struct body_set *set = all->set;
    const struct body_set *next_set = f->next.set;
    const size_t shapes = f->scene->shapes, bodies = f->scene->bodies, rows = f->rows, elements = f->elements,
                 slots = f->slots, numbers = f->numbers, values = f->values, row_parts = f->row_parts,
                 element_parts = f->element_parts;
    const uint32_t threads = run->threads, iterations = o->iterations;
    bool good = true;
    (void)rows, (void)slots, (void)numbers, (void)values, (void)shapes, (void)elements; /* only pragmas use them */
    (void)element_parts, (void)threads, (void)bodies;
#pragma heddle graph \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], held[0 : rows], \
        row_part[0 : row_parts], element_part[0 : element_parts]) \
    map(tofrom: v[0 : 3 * rows], turn[0 : 4 * elements]) \
    map(alloc: u[0 : 3 * rows], w[0 : 3 * rows], pull[0 : 24 * elements], matrix[0 : 144 * slots]) \
    map(alloc: inverse[0 : 6 * rows], cg[0 : 9 * rows], dots[0 : row_parts][0 : 2])
#pragma omp parallel
#pragma omp single
    for (long step = 0; step < run->steps && good; step++) {
        good = run->before(run->context, step);
        struct flow_hold *hold = all->hold;
        struct flow_row *row = (struct flow_row *)all->row;
        struct flow_touch *touch = (struct flow_touch *)all->touch;
        const struct flow_hold *next_hold = f->next.hold;
        const struct flow_row *next_row = f->next.row;
        const struct flow_touch *next_touch = f->next.touch;
        const size_t holds = f->holds;
        if (good) { /* what the host found becomes the tasks' */
#pragma omp task firstprivate(set, member, set_of, bad, next_set, next_member, next_of, bodies, row_parts) \
    depend(in: next_set[0 : bodies], next_member[0 : bodies], next_of[0 : bodies]) \
    depend(out: set[0 : bodies], member[0 : bodies], set_of[0 : bodies], bad[0 : row_parts])
            {
                memcpy(set, next_set, bodies * sizeof *set);
                memcpy(member, next_member, bodies * sizeof *member);
                memcpy(set_of, next_of, bodies * sizeof *set_of);
                memset(bad, 0, row_parts * sizeof *bad);
            }
        }
        if (good && holds) {
#pragma omp task firstprivate(hold, row, touch, next_hold, next_row, next_touch, holds) \
    depend(in: next_hold[0 : holds], next_row[0 : 4 * holds], next_touch[0 : 4 * holds]) \
    depend(out: hold[0 : holds], row[0 : 4 * holds], touch[0 : 4 * holds])
            {
                memcpy(hold, next_hold, holds * sizeof *hold);
                memcpy(row, next_row, 4 * holds * sizeof *row);
                memcpy(touch, next_touch, 4 * holds * sizeof *touch);
            }
        }
        for (uint32_t k = 0; good && k < f->groups; k++) {
            const struct flow_group *g = &f->group[k];
            const size_t r0 = g->rows[0], rn = g->rows[1], e0 = g->elements[0], en = g->elements[1], s0 = g->slots[0],
                         sn = g->slots[1];
            const uint32_t p0 = g->row_part[0], pn = g->row_part[1], q0 = g->element_part[0], qn = g->element_part[1];
            const uint32_t teams = run->teams ? pn : 1, others = run->teams ? qn : 1;
            (void)e0, (void)en, (void)s0, (void)sn, (void)r0, (void)rn, (void)teams, (void)others;
            if (qn) {
#pragma omp target teams num_teams(others) thread_limit(threads) nowait depend(in: x[3 * r0 : 3 * rn]) \
    depend(inout: turn[4 * e0 : 4 * en], pull[24 * e0 : 24 * en], elastic[q0 : qn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        element_part[q0 : qn], x[3 * r0 : 3 * rn]) \
    map(tofrom: turn[4 * e0 : 4 * en], pull[24 * e0 : 24 * en], elastic[q0 : qn])
#pragma omp parallel num_threads(threads)
                {
                    task_elements(o, shape, body, number, value, element_part, (struct flow_range){q0, qn}, x, turn,
                                  pull, elastic);
                }
            }
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: x[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn], pull[24 * e0 : 24 * en]) \
    depend(inout: matrix[144 * s0 : 144 * sn], cg[9 * r0 : 9 * rn], total[p0 : pn][0 : 8]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], x[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn], pull[24 * e0 : 24 * en]) \
    map(tofrom: matrix[144 * s0 : 144 * sn], cg[9 * r0 : 9 * rn], total[p0 : pn][0 : 8])
#pragma omp parallel num_threads(threads)
            {
                task_rows(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, x, v, pull, matrix, cg,
                          total);
            }
            if (!g->alone) {
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: matrix[144 * s0 : 144 * sn], v[3 * r0 : 3 * rn]) \
    depend(inout: w[3 * r0 : 3 * rn], inverse[6 * r0 : 6 * rn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], matrix[144 * s0 : 144 * sn], v[3 * r0 : 3 * rn]) \
    map(tofrom: w[3 * r0 : 3 * rn], inverse[6 * r0 : 6 * rn])
#pragma omp parallel num_threads(threads)
                {
                    task_start(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, matrix, v, w,
                               inverse);
                }
            }
        }
        for (uint32_t k = 0; good && k < f->links; k++) {
            const struct flow_link *l = &f->link[k];
            const struct flow_group *a = &f->group[l->group[0]], *b = &f->group[l->group[1]];
            const size_t a0 = a->rows[0], an = a->rows[1], b0 = b->rows[0], bn = b->rows[1];
            const uint32_t h0 = l->hold, hn = l->room, t0 = l->row, tn = 4 * l->room, holds = l->holds,
                           touched = l->rows;
            const uint32_t teams = run->teams ? TEAMS_OF(touched) : 1;
            (void)a0, (void)an, (void)b0, (void)bn, (void)h0, (void)hn, (void)tn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: x[3 * a0 : 3 * an], x[3 * b0 : 3 * bn], v[3 * a0 : 3 * an], v[3 * b0 : 3 * bn]) \
    depend(inout: hold[h0 : hn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        x[3 * a0 : 3 * an], x[3 * b0 : 3 * bn], v[3 * a0 : 3 * an], v[3 * b0 : 3 * bn]) \
    map(tofrom: hold[h0 : hn])
#pragma omp parallel num_threads(threads)
            {
                task_contacts(o, shape, body, number, value, (struct flow_range){h0, holds}, x, v, hold);
            }
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: row[t0 : tn], touch[t0 : tn], hold[h0 : hn], v[3 * a0 : 3 * an], v[3 * b0 : 3 * bn]) \
    depend(inout: w[3 * a0 : 3 * an], w[3 * b0 : 3 * bn], inverse[6 * a0 : 6 * an], inverse[6 * b0 : 6 * bn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], row[t0 : tn], \
        touch[t0 : tn], hold[h0 : hn], v[3 * a0 : 3 * an], v[3 * b0 : 3 * bn]) \
    map(tofrom: w[3 * a0 : 3 * an], w[3 * b0 : 3 * bn], inverse[6 * a0 : 6 * an], inverse[6 * b0 : 6 * bn])
#pragma omp parallel num_threads(threads)
            {
                task_touches(o, shape, body, number, value, (struct flow_range){t0, touched}, row, touch, hold, v, w,
                             inverse);
            }
        }
        for (uint32_t k = 0; good && k < f->groups; k++) {
            if (f->group[k].alone)
                continue;
            const struct flow_group *g = &f->group[k];
            const size_t r0 = g->rows[0], rn = g->rows[1], s0 = g->slots[0], sn = g->slots[1];
            const uint32_t p0 = g->row_part[0], pn = g->row_part[1], teams = run->teams ? pn : 1;
            (void)s0, (void)sn, (void)r0, (void)rn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait depend(in: w[3 * r0 : 3 * rn]) \
    depend(inout: inverse[6 * r0 : 6 * rn], cg[9 * r0 : 9 * rn], u[3 * r0 : 3 * rn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], held[r0 : rn], w[3 * r0 : 3 * rn]) \
    map(tofrom: inverse[6 * r0 : 6 * rn], cg[9 * r0 : 9 * rn], u[3 * r0 : 3 * rn])
#pragma omp parallel num_threads(threads)
            {
                task_begin(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, held, w, inverse, cg,
                           u);
            }
        }
        for (uint32_t n = 0; good && n < f->clusters; n++) {
            const struct flow_cluster *c = &f->cluster[n];
            const struct flow_group *first = &f->group[c->group], *last = first + c->groups - 1;
            const uint32_t c0 = first->row_part[0], cn = last->row_part[0] + last->row_part[1] - c0, z0 = c->set,
                           zn = c->sets, m0 = first->body[0], mn = last->body[0] + last->body[1] - m0;
            const bool alone = first->alone;
            (void)c0, (void)cn, (void)m0, (void)mn;
            if (alone) {
                const size_t r0 = first->rows[0], rn = first->rows[1], s0 = first->slots[0], sn = first->slots[1];
                const uint32_t teams = run->teams ? mn : 1;
                (void)s0, (void)sn, (void)r0, (void)rn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: matrix[144 * s0 : 144 * sn], set_of[m0 : mn]) \
    depend(inout: set[z0 : zn], inverse[6 * r0 : 6 * rn], w[3 * r0 : 3 * rn], cg[9 * r0 : 9 * rn], \
        u[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn], dots[c0 : cn][0 : 2]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        held[r0 : rn], matrix[144 * s0 : 144 * sn], set_of[m0 : mn]) \
    map(tofrom: set[z0 : zn], inverse[6 * r0 : 6 * rn], w[3 * r0 : 3 * rn], cg[9 * r0 : 9 * rn], \
        u[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn], dots[c0 : cn][0 : 2])
#pragma omp parallel num_threads(threads)
                {
                    task_alone(o, shape, body, number, value, (struct flow_range){m0, mn}, set_of, set, matrix, held,
                               inverse, w, cg, u, v, dots);
                }
            }
            for (uint32_t i = 0; !alone && i < iterations; i++) {
                for (uint32_t k = c->group; k < c->group + c->groups; k++) {
                    const struct flow_group *g = &f->group[k];
                    const size_t r0 = g->rows[0], rn = g->rows[1], s0 = g->slots[0], sn = g->slots[1];
                    const uint32_t p0 = g->row_part[0], pn = g->row_part[1], teams = run->teams ? pn : 1;
                    (void)s0, (void)sn, (void)r0, (void)rn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: matrix[144 * s0 : 144 * sn], u[3 * r0 : 3 * rn]) depend(inout: w[3 * r0 : 3 * rn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], matrix[144 * s0 : 144 * sn], u[3 * r0 : 3 * rn]) \
    map(tofrom: w[3 * r0 : 3 * rn])
#pragma omp parallel num_threads(threads)
                    {
                        task_product(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, matrix, u,
                                     w);
                    }
                }
                for (uint32_t k = c->link; k < c->link + c->links; k++) {
                    const struct flow_link *l = &f->link[k];
                    const struct flow_group *a = &f->group[l->group[0]], *b = &f->group[l->group[1]];
                    const size_t a0 = a->rows[0], an = a->rows[1], b0 = b->rows[0], bn = b->rows[1];
                    const uint32_t h0 = l->hold, hn = l->room, t0 = l->row, tn = 4 * l->room, touched = l->rows;
                    const uint32_t teams = run->teams ? TEAMS_OF(touched) : 1;
                    (void)a0, (void)an, (void)b0, (void)bn, (void)h0, (void)hn, (void)tn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: row[t0 : tn], touch[t0 : tn], hold[h0 : hn], u[3 * a0 : 3 * an], u[3 * b0 : 3 * bn]) \
    depend(inout: w[3 * a0 : 3 * an], w[3 * b0 : 3 * bn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], row[t0 : tn], \
        touch[t0 : tn], hold[h0 : hn], u[3 * a0 : 3 * an], u[3 * b0 : 3 * bn]) \
    map(tofrom: w[3 * a0 : 3 * an], w[3 * b0 : 3 * bn])
#pragma omp parallel num_threads(threads)
                    {
                        task_touches(o, shape, body, number, value, (struct flow_range){t0, touched}, row, touch, hold,
                                     u, w, NULL);
                    }
                }
                for (uint32_t k = c->group; k < c->group + c->groups; k++) {
                    const struct flow_group *g = &f->group[k];
                    const size_t r0 = g->rows[0], rn = g->rows[1];
                    const uint32_t p0 = g->row_part[0], pn = g->row_part[1], teams = run->teams ? pn : 1;
                    (void)r0, (void)rn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: cg[9 * r0 : 9 * rn], u[3 * r0 : 3 * rn], w[3 * r0 : 3 * rn]) depend(inout: dots[p0 : pn][0 : 2]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], cg[9 * r0 : 9 * rn], u[3 * r0 : 3 * rn], w[3 * r0 : 3 * rn]) \
    map(tofrom: dots[p0 : pn][0 : 2])
#pragma omp parallel num_threads(threads)
                    {
                        task_dots(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, cg, u, w, dots);
                    }
                }
                const uint32_t teams = run->teams ? zn : 1;
                (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: member[m0 : mn], dots[c0 : cn][0 : 2]) depend(inout: set[z0 : zn]) \
    map(to: o[0 : 1], body[0 : bodies], member[m0 : mn], dots[c0 : cn][0 : 2]) map(tofrom: set[z0 : zn])
#pragma omp parallel num_threads(threads)
                {
                    task_scalars(o, body, (struct flow_range){z0, zn}, member, dots, set);
                }
                for (uint32_t k = c->group; k < c->group + c->groups; k++) {
                    const struct flow_group *g = &f->group[k];
                    const size_t r0 = g->rows[0], rn = g->rows[1];
                    const uint32_t p0 = g->row_part[0], pn = g->row_part[1], teams = run->teams ? pn : 1;
                    (void)r0, (void)rn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: set[z0 : zn], set_of[m0 : mn], inverse[6 * r0 : 6 * rn], w[3 * r0 : 3 * rn]) \
    depend(inout: cg[9 * r0 : 9 * rn], u[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], set[z0 : zn], set_of[m0 : mn], inverse[6 * r0 : 6 * rn], w[3 * r0 : 3 * rn]) \
    map(tofrom: cg[9 * r0 : 9 * rn], u[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn])
#pragma omp parallel num_threads(threads)
                    {
                        task_advance(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, set, set_of,
                                     inverse, w, cg, u, v);
                    }
                }
            }
        }
        for (uint32_t k = 0; good && k < f->groups; k++) {
            const struct flow_group *g = &f->group[k];
            const size_t r0 = g->rows[0], rn = g->rows[1];
            const uint32_t p0 = g->row_part[0], pn = g->row_part[1], teams = run->teams ? pn : 1;
            (void)r0, (void)rn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait \
    depend(in: x[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn]) depend(inout: bad[p0 : pn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], x[3 * r0 : 3 * rn], v[3 * r0 : 3 * rn]) \
    map(tofrom: bad[p0 : pn])
#pragma omp parallel num_threads(threads)
            {
                task_inspect(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, x, v, bad);
            }
        }
        if (good) {
#pragma omp task firstprivate(bad, go, row_parts) depend(in: bad[0 : row_parts]) depend(out: go[0 : 1])
            {
                uint32_t any = 0;
                for (size_t k = 0; k < row_parts; k++)
                    any |= bad[k];
                go[0] = !any;
            }
        }
        for (uint32_t k = 0; good && k < f->groups; k++) {
            const struct flow_group *g = &f->group[k];
            const size_t r0 = g->rows[0], rn = g->rows[1];
            const uint32_t p0 = g->row_part[0], pn = g->row_part[1], teams = run->teams ? pn : 1;
            (void)r0, (void)rn, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) nowait depend(in: go[0 : 1], v[3 * r0 : 3 * rn]) \
    depend(inout: x[3 * r0 : 3 * rn]) \
    map(to: o[0 : 1], shape[0 : shapes], body[0 : bodies], number[0 : numbers], value[0 : values], \
        row_part[p0 : pn], go[0 : 1], v[3 * r0 : 3 * rn]) \
    map(tofrom: x[3 * r0 : 3 * rn])
#pragma omp parallel num_threads(threads)
            {
                task_move(o, shape, body, number, value, row_part, (struct flow_range){p0, pn}, go, v, x);
            }
        }
#pragma omp taskwait
        if (good)
            good = run->behind(run->context, step, flow_results(f));
    }
}
