/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a unit come before the running one in every order that the directive allows? Iterations of a `for` never do.
 * Those of a taskloop and the cells of a nest do when a chain of sinks leads back to them without leaving the loops.
 * Tasks do when a taskwait, or a chain of depend clauses, stands between them; a task that makes tasks of its own is
 * over when its own code is, unless it waits for them.
 */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

enum { STATES = 1 << 16, STEPS = 1 << 14, SIDES = 32, DEPTH = 8000, NEAR = 16 };
unsigned long order_undecided;

/* ---- sinks ---- */

/* Sums of sinks up to NEAR iterations away, for loops whose sinks never lead to a larger number in any of them. */
static struct {
    const struct heddle_verify_site *site;
    bool monotone;
    bool reached[NEAR][NEAR][NEAR];
    int sides;
    long side[SIDES][DIMS]; /* no sum of sinks lies beyond one of these planes */
} near;

static void add_side(const struct heddle_verify_site *site, const long *a, const long *b, long sign) {
    long n[DIMS], any = 0;
    for (int d = 0; d < DIMS; d++) {
        const int e = (d + 1) % DIMS, f = (d + 2) % DIMS;
        n[d] = sign * (a[e] * b[f] - a[f] * b[e]);
        any |= n[d];
    }
    for (int s = 0; s < site->sinks; s++)
        if (n[0] * site->sink[s][0] + n[1] * site->sink[s][1] + n[2] * site->sink[s][2] < 0)
            return;
    for (int k = 0; k < near.sides; k++)
        if (!memcmp(near.side[k], n, sizeof n))
            return;
    if (any && near.sides < SIDES)
        memcpy(near.side[near.sides++], n, sizeof n);
}

static void find_sides(const struct heddle_verify_site *site) {
    static const long unit[DIMS][DIMS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < site->sinks; a++) {
        for (int b = 0; b < a; b++)
            add_side(site, site->sink[a], site->sink[b], 1), add_side(site, site->sink[a], site->sink[b], -1);
        for (int d = 0; d < DIMS; d++)
            add_side(site, site->sink[a], unit[d], 1), add_side(site, site->sink[a], unit[d], -1);
    }
}

static bool beyond(long i, long j, long k) {
    for (int s = 0; s < near.sides; s++)
        if (near.side[s][0] * i + near.side[s][1] * j + near.side[s][2] * k < 0)
            return true;
    return false;
}

static void learn(const struct heddle_verify_site *site) {
    memset(&near, 0, sizeof near);
    near.site = site;
    near.monotone = true;
    for (int s = 0; s < site->sinks; s++)
        for (int d = 0; d < DIMS; d++)
            near.monotone = near.monotone && site->sink[s][d] >= 0;
    find_sides(site);
    near.reached[0][0][0] = true;
    for (int i = 0; i < NEAR; i++)
        for (int j = 0; j < NEAR; j++)
            for (int k = 0; k < NEAR; k++)
                for (int s = 0; near.monotone && s < site->sinks; s++) {
                    const long a = i - site->sink[s][0], b = j - site->sink[s][1], c = k - site->sink[s][2];
                    near.reached[i][j][k] =
                        near.reached[i][j][k] || (a >= 0 && b >= 0 && c >= 0 && near.reached[a][b][c]);
                }
}

struct search {
    const struct heddle_verify_site *site;
    const struct loop *loop;
    const uint32_t *from;
    struct {
        uint32_t at[DIMS], stamp;
    } *seen;
    uint32_t stamp;
    long steps;
};

static bool been_there(struct search *s, const uint32_t at[DIMS]) {
    size_t h = (at[0] * 0x9e3779b1u ^ at[1] * 0x85ebca6bu ^ at[2] * 0xc2b2ae35u) % STATES;
    for (int tries = 0; tries < 64; tries++, h = (h + 1) % STATES) {
        if (s->seen[h].stamp != s->stamp) {
            memcpy(s->seen[h].at, at, sizeof s->seen[h].at);
            s->seen[h].stamp = s->stamp;
            return false;
        }
        if (!memcmp(s->seen[h].at, at, sizeof s->seen[h].at))
            return true;
    }
    return false;
}

/* How far it still is, by the iteration at hand. */
static long distance(const struct search *s, const uint32_t at[DIMS]) {
    long sum = 0;
    for (int d = 0; d < DIMS; d++)
        sum += at[d] > s->from[d] ? at[d] - s->from[d] : s->from[d] - at[d];
    return sum;
}

static bool step_back(const struct search *s, const uint32_t at[DIMS], const long *sink, uint32_t back[DIMS]) {
    for (int d = 0; d < DIMS; d++) {
        const long x = (long)at[d] - sink[d];
        if (x < 0 || (d && d < s->site->dims && x >= (long)s->loop->count[d]))
            return false;
        back[d] = (uint32_t)x;
    }
    return !beyond((long)back[0] - s->from[0], (long)back[1] - s->from[1], (long)back[2] - s->from[2]);
}

static bool leads_back(struct search *s, const uint32_t at[DIMS], int depth) {
    if (!memcmp(at, s->from, sizeof s->seen->at))
        return true;
    if (depth > DEPTH)
        s->steps = 0;
    if (--s->steps < 0 || been_there(s, at))
        return false;
    for (unsigned tried = 0;;) { /* the nearest first */
        uint32_t back[DIMS], best[DIMS];
        long near_by = -1;
        int which = -1;
        for (int k = 0; k < s->site->sinks; k++) {
            if (tried >> k & 1 || !step_back(s, at, s->site->sink[k], back))
                continue;
            const long far = distance(s, back);
            if (which < 0 || far < near_by) {
                near_by = far, which = k;
                memcpy(best, back, sizeof best);
            }
        }
        if (which < 0)
            return false;
        tried |= 1u << which;
        if (leads_back(s, best, depth + 1))
            return true;
    }
}

/* Answers of searches. Beyond CLIP iterations it does not matter how far a loop's ends are. */
enum { ANSWERS = 1 << 14, CLIP = 32, SHORT = 8 };
struct question {
    const struct heddle_verify_site *site;
    int8_t way[DIMS], low[DIMS - 1], high[DIMS - 1], answer; /* 0: not asked yet, 1: no, 2: yes */
};

static int8_t clipped(long x) { return (int8_t)(x < CLIP ? x : CLIP); }

static struct question *ask(const struct heddle_verify_site *site, const struct loop *l, const uint32_t from[DIMS],
                            const uint32_t to[DIMS]) {
    static struct question known[ANSWERS];
    struct question q = {.site = site};
    size_t h = (uintptr_t)site >> 4;
    for (int d = 0; d < DIMS; d++) {
        const long way = (long)to[d] - from[d];
        if (way > SHORT || way < -SHORT)
            return NULL;
        q.way[d] = (int8_t)way;
        h = h * 31 + (size_t)(way + SHORT);
        if (!d || d >= site->dims)
            continue;
        q.low[d - 1] = clipped(from[d]);
        q.high[d - 1] = clipped((long)l->count[d] - 1 - from[d]);
        h = (h * 67 + (size_t)q.low[d - 1]) * 67 + (size_t)q.high[d - 1];
    }
    struct question *k = &known[(h ^ h >> 17) % ANSWERS];
    if (k->site != site || memcmp(k->way, q.way, sizeof q.way) || memcmp(k->low, q.low, sizeof q.low) ||
        memcmp(k->high, q.high, sizeof q.high))
        *k = q;
    return k;
}

bool order_by_sinks(const struct heddle_verify_site *site, const struct loop *l, const uint32_t from[DIMS],
                    const uint32_t to[DIMS]) {
    static struct search s;
    if (near.site != site)
        learn(site);
    const long i = (long)to[0] - from[0], j = (long)to[1] - from[1], k = (long)to[2] - from[2];
    if (near.monotone && (unsigned long)i < NEAR && (unsigned long)j < NEAR && (unsigned long)k < NEAR)
        return near.reached[i][j][k];
    if (beyond(i, j, k))
        return false;
    struct question *q = ask(site, l, from, to);
    if (q && q->answer)
        return q->answer == 2;
    if (!s.seen && !(s.seen = calloc(STATES, sizeof *s.seen)))
        return true;
    s.site = site, s.loop = l, s.from = from, s.steps = STEPS, s.stamp++;
    const bool found = leads_back(&s, to, 0);
    if (q && (found || s.steps >= 0))
        q->answer = found ? 2 : 1;
    order_undecided += !found && s.steps < 0;
    return found || s.steps < 0;
}

/* ---- tasks ---- */

/* Two units that one task made; `whole`: what the first one made is over when it is. */
static bool siblings(uint32_t p, const struct node *a, uint32_t q, const struct node *b, bool whole) {
    uint32_t from[DIMS], to[DIMS];
    if (a->wait < b->wait)
        return true;
    if (!whole)
        return false;
    if (a->loop && a->loop == b->loop) {
        unit_position(a, p, from);
        unit_position(b, q, to);
        return order_by_sinks(a->loop->site, a->loop, from, to);
    }
    return order_depends(p, b);
}

static bool task_before(uint32_t p, uint32_t q) {
    const struct node *a = unit_node(p), *b = unit_node(q);
    bool whole = true; /* a is over only when what it made is */
    if (!a || !b)
        return true;
    while (b->depth > a->depth) {
        q = b->parent;
        b = unit_node(q);
        if (!b || q == p)
            return true; /* p made it, or made what made it */
    }
    while (a->depth > b->depth || (a->depth && a->parent != b->parent && p != q)) {
        const bool both = a->depth == b->depth;
        p = a->parent;
        const struct node *up = unit_node(p);
        if (!up)
            return true;
        if (p == q) /* the running task, or one that it belongs to, made a: a taskwait since? */
            return q == context_now()->unit ? a->wait < context_now()->wait : false;
        a = up;
        whole = a->waits;
        if (both) {
            q = b->parent;
            b = unit_node(q);
            if (!b)
                return true;
        }
    }
    return p == q || siblings(p, a, q, b, whole);
}

/* Iterations of this row and the one before, of which most questions are: 1 yes, 0 no, -1 to be looked for. */
static inline int recent(const struct loop *l, uint32_t back) {
    const int last = l->site->dims - 1;
    const bool row = back > l->at[last]; /* in the row before */
    const uint32_t far = row ? back - l->count[last] : back;
    if (near.site != l->site || !near.monotone || (row && (!last || !l->at[last - 1])))
        return -1;
    if (row && back < l->count[last]) /* further along the row before */
        return 0;
    if (far >= NEAR)
        return -1;
    return last == 0 ? near.reached[far][0][0] : last == 1 ? near.reached[row][far][0] : near.reached[0][row][far];
}

static bool iteration_before(uint32_t unit) {
    uint32_t from[DIMS];
    const int known = recent(now.loop, now.top->unit - unit);
    const struct node *n = known < 0 ? unit_node(unit) : NULL;
    if (!n)
        return known;
    unit_position(n, unit, from);
    return order_by_sinks(now.site, now.loop, from, now.loop->at);
}

bool order_before(uint32_t unit) {
    if (!now.ordered)
        return false;
    if (!now.pool)
        return iteration_before(unit);
    const struct context *up = now.depth > 1 ? now.top - 1 : NULL;
    if (up && up->run && unit >= up->run->unit && now.top->unit - up->run->unit < up->run->units) {
        const int known = recent(up->loop, now.top->unit - unit);
        if (known >= 0)
            return known;
    }
    return task_before(unit, now.top->unit);
}
