/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_scene.c - graphs as they are built, read and written. A line each:
 *
 *     graph ITERATIONS                                another graph from here on, that repeats so often
 *     data BYTES PARTITION                            numbered from 0 in each graph
 *     task TYPE SIZE PARTITION r0 w1 u2 gpu=3ms …     reads, writes, updates data; its time on a kind of unit
 */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---------------------------------------------------------------------------------------------------- */
static bool grow(void **list, int *room, int count, size_t size) {
    if (count < *room)
        return true;
    const int more = *room ? 2 * *room : 64;
    void *larger = realloc(*list, (size_t)more * size);
    if (!larger)
        return false;
    *list = larger;
    *room = more;
    return true;
}

struct graph_step *graph_add_step(struct graph_scene *s, long iterations) {
    struct graph_step *more = realloc(s->step, ((size_t)s->steps + 1) * sizeof *more);
    if (!more)
        return NULL;
    s->step = more;
    s->step[s->steps] = (struct graph_step){.iterations = iterations};
    return &s->step[s->steps++];
}

int graph_add_data(struct graph_step *g, double bytes, int partition) {
    if (!grow((void **)&g->data, &g->data_room, g->g.datas, sizeof *g->data))
        return -1;
    g->data[g->g.datas] = (struct heddle_graph_data){bytes, partition};
    if (partition >= g->g.partitions)
        g->g.partitions = partition + 1;
    return g->g.datas++;
}

static bool grow_tasks(struct graph_step *g) {
    int a = g->task_room, b = g->task_room, c = g->task_room, d = g->task_room;
    const int n = g->g.tasks;
    const bool good = grow((void **)&g->task, &a, n, sizeof *g->task) &&
                      grow((void **)&g->type, &b, n, sizeof *g->type) &&
                      grow((void **)&g->size, &c, n, sizeof *g->size) &&
                      grow((void **)&g->time, &d, n, SIM_CLASSES * sizeof *g->time);
    g->task_room = good ? a : g->task_room;
    return good;
}

int graph_add_task(struct graph_step *g, int type, double size, int partition) {
    if (!grow_tasks(g))
        return -1;
    g->task[g->g.tasks] = (struct heddle_graph_task){.partition = partition, .access = g->accesses};
    g->type[g->g.tasks] = type;
    g->size[g->g.tasks] = size;
    for (int k = 0; k < SIM_CLASSES; k++)
        g->time[g->g.tasks * SIM_CLASSES + k] = -1;
    if (partition >= g->g.partitions)
        g->g.partitions = partition + 1;
    return g->g.tasks++;
}

bool graph_add_access(struct graph_step *g, int data, bool reads, bool writes) {
    if (!grow((void **)&g->access, &g->access_room, g->accesses, sizeof *g->access))
        return false;
    g->access[g->accesses++] = (struct heddle_graph_access){data, reads, writes};
    g->task[g->g.tasks - 1].accesses++;
    return true;
}

int graph_scene_type(struct graph_scene *s, const char *name) {
    for (int t = 0; t < s->types; t++)
        if (!strcmp(s->type[t], name))
            return t;
    if (s->types == JOBS_TYPES || !*name || strlen(name) >= SIM_NAME)
        return -1;
    strcpy(s->type[s->types], name);
    return s->types++;
}

/* ---- what waits for what ----------------------------------------------------------------------------------------- */
struct reader {
    int task, next;
};
struct waits {
    int *writer, *readers; /* [data] the last; the last of the readers after it; -1: none */
    struct reader *reader;
    int readings;
    int *before, befores, room;
};

static bool wait_for(struct graph_step *g, struct waits *w, int task, int other) {
    struct heddle_graph_task *t = &g->task[task];
    if (other < 0 || other == task)
        return true;
    for (int k = 0; k < t->befores; k++)
        if (w->before[t->before + k] == other)
            return true;
    if (!grow((void **)&w->before, &w->room, w->befores, sizeof *w->before))
        return false;
    w->before[w->befores++] = other;
    t->befores++;
    return true;
}

static bool order(struct graph_step *g, struct waits *w, int task) {
    const struct heddle_graph_task *t = &g->task[task];
    bool good = true;
    for (int k = 0; k < t->accesses; k++) {
        const struct heddle_graph_access *a = &g->access[t->access + k];
        good = wait_for(g, w, task, w->writer[a->data]) && good;
        for (int r = a->writes ? w->readers[a->data] : -1; r >= 0; r = w->reader[r].next)
            good = wait_for(g, w, task, w->reader[r].task) && good;
    }
    for (int k = 0; k < t->accesses; k++) {
        const struct heddle_graph_access *a = &g->access[t->access + k];
        if (a->writes) {
            w->writer[a->data] = task;
            w->readers[a->data] = -1;
        } else if (w->writer[a->data] != task) {
            w->reader[w->readings] = (struct reader){task, w->readers[a->data]};
            w->readers[a->data] = w->readings++;
        }
    }
    return good;
}

bool graph_finish(struct graph_step *g) {
    struct waits w = {.befores = 0};
    w.writer = malloc(((size_t)g->g.datas + 1) * sizeof *w.writer);
    w.readers = malloc(((size_t)g->g.datas + 1) * sizeof *w.readers);
    w.reader = malloc(((size_t)g->accesses + 1) * sizeof *w.reader);
    g->owner = malloc(((size_t)g->g.partitions + 1) * sizeof *g->owner);
    bool good = w.writer && w.readers && w.reader && g->owner;
    for (int d = 0; good && d < g->g.datas; d++)
        w.writer[d] = w.readers[d] = -1;
    for (int p = 0; good && p < g->g.partitions; p++)
        g->owner[p] = -1;
    for (int t = 0; good && t < g->g.tasks; t++) {
        g->task[t].before = w.befores;
        good = order(g, &w, t);
    }
    free(w.writer);
    free(w.readers);
    free(w.reader);
    g->before = w.before;
    g->g.task = g->task;
    g->g.data = g->data;
    g->g.access = g->access;
    g->g.before = g->before;
    g->g.owner = g->owner;
    return good && heddle__graph_index(&g->g, &g->first_neighbour, &g->neighbour);
}

void graph_scene_free(struct graph_scene *s) {
    for (int k = 0; k < s->steps; k++) {
        struct graph_step *g = &s->step[k];
        void *all[] = {g->task,  g->data, g->access,    g->before, g->first_neighbour,
                       g->owner, g->type, g->neighbour, g->size,   g->time};
        for (size_t j = 0; j < sizeof all / sizeof *all; j++)
            free(all[j]);
    }
    free(s->step);
    memset(s, 0, sizeof *s);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */
struct reading {
    struct graph_scene *s;
    struct graph_step *g; /* NULL: none yet */
    int line;
    char *message, *save;
};

static bool wrong(const struct reading *r, const char *what, const char *word) {
    snprintf(r->message, SIM_MESSAGE, "line %d: %s '%.100s'", r->line, what, word ? word : "");
    return false;
}
static char *word_of(struct reading *r) { return strtok_r(NULL, " \t\r", &r->save); }

static bool number(const char *word, double most, bool whole, double *v) {
    char *end = NULL;
    *v = word ? strtod(word, &end) : -1;
    return word && end != word && !*end && *v >= 0 && *v <= most && (!whole || *v == floor(*v));
}

static bool read_graph(struct reading *r) {
    const char *word = word_of(r);
    double n;
    if (r->g && !r->g->g.tasks)
        return wrong(r, "the graph above has no tasks:", "graph");
    if (r->g && !graph_finish(r->g))
        return wrong(r, "out of memory at", "graph");
    if (!number(word, 1e6, true, &n) || n < 1)
        return wrong(r, "how many iterations? a whole number above 0:", word);
    if (!(r->g = graph_add_step(r->s, (long)n)))
        return wrong(r, "out of memory at", word);
    return true;
}

static bool read_data(struct reading *r) {
    const char *bytes = word_of(r), *partition = word_of(r);
    double b, p;
    if (!number(bytes, 1e15, false, &b))
        return wrong(r, "not a number of bytes:", bytes);
    if (!number(partition, GRAPH_PARTITIONS - 1, true, &p))
        return wrong(r, "not a partition:", partition);
    return (r->g->g.datas < GRAPH_ACCESSES && graph_add_data(r->g, b, (int)p) >= 0) ||
           wrong(r, "too much data at", bytes);
}

static bool read_access(struct reading *r, const char *word) {
    double d;
    if (!number(word + 1, r->g->g.datas - 1, true, &d))
        return wrong(r, "no such data above:", word);
    if (r->g->accesses == GRAPH_ACCESSES || !graph_add_access(r->g, (int)d, *word != 'w', *word != 'r'))
        return wrong(r, "too many accesses at", word);
    return true;
}

static bool read_time(struct reading *r, char *word) {
    char *equals = strchr(word, '=');
    struct graph_scene *s = r->s;
    int k = 0;
    double seconds;
    if (!equals || equals == word || equals - word >= SIM_NAME)
        return wrong(r, "r0, w0, u0 or KIND=TIME expected, not", word);
    *equals = 0;
    while (k < s->kinds && strcmp(s->kind[k], word))
        k++;
    if (k == SIM_CLASSES)
        return wrong(r, "one kind of unit too many:", word);
    if (k == s->kinds)
        strcpy(s->kind[s->kinds++], word);
    if (!sim_seconds(equals + 1, &seconds))
        return wrong(r, "not a time (20us, 1.5ms, 2s):", equals + 1);
    r->g->time[(r->g->g.tasks - 1) * SIM_CLASSES + k] = seconds;
    return true;
}

static bool read_task(struct reading *r) {
    const char *type = word_of(r), *size = word_of(r), *partition = word_of(r);
    double n, p;
    const int t = type ? graph_scene_type(r->s, type) : -1;
    if (t < 0)
        return wrong(r, "one type of task too many, or no name of one:", type);
    if (!number(size, 1e12, false, &n))
        return wrong(r, "not a size:", size);
    if (!number(partition, GRAPH_PARTITIONS - 1, true, &p))
        return wrong(r, "not a partition:", partition);
    if (r->g->g.tasks == GRAPH_TASKS || graph_add_task(r->g, t, n, (int)p) < 0)
        return wrong(r, "too many tasks at", type);
    for (char *word = word_of(r); word && *word != '#'; word = word_of(r)) {
        const bool access =
            (*word == 'r' || *word == 'w' || *word == 'u') && word[1] >= '0' && word[1] <= '9' && !strchr(word, '=');
        if (!(access ? read_access(r, word) : read_time(r, word)))
            return false;
    }
    return true;
}

static bool read_line(struct reading *r, char *text) {
    const char *word = strtok_r(text, " \t\r", &r->save);
    if (!word || *word == '#')
        return true;
    if (!strcmp(word, "graph"))
        return read_graph(r);
    if (strcmp(word, "data") && strcmp(word, "task"))
        return wrong(r, "graph, data or task expected, not", word);
    if (!r->g)
        return wrong(r, "a line `graph ITERATIONS` comes before", word);
    return *word == 'd' ? read_data(r) : read_task(r);
}

bool graph_scene_read(struct graph_scene *s, const char *text, char *message) {
    struct reading r = {.s = s, .message = message};
    char *copy = strdup(text);
    bool good = copy != NULL;
    memset(s, 0, sizeof *s);
    snprintf(message, SIM_MESSAGE, "out of memory");
    for (char *next = copy; good && next;) {
        char *here = next, *end = strchr(next, '\n');
        r.line++;
        next = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        good = read_line(&r, here);
    }
    free(copy);
    if (good && (!r.g || !r.g->g.tasks)) {
        snprintf(message, SIM_MESSAGE, "%s", r.g ? "the last graph has no tasks" : "no graph in it");
        good = false;
    }
    good = good && graph_finish(r.g);
    if (!good)
        graph_scene_free(s);
    return good;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */
bool graph_scene_write(const struct graph_scene *s, FILE *f) {
    for (int k = 0; k < s->steps; k++) {
        const struct graph_step *g = &s->step[k];
        fprintf(f, "graph %ld\n", g->iterations);
        for (int d = 0; d < g->g.datas; d++)
            fprintf(f, "data %.17g %d\n", g->data[d].bytes, g->data[d].partition);
        for (int t = 0; t < g->g.tasks; t++) {
            fprintf(f, "task %s %.17g %d", s->type[g->type[t]], g->size[t], g->task[t].partition);
            for (int j = 0; j < g->task[t].accesses; j++) {
                const struct heddle_graph_access *a = &g->access[g->task[t].access + j];
                fprintf(f, " %c%d", !a->writes ? 'r' : a->reads ? 'u' : 'w', a->data);
            }
            for (int j = 0; j < s->kinds; j++)
                if (g->time[t * SIM_CLASSES + j] >= 0)
                    fprintf(f, " %s=%.9g", s->kind[j], g->time[t * SIM_CLASSES + j]);
            fputc('\n', f);
        }
    }
    return !ferror(f);
}
