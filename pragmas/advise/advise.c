/* SPDX-License-Identifier: Apache-2.0 */
/* heddle-translate --advise: reads a file, tries, and reports, writes the directives, or writes a copy that measures.
 */
#include "advise.h"
#include "analysis/function.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_applied(const struct advice *l) {
    return l->state == ADVICE_TAKEN && !l->todo.text && !l->few && advise_worth(l) &&
           !(l->inner && l->around && !l->runs);
}

/* In place of what was found for loops inside. */
static void take_asserted(const struct advice_list *list) {
    for (size_t i = 0; i < list->loops.n; i++) {
        struct advice *l = list->loops.at[i];
        bool inside = false;
        for (const struct advice *up = l->up; up; up = up->up)
            inside |= up->state == ADVICE_TAKEN;
        if (inside) {
            l->state = ADVICE_REFUSED;
        } else if (l->state == ADVICE_REFUSED && l->asserting) {
            l->state = ADVICE_TAKEN;
            l->line = l->asserting;
        }
    }
}

static int say(const char *path, const char *what) {
    fprintf(stderr, "heddle advise: %s: %s: %s\n", path, what, strerror(errno));
    return 1;
}

static bool write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    bool ok = f && fputs(text, f) >= 0;
    return (f ? fclose(f) == 0 : false) && ok;
}

/* Beside the file, then in its place: it is never half written. */
static int apply(const struct unit *u, const struct advice_list *list) {
    edit_list edits = {0};
    struct stat st;
    const char *path = u->src.path, *part = mem_printf("%s.%ld.part", path, (long)getpid());
    advise_edits(u, list, is_applied, &edits);
    if (!edits.n) {
        printf("%s: nothing to write\n", path);
        return 0;
    }
    const char *text = source_edited(&u->src, (struct span){0, u->src.size}, &edits);
    if (stat(path, &st) != 0)
        return say(path, "it is gone");
    if (!write_text(part, text) || chmod(part, st.st_mode & 07777) != 0 || rename(part, path) != 0) {
        const int failed = say(path, "not written");
        remove(part);
        return failed;
    }
    printf("%s: %zu directives written\n", path, edits.n);
    return 0;
}

/* Without OpenMP, behind whose directives libclang shows no loop. */
static bool find_loops(struct unit *u, const struct unit_arguments *a, struct advice_list *list) {
    const char **at = mem_alloc(((size_t)a->n + 2) * sizeof *at);
    memcpy(at, a->at, (size_t)a->n * sizeof *at);
    at[a->n] = "-fno-openmp";
    CXIndex index = clang_createIndex(0, 0);
    const bool ok = unit_parse(u, index, &(struct unit_arguments){at, a->n + 1, a->edited}) && advise_loops(u, list);
    functions_forget(); /* which trials, too, would take for their own */
    if (u->tu)
        clang_disposeTranslationUnit(u->tu);
    clang_disposeIndex(index);
    return ok;
}

int advise(struct unit *u, const struct unit_arguments *a, const struct advise_options *o) {
    struct advice_list list = {0};
    if (!find_loops(u, a, &list))
        return 1;
    if (!advise_attempt(u, a, &list)) {
        fprintf(stderr, "heddle advise: %s: the translator did not come back from a trial; please report the file\n",
                u->src.path);
        return 1;
    }
    if (o->timers)
        return write_text(o->timers, advise_timers(u, &list)) ? 0 : say(o->timers, "not written");
    if (o->times && !advise_read_times(u, &list, o->times))
        return say(o->times, "the times of its loops cannot be read");
    if (o->asserted)
        take_asserted(&list);
    advise_report(u, &list, o->all);
    return o->apply ? apply(u, &list) : 0;
}
