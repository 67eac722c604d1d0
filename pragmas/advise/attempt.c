/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of trials. In each, every loop that is still open and has no open loop around it gets its next directive, and
 * a child process translates that text: it tells what was accepted, and what was said of the others.
 */
#include "advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIES = 24, ROUNDS = 400 };

static bool fits(const struct advice *l, int form) {
    if (form == FORM_SWEEPS)
        return !l->inner && *l->name && !l->openmp.e;
    if (form == FORM_HOST)
        return l->devices.text;
    return form == FORM_FOR || !l->inner;
}

const char *advise_directive(const struct advice *l) {
    struct buf b = {0};
    static const char *const words[FORMS] = {"for", "for device(host)", "wavefront", "wavefront"};
    buf_printf(&b, "#pragma heddle %s", words[l->form]);
    if (l->form == FORM_SWEEPS)
        buf_printf(&b, " sweeps(%s)", l->name);
    if (l->form <= FORM_HOST)
        buf_puts(&b, l->kept);
    for (size_t i = 0; i < l->reductions.n; i++)
        buf_printf(&b, " reduction(%s: %s)", clause_op_name(l->reductions.at[i].op), l->reductions.at[i].name);
    for (size_t i = 0; i < l->maps.n; i++)
        buf_printf(&b, " %s", l->maps.at[i]);
    if (l->fills.n)
        buf_printf(&b, " private(%s)", advise_list(l, "", ", "));
    return b.s;
}

static bool is_tried(const struct advice *l) {
    if (l->state != ADVICE_OPEN || l->apart)
        return false;
    for (const struct advice *up = l->up; up; up = up->up)
        if (up->state != ADVICE_REFUSED)
            return false;
    return true;
}

/* At the beginning of the loop's line, as far in as the loop; or on a line of its own where something stands before. */
static struct edit insertion(const struct unit *u, const struct advice *l, const char *text) {
    const size_t line = u->src.lines.at[source_row(&u->src, l->b)];
    size_t blank = line;
    while (blank < l->b && (u->src.text[blank] == ' ' || u->src.text[blank] == '\t'))
        blank++;
    const char *indent = mem_strndup(u->src.text + line, blank - line);
    if (blank == l->b)
        return (struct edit){line, line, mem_printf("%s%s\n", indent, text)};
    return (struct edit){l->b, l->b, mem_printf("\n%s%s\n%s", indent, text, indent)};
}

void advise_edits(const struct unit *u, const struct advice_list *list, bool (*wants)(const struct advice *l),
                  edit_list *edits) {
    for (size_t i = 0; i < list->loops.n; i++) {
        const struct advice *l = list->loops.at[i];
        if (!wants(l))
            continue;
        const char *text = l->state == ADVICE_TAKEN ? l->line : advise_directive(l);
        if (l->openmp.e) /* takes the directive's place */
            vec_push(edits, (struct edit){l->openmp.b, l->openmp.e, text});
        else
            vec_push(edits, insertion(u, l, text));
    }
}

/* ---- the child --------------------------------------------------------------------------------------------------- */

static void hear(void *of, size_t offset, const char *severity, const char *text) {
    fprintf(of, "%c %zu %s\n", *severity, offset, text);
}

static void ended(void *of, const struct unit *u, const struct pragma *p, bool translated) {
    fprintf(of, "%c %zu -\n", translated ? 'T' : 'F', source_origin(&u->src, p->next));
}

static void translate_and_tell(const struct unit *of, const struct unit_arguments *a, const char *text, FILE *to) {
    struct unit u = {.err = stderr,
                     .tag = of->tag,
                     .listener = hear,
                     .listens = to,
                     .proposes = true,
                     .reassociates = of->reassociates};
    struct unit_arguments edited = *a;
    CXIndex index = clang_createIndex(0, 0);
    u.src = (struct source){.path = of->src.path, .text = text, .size = strlen(text)};
    source_index(&u.src);
    edited.edited = true;
    unit_translate(&u, index, &edited, ended, to);
    _exit(fclose(to) != 0);
}

/* ---- the parent -------------------------------------------------------------------------------------------------- */

enum { NO_EDIT = -1 };

/* Where in the file something of the edited text stands, and which edit it is in, if any. */
static size_t original(const edit_list *edits, size_t offset, int *in) {
    size_t moved = 0; /* begin of what follows, in the edited text, less that in the file */
    *in = NO_EDIT;
    for (size_t i = 0; i < edits->n; i++) {
        const struct edit *e = &edits->at[i];
        const size_t begin = e->b + moved, n = strlen(e->text);
        if (offset < begin)
            break;
        if (offset < begin + n) {
            *in = (int)i;
            return e->b;
        }
        moved += n - (e->e - e->b); /* may wrap and wrap back */
    }
    return offset - moved;
}

struct said { /* of one directive */
    VEC(struct reason) errors;
    struct reason hint; /* with a text: it is accepted, and not worth it */
    const char *advice; /* it is accepted, and its author may add this */
};

struct trial { /* a directive in the edited text */
    struct advice *l;
    struct said said;
};

struct trials { /* of a round; each is the edit of its number */
    VEC(struct trial) all;
    edit_list edits;
    bool broken_off; /* the text did not come as far as verdicts */
};

static struct trial *trial_at(struct trials *t, size_t offset) {
    for (size_t i = 0; i < t->all.n; i++)
        if (t->all.at[i].l->b == offset && !t->all.at[i].l->heard)
            return &t->all.at[i];
    return NULL;
}

static void next_form(struct advice *l) {
    l->reductions.n = l->maps.n = l->fills.n = 0;
    l->tries = 0;
    l->todo.text = l->untried.text = NULL;
    while (++l->form < FORMS && !fits(l, l->form))
        ;
    if (l->form == FORMS)
        l->state = ADVICE_REFUSED;
}

static void take(struct advice *l) {
    l->state = ADVICE_TAKEN;
    l->line = advise_directive(l);
}

struct heard {                 /* of a directive that was not translated */
    bool added, other;         /* a clause was added; a message that no clause helps against */
    const struct reason *todo; /* needs a clause that only the author knows */
    const struct reason *first;
};

static struct heard hear_all(struct advice *l, const struct said *said) {
    struct heard h = {false, false, NULL, NULL};
    for (size_t i = 0; i < said->errors.n; i++) {
        const struct reason *r = &said->errors.at[i];
        const enum proposal p = advise_proposal(l, r->text);
        h.added |= p == PROPOSAL_ADDED;
        if (p == PROPOSAL_TODO && !h.todo)
            h.todo = r;
        if (p == PROPOSAL_NONE && !h.other)
            h.first = r;
        h.other |= p == PROPOSAL_NONE;
    }
    if (!h.first && said->errors.n)
        h.first = &said->errors.at[0];
    return h;
}

/* Said of a loop that therefore stays on the host, which a section may change. */
static bool lacks_section(const char *text) { return strstr(text, "a chunk needs") != NULL; }

/* It is a matter of maps, which the host needs none of. */
static bool is_of_devices(const char *text) {
    return lacks_section(text) || strstr(text, "be mapped") || strstr(text, "valid on a device");
}

static const char *reason_text(const char *said) {
    static const char stays[] = "this loop stays on the host: ";
    said += strncmp(said, stays, strlen(stays)) == 0 ? strlen(stays) : 0;
    return mem_strndup(said, strlen(said));
}

static void take_unfinished(struct advice *l, const struct reason *todo) {
    l->todo = *todo;
    take(l);
}

/* The host's threads do not take the loop either. */
static void back_to_devices(struct advice *l) {
    const struct reason devices = l->devices;
    l->devices.text = NULL;
    if (!l->completes) {
        next_form(l);
        return;
    }
    l->form = FORM_FOR;
    take_unfinished(l, &devices);
}

/* It is the author's word that would make it one of the directives that fit; they are tried without it. */
static void put_aside(struct advice *l) {
    l->asserting = advise_directive(l);
    l->filled = advise_list(l, "'", " and ");
    l->reason[l->form] = l->untried;
    l->devices.text = NULL;
    l->form = FORM_HOST;
    next_form(l);
}

/* A reduction that is one is not what keeps the loop; clauses that do not help are not named. */
static struct reason reason_of(const struct advice *l, const struct reason *last) {
    struct buf with = {0};
    if (!l->untried.text || (!l->reductions.n && !l->fills.n))
        return *last;
    if (l->fills.n || strstr(last->text, WRONG_REDUCTION) || strstr(last->text, "reduction variable"))
        return l->untried;
    for (size_t i = 0; i < l->reductions.n; i++)
        buf_printf(&with, " reduction(%s: %s)", clause_op_name(l->reductions.at[i].op), l->reductions.at[i].name);
    return (struct reason){last->offset, mem_printf("even with%s: %s", with.s, last->text)};
}

/* Sections are asked for when everything else is proven: what only lacks one is the right directive. */
static void judge(struct advice *l, bool translated, const struct said *said) {
    l->advice = said->advice;
    if (translated && l->fills.n) {
        put_aside(l);
        return;
    }
    if (translated && said->hint.text) {
        l->reason[l->form] = said->hint;
        l->fits = true;
        next_form(l);
        return;
    }
    if (translated && l->form == FORM_WAVEFRONT && l->deep) {
        l->aside = advise_directive(l);
        l->state = ADVICE_REFUSED;
        return;
    }
    if (translated) {
        take(l);
        return;
    }
    const struct heard h = hear_all(l, said);
    if (!l->tries && said->errors.n)
        l->untried = said->errors.at[0];
    if (h.added && ++l->tries < TRIES)
        return;
    if (l->form == FORM_HOST) {
        back_to_devices(l);
        return;
    }
    const bool unfinished = h.todo && !h.other && !h.added && !l->fills.n;
    if (l->form == FORM_FOR && h.first && is_of_devices((unfinished ? h.todo : h.first)->text)) {
        l->devices = unfinished ? *h.todo : *h.first;
        l->completes = unfinished;
    } else if (unfinished && l->form == FORM_WAVEFRONT && l->deep) {
        l->reason[l->form] = *h.todo; /* a loop inside may need no word */
        next_form(l);
        return;
    } else if (unfinished) {
        take_unfinished(l, h.todo);
        return;
    }
    if (h.first)
        l->reason[l->form] = reason_of(l, h.first);
    next_form(l);
}

/* A message of the loop whose verdict comes next, but for those at another one's directive. */
static void note_error(struct trials *t, struct said *next, size_t offset, const char *text) {
    int in;
    const size_t at = original(&t->edits, offset, &in);
    struct said *s = in == NO_EDIT ? next : &t->all.at[in].said;
    vec_push(&s->errors, (struct reason){at, reason_text(text)});
}

static void judge_trial(struct trial *t, bool translated, struct said *said) {
    for (size_t i = 0; i < said->errors.n; i++)
        vec_push(&t->said.errors, said->errors.at[i]);
    said->errors = t->said.errors;
    t->l->heard = true;
    judge(t->l, translated && !said->errors.n, said);
}

/* Messages of the preparation, which come before all verdicts: each is about the loop that it stands in. */
static void share_out(struct trials *t, const struct said *said) {
    for (size_t i = 0; i < said->errors.n; i++)
        for (size_t k = 0; k < t->all.n; k++)
            if (said->errors.at[i].offset >= t->all.at[k].l->b && said->errors.at[i].offset < t->all.at[k].l->e)
                vec_push(&t->all.at[k].said.errors, said->errors.at[i]);
}

/* Directives that were not understood have messages and no verdict. */
static bool judge_unread(struct trials *t) {
    bool any = false;
    for (size_t i = 0; i < t->all.n; i++) {
        struct trial *unread = &t->all.at[i];
        if (unread->l->heard || !unread->said.errors.n)
            continue;
        judge_trial(unread, false, &(struct said){0});
        any = true;
    }
    return any;
}

/* False: no loop was judged, and something is wrong with the text. */
static bool read_verdicts(FILE *from, struct trials *trials) {
    struct said said = {0};
    char *line = NULL;
    size_t room = 0;
    bool any = false;
    int in;
    for (ssize_t n; (n = getline(&line, &room, from)) > 0;) {
        char kind = *line, *text;
        const size_t raw = strtoul(line + 1, &text, 10), offset = original(&trials->edits, raw, &in);
        line[n - 1] = '\0';
        if (kind == 'e' || (kind == 'n' && lacks_section(text)))
            note_error(trials, &said, raw, text + 1);
        if (kind == 'h')
            said.hint = (struct reason){offset, mem_strndup(text + 1, strlen(text + 1))};
        if (kind == 'a')
            said.advice = mem_strndup(text + 1, strlen(text + 1));
        if (kind != 'T' && kind != 'F')
            continue;
        struct trial *t = trial_at(trials, offset);
        if (t)
            judge_trial(t, kind == 'T', &said);
        any |= t != NULL;
        said = (struct said){0};
    }
    free(line);
    trials->broken_off = !any && said.errors.n;
    if (trials->broken_off)
        share_out(trials, &said);
    any |= judge_unread(trials);
    return any || !said.errors.n;
}

/* Loops that no word came of: OpenMP is off where they are found, and on where they are tried. */
static void set_apart(const struct advice_list *list) {
    for (size_t i = 0; i < list->loops.n; i++)
        if (!list->loops.at[i]->heard)
            list->loops.at[i]->apart = "it is not compiled where OpenMP is on (#if, #else), as it is for heddle cc";
}

static bool round_of_trials(const struct unit *u, const struct unit_arguments *a, struct advice_list *list) {
    struct trials trials = {0};
    int ends[2], status;
    advise_edits(u, list, is_tried, &trials.edits);
    for (size_t i = 0; i < list->loops.n; i++) {
        struct advice *l = list->loops.at[i];
        l->heard = !is_tried(l);
        if (!l->heard)
            vec_push(&trials.all, (struct trial){.l = l});
    }
    const char *text = source_edited(&u->src, (struct span){0, u->src.size}, &trials.edits);
    fflush(NULL);
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        FILE *to = fdopen(ends[1], "w");
        if (to)
            translate_and_tell(u, a, text, to);
        _exit(1);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    bool ok = child > 0 && from && read_verdicts(from, &trials);
    if (from)
        fclose(from);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    ok = ok && WIFEXITED(status) && !WEXITSTATUS(status);
    if (ok && !trials.broken_off)
        set_apart(list);
    return ok;
}

/* ---- a wavefront or what is inside ----------------------------------------------------------------------------------
 */
static bool is_inside(const struct advice *l, const struct advice *around) {
    for (l = l->up; l; l = l->up)
        if (l == around)
            return true;
    return false;
}

/* Iterations in any order gain more than cells that wait for each other: `for` on each loop inside that holds one. */
static bool inside_is_better(const struct advice_list *list, const struct advice *around) {
    bool better = true;
    for (size_t i = 0; i < list->loops.n; i++) {
        const struct advice *l = list->loops.at[i];
        if (l->up == around && !l->inner)
            better &= l->state == ADVICE_TAKEN && l->form <= FORM_HOST && !l->todo.text;
    }
    return better;
}

static void decide(struct advice_list *list) {
    for (size_t i = 0; i < list->loops.n; i++) {
        struct advice *l = list->loops.at[i];
        if (!l->aside)
            continue;
        if (inside_is_better(list, l)) {
            l->reason[FORM_WAVEFRONT] =
                (struct reason){l->b, "fits, but the iterations of 'for' inside wait for nothing"};
            l->fits = true;
            continue;
        }
        l->state = ADVICE_TAKEN;
        l->line = l->aside;
        for (size_t k = 0; k < list->loops.n; k++)
            if (is_inside(list->loops.at[k], l)) {
                list->loops.at[k]->state = ADVICE_REFUSED;
                list->loops.at[k]->aside = NULL;
            }
    }
}

bool advise_attempt(const struct unit *u, const struct unit_arguments *a, struct advice_list *list) {
    for (int round = 0; round < ROUNDS; round++) {
        bool open = false;
        for (size_t i = 0; i < list->loops.n; i++) {
            struct advice *l = list->loops.at[i];
            if (l->apart)
                l->state = ADVICE_REFUSED;
            open |= is_tried(l);
        }
        if (!open) {
            decide(list);
            return true;
        }
        if (!round_of_trials(u, a, list))
            return false;
    }
    return true;
}
