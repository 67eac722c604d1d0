/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts a step on a device has, and which teams do them. */
#include "units.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

/* Parts in the order of sets, so that a set's are side by side. */
void list_parts(const struct unit *u, int32_t number, const struct scene *scene) {
    const struct step_places *p = &u->at;
    struct part *row = (struct part *)(u->block_here + p->row), *element = (struct part *)(u->block_here + p->element);
    struct set_parts *parts = (struct set_parts *)(u->block_here + p->set_parts);
    uint32_t *body_rows = (uint32_t *)(u->block_here + p->body_rows),
             *body_others = (uint32_t *)(u->block_here + p->body_others),
             *pair_list = (uint32_t *)(u->block_here + p->pair_list), rows = 0, elements = 0, pairs = 0;
    uint32_t *set_of = app_alloc(scene->bodies + 1, sizeof *set_of);
    for (uint32_t s = 0; s < scene->sets; s++) {
        const struct body_set *set = &scene->set[s];
        parts[s] = (struct set_parts){0};
        if (!set_is_here(scene, set, number))
            continue;
        parts[s].row = rows, parts[s].element = elements;
        for (uint32_t k = 0; k < set->count; k++) {
            const uint32_t b = scene->member[set->first + k];
            const struct body *body = &scene->body[b];
            set_of[b] = s;
            parts[s].devices |= UINT64_C(1) << body->place;
            if (body->place != number)
                continue;
            body_rows[b] = rows;
            body_others[b] = elements;
            for (uint32_t i = 0; i < parts_of(body->shape->rows); i++)
                row[rows++] = (struct part){b, i, u->part_first[b] + i};
            for (uint32_t i = 0; !body->material.springs && i < parts_of(body->shape->elements); i++)
                element[elements++] = (struct part){b, i, 0};
        }
        parts[s].rows = rows - parts[s].row, parts[s].elements = elements - parts[s].element;
    }
    for (uint32_t k = 0; k < scene->pairs; k++)
        if (pair_is_here(scene, &scene->pair[k], number))
            parts[set_of[scene->pair[k].body[0]]].pairs++;
    for (uint32_t s = 0; s < scene->sets; s++) {
        parts[s].pair = pairs;
        pairs += parts[s].pairs;
        parts[s].pairs = 0;
    }
    for (uint32_t k = 0; k < scene->pairs; k++)
        if (pair_is_here(scene, &scene->pair[k], number)) {
            struct set_parts *own = &parts[set_of[scene->pair[k].body[0]]];
            pair_list[own->pair + own->pairs++] = k;
        }
    free(set_of);
}

static const struct set_parts *sorted_parts; /* [sets] */
static const struct body_set *sorted_sets;
#pragma omp threadprivate(sorted_parts, sorted_sets)
/* Split sets first, for other devices wait for them; then large ones. */
static int compare_parts(const void *x, const void *y) {
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const uint32_t p = sorted_parts[a].rows, q = sorted_parts[b].rows, s = sorted_sets[a].split,
                   t = sorted_sets[b].split;
    if (s || t) /* in one order on all devices */
        return !t || (s && s < t) ? -1 : 1;
    return p > q ? -1 : p < q ? 1 : a < b ? -1 : a > b;
}

/* Sets [first, sets) of the order to gangs of `size` teams, to and fro. How many teams that makes. */
static uint32_t deal_to_gangs(uint32_t *order, uint32_t first, uint32_t sets, uint32_t gangs, uint32_t size,
                              struct team *team, uint32_t teams) {
    const uint32_t left = sets - first;
    uint32_t *dealt = app_alloc(left + 1, sizeof *dealt), at = 0;
    gangs = left < gangs ? left : gangs;
    for (uint32_t g = 0; g < gangs; g++) {
        const uint32_t begin = at;
        for (uint32_t k = 0; k * gangs < left; k++) {
            const uint32_t i = k * gangs + (k % 2 ? gangs - 1 - g : g);
            if (i < left)
                dealt[at++] = order[first + i];
        }
        for (uint32_t k = 0; k < size; k++)
            team[teams + g * size + k] = (struct team){first + begin, at - begin, k, size, teams + g};
    }
    memcpy(order + first, dealt, left * sizeof *dealt);
    free(dealt);
    return gangs * size;
}

/* Sets whose rows all teams together can keep have a gang each, and share what teams are left. */
static uint32_t gang_each(const uint32_t *order, uint32_t sets, uint32_t keep, uint32_t wanted, uint32_t most,
                          uint64_t rows, struct team *team) {
    uint32_t teams = 0;
    for (uint32_t s = 0; s < sets; s++) {
        const uint32_t parts = sorted_parts[order[s]].rows, least = (parts + keep - 1) / keep,
                       more = (uint32_t)((uint64_t)(most - wanted) * parts / rows),
                       size = least + more < parts ? least + more : parts;
        for (uint32_t k = 0; k < size; k++)
            team[teams + k] = (struct team){s, 1, k, size, teams};
        teams += size;
    }
    return teams;
}

/* A set that several teams have, for it has more parts than one of them takes. */
static uint32_t teams_of(uint32_t set, uint32_t each) {
    const uint32_t parts = sorted_parts[set].rows;
    return parts > each ? (parts + each - 1) / each : sorted_sets[set].split ? 1 : 0;
}

/* The fewest parts a team with which `most` teams are enough. */
static uint32_t parts_a_team(const uint32_t *order, uint32_t sets, uint32_t most, uint64_t rows) {
    for (uint32_t each = (uint32_t)((rows + most - 1) / most);; each++) {
        uint64_t teams = 0, rest = 0;
        for (uint32_t s = 0; s < sets; s++) {
            const uint32_t own = teams_of(order[s], each);
            teams += own;
            rest += own ? 0 : sorted_parts[order[s]].rows;
        }
        if (teams + (rest + each - 1) / each <= most || each >= rows)
            return each;
    }
}

/* Large sets have teams of their own, so many that no team has much more than the others; small ones have one team
 * each. Those that wait for each other come first, so that they run at once. */
static uint32_t gangs_in_proportion(uint32_t *order, uint32_t sets, uint32_t most, uint64_t rows, struct team *team) {
    const uint32_t each = parts_a_team(order, sets, most, rows);
    uint32_t large = 0, teams = 0;
    for (; large < sets; large++) {
        const uint32_t size = teams_of(order[large], each);
        if (!size || teams + size > most)
            break;
        for (uint32_t k = 0; k < size; k++)
            team[teams + k] = (struct team){large, 1, k, size, teams};
        teams += size;
    }
    return teams + deal_to_gangs(order, large, sets, most > teams ? most - teams : 1, 1, team, teams);
}

/* Gangs that keep all of a set, and take one after the other. */
struct gangs {
    uint32_t count, size;
};
/* With few rounds, as many sets in each: then a set has more teams. With many, the last one matters little. */
static struct gangs gangs_in_rounds(uint32_t sets, uint32_t parts, uint32_t least, uint32_t most) {
    enum { FEW = 3 };
    const uint32_t fit = most / least, rounds = fit ? (sets + fit - 1) / fit : 0;
    if (!rounds || rounds > FEW)
        return (struct gangs){fit, least};
    const uint32_t count = (sets + rounds - 1) / rounds, size = most / count;
    return (struct gangs){count, size < parts ? size : parts};
}

uint32_t plan_teams(const struct unit *u, int32_t number, const struct scene *scene) {
    enum { WASTE_PERCENT = 140 };
    const uint32_t most = u->facts.teams, keep = u->facts.keep;
    const uint64_t rows = u->counts.rows;
    uint32_t *order = (uint32_t *)(u->block_here + u->at.order), sets = 0;
    struct team *team = (struct team *)(u->block_here + u->at.team);
    uint64_t wanted = 0;
    sorted_parts = (const struct set_parts *)(u->block_here + u->at.set_parts);
    sorted_sets = scene->set;
    for (uint32_t s = 0; s < scene->sets; s++)
        if (set_is_here(scene, &scene->set[s], number))
            order[sets++] = s;
    qsort(order, sets, sizeof *order, compare_parts);
    for (uint32_t s = 0; keep && s < sets; s++)
        wanted += (sorted_parts[order[s]].rows + keep - 1) / keep;
    if (keep && wanted <= most)
        return gang_each(order, sets, keep, (uint32_t)wanted, most, rows, team);
    /* unless sets are so unequal that most gangs are too large for theirs */
    const uint32_t parts = sorted_parts[order[0]].rows, least = keep ? (parts + keep - 1) / keep : 0;
    if (keep && least <= most && !scene->set[order[0]].split &&
        (uint64_t)sets * least * keep * 100 <= WASTE_PERCENT * rows) {
        const struct gangs gangs = gangs_in_rounds(sets, parts, least, most);
        return deal_to_gangs(order, 0, sets, gangs.count, gangs.size, team, 0);
    }
    return gangs_in_proportion(order, sets, most, rows, team);
}
