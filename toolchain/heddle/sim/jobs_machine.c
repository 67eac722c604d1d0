/* SPDX-License-Identifier: Apache-2.0 */
/* jobs_machine.c - what jobs cost on the kinds of a machine: lines that begin with type, move, memory, transfer or
   decide. All other lines are kinds of devices, as everywhere (machine.c). */
#include "jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 24 };
struct line {
    char *word[WORDS];
    int words, number;
    char *message;
};

static bool wrong(const struct line *l, const char *what, const char *word) {
    snprintf(l->message, SIM_MESSAGE, "line %d: %s '%.100s'", l->number, what, word);
    return false;
}

static int find_kind(const struct sim_machine *m, const char *name) {
    for (int k = 0; k < m->kinds; k++)
        if (!strcmp(m->kind[k].name, name))
            return k;
    return -1;
}

static int find_type(struct jobs_machine *m, const char *name) {
    for (int t = 0; t < m->types; t++)
        if (!strcmp(m->type[t], name))
            return t;
    if (m->types == JOBS_TYPES || !*name || strlen(name) >= SIM_NAME || strchr(name, '='))
        return -1;
    const int t = m->types++;
    strcpy(m->type[t], name);
    for (int k = 0; k < SIM_CLASSES; k++)
        m->cost[t][k].each = -1;
    return t;
}

/* "*": all, "host" and "device": those of the host and the others, or a name. */
static bool is_meant(const struct sim_machine *m, const char *word, int kind) {
    return !strcmp(word, "*") || !strcmp(word, m->kind[kind].name) || (!strcmp(word, "host") && m->kind[kind].host) ||
           (!strcmp(word, "device") && !m->kind[kind].host);
}

static bool is_known(const struct sim_machine *m, const char *word) {
    return !strcmp(word, "*") || !strcmp(word, "host") || !strcmp(word, "device") || find_kind(m, word) >= 0;
}

/* key=TIME or noise=SHARE among the words from `first` on. */
static bool read_values(const struct line *l, int first, const char *const *key, double **to) {
    for (int w = first; w < l->words; w++) {
        char *equals = strchr(l->word[w], '=');
        int k = 0;
        if (!equals)
            return wrong(l, "key=value expected, not", l->word[w]);
        *equals = 0;
        while (key[k] && strcmp(key[k], l->word[w]))
            k++;
        if (!key[k])
            return wrong(l, "no such key here:", l->word[w]);
        if (!strcmp(key[k], "noise")) {
            char *end;
            *to[k] = strtod(equals + 1, &end);
            *to[k] /= !strcmp(end, "%") ? 100 : 1;
            if (end == equals + 1 || (*end && strcmp(end, "%")) || !(*to[k] >= 0 && *to[k] <= 10))
                return wrong(l, "not a share (5%, 0.05):", equals + 1);
        } else if (!sim_seconds(equals + 1, to[k])) {
            return wrong(l, "not a time (20us, 1.5ms, 2s):", equals + 1);
        }
    }
    return true;
}

/* type KIND TYPE setup=TIME each=TIME noise=SHARE */
static bool read_type(struct jobs_machine *m, const struct line *l) {
    const char *const keys[] = {"setup", "each", "noise", NULL};
    if (l->words < 3)
        return wrong(l, "type KIND TYPE key=value … expected, not", l->word[0]);
    if (!is_known(&m->machine, l->word[1]))
        return wrong(l, "no kind of device above has the name", l->word[1]);
    const int t = find_type(m, l->word[2]);
    if (t < 0)
        return wrong(l, "one type of job too many, or no name of one:", l->word[2]);
    struct jobs_cost cost = {0, -1, 0};
    double *to[] = {&cost.setup, &cost.each, &cost.noise};
    if (!read_values(l, 3, keys, to))
        return false;
    if (cost.each < 0)
        return wrong(l, "a type needs each=TIME:", l->word[2]);
    for (int k = 0; k < m->machine.kinds; k++)
        if (is_meant(&m->machine, l->word[1], k))
            m->cost[t][k] = cost;
    return true;
}

/* move FROM TO TYPE each=TIME */
static bool read_move(struct jobs_machine *m, const struct line *l) {
    const char *const keys[] = {"each", NULL};
    double each = -1, *to[] = {&each};
    if (l->words < 5)
        return wrong(l, "move FROM TO TYPE each=TIME expected, not", l->word[0]);
    for (int w = 1; w < 3; w++)
        if (!is_known(&m->machine, l->word[w]))
            return wrong(l, "no kind of device above has the name", l->word[w]);
    const int type = strcmp(l->word[3], "*") ? find_type(m, l->word[3]) : -1;
    if (type < 0 && strcmp(l->word[3], "*"))
        return wrong(l, "one type of job too many, or no name of one:", l->word[3]);
    if (!read_values(l, 4, keys, to))
        return false;
    for (int t = 0; t < m->types; t++)
        for (int a = 0; a < m->machine.kinds; a++)
            for (int b = 0; b < m->machine.kinds; b++)
                if ((type < 0 || t == type) && is_meant(&m->machine, l->word[1], a) &&
                    is_meant(&m->machine, l->word[2], b))
                    m->move[t][a][b] = each;
    return true;
}

/* memory KIND KIND … */
static bool read_memory(struct jobs_machine *m, const struct line *l) {
    for (int w = 1; w < l->words; w++) {
        if (!is_known(&m->machine, l->word[w]))
            return wrong(l, "no kind of device above has the name", l->word[w]);
        for (int k = 0; k < m->machine.kinds; k++)
            if (is_meant(&m->machine, l->word[w], k))
                m->memory[k] = l->number;
    }
    return true;
}

static bool read_line(struct jobs_machine *m, const struct line *l) {
    const char *const latency[] = {"latency", NULL}, *const decide[] = {"each", "program", NULL};
    double *to_latency[] = {&m->latency}, *to_decide[] = {&m->decide, &m->program};
    return !strcmp(l->word[0], "type")     ? read_type(m, l)
           : !strcmp(l->word[0], "move")   ? read_move(m, l)
           : !strcmp(l->word[0], "memory") ? read_memory(m, l)
           : !strcmp(l->word[0], "decide") ? read_values(l, 1, decide, to_decide)
                                           : read_values(l, 1, latency, to_latency);
}

static bool split(char *text, struct line *l) {
    char *save = NULL;
    l->words = 0;
    for (char *word = strtok_r(text, " \t\r", &save); word && *word != '#'; word = strtok_r(NULL, " \t\r", &save)) {
        if (l->words == WORDS)
            return wrong(l, "too many words from here on:", word);
        l->word[l->words++] = word;
    }
    return true;
}

/* Is the line about jobs? A kind of device with such a name has key=value behind it. */
static bool is_about_jobs(const char *at) {
    static const char *const words[] = {"type", "move", "memory", "decide", "transfer"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t n = strlen(words[k]);
        if (!strncmp(at, words[k], n) && (at[n] == ' ' || at[n] == '\t'))
            return true;
    }
    return false;
}

/* Lines about jobs (`jobs`) or the others, with the rest as empty lines so that numbers stay. */
static char *lines_of(const char *text, bool jobs) {
    char *copy = malloc(strlen(text) + 1), *to = copy;
    while (copy && *text) {
        const size_t n = strcspn(text, "\n");
        if (is_about_jobs(text + strspn(text, " \t")) == jobs) {
            memcpy(to, text, n);
            to += n;
        }
        text += n;
        if (*text)
            *to++ = *text++;
    }
    if (copy)
        *to = 0;
    return copy;
}

static bool read_job_lines(struct jobs_machine *m, char *text, char *message) {
    struct line l = {.number = 0, .message = message};
    for (char *next = text; next;) {
        char *here = next, *end = strchr(next, '\n');
        l.number++;
        next = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        if (!split(here, &l) || (l.words && !read_line(m, &l)))
            return false;
    }
    for (int t = 0; t < m->types; t++)
        for (int k = 0; k < m->machine.kinds; k++)
            if (m->cost[t][k].each >= 0)
                return true;
    snprintf(message, SIM_MESSAGE, "no line says what a job costs: type KIND TYPE setup=TIME each=TIME");
    return false;
}

bool jobs_machine_read(struct jobs_machine *m, const char *text, char *message) {
    char *kinds = lines_of(text, false), *jobs = lines_of(text, true);
    memset(m, 0, sizeof *m);
    m->latency = 10e-6;
    m->decide = 5e-6;
    m->program = 5e-6;
    snprintf(message, SIM_MESSAGE, "out of memory");
    const bool good = kinds && jobs && sim_machine_lines_most(&m->machine, kinds, JOBS_DEVICES, message) &&
                      read_job_lines(m, jobs, message);
    free(kinds);
    free(jobs);
    return good;
}

bool jobs_machine_counts(struct jobs_machine *m, const char *counts, char *message) {
    int k = 0;
    m->machine.devices = 0;
    for (const char *at = counts; k <= m->machine.kinds; k++) {
        char *end;
        const long n = strtol(at, &end, 10);
        if (k == m->machine.kinds || end == at || (*end && *end != ',') || n < 0 || n > JOBS_DEVICES)
            break;
        m->machine.kind[k].count = (int)n;
        m->machine.devices += (int)n;
        if (!*end && k + 1 == m->machine.kinds && m->machine.devices >= 1 && m->machine.devices <= JOBS_DEVICES)
            return true;
        if (!*end)
            break;
        at = end + 1;
    }
    snprintf(message, SIM_MESSAGE,
             "expected %d numbers with commas between them, one for each kind of device, not '%.100s'",
             m->machine.kinds, counts);
    return false;
}

bool jobs_machine_match(struct jobs_machine *m, const struct jobs_stream *s, char *message) {
    const struct jobs_machine had = *m;
    m->types = s->types;
    for (int t = 0; t < s->types; t++) {
        int from = 0;
        bool possible = false;
        while (from < had.types && strcmp(had.type[from], s->type[t]))
            from++;
        for (int k = 0; k < m->machine.kinds && from < had.types; k++) {
            m->cost[t][k] = had.cost[from][k];
            memcpy(m->move[t][k], had.move[from][k], sizeof m->move[t][k]);
            possible = possible || (m->machine.kind[k].count && m->cost[t][k].each >= 0);
        }
        if (!possible) {
            snprintf(message, SIM_MESSAGE, "no device of the machine can run jobs of type '%s'", s->type[t]);
            return false;
        }
        strcpy(m->type[t], s->type[t]);
    }
    return true;
}
