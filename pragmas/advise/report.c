/* SPDX-License-Identifier: Apache-2.0 */
/* Advice as people read it: a line for each loop, the reasons of those that take no directive, and what is left to do.
 */
#include "advise.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[FORMS] = {"for", "for device(host)", "wavefront sweeps", "wavefront"};
static const double SHORT = 20e-6; /* seconds of a loop that devices and threads do not shorten */

static const double ROWS = 5; /* times as much for a wavefront, whose rows wait for each other */

static bool has_work(const struct advice *l) {
    return l->runs || !l->estimate || l->estimate >= SHORT * (l->form > FORM_HOST ? ROWS : 1);
}

bool advise_worth(const struct advice *l) { return has_work(l) && (!l->runs || l->seconds >= SHORT * (double)l->runs); }

static void place(const struct unit *u, const struct advice *l) {
    printf("%s:%u:%u: ", u->src.path, source_line(&u->src, l->b), source_column(&u->src, l->b));
}

static void time_of(const struct advice *l) {
    if (!l->runs)
        return;
    const double each = l->seconds / (double)l->runs;
    printf("    %.3g s", l->seconds);
    if (l->runs > 1)
        printf(" in %ld runs of %.3g %s", l->runs, each < 1e-3 ? each * 1e6 : each * 1e3, each < 1e-3 ? "us" : "ms");
    puts(advise_worth(l) ? "" : ": too short to gain by it");
}

/* What its author's word would make of it. */
static void asserting(const struct advice *l) {
    if (l->asserting && l->line == l->asserting)
        printf(
            "    asserts that each iteration fills %s before it reads from there, which `heddle cc --verify` checks\n",
            l->filled);
    else if (l->asserting)
        printf("    if each iteration fills %s before it reads from there, which `heddle cc --verify` checks: %s\n",
               l->filled, l->asserting);
}

static void taken(const struct unit *u, const struct advice *l) {
    place(u, l);
    printf("%s: %s\n", l->function, l->line);
    if (l->openmp.e)
        printf("    in place of the OpenMP directive in line %u\n", source_line(&u->src, l->openmp.b));
    if (l->todo.text)
        printf("    to be completed: %s (line %u)\n", l->todo.text, source_line(&u->src, l->todo.offset));
    if (l->devices.text)
        printf("    not on devices: %s (line %u)\n", l->devices.text, source_line(&u->src, l->devices.offset));
    if (l->advice)
        printf("    %s\n", l->advice);
    asserting(l);
    if (l->few)
        printf("    it has %ld iterations, which are few to share\n", l->few);
    if (!has_work(l) && !l->few)
        printf("    too little work: about %.2g us a run, and to share a loop costs some us\n", l->estimate * 1e6);
    else if (l->inner && l->around && !l->runs)
        puts("    it runs again and again and holds no further loop: worth it from some 10,000 iterations on");
    time_of(l);
}

static bool same_reason(const struct reason *a, const struct reason *b) {
    return a->text && b->text && a->offset == b->offset && strcmp(a->text, b->text) == 0;
}

/* "for, wavefront: …": a reason once, behind all forms that it keeps away. */
static void say_reason(const struct unit *u, const struct advice *l, int form) {
    const struct reason *r = &l->reason[form];
    for (int f = 0; f < form; f++)
        if (same_reason(&l->reason[f], r))
            return;
    printf("    %s", names[form]);
    for (int f = form + 1; f < FORMS; f++)
        if (same_reason(&l->reason[f], r))
            printf(", %s", names[f]);
    printf(": %s (line %u)\n", r->text, source_line(&u->src, r->offset));
}

static void refused(const struct unit *u, const struct advice *l) {
    place(u, l);
    printf("%s: %s\n", l->function,
           l->asserting ? "no directive for this loop without your word"
           : l->fits    ? "no directive for this loop"
                        : "no directive fits this loop");
    if (l->apart)
        printf("    %s\n", l->apart);
    for (int f = 0; f < FORMS && !l->apart; f++)
        if (l->reason[f].text)
            say_reason(u, l, f);
    asserting(l);
    time_of(l);
}

/* A loop inside one that has a directive needs none. */
static bool is_shown(const struct advice *l, bool all) {
    for (const struct advice *up = l->up; up; up = up->up)
        if (up->state == ADVICE_TAKEN)
            return false;
    return l->state == ADVICE_TAKEN || all || (!l->up && !l->holds_directive);
}

static int longest_first(const void *a, const void *b) {
    const struct advice *x = *(struct advice *const *)a, *y = *(struct advice *const *)b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x->b < y->b ? -1 : x->b > y->b;
}

void advise_report(const struct unit *u, const struct advice_list *list, bool all) {
    struct advice **order = mem_alloc((list->loops.n + 1) * sizeof *order);
    size_t with = 0, without = 0;
    for (size_t i = 0; i < list->loops.n; i++)
        order[i] = list->loops.at[i];
    qsort(order, list->loops.n, sizeof *order, longest_first);
    for (size_t i = 0; i < list->loops.n; i++) {
        const struct advice *l = order[i];
        if (!is_shown(l, all))
            continue;
        (l->state == ADVICE_TAKEN ? taken : refused)(u, l);
        with += l->state == ADVICE_TAKEN;
        without += l->state != ADVICE_TAKEN;
    }
    printf("%s: %zu of %zu loops take a directive; %zu shown without\n", u->src.path, with, list->loops.n, without);
}
