/* SPDX-License-Identifier: Apache-2.0 */
/* What an execution needs before its threads begin, and how it goes. */
#include "engine.h"
#include "trace/record.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t allowed(void) {
    const size_t asked = heddle__option_bytes("jobs-memory");
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return asked ? asked : pages > 0 ? (size_t)pages * (size_t)bytes / 4 * 3 : SIZE_MAX;
}

bool heddle__jobs_make_tables(struct heddle__jobs_engine *e) {
    const size_t cells = (size_t)(e->types * e->classes);
    for (int t = 0; t < e->types; t++) {
        struct heddle__jobs_kind *k = &e->kind[t];
        k->unassigned = calloc((size_t)e->devices + 1, sizeof *k->unassigned);
        k->red = malloc(k->loop->red_bytes + 1);
        if (!k->unassigned || !k->red)
            return false;
        memcpy(k->red, k->call->red, k->loop->red_bytes);
    }
    e->time = calloc(cells, sizeof *e->time);
    e->move = calloc(cells * (size_t)e->classes, sizeof *e->move);
    e->machine = (struct heddle_jobs_machine){.devices = e->devices,
                                              .classes = e->classes,
                                              .types = e->types,
                                              .device = e->facts,
                                              .time = e->time,
                                              .move = e->move};
    return e->time && e->move;
}

struct heddle__jobs_engine *heddle__jobs_make_engine(const struct heddle_jobs_call *call, uint64_t excluded, int seat) {
    struct heddle__jobs_engine *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    for (const struct heddle_jobs_type *t = call->types; t; t = t->before)
        e->types++;
    e->call = call;
    e->home = -1;
    e->excluded = excluded;
    e->seat = seat;
    e->lists = call->nlists;
    e->site = call->types->loop->site;
    e->site.line = call->line;
    e->start = heddle__now();
    e->timeout = heddle__option_seconds("timeout");
    e->limit = allowed();
    e->kind = calloc((size_t)e->types, sizeof *e->kind);
    e->list = calloc((size_t)e->lists, sizeof *e->list);
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->work, NULL);
    pthread_cond_init(&e->ask, NULL);
    if (!e->kind || !e->list)
        return e;
    for (int l = 0; l < e->lists; l++)
        e->list[l] = (struct heddle__jobs_list){.record = call->lists[l].record, .type = -1};
    char option[HEDDLE__OPTION_MAX];
    heddle__option_read("explain", option, sizeof option);
    e->explains = !strcmp(option, "1");
    int n = e->types;
    for (const struct heddle_jobs_type *t = call->types; t; t = t->before) {
        char name[512];
        e->kind[--n] = (struct heddle__jobs_kind){.call = t, .loop = t->loop, .record = e->list[t->list].record};
        e->list[t->list].type = n;
        snprintf(name, sizeof name, "%s:%d jobs", t->loop->site.file, t->loop->site.line);
        e->kind[n].trace_name = heddle__trace_on() ? heddle__trace_name(name) : 0;
    }
    return e;
}

static void drop_queues(struct heddle__jobs_engine *e) {
    for (int l = 0; e->list && l < e->lists; l++)
        heddle__jobs_drop(e, &e->list[l].result);
    for (int t = 0; e->kind && t < e->types; t++) {
        heddle__jobs_drop(e, &e->kind[t].refused);
        for (int source = 0; e->kind[t].unassigned && source <= e->devices; source++)
            heddle__jobs_drop(e, &e->kind[t].unassigned[source]);
        for (int k = 0; k < e->devices; k++)
            if (e->device[k].queue)
                heddle__jobs_drop(e, &e->device[k].queue[t]);
        free(e->kind[t].unassigned);
        free(e->kind[t].red);
    }
    for (int k = 0; k < e->devices; k++) {
        heddle__jobs_drop(e, &e->device[k].batch);
        heddle__jobs_drop(e, &e->device[k].rest);
    }
}

static void free_device(struct heddle__jobs_engine *e, struct heddle__jobs_device *d) {
    for (int l = 0; d->open && l < e->lists; l++)
        if (d->open[l])
            heddle__jobs_let_go(e, d->open[l]);
    heddle__jobs_keep_memory(d);
    heddle__jobs_free_device(d);
}

void heddle__jobs_free_engine(struct heddle__jobs_engine *e) {
    drop_queues(e);
    for (int k = 0; k < e->devices; k++)
        free_device(e, &e->device[k]);
    for (int k = 0; k < e->classes; k++)
        free((char *)(uintptr_t)e->class_name[k]);
    free(e->device);
    free(e->kind);
    free(e->list);
    free(e->time);
    free(e->move);
    pthread_cond_destroy(&e->work);
    pthread_cond_destroy(&e->ask);
    pthread_mutex_destroy(&e->lock);
    free(e);
}
