/* SPDX-License-Identifier: Apache-2.0 */
/* The units, by the clause and HEDDLE_DEVICE, and the policy, by the clause and HEDDLE_GRAPH. */
#include "device/available.h"
#include "device/resolve.h"
#include "engine.h"
#include "graph/schedule/table.h"
#include "trace/record.h"
#include <dlfcn.h>
#include <heddle/gpu.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES = 3 /* one after the other: the device is not asked again */ };

/* ---- the policy -------------------------------------------------------------------------------------------------- */
/* Loaded once, and kept; one graph at a time runs. */
static const struct heddle_graph_policy *load(const char *path) {
    static char seen[HEDDLE__OPTION_MAX];
    static const struct heddle_graph_policy *loaded;
    if (!strcmp(seen, path))
        return loaded;
    snprintf(seen, sizeof seen, "%s", path);
    loaded = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct heddle_graph_policy *p = library ? dlsym(library, "heddle_graph_policy") : NULL;
    if (!p)
        heddle__warn(NULL, "HEDDLE_GRAPH=%s: %s; using the clause's schedule", path,
                     library ? "it has no symbol heddle_graph_policy" : dlerror());
    else if (p->version != HEDDLE_GRAPH_VERSION || !p->name || !p->start || !p->change || !p->ready || !p->next ||
             !p->done || !p->lost || !p->stop)
        heddle__warn(NULL,
                     "HEDDLE_GRAPH=%s is made for another heddle (version %d, needed is %d); using the clause's "
                     "schedule",
                     path, p->version, HEDDLE_GRAPH_VERSION);
    else
        loaded = p;
    return loaded;
}

/* affinity,1,0.1: numbers behind the name; false: they are none. */
static bool read_parameters(char *text, double *parameter) {
    int n = 0;
    for (char *at = strchr(text, ','), *end; at; at = *end ? end : NULL, n++) {
        if (n == HEDDLE_GRAPH_PARAMETERS)
            return false;
        *at = 0;
        parameter[n] = strtod(at + 1, &end);
        if (end == at + 1 || (*end && *end != ','))
            return false;
    }
    return true;
}

const struct heddle_graph_policy *heddle__graph_choose(const struct heddle__graph_engine *e, double *parameter) {
    char option[HEDDLE__OPTION_MAX], text[HEDDLE__OPTION_MAX];
    double asked[HEDDLE_GRAPH_PARAMETERS] = {0};
    const struct heddle_graph_policy *clause =
        e->schedule ? heddle__graph_find_policy(e->schedule, strlen(e->schedule)) : NULL;
    clause = clause ? clause : heddle_graph_policies[0];
    memcpy(parameter, e->parameter, sizeof e->parameter);
    heddle__option_read("graph", option, sizeof option);
    if (!strcmp(option, "auto"))
        return clause;
    memcpy(text, option, sizeof text);
    const bool numbers = read_parameters(text, asked);
    const struct heddle_graph_policy *p = !numbers            ? NULL
                                          : strchr(text, '/') ? load(text)
                                                              : heddle__graph_find_policy(text, strlen(text));
    if (!numbers || (!p && !strchr(text, '/')))
        heddle__option_bad("graph", option);
    if (p)
        memcpy(parameter, asked, sizeof asked);
    return p ? p : clause;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */
bool heddle__graph_has_code(const struct heddle__graph_engine *e, int device) {
    return heddle__architecture(e->site, device) != HEDDLE_ARCH_NONE;
}

static bool usable(const struct heddle__graph_engine *e, int device, bool asked) {
    if (!heddle__device_facts(device) || heddle__device_failures(device) >= FAILURES)
        return false;
    if (!heddle__device_available(device)) {
        if (asked && heddle__device_first_told(device, e->site))
            heddle__device_refused(e->site, device);
        return false;
    }
    if (heddle__graph_has_code(e, device))
        return true;
    if (asked && heddle__device_first_told(device, e->site))
        heddle__warn_no_code(e->site, device);
    return false;
}

static int class_of(struct heddle__graph_engine *e, const struct heddle__graph_unit *u) {
    const struct heddle_device_info *info = heddle__device_facts(u->device);
    char name[256];
    const int n = snprintf(name, sizeof name, "%.120s",
                           u->device < 0                         ? "host"
                           : info && strcmp(info->kind, "other") ? info->name
                                                                 : "OpenMP device");
    if (u->slow > 1)
        snprintf(name + n, sizeof name - (size_t)n, " slowed by %g", u->slow);
    for (int k = 0; k < e->machine.classes; k++)
        if (!strcmp(e->class_name[k], name))
            return k;
    if (!(e->class_name[e->machine.classes] = strdup(name)))
        return -1;
    return e->machine.classes++;
}

static bool add(struct heddle__graph_engine *e, int device, int memory) {
    struct heddle_graph_machine *m = &e->machine;
    struct heddle__graph_unit *u = &e->unit[m->units];
    char group[32], name[32];
    *u = (struct heddle__graph_unit){.engine = e,
                                     .number = m->units,
                                     .device = device,
                                     .memory = memory,
                                     .cuda = device >= 0 && heddle__device_is_cuda(device),
                                     .runs = -1,
                                     .given = -1,
                                     .slow = heddle__device_slowness(device)};
    pthread_cond_init(&u->wake, NULL);
    if ((u->class = class_of(e, u)) < 0)
        return false;
    snprintf(group, sizeof group, device < 0 ? "host" : "device %d", device);
    snprintf(name, sizeof name, device < 0 ? "graph %d" : "graph", m->units);
    u->track = heddle__trace_on() ? heddle__trace_track(group, name) : 0;
    e->facts[m->units++] = (struct heddle_graph_unit){device, u->class, memory};
    return true;
}

/* A launch on a GPU is waited for: others run beside it, by threads for which there are cores. */
static int streams_of(int device) {
    enum { GPU = 4, SHARE = 4 /* of the cores, one for so many */ };
    const int asked = (int)heddle__option_long("graph-streams", 0, HEDDLE__SLOTS), cores = omp_get_num_procs() / SHARE;
    const int chosen = cores < 1 ? 1 : cores < GPU ? cores : GPU;
    return asked ? asked : heddle__device_is_cuda(device) ? chosen : 1;
}

static bool add_devices(struct heddle__graph_engine *e, const struct heddle__wish *wish, int *gpus) {
    const int count = wish->all || wish->devices || wish->largest >= 0 || wish->negative ? heddle_device_count() : 0;
    heddle__warn_missing(e->site, wish, count);
    for (int d = 0; d < count && d < HEDDLE__DEVICES && e->machine.memories < 64; d++) {
        if (!(wish->all || wish->devices >> d & 1) || !usable(e, d, !wish->all))
            continue;
        e->memory_device[e->machine.memories] = d;
        e->budget[e->machine.memories] = heddle_device_room(d);
        e->taken[e->machine.memories] = 0;
        const int streams = streams_of(d);
        for (int k = 0; k < streams && e->machine.units < HEDDLE__GRAPH_UNITS / 2; k++)
            if (!add(e, d, e->machine.memories))
                return false;
        e->machine.memories++;
        *gpus += heddle__device_is_cuda(d);
    }
    return true;
}

/* A device that is no GPU computes on the host's cores itself. */
static bool add_host(struct heddle__graph_engine *e, const struct heddle__wish *wish, int gpus) {
    const int devices = e->machine.units, others = e->machine.memories - 1 - gpus;
    const int share = heddle__cores_share(&e->cores, gpus) - others;
    int threads = share > 1 ? share : 1;
    threads = threads < HEDDLE__GRAPH_UNITS - devices ? threads : HEDDLE__GRAPH_UNITS - devices;
    if (!wish->host && !e->wants_host && devices)
        threads = 0;
    e->with_host = threads > 0;
    e->named = !wish->host && devices;
    for (int k = 0; k < threads; k++)
        if (!add(e, HEDDLE_DEVICE_HOST, HEDDLE__GRAPH_HOST))
            return false;
    struct heddle__graph_unit *caller = &e->unit[devices];
    if (!threads) {
        *caller = (struct heddle__graph_unit){.engine = e, .number = -1, .device = -1, .runs = -1, .given = -1};
        pthread_cond_init(&caller->wake, NULL);
    }
    caller->caller = true;
    e->cores.split &= threads && devices;
    return true;
}

/* What is guessed of links, until copies have been seen. */
static bool guess_links(struct heddle__graph_engine *e) {
    struct heddle_graph_machine *m = &e->machine;
    const size_t n = (size_t)m->memories * (size_t)m->memories;
    double *latency = calloc(n, sizeof *latency), *byte = calloc(n, sizeof *byte);
    m->latency = latency;
    m->byte = byte;
    for (size_t k = 0; latency && byte && k < n; k++) {
        const int from = (int)k / m->memories, to = (int)k % m->memories;
        const bool gpu = heddle__device_is_cuda(e->memory_device[from ? from : to]);
        latency[k] = from == to ? 0 : gpu ? 10e-6 : 2e-6;
        byte[k] = from == to ? 0 : gpu ? 1 / 15e9 : 1 / 5e9;
    }
    return latency && byte;
}

void heddle__graph_note_copy(struct heddle__graph_engine *e, int from, int to, double bytes, double seconds) {
    enum { ENOUGH = 1 << 16 }; /* less says nothing of the rate */
    double *latency = (double *)(uintptr_t)&e->machine.latency[from * e->machine.memories + to];
    double *byte = (double *)(uintptr_t)&e->machine.byte[from * e->machine.memories + to];
    if (bytes < ENOUGH)
        *latency = 0.75 * *latency + 0.25 * seconds;
    else if (seconds > *latency)
        *byte = 0.75 * *byte + 0.25 * (seconds - *latency) / bytes;
}

/* Who records the times of tasks wants to see each. */
static int replays(void) {
    char option[HEDDLE__OPTION_MAX], record[HEDDLE__OPTION_MAX];
    heddle__option_read("graph-replay", option, sizeof option);
    heddle__option_read("graph-record", record, sizeof record);
    return *record || !strcmp(option, "off") ? 0 : !strcmp(option, "always") ? 2 : 1;
}

bool heddle__graph_make_machine(struct heddle__graph_engine *e, bool devices) {
    struct heddle__wish wish = heddle__wish_read(e->device);
    char option[HEDDLE__OPTION_MAX];
    int gpus = 0;
    e->machine = (struct heddle_graph_machine){.unit = e->facts, .memories = 1, .seed = 1};
    if (!devices)
        wish = (struct heddle__wish){.host = true, .largest = -1};
    e->with_devices = devices;
    e->made = true;
    if (!add_devices(e, &wish, &gpus) || !add_host(e, &wish, gpus) || !guess_links(e)) {
        heddle__graph_free_machine(e);
        return false;
    }
    e->keeps = heddle__option_bytes("graph-keep");
    e->timeout = heddle__option_seconds("timeout");
    e->replay = replays();
    e->policy = heddle__graph_choose(e, e->machine.parameter);
    heddle__option_read("graph", option, sizeof option);
    e->asked = e->schedule || strcmp(option, "auto") != 0;
    return true;
}

/* A thread that sleeps is told 30 to 100 us after a kernel or a copy has ended. */
void heddle__graph_awake(struct heddle__graph_engine *e, bool awake) {
    int devices = 0;
    for (int k = 0; k < e->machine.units; k++)
        devices += e->unit[k].device >= 0;
    if (awake == e->awake || (awake && omp_get_num_procs() <= devices))
        return;
    for (int m = 1; m < e->machine.memories; m++) {
        const int d = e->memory_device[m];
        if (!heddle__device_is_cuda(d) || heddle_gpu_enter(d))
            continue;
        if (awake)
            e->asleep[m] = heddle_gpu_wait_awake();
        else
            heddle_gpu_wait_as(e->asleep[m]);
        heddle_gpu_leave();
    }
    e->awake = awake;
}

void heddle__graph_free_machine(struct heddle__graph_engine *e) {
    heddle__graph_awake(e, false);
    for (int k = 0; k <= e->machine.units && k <= HEDDLE__GRAPH_UNITS; k++)
        free(e->unit[k].env);
    for (int k = 0; k < e->machine.classes; k++)
        free((char *)(uintptr_t)e->class_name[k]);
    free((double *)(uintptr_t)e->machine.latency);
    free((double *)(uintptr_t)e->machine.byte);
    memset(e->unit, 0, sizeof e->unit);
    e->machine = (struct heddle_graph_machine){0};
    e->made = false;
}
