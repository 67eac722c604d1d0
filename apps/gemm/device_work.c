/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline of one device, on its driver's thread. devices.h says what it does. */
#include "device.h"

#include "app.h"

static long segment_of(const struct device *d, const struct work *w) { return w->k / d->segment_length; }

static long length_of(const struct device *d, long segment) {
    const long left = d->g->k - segment * d->segment_length;
    return left < d->segment_length ? left : d->segment_length;
}

/* ---- what has ended ---- */

static void return_lent(struct load *l) {
    if (l->lent)
        cache_unbind(&l->lender->cache, l->lent);
    l->lent = NULL;
}

static int finish_loads(struct device *d) {
    int moved = 0;
    while (d->load_count) {
        struct load *l = &d->load[d->load_first];
        const int done = d->port.ops->done(&d->port, l->event);
        if (done <= 0)
            return done < 0 ? done : moved;
        if (l->work) {
            l->work->slot_event = NULL;
        } else {
            return_lent(l);
            cache_loaded(&d->cache, l->segment, l->upto);
            d->totals.load_seconds = app_seconds() - d->run_start;
            if (l->segment->last == l->event)
                l->segment->last = NULL;
        }
        d->load_first = (d->load_first + 1) % LOADS;
        d->load_count--;
        moved = 1;
    }
    return moved;
}

static int finish_products(struct device *d) {
    int moved = 0;
    for (int lane = 0; lane < PORT_LANES; lane++)
        while (d->lane_count[lane]) {
            struct running *r = &d->lane[lane][d->lane_first[lane]];
            const int done = d->port.ops->done(&d->port, r->event);
            if (done < 0)
                return done;
            if (!done)
                break;
            r->work->busy = false;
            d->totals.product_seconds = app_seconds() - d->run_start;
            d->lane_first[lane] = (d->lane_first[lane] + 1) % DEPTH;
            d->lane_count[lane]--;
            moved = 1;
        }
    return moved;
}

/* Segments before `now` are not needed any more. */
static void let_go(struct device *d, struct work *w, long now) {
    const long first = w->bound < SEGMENTS_AHEAD ? 0 : w->bound - SEGMENTS_AHEAD;
    for (long s = first; s < now && s < w->bound; s++) {
        const long at = s % SEGMENTS_AHEAD;
        if (!w->a[at])
            continue;
        cache_unbind(&d->cache, w->a[at]);
        cache_unbind(&d->cache, w->b[at]);
        w->a[at] = w->b[at] = NULL;
    }
}

/* The segment that a product under way reads, or the next one will. */
static long needed(const struct device *d, const struct work *w) {
    return w->busy ? (w->k - 1) / d->segment_length : segment_of(d, w);
}

static long index_of(const struct device *d, const struct work *w) {
    for (long x = 0; x < d->count; x++)
        if (d->work[x] == w)
            return x;
    return -1;
}

static int finish_stores(struct device *d) {
    int moved = 0;
    while (d->store_count) {
        struct running *r = &d->store[d->store_first];
        const int done = d->port.ops->done(&d->port, r->event);
        if (done <= 0)
            return done < 0 ? done : moved;
        struct work *w = r->work;
        if (w->busy || w->slot_event) /* these ended meanwhile, too, which is seen in the next round */
            return moved;
        let_go(d, w, w->bound);
        d->c_used[w->slot] = false;
        d->totals.tiles++;
        device_finish(d, index_of(d, w), false);
        d->store_first = (d->store_first + 1) % WINDOW_MOST;
        d->store_count--;
        moved = 1;
    }
    return moved;
}

/* ---- what tiles hold ---- */

static bool bind(struct device *d, struct work *w, long segment) {
    const long length = length_of(d, segment), at = segment % SEGMENTS_AHEAD;
    w->a[at] = cache_bind(&d->cache, GEMM_A, w->at.row, segment, length);
    w->b[at] = w->a[at] ? cache_bind(&d->cache, GEMM_B, w->at.col, segment, length) : NULL;
    if (w->b[at]) {
        w->bound = segment + 1;
        return true;
    }
    if (w->a[at])
        cache_unbind(&d->cache, w->a[at]);
    w->a[at] = NULL;
    return false;
}

/* What was bound ahead goes back, so that a tile that can be computed gets what it needs now. */
static void give_back(struct device *d) {
    for (long x = 0; x < d->count; x++) {
        struct work *w = d->work[x];
        const long keep = w->slot >= 0 ? segment_of(d, w) + 1 : segment_of(d, w);
        while (w->bound > keep && !w->storing) {
            const long at = --w->bound % SEGMENTS_AHEAD;
            if (w->a[at]) {
                cache_unbind(&d->cache, w->a[at]);
                cache_unbind(&d->cache, w->b[at]);
                w->a[at] = w->b[at] = NULL;
            }
        }
    }
}

static int free_slot(struct device *d) {
    for (int k = 0; k < d->window; k++)
        if (!d->c_used[k])
            return k;
    return -1;
}

/* Room for C in the queue's order, then segments: those that are needed now before those ahead. */
static void hold(struct device *d) {
    const long horizon = d->count < d->window + AHEAD ? d->count : d->window + AHEAD;
    for (long x = 0; x < horizon; x++) {
        struct work *w = d->work[x];
        if (w->slot < 0 && (w->slot = free_slot(d)) >= 0) {
            d->c_used[w->slot] = true;
            w->slot_ready = d->g->beta == 0;
        }
        if (!w->storing)
            let_go(d, w, needed(d, w));
    }
    for (int ahead = 0; ahead < SEGMENTS_AHEAD; ahead++)
        for (long x = 0; x < horizon; x++) {
            struct work *w = d->work[x];
            const long s = segment_of(d, w) + ahead;
            if (w->storing || w->bound != s || s >= d->segments || needed(d, w) + SEGMENTS_AHEAD <= s)
                continue;
            if (bind(d, w, s))
                continue;
            if (ahead || w->slot < 0)
                return;
            give_back(d);
            if (!bind(d, w, s))
                return;
        }
}

/* ---- loads ---- */

/* So much of a segment comes next. */
static long next_slab(const struct device *d, const struct segment *s) {
    const long left = s->length - s->issued;
    return left < d->slab + d->slab / 2 ? left : d->slab;
}

/* Another device is fetching the segment's next slab: it can be copied from there soon, and other slabs come first. */
static bool is_coming(const struct device *d, const struct segment *s) {
    const struct devices *all = d->g->devices;
    bool coming = false;
    for (int k = 0; k < all->count && !coming; k++)
        coming = d->reaches[k] &&
                 cache_coming(&all->device[k]->cache, s->matrix, s->panel, s->index, s->issued + next_slab(d, s));
    return coming;
}

/* The least advanced segment of the first group of tiles that needs one; C comes with a tile's first slabs. */
static int64_t urgency(const struct device *d, const struct segment *s) {
    return s && s->issued < s->length ? (int64_t)s->index * (d->segment_length / d->slab + 2) + s->issued / d->slab
                                      : INT64_MAX;
}

static bool choose_load(struct device *d, struct load *chosen) {
    int64_t best = INT64_MAX;
    long group = 0;
    const long horizon = d->count < d->window + AHEAD ? d->count : d->window + AHEAD;
    *chosen = (struct load){.segment = NULL};
    for (int pass = 0; pass < 2 && best == INT64_MAX; pass++) /* tiles that have room for C first */
        for (long x = 0; x < horizon; x++) {
            struct work *w = d->work[x];
            if (chosen->segment && w->group != group)
                return true;
            if (w->storing || (w->slot < 0) != pass)
                continue;
            for (int k = 0; k < SEGMENTS_AHEAD * 2; k++) {
                struct segment *s = k & 1 ? w->b[k / 2] : w->a[k / 2];
                const int64_t u = urgency(d, s);
                if (u < best && !is_coming(d, s)) {
                    best = u;
                    group = w->group;
                    *chosen = (struct load){.segment = s};
                }
            }
            if (w->slot >= 0 && !w->slot_ready && best > 0) { /* its first slabs are on their way: now C */
                *chosen = (struct load){.work = w};
                return true;
            }
        }
    return chosen->segment;
}

static char *slot_address(const struct device *d, const struct work *w) {
    return d->c_memory + (size_t)w->slot * d->c_bytes;
}

static size_t tile_bytes(const struct device *d, const struct work *w) {
    return (size_t)w->at.rows * (size_t)w->at.pitch_b * gemm_element(d->g);
}

static int load_tile(struct device *d, struct load *l) {
    struct work *w = l->work;
    const size_t bytes = tile_bytes(d, w);
    w->slot_ready = true;
    w->slot_event = l->event;
    d->totals.bytes_in += (double)bytes;
    return d->port.ops->load(&d->port, slot_address(d, w),
                             (const char *)d->g->c + gemm_c_offset(d->g, w->at.row, w->at.col), bytes, l->event);
}

/* Another device that has the slab by now; its segment stays while the copy is under way. */
static const char *borrow(struct device *d, struct load *l, size_t row, long first) {
    const struct segment *s = l->segment;
    const struct devices *all = d->g->devices;
    for (int k = 1; k < all->count; k++) { /* not all from the first one */
        const int other = (d->rank + k) % all->count;
        if (!d->reaches[other])
            continue;
        l->lender = all->device[other];
        l->lent = cache_lend(&l->lender->cache, s->matrix, s->panel, s->index, l->upto);
        if (l->lent)
            return (const char *)l->lent->at + (size_t)first * row;
    }
    return NULL;
}

static int load_slab(struct device *d, struct load *l) {
    struct segment *s = l->segment;
    const struct gemm *g = d->g;
    const bool is_a = s->matrix == GEMM_A;
    const long all = is_a ? g->m : g->n, first = s->index * d->segment_length + s->issued;
    const long count = next_slab(d, s);
    const size_t row = (size_t)gemm_pitch(gemm_side(g, all, s->panel)) * gemm_element(g);
    const char *from = (const char *)(is_a ? g->a : g->b) + gemm_panel_offset(g, all, s->panel, first);
    char *to = (char *)s->at + (size_t)s->issued * row;
    l->upto = s->issued + count;
    const char *there = borrow(d, l, row, s->issued);
    s->last = l->event;
    cache_issued(&d->cache, s, l->upto);
    if (there) {
        d->totals.bytes_across += (double)((size_t)count * row);
        return d->port.ops->load_from(&d->port, to, &l->lender->port, there, (size_t)count * row, l->event);
    }
    d->totals.bytes_in += (double)((size_t)count * row);
    return d->port.ops->load(&d->port, to, from, (size_t)count * row, l->event);
}

static int start_loads(struct device *d) {
    struct load chosen;
    int moved = 0;
    while (d->load_count < LOADS && choose_load(d, &chosen)) {
        struct load *l = &d->load[(d->load_first + d->load_count) % LOADS];
        l->segment = chosen.segment;
        l->work = chosen.work;
        d->load_count++;
        const int error = l->work ? load_tile(d, l) : load_slab(d, l);
        if (error)
            return error;
        moved = 1;
    }
    return moved;
}

/* ---- products ---- */

/* How far beyond its place tile w can go now, within its segment; `issued`: with what is on its way. */
static long available(const struct device *d, const struct work *w, bool issued, bool *whole) {
    const long s = segment_of(d, w), at = s % SEGMENTS_AHEAD, inside = w->k - s * d->segment_length;
    *whole = false;
    if (w->slot < 0 || w->busy || w->storing || s >= w->bound || !w->a[at] || !w->slot_ready ||
        (w->slot_event && !issued))
        return 0;
    const long a = issued ? w->a[at]->issued : w->a[at]->loaded, b = issued ? w->b[at]->issued : w->b[at]->loaded;
    const long upto = a < b ? a : b;
    *whole = upto == w->a[at]->length;
    return upto - inside;
}

static int running(const struct device *d) {
    int count = 0;
    for (int lane = 0; lane < PORT_LANES; lane++)
        count += d->lane_count[lane];
    return count;
}

/* The first tile that can be finished, else the one that can go furthest; short steps wait for more, since a library
 * needs some depth for its full speed, and what is late comes with the slabs that are under way. An idle device waits
 * less. */
static struct work *choose_product(const struct device *d, long *depth) {
    struct work *best = NULL;
    long most = (running(d) ? d->step : (d->step + 3) / 4) - 1;
    bool whole;
    for (long x = 0; x < d->count && x < d->window + AHEAD; x++) {
        struct work *w = d->work[x];
        const long can = available(d, w, false, &whole);
        if (can > 0 && whole && w->k + can == d->g->k) {
            *depth = can;
            return w;
        }
        if (can > most || (can > 0 && whole && can > (best ? most : 0))) {
            best = w;
            most = can;
        }
    }
    *depth = most;
    return best;
}

/* Nothing to do and nothing there yet: what is all on its way is queued behind its loads. */
static struct work *choose_early(const struct device *d, long *depth) {
    bool whole;
    for (long x = 0; x < d->count && x < d->window; x++) {
        const long can = available(d, d->work[x], true, &whole);
        if (can > 0 && whole) {
            *depth = can;
            return d->work[x];
        }
    }
    return NULL;
}

static int send_back(struct device *d, struct work *w, void *after) {
    struct running *r = &d->store[(d->store_first + d->store_count) % WINDOW_MOST];
    r->work = w;
    w->storing = true;
    d->store_count++;
    d->totals.bytes_out += (double)tile_bytes(d, w);
    return d->port.ops->store(&d->port, (char *)d->g->c + gemm_c_offset(d->g, w->at.row, w->at.col), slot_address(d, w),
                              tile_bytes(d, w), after, r->event);
}

static int multiply(struct device *d, int lane, struct work *w, long depth) {
    const struct gemm *g = d->g;
    const long s = segment_of(d, w), at = s % SEGMENTS_AHEAD, inside = w->k - s * d->segment_length;
    const size_t element = gemm_element(g);
    struct running *r = &d->lane[lane][(d->lane_first[lane] + d->lane_count[lane]) % DEPTH];
    const struct product p = {.is_double = g->is_double,
                              .m = w->at.rows,
                              .n = w->at.cols,
                              .k = depth,
                              .alpha = g->alpha,
                              .beta = w->k ? 1 : g->beta,
                              .a = (const char *)w->a[at]->at + (size_t)(inside * w->at.pitch_a) * element,
                              .b = (const char *)w->b[at]->at + (size_t)(inside * w->at.pitch_b) * element,
                              .c = slot_address(d, w),
                              .lda = w->at.pitch_a,
                              .ldb = w->at.pitch_b,
                              .ldc = w->at.pitch_b};
    void *const after[3] = {inside + depth > w->a[at]->loaded ? w->a[at]->last : NULL,
                            inside + depth > w->b[at]->loaded ? w->b[at]->last : NULL, w->slot_event};
    const int error = d->port.ops->multiply(&d->port, lane, &p, after, r->event);
    if (error)
        return error;
    if (d->totals.start_seconds == 0)
        d->totals.start_seconds = app_seconds() - d->run_start;
    r->work = w;
    d->lane_count[lane]++;
    w->busy = true;
    w->k += depth;
    return w->k == g->k ? send_back(d, w, r->event) : 0;
}

static int start_products(struct device *d) {
    int moved = 0;
    for (bool more = true; more;) { /* lanes in turn, so that neither runs dry */
        more = false;
        for (int lane = 0; lane < d->lanes; lane++) {
            long depth;
            if (d->lane_count[lane] == DEPTH)
                continue;
            struct work *w = choose_product(d, &depth);
            if (!w && !d->lane_count[lane])
                w = choose_early(d, &depth);
            if (!w)
                continue;
            const int error = multiply(d, lane, w, depth);
            if (error)
                return error;
            moved = more = true;
        }
    }
    return moved;
}

int device_drain(struct device *d) {
    int got = 0;
    while (d->load_count && got >= 0)
        got = finish_loads(d);
    return got < 0 ? got : 0;
}

void device_drop_loads(struct device *d) {
    for (; d->load_count; d->load_count--) {
        return_lent(&d->load[d->load_first]);
        d->load_first = (d->load_first + 1) % LOADS;
    }
}

static void watch(struct device *d) {
    const double now = app_seconds();
    d->totals.idle_seconds += d->was_idle ? now - d->last_step : 0;
    d->was_idle = !running(d) && d->count;
    d->last_step = now;
}

int device_step(struct device *d) {
    int (*const ended[])(struct device *) = {finish_loads, finish_products, finish_stores};
    int (*const started[])(struct device *) = {start_loads, start_products};
    int moved = 0;
    for (int k = 0; k < 3; k++) {
        const int got = ended[k](d);
        if (got < 0)
            return got;
        moved |= got;
    }
    hold(d);
    for (int k = 0; k < 2; k++) {
        const int got = started[k](d);
        if (got < 0)
            return got;
        moved |= got;
    }
    watch(d);
    return moved;
}
