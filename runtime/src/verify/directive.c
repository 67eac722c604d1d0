/* SPDX-License-Identifier: Apache-2.0 */
/* The marks that the translator puts into the program: which unit runs, and what belongs to it alone. */
#include "verify.h"

#include <pthread.h>
#include <stdlib.h>

struct directive now;
__thread int verify_inside;
static __thread int held; /* by this thread */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned long directive_unchecked;
/* The marks of directives that stand in functions which something else calls say nothing. */
#define ELSEWHERE (!held || now.nested)
unsigned long report_sites, report_units;

void directive_lock(void) {
    if (!held++)
        pthread_mutex_lock(&lock);
}

void directive_unlock(void) {
    if (!--held)
        pthread_mutex_unlock(&lock);
}

/* ---- sites that were met ---- */

static void count_site(const struct heddle_verify_site *site) {
    enum { SITES = 4096 };
    static const struct heddle_verify_site *met[SITES];
    for (size_t i = 0, h = (uintptr_t)site >> 4; i < SITES; i++, h++) {
        if (met[h % SITES] == site)
            return;
        if (!met[h % SITES]) {
            met[h % SITES] = site;
            report_sites++;
            return;
        }
    }
}

/* ---- contexts ---- */

static struct context *push(uintptr_t stack) {
    if (now.depth == now.room) {
        now.room = now.room ? 2 * now.room : 64;
        now.context = realloc(now.context, (size_t)now.room * sizeof *now.context);
        if (!now.context)
            abort();
    }
    struct context *c = now.top = &now.context[now.depth++];
    *c = (struct context){.stack = stack,
                          .top = stack,
                          .copied = now.depth > 1 ? c[-1].copied + c[-1].copies : 0,
                          .owned = now.owned,
                          .shared = now.shares};
    c->copies = now.copies - c->copied;
    return c;
}

static void drop_own(const struct context *c) {
    while (now.owned > c->owned) {
        const struct range *r = &now.own[--now.owned];
        shadow_clear(r->begin, r->end - r->begin);
    }
}

static void pop(void) {
    struct context *c = context_now();
    drop_own(c);
    if (c->stack < c->top)
        shadow_clear(c->stack, c->top - c->stack);
    now.copies = c->copied;
    now.shares = c->shared;
    now.depth--;
    now.top = now.depth ? c - 1 : NULL;
    if (now.top && now.top->unit == 0)
        verify_inside = 0;
}

bool directive_copied(uintptr_t address) {
    const struct context *c = context_now();
    const int end = now.pool ? c->copied + c->copies : now.copies;
    for (int i = c->copied; i < end; i++)
        if (address >= now.copied[i].begin && address < now.copied[i].end)
            return true;
    return false;
}

/* A task or an iteration of a taskloop begins in a pool. */
static void enter(struct node *n, uintptr_t stack) {
    struct context *up = context_now();
    if (up->stack > stack)
        up->stack = stack;
    struct context *c = push(stack);
    c->unit = n ? unit_last : 0;
    directive_unchecked += !n;
    verify_inside = n != NULL;
    report_units++;
}

/* ---- marks ---- */

static void begin_pool(uintptr_t stack) {
    order_begin();
    struct context *c = push(stack);
    c->unit = unit_new(now.site, 0) ? unit_last : 0;
    verify_inside = c->unit != 0;
}

static void begin(const struct heddle_verify_site *site, uintptr_t stack, uintptr_t frame) {
    now.frame = frame;
    unit_trim();
    now.site = site;
    now.first = unit_last + 1;
    now.pool = site->kind == HEDDLE_VERIFY_POOL;
    now.ordered = site->kind != HEDDLE_VERIFY_FOR;
    now.checks_map = site->flags & HEDDLE_VERIFY_MAPPED;
    now.depth = now.copies = now.owned = now.shares = now.sections = now.nested = now.carries = 0;
    now.loop = NULL;
    if (now.pool) {
        begin_pool(stack);
    } else {
        now.loop = unit_loop(site);
        push(stack);
    }
}

/* Both are compiled with frame pointers. */
static uintptr_t frame_of_caller(const void *frame) { return *(const uintptr_t *)frame; }

EXPORT void heddle_verify_begin(const struct heddle_verify_site *site) {
    const bool inside = held > 0;
    const bool part = inside && now.pool && !now.nested && site->kind == HEDDLE_VERIFY_TASKLOOP;
    if (!inside && site->kind == HEDDLE_VERIFY_TASKLOOP)
        return;
    directive_lock();
    count_site(site);
    if (part) {
        context_now()->loop = unit_loop(site);
        context_now()->run = NULL;
    } else if (inside) {
        now.nested++;
    } else {
        begin(site, (uintptr_t)__builtin_frame_address(0), frame_of_caller(__builtin_frame_address(0)));
    }
}

EXPORT void heddle_verify_end(void) {
    if (!held)
        return;
    if (now.nested) {
        now.nested--;
    } else if (now.pool && context_now()->loop) {
        context_now()->loop = NULL;
        context_now()->run = NULL;
    } else {
        verify_inside = 0;
        while (now.sections)
            section_flush(&now.section[--now.sections]);
        while (now.depth)
            pop();
        verify_inside = 0;
    }
    directive_unlock();
}

EXPORT void heddle_verify_iteration(long i, long j, long k) {
    if (ELSEWHERE)
        return;
    struct context *c = context_now();
    const uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    if (now.pool) {
        struct node *before = c->run;
        unit_iteration(c->loop, &c->run, c->unit, i, j, k);
        if (c->run && c->run != before)
            c->run->wait = c->wait;
        enter(c->run, stack);
        return;
    }
    unit_iteration(now.loop, &c->run, 0, i, j, k);
    c->unit = c->run ? unit_last : 0;
    c->stack = c->top = stack;
    directive_unchecked += !c->run;
    verify_inside = c->run != NULL;
    report_units++;
}

EXPORT void heddle_verify_task(const struct heddle_verify_site *site, int waits) {
    if (ELSEWHERE)
        return;
    struct context *c = context_now();
    if (!now.pool)
        return;
    count_site(site);
    struct node *n = c->unit ? unit_new(site, c->unit) : NULL;
    if (n) {
        n->wait = c->wait;
        n->waits = waits;
        order_edges(n);
    }
    enter(n, (uintptr_t)__builtin_frame_address(0));
}

EXPORT void heddle_verify_depend(const void *address, int type) {
    if (!ELSEWHERE && now.pool && context_now()->unit)
        order_depend(address, type, context_now()->unit, context_now()->wait);
}

static void add_range(struct range *list, int *count, const volatile void *p, unsigned long bytes) {
    const struct range r = {(uintptr_t)p, (uintptr_t)p + bytes};
    for (int i = *count; i-- > 0 && i >= *count - 32;)
        if (list[i].begin == r.begin && list[i].end == r.end)
            return;
    if (*count < COPIED)
        list[(*count)++] = r;
    else
        directive_unchecked++;
}

static void leave(void) {
    pop();
    verify_inside = context_now()->unit != 0;
}

EXPORT void heddle_verify_task_done(void) {
    if (ELSEWHERE || !now.pool)
        return;
    leave();
}

EXPORT void heddle_verify_done(void) {
    if (ELSEWHERE)
        return;
    if (now.pool) {
        leave();
        return;
    }
    drop_own(context_now());
    verify_inside = 0;
}

EXPORT void heddle_verify_shared(const volatile void *p, unsigned long bytes) {
    if (!ELSEWHERE)
        add_range(now.shared, &now.shares, p, bytes);
}

bool directive_shared(uintptr_t address) {
    if (address >= now.frame || address < (uintptr_t)__builtin_frame_address(0))
        return true; /* no variable of the directive's function or of one that a task is in */
    for (int i = now.shares; i-- > 0;)
        if (address >= now.shared[i].begin && address < now.shared[i].end)
            return true;
    return section_of(address) != NULL;
}

EXPORT void heddle_verify_wait(void) {
    if (!ELSEWHERE && now.pool)
        context_now()->wait++;
}

EXPORT void heddle_verify_own(const volatile void *p, unsigned long bytes) {
    if (!ELSEWHERE && verify_inside)
        add_range(now.own, &now.owned, p, bytes);
}

EXPORT void heddle_verify_private(const char *name, const volatile void *p, unsigned long bytes) {
    struct page *page;
    struct cell *c;
    if (ELSEWHERE || !verify_inside)
        return;
    add_range(now.own, &now.owned, p, bytes);
    if (now.owned == COPIED)
        return; /* nobody would take the marks away */
    SHADOW_CELLS((uintptr_t)p, bytes, true, page, c)
    lost_mark(page, c, LOSS_PRIVATE, now.site, name);
}

EXPORT void heddle_verify_copied(const volatile void *p, unsigned long bytes) {
    if (ELSEWHERE)
        return;
    if (now.copies < COPIED)
        now.copied[now.copies++] = (struct range){(uintptr_t)p, (uintptr_t)p + bytes};
    else
        directive_unchecked++;
}

EXPORT void heddle_verify_carried(int k, const volatile void *p, unsigned long bytes) {
    const struct range r = {(uintptr_t)p, (uintptr_t)p + bytes};
    if (ELSEWHERE || k >= CARRIED)
        return;
    struct range *c = &now.carried[k];
    if (k >= now.carries) {
        *c = r;
        now.carries = k + 1;
    }
    c->begin = r.begin < c->begin ? r.begin : c->begin;
    c->end = r.end > c->end ? r.end : c->end;
}

EXPORT void heddle_verify_section(int k, const char *name, int map, const volatile void *p, long first, long count,
                                  unsigned long element) {
    if (ELSEWHERE || k >= SECTIONS)
        return;
    struct section s = {.name = name, .map = map, .base = (uintptr_t)p, .element = element, .since = unit_last + 1};
    s.begin = s.base + (uintptr_t)(first * (long)element);
    s.end = s.begin + (count > 0 ? (size_t)count * element : 0);
    struct section *old = &now.section[k];
    if (k < now.sections && old->begin == s.begin && old->end == s.end && old->base == s.base)
        return;
    s.low = s.begin, s.high = s.end;
    if (k < now.sections) {
        section_flush(old);
        s.low = s.low < old->low ? s.low : old->low;
        s.high = s.high > old->high ? s.high : old->high;
    } else {
        now.sections = k + 1;
    }
    *old = s;
}
