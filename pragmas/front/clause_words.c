/* SPDX-License-Identifier: Apache-2.0 */
/* The words that clauses take, and the constants emitted for them. */
#include "front/clause_part.h"
#include "front/unit.h"

#include <string.h>

/* heddle/words.h holds the words of schedules, layouts, workers and devices */
#define WORDS(LIST, ROW, what)                                                                                         \
    {                                                                                                                  \
        LIST(ROW) { NULL, what }                                                                                       \
    }
#define SCHEDULE(name, text) {text, "HEDDLE_SCHEDULE_" #name},
#define LAYOUT(name, text) {text, "HEDDLE_LAYOUT_" #name},
#define POOL(name, text) {text, "HEDDLE_POOL_" #name},
#define WORKER(name, text) {text, "HEDDLE_WORKER_" #name},
#define DEVICE(name, text) {text, "HEDDLE_DEVICE_" #name},
#define PLAIN(name, text) {text, text},
const struct word clause_schedules[] = WORDS(HEDDLE_WAVEFRONT_SCHEDULES, SCHEDULE, "schedule");
const struct word clause_layouts[] = WORDS(HEDDLE_LAYOUTS, LAYOUT, "layout");
const struct word clause_pool_schedules[] = WORDS(HEDDLE_POOL_SCHEDULES, POOL, "schedule");
const struct word clause_loop_schedules[] = WORDS(HEDDLE_LOOP_SCHEDULES, PLAIN, "schedule");
const struct word clause_jobs_schedules[] = WORDS(HEDDLE_JOBS_POLICIES, PLAIN, "schedule");
const struct word clause_graph_schedules[] = WORDS(HEDDLE_GRAPH_POLICIES, PLAIN, "schedule");
const struct word clause_loop_devices[] = WORDS(HEDDLE_DEVICE_WORDS, DEVICE, "device");
const struct word clause_kinds[] = WORDS(HEDDLE_DEVICE_KINDS, PLAIN, "kind of device"); /* enum device_kind */
const struct word clause_workers[] = WORDS(HEDDLE_WORKERS, WORKER, "kind of worker");
const struct word clause_depends[] = {{"in", "HEDDLE_DEPEND_IN"},
                                      {"out", "HEDDLE_DEPEND_OUT"},
                                      {"inout", "HEDDLE_DEPEND_INOUT"},
                                      {NULL, "kind of dependence"}};
const struct word clause_keeps[] = {
    [KEEP_ALL] = {"all", ""}, [KEEP_LAST] = {"last", ""}, [KEEP_NONE] = {"none", ""}, {NULL, NULL}};
const struct word clause_maps[] = {[MAP_TO] = {"to", "HEDDLE_MAP_TO"},
                                   [MAP_FROM] = {"from", "HEDDLE_MAP_FROM"},
                                   [MAP_TOFROM] = {"tofrom", "HEDDLE_MAP_TOFROM"},
                                   [MAP_ALLOC] = {"alloc", "HEDDLE_MAP_ALLOC"},
                                   {NULL, "map type"}};
const struct word clause_operators[] = {[RED_ADD] = {"+", "ADD"},   [RED_MUL] = {"*", "MUL"},
                                        [RED_MAX] = {"max", "MAX"}, [RED_MIN] = {"min", "MIN"},
                                        [RED_AND] = {"&", "AND"},   [RED_OR] = {"|", "OR"},
                                        [RED_XOR] = {"^", "XOR"},   [RED_LAND] = {"&&", "LAND"},
                                        [RED_LOR] = {"||", "LOR"},  {NULL, NULL}};

const char *clause_op_name(enum red_op op) { return clause_operators[op].text; }
const char *clause_op_constant(enum red_op op) { return clause_operators[op].constant; }
const char *clause_map_constant(enum map_kind kind) { return clause_maps[kind].constant; }
const char *clause_schedule_constant(int kind) { return clause_schedules[kind].constant; }

const char *clause_pool_constant(const struct clause *c) {
    return (c->id == CLAUSE_SCHEDULE  ? clause_pool_schedules
            : c->id == CLAUSE_WORKERS ? clause_workers
                                      : clause_depends)[c->kind]
        .constant;
}

const char *clause_worker_constant(int kind) { return clause_workers[kind].constant; }

const char *clause_layout_constant(int kind) { return clause_layouts[kind].constant; }

const char *clause_loop_schedule(int kind) { return clause_loop_schedules[kind].constant; }

const char *clause_jobs_schedule(int kind) { return clause_jobs_schedules[kind].constant; }

const char *clause_graph_schedule(int kind) { return clause_graph_schedules[kind].constant; }

const char *clause_loop_device(int kind) { return kind < 0 ? NULL : clause_loop_devices[kind].constant; }

const char *clause_word_list(const struct word *w) {
    struct buf b = {0};
    for (; w->text; w++) {
        if (b.n)
            buf_puts(&b, w[1].text ? ", " : " or ");
        buf_puts(&b, w->text);
    }
    return b.s;
}

const struct word *clause_word_find(const struct word *w, const char *s, size_t n) {
    for (; w->text; w++)
        if (strlen(w->text) == n && memcmp(w->text, s, n) == 0)
            return w;
    return NULL;
}

const char *clause_words_name(const struct word *words) {
    while (words->text)
        words++;
    return words->constant;
}
