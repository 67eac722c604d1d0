/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HEDDLE_GRAPH_RECORD: the graphs of one block, as `heddle sim graph --scene` reads them (toolchain/heddle/sim/
 * graph_scene.c): iterations of one graph in a row are one, with what its tasks took last on each class of units, where
 * they were seen there. Beside it FILE.machine: the units and their links, for --machine.
 */
#include "engine.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static FILE *file;
static char machine[HEDDLE__OPTION_MAX + 16];
static const struct heddle_site *recorded; /* of this block only */
static bool began;
static const struct heddle__graph_shape *shape; /* the last one in the file */
static long iterations, begin;                  /* of it; where it begins in the file */

static bool start(const struct heddle__graph_engine *e) {
    char path[HEDDLE__OPTION_MAX];
    if (began)
        return file && recorded == e->site;
    began = true;
    heddle__option_read("graph-record", path, sizeof path);
    if (!*path)
        return false;
    recorded = e->site;
    snprintf(machine, sizeof machine, "%s.machine", path);
    if (!(file = fopen(path, "we")))
        heddle__warn(e->site, "HEDDLE_GRAPH_RECORD=%s: cannot be written: %s; nothing is recorded", path,
                     strerror(errno));
    else
        fprintf(file, "# %s:%d\n", e->site->file, e->site->line);
    return file != NULL;
}

/* Of what has no state of its own: that of the first task which reads it; of what nobody works with: any. */
static int partition_of(const struct heddle__graph_shape *s, int data) {
    for (int t = 0; t < s->g.tasks && s->data[data].partition < 0; t++)
        for (int k = s->task[t].access; k < s->task[t].access + s->task[t].accesses; k++)
            if (s->access[k].data == data)
                return s->task[t].partition;
    return s->data[data].partition < 0 ? 0 : s->data[data].partition;
}

static double bytes_of(const struct heddle__graph_shape *s, int task) {
    double sum = 0;
    for (int k = s->task[task].access; k < s->task[task].access + s->task[task].accesses; k++)
        sum += s->use[k].data ? s->data[s->access[k].data].bytes : 0;
    return sum;
}

static void write_task(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s, int t) {
    const struct heddle_graph_task *task = &s->task[t];
    fprintf(file, "task line%d %.0f %d", s->made.task[t].type->site.line, bytes_of(s, t), task->partition);
    for (int k = task->access; k < task->access + task->accesses; k++)
        fprintf(file, " %c%d", !s->access[k].writes ? 'r' : s->access[k].reads ? 'u' : 'w', s->access[k].data);
    for (int c = 0; c < e->machine.classes; c++)
        if (s->time[(long)t * e->machine.classes + c] > 0)
            fprintf(file, " class%d=%.9g", c, s->time[(long)t * e->machine.classes + c]);
    fputc('\n', file);
}

static bool write_graph(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s) {
    if (fseek(file, begin, SEEK_SET) || ftruncate(fileno(file), begin))
        return false;
    fprintf(file, "graph %ld\n", iterations);
    for (int d = 0; d < s->g.datas; d++)
        fprintf(file, "data %.0f %d\n", s->datum[d].data ? s->data[d].bytes : 0, partition_of(s, d));
    for (int t = 0; t < s->g.tasks; t++)
        write_task(e, s, t);
    return !fflush(file) && !ferror(file);
}

/* Of this class and, where there is one, with another memory. */
static const struct heddle__graph_unit *unit_of(const struct heddle__graph_engine *e, int class, int other) {
    const struct heddle__graph_unit *found = NULL;
    for (int k = 0; k < e->machine.units; k++)
        if (e->unit[k].class == class && (!found || found->memory == other))
            found = &e->unit[k];
    return found;
}

/* What tasks of a line took there, for those that were not seen on this class. */
static void write_type(const struct heddle__graph_engine *e, int class, int line, FILE *to) {
    double seconds = 0, bytes = 0;
    int count = 0;
    for (int t = 0; t < shape->g.tasks; t++) {
        const double time = shape->time[(long)t * e->machine.classes + class];
        if (shape->made.task[t].type->site.line != line || time <= 0)
            continue;
        seconds += time;
        bytes += bytes_of(shape, t);
        count++;
    }
    if (count)
        fprintf(to, "type class%d line%d setup=%gus each=%gns\n", class, line, bytes > 0 ? 0 : 1e6 * seconds / count,
                bytes > 0 ? 1e9 * seconds / bytes : 0);
}

static bool is_first_of_line(int task) {
    for (int t = 0; t < task; t++)
        if (shape->made.task[t].type->site.line == shape->made.task[task].type->site.line)
            return false;
    return true;
}

static bool write_machine(const struct heddle__graph_engine *e) {
    const struct heddle_graph_machine *m = &e->machine;
    double latency = 0;
    FILE *to = fopen(machine, "we");
    if (!to)
        return false;
    fprintf(to, "# %s:%d\n", e->site->file, e->site->line);
    for (int c = 0; c < m->classes; c++) {
        int count = 0;
        for (int k = 0; k < m->units; k++)
            count += e->unit[k].class == c;
        fprintf(to, "# %s\nclass%d count=%d%s\n", e->class_name[c], c, count,
                unit_of(e, c, 0)->device < 0 ? " host" : "");
        for (int t = 0; t < shape->g.tasks; t++)
            if (is_first_of_line(t))
                write_type(e, c, shape->made.task[t].type->site.line, to);
    }
    for (int a = 0; a < m->classes; a++)
        for (int b = 0; b < m->classes; b++) {
            const int from = unit_of(e, a, -1)->memory, link = from * m->memories + unit_of(e, b, from)->memory;
            fprintf(to, "move class%d class%d byte each=%gns\n", a, b, 1e9 * m->byte[link]);
            latency = m->latency[link] > latency ? m->latency[link] : latency;
        }
    fprintf(to, "transfer latency=%gus\n", 1e6 * latency);
    const bool good = !ferror(to);
    return !fclose(to) && good;
}

void heddle__graph_scene(struct heddle__graph_engine *e, bool last) {
    bool good = true;
    if (!start(e) || (last && !shape))
        return;
    if (e->run != shape && !last) {
        good = (!shape || write_graph(e, shape)) && (begin = ftell(file)) >= 0;
        shape = e->run;
        iterations = 0;
    }
    iterations += !last;
    if (last)
        good = write_graph(e, shape) && write_machine(e);
    if (good)
        return;
    heddle__warn(e->site, "HEDDLE_GRAPH_RECORD: the file cannot be written to any more; the rest is not recorded");
    fclose(file);
    file = NULL;
}

void heddle__graph_scene_forget(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s) {
    if (!file || !s || s != shape)
        return;
    if (!write_graph(e, s) || (begin = ftell(file)) < 0) {
        fclose(file);
        file = NULL;
    }
    shape = NULL;
}
