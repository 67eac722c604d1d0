/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what `heddle sim` reads: a machine, a recorded loop, recorded regions, what jobs cost, a stream of jobs,
   a scene of graphs. The first byte picks which. */
#include "driver.h"
#include "ends.h"
#include "fuzz.h"
#include "sim/command.h"
#include "sim/graph.h"
#include "sim/jobs.h"
#include "sim/regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS("=,,\n# .;%@-e0123456789naifhostx\0\377"),
                                      .changes_least = 1,
                                      .changes_most = 5,
                                      .keep_first = 1,
                                      .cut = true,
                                      .digits = true};

static void machine(const char *text, char *message) {
    struct sim_machine m;
    if (!(text[0] == '!' ? sim_machine_words(&m, text + 1, message) : sim_machine_lines(&m, text, message))) {
        FUZZ_PROMISE(*message);
        return;
    }
    int devices = 0;
    for (int k = 0; k < m.kinds; k++) {
        const struct sim_kind *kind = &m.kind[k];
        devices += kind->count;
        FUZZ_PROMISE(kind->count >= 1 && kind->speed > 0 && kind->setup >= 0 && kind->move >= 0 && kind->most >= 0 &&
                     *kind->name);
    }
    FUZZ_PROMISE(devices == m.devices && devices >= 1 && devices <= SIM_DEVICES && m.ahead >= 1 && m.ahead <= 8);
}

static void loop(const char *path) {
    static struct sim_recorded r;
    struct sim_work w;
    sim_recorded_read(&r, path);
    FUZZ_PROMISE(r.samples > 0 && r.n >= 1 && r.machine.kinds >= 1 && r.machine.kinds <= SIM_CLASSES);
    sim_recorded_work(&r, &w, r.n < 1000 ? r.n : 1000);
    for (int k = 0; k < w.kinds; k++)
        for (long i = 0; i < w.n; i++)
            FUZZ_PROMISE(w.cost[k][i + 1] >= w.cost[k][i] && isfinite(w.cost[k][i + 1]));
    sim_work_free(&w);
    free(r.sample);
    free(r.class);
}

static void regions(const char *path) {
    static struct program p;
    p = (struct program){.count = 0};
    sim_regions_read(&p, path);
    FUZZ_PROMISE(p.events > 0 && p.kinds > 0 && p.kinds <= KINDS && p.places > 0 && p.places <= PLACES_MOST &&
                 p.threads >= 1 && p.threads <= THREADS);
    for (long k = 0; k < p.events; k++) {
        const struct event *e = &p.event[k];
        FUZZ_PROMISE(e->kind < p.kinds && e->place >= 0 && e->place < p.places && e->thread >= 0 &&
                     e->thread < p.threads && e->data < p.datas);
        FUZZ_PROMISE(isfinite(e->think) && isfinite(e->took) && isfinite(e->bytes) && e->allowed >> e->place & 1 &&
                     e->allowed >> p.places == 0);
        FUZZ_PROMISE(p.kind[e->kind].time[e->place] >= 0);
    }
    FUZZ_PROMISE(isfinite(p.recorded));
    free(p.event);
}

static void costs(const char *text, char *message) {
    static struct jobs_machine m;
    if (!jobs_machine_read(&m, text, message)) {
        FUZZ_PROMISE(*message);
        return;
    }
    FUZZ_PROMISE(m.types >= 1 && m.types <= JOBS_TYPES && m.machine.kinds >= 1 && m.machine.kinds <= SIM_CLASSES &&
                 m.machine.devices >= 1 && m.machine.devices <= JOBS_DEVICES);
    FUZZ_PROMISE(m.latency >= 0 && m.decide >= 0 && m.program >= 0 && isfinite(m.latency + m.decide + m.program));
    for (int t = 0; t < m.types; t++)
        for (int k = 0; k < m.machine.kinds; k++) {
            const struct jobs_cost *c = &m.cost[t][k];
            FUZZ_PROMISE(isfinite(c->setup) && c->setup >= 0 && isfinite(c->each) && c->noise >= 0 && c->noise <= 10);
            for (int to = 0; to < m.machine.kinds; to++)
                FUZZ_PROMISE(isfinite(m.move[t][k][to]) && m.move[t][k][to] >= 0);
        }
}

static void stream(const char *text, char *message) {
    struct jobs_stream s;
    if (!jobs_stream_read(&s, text, message)) {
        FUZZ_PROMISE(*message);
        return;
    }
    FUZZ_PROMISE(s.types >= 1 && s.types <= JOBS_TYPES && s.frames >= 1);
    for (int k = 0; k < s.frames; k++)
        for (int t = 0; t < s.types; t++) {
            long sum = 0;
            for (int j = 0; j < s.frame[k].segments[t]; j++) {
                FUZZ_PROMISE(s.frame[k].segment[t][j].count > 0 && isfinite(s.frame[k].segment[t][j].weight));
                sum += s.frame[k].segment[t][j].count;
            }
            FUZZ_PROMISE(sum == s.frame[k].total[t] && s.frame[k].begin[t] >= 0);
        }
    jobs_stream_free(&s);
}

static void scene(const char *text, char *message) {
    struct graph_scene s;
    if (!graph_scene_read(&s, text, message)) {
        FUZZ_PROMISE(*message);
        return;
    }
    FUZZ_PROMISE(s.types >= 1 && s.types <= JOBS_TYPES && s.kinds <= SIM_CLASSES && s.steps >= 1);
    for (int k = 0; k < s.steps; k++) {
        const struct heddle_graph *g = &s.step[k].g;
        FUZZ_PROMISE(g->tasks >= 1 && s.step[k].iterations >= 1 && g->partitions <= GRAPH_PARTITIONS);
        for (int t = 0; t < g->tasks; t++) {
            const struct heddle_graph_task *task = &g->task[t];
            FUZZ_PROMISE(task->partition >= 0 && task->partition < g->partitions && isfinite(s.step[k].size[t]));
            for (int j = 0; j < task->accesses; j++)
                FUZZ_PROMISE(g->access[task->access + j].data < g->datas);
            for (int j = 0; j < task->befores; j++)
                FUZZ_PROMISE(g->before[task->before + j] < t);
        }
    }
    graph_scene_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char message[SIM_MESSAGE] = "";
    if (!size)
        return 0;
    if (*data == 'l') {
        const char *path = fuzz_file("x.loops.csv", data + 1, size - 1);
        FUZZ_RUN(loop(path));
    } else if (*data == 'r') {
        const char *path = fuzz_file("regions", data + 1, size - 1);
        FUZZ_RUN(regions(path));
    } else {
        char *text = format("%.*s", (int)(size - 1), (const char *)data + 1);
        if (*data == 'j')
            FUZZ_RUN(costs(text, message));
        else if (*data == 's')
            FUZZ_RUN(stream(text, message));
        else if (*data == 'g')
            FUZZ_RUN(scene(text, message));
        else
            FUZZ_RUN(machine(text, message));
        free(text);
    }
    return 0;
}
