/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of the program in which each loop measures itself, and the file that it leaves. */
#include "advise.h"

#include <stdlib.h>
#include <string.h>

/* No headers: the file may say which parts of them it wants. What is declared here is the command's, in a file of its
   own. */
static const char prelude[] =
    "struct heddle_advise_timer { int heddle_loop; double heddle_begin; };\n"
    "extern double heddle_advise_now(void);\n"
    "extern void heddle_advise_add(const char *, int, double);\n"
    "static inline void heddle_advise_stop(struct heddle_advise_timer *heddle_t)\n"
    "{ heddle_advise_add(\"%s\", heddle_t->heddle_loop, heddle_advise_now() - heddle_t->heddle_begin); }\n";

static const char *escaped(const char *path) {
    struct buf b = {0};
    for (; *path; path++)
        buf_printf(&b, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
    return b.s;
}

static bool is_timed(const struct advice *l) { return !l->apart && (l->state == ADVICE_TAKEN || !l->up); }

/* A block with a variable whose end is the loop's, whichever way the loop ends. */
const char *advise_timers(const struct unit *u, const struct advice_list *list) {
    edit_list edits = {0};
    struct buf out = {0};
    for (size_t i = 0; i < list->loops.n; i++) {
        const struct advice *l = list->loops.at[i];
        if (!is_timed(l))
            continue;
        const size_t begin = l->openmp.e ? l->openmp.b : l->b;
        vec_push(&edits, (struct edit){begin, begin,
                                       mem_printf("{ struct heddle_advise_timer "
                                                  "__attribute__((cleanup(heddle_advise_stop))) heddle_advise_%zu = "
                                                  "{%zu, heddle_advise_now()}; (void)heddle_advise_%zu;%s",
                                                  i, i, i, l->openmp.e ? "\n" : " ")});
        vec_push(&edits, (struct edit){l->e, l->e, " }"});
    }
    buf_printf(&out, prelude, escaped(u->src.path));
    source_marker(&u->src, &out, 0, 0);
    buf_puts(&out, source_edited(&u->src, (struct span){0, u->src.size}, &edits));
    return out.s;
}

/* Lines of "FILE<tab>loop<tab>runs<tab>seconds". */
bool advise_read_times(const struct unit *u, struct advice_list *list, const char *path) {
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (!f)
        return false;
    while (getline(&line, &room, f) > 0) {
        char *tab = strchr(line, '\t'), *end;
        if (!tab)
            continue;
        *tab = '\0';
        const unsigned long loop = strtoul(tab + 1, &end, 10);
        if (strcmp(line, u->src.path) != 0 || loop >= list->loops.n)
            continue;
        list->loops.at[loop]->runs = strtol(end, &end, 10);
        list->loops.at[loop]->seconds = strtod(end, NULL);
    }
    free(line);
    return fclose(f) == 0;
}
