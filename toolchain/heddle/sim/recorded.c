/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorded.c - a machine and a loop from what real runs of `#pragma heddle for` left in PROGRAM.loops.csv. What
 * iterations take, where they are dear, what a chunk costs beside them and how large it must be are worked out by the
 * code that the schedules use (runtime/src/loop/plan/costs.c); transfers that computing did not hide are part of an
 * iteration's time.
 */
#include "driver.h"
#include "model/table.h"
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool on_host(const char *device) {
    static const char *const others[] = {"NVIDIA", "AMD Instinct", "AMD Radeon", "OpenMP device"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strncmp(device, others[k], strlen(others[k])))
            return false;
    return true;
}

/* The kind of that device, by its name in the file with what a table's head cannot hold left out. */
static int kind_of(struct sim_machine *m, char (*device)[256], const char *name) {
    for (int k = 0; k < m->kinds; k++)
        if (!strcmp(device[k], name))
            return k;
    if (m->kinds == SIM_CLASSES || strlen(name) >= sizeof *device)
        return -1;
    struct sim_kind *kind = &m->kind[m->kinds];
    *kind = (struct sim_kind){.count = 1, .speed = 1, .fail = HUGE_VAL, .host = on_host(name)};
    snprintf(kind->name, sizeof kind->name, "%.31s", name);
    strcpy(device[m->kinds], name);
    return m->kinds++;
}

static void keep(struct sim_recorded *r, const struct heddle__row *row, int kind) {
    if (row->kind == HEDDLE__ROW_READY) {
        r->machine.kind[kind].ready = row->ready;
        return;
    }
    struct heddle_loop_sample *sample = realloc(r->sample, (size_t)(r->samples + 1) * sizeof *sample);
    r->sample = sample ? sample : r->sample;
    int *class = sample ? realloc(r->class, (size_t)(r->samples + 1) * sizeof *class) : NULL;
    r->class = class ? class : r->class;
    if (!class)
        fail("out of memory");
    r->sample[r->samples] = row->chunk;
    r->class[r->samples++] = kind;
    r->n = row->chunk.n;
}

/* The loop is the one whose name holds `wanted`; NULL: the file holds only one. */
static void read_lines(struct sim_recorded *r, char *text, const char *path, const char *wanted) {
    static char device[SIM_CLASSES][256];
    struct heddle__row row;
    const char *other = NULL;
    int number = 0;
    for (char *line; !other && (line = take_line(&text, &number));) {
        if (heddle__row_is_comment(line))
            continue;
        if (!heddle__row_read(line, &row))
            fail("sim: %s: line %d: no row of what was measured, or a number of it makes no sense", path, number);
        if ((row.kind != HEDDLE__ROW_CHUNK && row.kind != HEDDLE__ROW_READY) || (wanted && !strstr(row.name, wanted)))
            continue; /* others tell of whole loops by several devices */
        if (!r->loop)
            r->loop = format("%s", row.name);
        other = strcmp(r->loop, row.name) ? row.name : NULL;
        const int kind = other ? 0 : kind_of(&r->machine, device, row.device);
        if (kind < 0)
            fail("sim: %s: line %d: more than %d kinds of devices", path, number, SIM_CLASSES);
        if (!other)
            keep(r, &row, kind);
    }
    if (other)
        fail(
            "sim: %s holds several loops, %s and %s among them: --recorded=%s@PART picks the one whose name holds PART",
            path, r->loop, other, path);
    if (!r->samples)
        fail("sim: %s: no chunk of %s", path, wanted ? wanted : "any loop");
}

char *sim_recorded_path(const char *from) {
    const char *at = strrchr(from, '@');
    return format("%.*s", at ? (int)(at - from) : (int)strlen(from), from);
}

void sim_recorded_read(struct sim_recorded *r, const char *from) {
    char *path = sim_recorded_path(from);
    const char *wanted = strrchr(from, '@') ? strrchr(from, '@') + 1 : NULL;
    size_t size;
    char *text = read_file(path, &size);
    if (!text)
        fail("sim: cannot read %s: %s", path, strerror(errno));
    if (!starts_with(text, HEDDLE__TABLE_HEADER) || strlen(text) != size)
        fail("sim: %s is no file of loops of this version (its name ends in %s, its first line begins with \"%s\")",
             path, HEDDLE__LOOPS_SUFFIX, HEDDLE__TABLE_HEADER);
    *r = (struct sim_recorded){0};
    r->machine.ahead = 2;
    read_lines(r, text, path, wanted);
    r->machine.devices = r->machine.kinds;
}

bool sim_recorded_counts(struct sim_recorded *r, const char *text) {
    char *end = (char *)(uintptr_t)text;
    r->machine.devices = 0;
    for (int k = 0; k < r->machine.kinds; k++) {
        const long count = strtol(text, &end, 10);
        if (end == text || count < 1 || count > SIM_DEVICES || *end != (k + 1 < r->machine.kinds ? ',' : 0))
            return false;
        r->machine.kind[k].count = (int)count;
        r->machine.devices += (int)count;
        text = end + 1;
    }
    return r->machine.devices <= SIM_DEVICES;
}

void sim_recorded_work(struct sim_recorded *r, struct sim_work *w, long n) {
    struct heddle_loop_device device[SIM_CLASSES];
    for (int k = 0; k < r->machine.kinds; k++)
        device[k] = (struct heddle_loop_device){.device = r->machine.kind[k].host ? -1 : k, .class = k, .grain = 1};
    const struct heddle_loop_problem p = {.n = n,
                                          .devices = r->machine.kinds,
                                          .classes = r->machine.kinds,
                                          .device = device,
                                          .samples = r->samples,
                                          .sample = r->sample,
                                          .sample_class = r->class,
                                          .ahead = 2};
    struct heddle__costs *c = heddle__costs_start(&p, HEDDLE__BINS, true, true);
    *w = (struct sim_work){.n = n, .kinds = r->machine.kinds};
    for (int k = 0; k < w->kinds; k++) {
        w->cost[k] = malloc((size_t)(n + 1) * sizeof *w->cost[k]);
        if (!c || !w->cost[k])
            fail("out of memory");
        w->cost[k][0] = 0;
        for (long i = 0; i < n; i++)
            w->cost[k][i + 1] = w->cost[k][i] + c->each[k * c->bins + heddle__costs_bin(c, i)];
        struct sim_kind *kind = &r->machine.kind[k];
        kind->setup = c->setup[k];
        kind->curve = c->alpha[k] < 0 ? (double)heddle__loop_amortized_chunk(c->alpha[k]) : 0;
        kind->speed =
            w->cost[k][n] > 0 ? w->cost[0][n] / w->cost[k][n] : 1; /* for the table; the costs have it already */
    }
    heddle__costs_free(c);
}
