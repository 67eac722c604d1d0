/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows behind tables of pointers, T **x: may iterations that write other rows, or other columns, run in any order? Only
 * if no two rows share memory, and none shares any with a table or an array. Mostly rows were allocated one after the
 * other: then it is seen by going through the tables. Else all rows are put in order by where they begin.
 */
#include "core/internal.h"
#include <stdlib.h>
#include <string.h>

struct part { /* memory that a loop uses: a row, a part of a table, or of an array */
    uintptr_t begin, end;
    const void *slot; /* the pointer to it in a table: two parts of a variable with one slot are the same row */
    int variable;
    const char *name;
    bool written;
};

enum { RUNS = 64 };
struct parts {
    struct part *at; /* NULL: only what is counted */
    size_t n;
    /* parts of which each begins where the one before has ended, or later, are a run; more than RUNS: too many to tell
     */
    struct part run[RUNS];
    int runs;
    bool next; /* of another reference: a run of its own, since arrays may lie between the two */
};

static void add(struct parts *p, const struct part *one) {
    if (one->begin >= one->end)
        return;
    if (p->at) {
        p->at[p->n] = *one;
    } else if (!p->next && p->runs && p->runs <= RUNS && one->begin >= p->run[p->runs - 1].end) {
        p->run[p->runs - 1].end = one->end;
        p->run[p->runs - 1].written |= one->written;
    } else if (p->runs++ < RUNS) {
        p->run[p->runs - 1] =
            (struct part){.begin = one->begin, .end = one->end, .name = one->name, .written = one->written};
    }
    p->next = false;
    p->n++;
}

/* ---- what the subscripts reach ---- */

struct box { /* what one reference touches, and all of its variable's */
    struct heddle_rows one;
    long lo[HEDDLE_ROWS_DEPTH], hi[HEDDLE_ROWS_DEPTH];
};

/* Tables behind tables are as good as rows: the same one twice would be the same rows. */
static void walk(struct parts *p, const struct box *b, const void *table, const void *slot, int level) {
    const struct heddle_rows *r = &b->one;
    const long lo = b->lo[level], hi = b->hi[level];
    const bool last = level == r->depth - 1;
    const size_t size = last ? r->bytes : sizeof table;
    if (!table || lo > hi)
        return;
    add(p, &(struct part){.begin = (uintptr_t)table + (uintptr_t)lo * size,
                          .end = (uintptr_t)table + ((uintptr_t)hi + 1) * size,
                          .slot = slot,
                          .variable = r->variable,
                          .name = r->name,
                          .written = level && r->written});
    for (long k = r->lo[level]; !last && k <= r->hi[level]; k += r->pace[level]) {
        const void *const *at = (const void *const *)table + k;
        walk(p, b, *at, at, level + 1);
    }
}

/* ---- references as few boxes ---- */

static bool same_variable(const struct box *a, const struct box *b) { return a->one.variable == b->one.variable; }

/* Both together, where all of it is touched by one of them. */
static bool merge(struct box *with, const struct box *more) {
    struct heddle_rows *a = &with->one;
    const struct heddle_rows *b = &more->one;
    int other = -1;
    if (!same_variable(with, more))
        return false;
    for (int d = 0; d < a->depth - 1; d++) {
        if (a->lo[d] == b->lo[d] && a->hi[d] == b->hi[d] && a->pace[d] == b->pace[d])
            continue;
        if (other >= 0 || a->pace[d] != 1 || b->pace[d] != 1 || a->lo[d] > b->hi[d] + 1 || b->lo[d] > a->hi[d] + 1)
            return false;
        other = d;
    }
    if (other >= 0) {
        a->lo[other] = a->lo[other] < b->lo[other] ? a->lo[other] : b->lo[other];
        a->hi[other] = a->hi[other] > b->hi[other] ? a->hi[other] : b->hi[other];
    }
    return true;
}

static bool is_empty(const struct heddle_rows *r) {
    for (int d = 0; d < r->depth; d++)
        if (r->lo[d] > r->hi[d])
            return true;
    return false;
}

/* A variable is written if any reference writes, and its rows are as long as all references make them. */
static void widen(struct box *b, const struct box *more) {
    b->one.written |= more->one.written;
    for (int d = 0; d < b->one.depth; d++) {
        b->lo[d] = b->lo[d] < more->one.lo[d] ? b->lo[d] : more->one.lo[d];
        b->hi[d] = b->hi[d] > more->one.hi[d] ? b->hi[d] : more->one.hi[d];
    }
}

static int simplify(const struct heddle_rows *rows, int nrows, struct box *out) {
    int n = 0;
    for (int k = 0; k < nrows; k++) {
        if (is_empty(&rows[k]))
            continue;
        out[n].one = rows[k];
        memcpy(out[n].lo, rows[k].lo, sizeof rows[k].lo);
        memcpy(out[n++].hi, rows[k].hi, sizeof rows[k].hi);
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (same_variable(&out[a], &out[b]))
                widen(&out[a], &out[b]);
    for (bool again = true; again;) {
        again = false;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                if (merge(&out[a], &out[b])) {
                    out[b--] = out[--n];
                    again = true;
                }
    }
    return n;
}

static struct part array_of(const struct heddle_map *m) {
    const uintptr_t begin = (uintptr_t)m->base + (uintptr_t)m->first;
    return (struct part){.begin = begin, .end = begin + m->bytes, .name = m->name, .written = m->kind & HEDDLE_MAP_W};
}

/* ---- in order ---- */

static int by_begin(const void *x, const void *y) {
    const struct part *a = x, *b = y;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1) : (a->slot > b->slot) - (a->slot < b->slot);
}

static bool are_apart(const struct part *at, size_t n, const char **one, const char **other) {
    const struct part *any = NULL, *written = NULL; /* of those seen, what reaches furthest */
    for (size_t k = 0; k < n; k++) {
        const struct part *m = &at[k];
        if (k && m->slot && m->slot == m[-1].slot && m->variable == m[-1].variable && m->end == m[-1].end)
            continue; /* the same row, by another reference */
        const struct part *hit = m->written ? any : written;
        if (hit && m->begin < hit->end) {
            *one = hit->name;
            *other = m->name;
            return false;
        }
        any = !any || m->end > any->end ? m : any;
        if (m->written && (!written || m->end > written->end))
            written = m;
    }
    return true;
}

static bool sorted_apart(const struct box *b, int n, const struct heddle_map *maps, int nmaps, size_t count,
                         const char **one, const char **other) {
    struct parts all = {.at = malloc((count + (size_t)nmaps + 1) * sizeof *all.at)};
    if (!all.at) {
        *one = *other = NULL;
        return false;
    }
    for (int k = 0; k < n; k++)
        walk(&all, &b[k], b[k].one.table, NULL, 0);
    for (int k = 0; k < nmaps; k++) {
        const struct part a = array_of(&maps[k]);
        add(&all, &a);
    }
    qsort(all.at, all.n, sizeof *all.at, by_begin);
    const bool apart = are_apart(all.at, all.n, one, other);
    free(all.at);
    return apart;
}

static bool find_apart(const struct heddle_rows *rows, int nrows, const struct heddle_map *maps, int nmaps,
                       const char **one, const char **other) {
    struct box b[nrows + 1];
    struct parts p = {.at = NULL};
    const int n = simplify(rows, nrows, b);
    for (int k = 0; k < n; k++) {
        p.next = true;
        walk(&p, &b[k], b[k].one.table, NULL, 0);
    }
    struct part whole[RUNS + nmaps + 1];
    int used = p.runs < RUNS ? p.runs : RUNS;
    memcpy(whole, p.run, (size_t)used * sizeof *whole);
    for (int k = 0; k < nmaps; k++) {
        whole[used] = array_of(&maps[k]);
        used += whole[used].begin < whole[used].end;
    }
    qsort(whole, (size_t)used, sizeof *whole, by_begin);
    return (p.runs <= RUNS && are_apart(whole, (size_t)used, one, other)) ||
           sorted_apart(b, n, maps, nmaps, p.n, one, other);
}

bool heddle__rows_apart(const struct heddle_site *site, const struct heddle_rows *rows, int nrows,
                        const struct heddle_map *maps, int nmaps, int *said) {
    const char *one = NULL, *other = NULL;
    if (!nrows || find_apart(rows, nrows, maps, nmaps, &one, &other))
        return true;
    if (!one)
        heddle__warn(site, "no memory to compare the rows of arrays; running this loop serially");
    else if (!said || !__atomic_exchange_n(said, 1, __ATOMIC_RELAXED))
        heddle__warn(
            site,
            one == other || !strcmp(one, other)
                ? "rows of '%s' share memory, and the loop writes to some; running it serially%s"
                : "rows of '%s' share memory with '%s', and the loop writes to one of them; running it serially",
            one, strcmp(one, other) ? other : "");
    return false;
}
