/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is said when the program ends, in the form of a compiler's messages, and its exit status: 1 where something was
 * found and the program itself had nothing to complain about.
 */
#include "verify.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct message { /* a finding with the places in the source */
    const struct finding *f;
    struct place place[2];
    unsigned long count;
    bool said;
};

static const char *directive_name(const struct heddle_verify_site *s) {
    static const char *const names[] = {"for", "wavefront", "taskloop", "pool", "task"};
    return names[s->kind];
}

static void head(const struct place *p, const struct heddle_verify_site *site, const char *kind) {
    if (!*p->file)
        fprintf(stderr, "%s:%d:%d: %s: ", site->file, site->line, site->column, kind);
    else if (p->column)
        fprintf(stderr, "%s:%d:%d: %s: ", p->file, p->line, p->column, kind);
    else if (p->line)
        fprintf(stderr, "%s:%d: %s: ", p->file, p->line, kind);
    else
        fprintf(stderr, "%s: %s: ", p->file, kind);
}

static void at_line(char *out, size_t size, const struct place *p) {
    if (p->line)
        snprintf(out, size, "%.200s:%d", p->file, p->line);
    else
        snprintf(out, size, "%.200s", *p->file ? p->file : "?");
}

static void times(unsigned long n) { fprintf(stderr, n > 1 ? " (%lu times)\n" : "\n", n); }

static const char *way_out(const struct heddle_verify_site *s) {
    switch (s->kind) {
    case HEDDLE_VERIFY_FOR:
        return "its iterations are in no order: use 'wavefront', 'taskloop' with sinks or 'reduction', or leave the "
               "directive out";
    case HEDDLE_VERIFY_WAVEFRONT:
        return "the nest keeps only the dependences that its subscripts or 'sink' show; do not let arrays overlap, or "
               "leave the directive out";
    case HEDDLE_VERIFY_TASKLOOP:
        return "no chain of its sinks leads from one iteration to the other: add a 'sink', or leave the directive out";
    default:
        return "nothing in the pool orders the two: put a 'taskwait' between them, or name the object in 'depend' "
               "clauses (iterations: 'sink')";
    }
}

static const char *verb(bool store) { return store ? "writes" : "reads"; }

static const char *object(const struct finding *f, char *out, size_t size) {
    if (*f->what)
        snprintf(out, size, "%s", f->what);
    else
        snprintf(out, size, "%u byte%s", f->bytes, f->bytes == 1 ? "" : "s");
    return out;
}

/* "(i = 3) and (i = 7) of the for at a.c:10" */
static void both_units(const struct finding *f) {
    const struct heddle_verify_site *a = f->of[0], *b = f->of[1];
    fprintf(stderr, "(%s)", f->text[0]);
    if (a != b)
        fprintf(stderr, " of the %s at %s:%d", directive_name(a), a->file, a->line);
    fprintf(stderr, " and (%s) of the %s at %s:%d are in no order: ", f->text[1], directive_name(b), b->file, b->line);
}

static void conflict(const struct message *m) {
    const struct finding *f = m->f;
    char what[128], line[256];
    const struct heddle_verify_site *s = f->of[1];
    at_line(line, sizeof line, &m->place[0]);
    head(&m->place[1], f->site, "error");
    both_units(f);
    fprintf(stderr, "the second one %s %s here, which the first one %s at %s", verb(f->store[1]),
            object(f, what, sizeof what), verb(f->store[0]), line);
    times(m->count);
    head(&m->place[0], f->site, "note");
    fprintf(stderr, "(%s) %s it here\n", f->text[0], verb(f->store[0]));
    s = f->of[0] == f->of[1] ? s : f->site;
    fprintf(stderr, "%s:%d:%d: note: %s\n", s->file, s->line, s->column, way_out(s));
}

static void unmapped(const struct message *m) {
    const struct finding *f = m->f;
    char what[128];
    head(&m->place[1], f->site, "error");
    if (f->kind == FOUND_UNMAPPED)
        fprintf(
            stderr,
            "(%s) of the %s at %s:%d %s %s, which is in no section that is mapped for it: a device does not have it; "
            "map a section that holds it",
            f->text[1], directive_name(f->site), f->site->file, f->site->line, verb(f->store[1]),
            object(f, what, sizeof what));
    else
        fprintf(
            stderr,
            "(%s) of the %s at %s:%d reads %s before it is written, but map(%s) does not send it; use map(tofrom: …)",
            f->text[1], directive_name(f->site), f->site->file, f->site->line, object(f, what, sizeof what),
            f->map == HEDDLE_VERIFY_FROM ? "from" : "alloc");
    times(m->count);
}

static void lost(const struct message *m) {
    static const char *const why[] = {
        [LOSS_KEEP] = "which 'keep' lets the %s at %s:%d drop; say keep(…: all), or do not read it",
        [LOSS_TO] = "which the %s at %s:%d wrote on a device, but map(to) does not bring it back; use map(tofrom: …)",
        [LOSS_ALLOC] = "which the %s at %s:%d wrote on a device, but map(alloc) does not bring it back; use map(from: "
                       "…) or map(tofrom: …)",
        [LOSS_FROM] = "which map(from) of the %s at %s:%d brings back from a device although nothing was written "
                      "there, a defect of heddle; use map(tofrom: …)",
        [LOSS_PRIVATE] = "which it has not written, as 'private' of the %s at %s:%d says that it has; name it in "
                         "'reduction' or 'firstprivate', or leave the directive out"};
    const struct finding *f = m->f;
    const struct heddle_verify_site *s = f->loss == LOSS_PRIVATE ? f->of[1] : f->site;
    head(&m->place[1], f->site, "error");
    if (*f->text[1])
        fprintf(stderr, "(%s) reads", f->text[1]);
    else
        fprintf(stderr, "this reads");
    fprintf(stderr, " %u byte%s of '%s', ", f->bytes, f->bytes == 1 ? "" : "s", f->what);
    fprintf(stderr, why[f->loss], directive_name(s), s->file, s->line); /* one of those above */
    times(m->count);
    if (f->loss >= LOSS_FROM)
        return;
    head(&m->place[0], f->site, "note");
    fprintf(stderr, "(%s) wrote it here\n", f->text[0]);
}

static bool same_line(const struct place *a, const struct place *b) {
    return a->line == b->line && !strcmp(a->file, b->file);
}

/* `a[i] += x` reads and writes: different accesses of the same two lines say the same. */
static bool says_the_same(const struct message *a, const struct message *b) {
    if (a->f->kind != b->f->kind || a->f->site != b->f->site || a->f->loss != b->f->loss)
        return false;
    if (a->f->kind == FOUND_CONFLICT && same_line(&a->place[0], &b->place[1]) &&
        same_line(&a->place[1], &b->place[0]) && a->f->of[0] == b->f->of[1] && a->f->of[1] == b->f->of[0])
        return true;
    return a->f->of[0] == b->f->of[0] && a->f->of[1] == b->f->of[1] && same_line(&a->place[0], &b->place[0]) &&
           same_line(&a->place[1], &b->place[1]);
}

static void merge(struct message *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i && !list[i].said; k++)
            if (!list[k].said && says_the_same(&list[k], &list[i])) {
                list[k].count += list[i].count;
                list[i].said = true;
            }
}

static size_t say_findings(struct finding *f, size_t n) {
    const size_t some = n < limit_findings() ? n : limit_findings();
    struct message *list = calloc(some + 1, sizeof *list);
    uint32_t *pc = calloc(2 * some + 1, sizeof *pc);
    struct place *place = calloc(2 * some + 1, sizeof *place);
    size_t said = 0;
    for (size_t i = 0; list && pc && place && i < some; i++)
        pc[2 * i] = f[i].pc[0], pc[2 * i + 1] = f[i].pc[1];
    if (list && pc && place)
        place_find(pc, 2 * some, place);
    for (size_t i = 0; list && place && i < some; i++)
        list[i] = (struct message){&f[i], {place[2 * i], place[2 * i + 1]}, f[i].count, false};
    if (list)
        merge(list, some);
    for (size_t i = 0; list && i < some; i++) {
        if (list[i].said)
            continue;
        said++;
        if (f[i].kind == FOUND_CONFLICT)
            conflict(&list[i]);
        else if (f[i].kind == FOUND_LOST)
            lost(&list[i]);
        else
            unmapped(&list[i]);
    }
    free(list), free(pc), free(place);
    return said + (n - some);
}

static void unchecked(const char *what, unsigned long n, const char *advice) {
    if (n)
        fprintf(stderr, "heddle verify: warning: %lu %s: findings may be missing%s\n", n, what, advice);
}

static void at_end(int status, void *unused) {
    size_t n;
    unsigned long dropped;
    (void)unused;
    verify_inside = 0;
    directive_lock();
    struct finding *f = finding_list(&n, &dropped);
    fflush(stdout);
    const size_t found = say_findings(f, n);
    if (n > limit_findings())
        fprintf(stderr, "heddle verify: %zu further findings are not shown; HEDDLE_VERIFY_FINDINGS is how many are\n",
                n - limit_findings());
    unchecked("places in the code had more findings than are kept", dropped, "");
    unchecked("bytes of records were forgotten", shadow_forgotten, "; a larger HEDDLE_VERIFY_MEMORY keeps them");
    unchecked("loads were forgotten because too many units read the same memory", access_forgotten(), "");
    unchecked("questions of order would have taken too long", order_undecided, "");
    unchecked("iterations, tasks or variables were too many to be told apart", directive_unchecked,
              "; try a smaller problem");
    fprintf(stderr, "heddle verify: %lu directive%s, %lu iterations and tasks, %lu accesses: %zu finding%s\n",
            report_sites, report_sites == 1 ? "" : "s", report_units, access_count, found, found == 1 ? "" : "s");
    directive_unlock();
    if (found && !status) {
        fflush(NULL);
        _exit(1);
    }
}

static void in_child(void) { finding_forget(); /* the parent says them */ }

__attribute__((constructor)) static void start(void) {
    limit_memory(), limit_findings(); /* bad values are told at once */
    pthread_atfork(NULL, NULL, in_child);
    on_exit(at_end, NULL);
}
