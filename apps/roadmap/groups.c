/* SPDX-License-Identifier: Apache-2.0 */
/* States by the cell of a grid in which their places are. */
#include "roadmap.h"

#include "app.h"

#include <float.h>
#include <stdlib.h>

enum { EACH = 24 /* states of a cell, on average */, CELLS_MOST = 1 << 20 /* along an axis, and in all */ };

struct grid {
    float low[3], edge;
    uint32_t cells[3];
};

static uint32_t cells_along(float length, float edge, uint32_t most) {
    const float cells = length / edge;
    return cells > 0 ? cells < (float)most ? (uint32_t)cells + 1 : most : 1;
}

static uint64_t count_cells(const struct grid *g) { return (uint64_t)g->cells[0] * g->cells[1] * g->cells[2]; }

/* Cubes, the smallest of which there are no more than wanted. */
static struct grid make_grid(const struct state *states, size_t count) {
    const uint32_t most_cells = count / EACH < CELLS_MOST ? (uint32_t)(count / EACH) + 1 : CELLS_MOST;
    struct bvh_box box = bvh_empty();
    struct grid g = {.edge = FLT_MIN};
    for (size_t k = 0; k < count; k++) {
        const float *p = states[k].move;
        const struct bvh_box at = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
        bvh_join(&box, &at);
    }
    for (int k = 0; k < 3; k++) {
        g.low[k] = box.low[k];
        g.edge = most(g.edge, (box.high[k] - box.low[k]) / (float)most_cells);
    }
    do {
        for (int k = 0; k < 3; k++)
            g.cells[k] = cells_along(box.high[k] - box.low[k], g.edge, most_cells);
        g.edge *= 1.1f;
    } while (count_cells(&g) > most_cells && g.cells[0] + g.cells[1] + g.cells[2] > 3);
    g.edge /= 1.1f;
    return g;
}

static uint32_t cell_of(const struct grid *g, const struct state *s) {
    uint32_t cell = 0;
    for (int k = 0; k < 3; k++) {
        const uint32_t along = cells_along(s->move[k] - g->low[k], g->edge, g->cells[k]) - 1;
        cell = cell * g->cells[k] + along;
    }
    return cell;
}

static void add(struct group *g, const struct state *s) {
    for (int k = 0; k < 3; k++) {
        g->low[k] = least(g->low[k], s->move[k]);
        g->high[k] = most(g->high[k], s->move[k]);
    }
}

/* Cells with members, which are already in the order of cells. */
static size_t list_groups(const struct member *members, const uint32_t *end, size_t cells, struct group *groups,
                          struct seeker *seekers) {
    size_t count = 0;
    for (size_t cell = 0; cell < cells; cell++) {
        const uint32_t first = cell ? end[cell - 1] : 0;
        if (first == end[cell])
            continue;
        const float *p = members[first].state.move;
        struct group *g = &groups[count];
        *g = (struct group){{p[0], p[1], p[2]}, {p[0], p[1], p[2]}, first, end[cell]};
        for (uint32_t k = first; k < end[cell]; k++) {
            add(g, &members[k].state);
            seekers[k] = (struct seeker){k, (uint32_t)count};
        }
        count++;
    }
    return count;
}

size_t groups_make(const struct state *states, size_t count, struct member *members, struct group *groups,
                   struct seeker *seekers) {
    const struct grid grid = make_grid(states, count);
    const size_t cells = (size_t)count_cells(&grid);
    uint32_t *end = app_alloc(cells + 1, sizeof *end), *cell = app_alloc(count + 1, sizeof *cell);
    for (size_t k = 0; k < count; k++)
        end[(cell[k] = cell_of(&grid, &states[k])) + 1]++;
    for (size_t k = 1; k <= cells; k++)
        end[k] += end[k - 1];
    for (size_t k = 0; k < count; k++) /* from where a cell begins to where it ends */
        members[end[cell[k]]++] = (struct member){states[k], (uint32_t)k};
    count = list_groups(members, end, cells, groups, seekers);
    free(end);
    free(cell);
    return count;
}
