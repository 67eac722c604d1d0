/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OMPT tool: tells when the `teams` league or the parallel region of a host version ended, and when the task
 * that ran a host version has left it for sure (it is done, or waits at a barrier); and hands on data operations where
 * somebody wants to see them (data_ops.c). Only there while the selector may choose the host, or a timeline or a
 * summary is asked for, so that a program's own tool finds its place taken only then.
 */
#include "trace/record.h"
#include "graph.h"
#include "selector.h"
#include <omp-tools.h>
#include <string.h>

static bool on;
static ompt_get_task_info_t task_info;
static _Thread_local double last_end;
static _Thread_local const ompt_data_t *host_task; /* the task whose host version runs on this thread */

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
    (void)parallel, (void)task, (void)flags, (void)code;
    if (heddle__host_running())
        last_end = heddle__now();
}

static void left(const ompt_data_t *task) {
    if (!heddle__host_running() || !task || task != host_task || heddle__inside)
        return;
    const double now = heddle__now();
    heddle__lock();
    heddle__host_end(now);
    heddle__unlock();
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    (void)next;
    if (status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_late_fulfill)
        left(prior);
}

/* A barrier binds to the team: the task's code before it is done. (taskwait may stand inside the region.) */
static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                        ompt_data_t *task, const void *code) {
    (void)parallel, (void)code;
    if (endpoint == ompt_scope_begin && kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
        kind != ompt_sync_region_reduction)
        left(task);
    if (endpoint == ompt_scope_end && kind != ompt_sync_region_reduction && !heddle__inside)
        heddle__iteration_synced();
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
                          unsigned index, int flags) {
    (void)parallel, (void)size, (void)index, (void)flags;
    if (endpoint == ompt_scope_end)
        left(task);
}

static bool wants_host_ends(void) {
    const char *policy = heddle_option_get("policy");
    return *policy && strcmp(policy, "fixed") != 0;
}

static bool wants_data_ops(void) {
    const char *explain = heddle_option_get("explain");
    /* the option, not heddle__trace_on(): that would settle the matter before the program can set it itself */
    return *heddle_option_get("trace") || (*heddle_option_get("policy") && *explain && strcmp(explain, "0") != 0);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    if (!set || !task_info)
        return 0;
    if (wants_data_ops() && !heddle__data_ops_start(set))
        heddle__verbose("this libomptarget does not tell of data operations");
    if (!wants_host_ends())
        return 1;
    on = set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end) == ompt_set_always &&
         set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule) == ompt_set_always &&
         set(ompt_callback_sync_region, (ompt_callback_t)sync_region) == ompt_set_always &&
         set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task) == ompt_set_always;
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(unsigned version,
                                                                                 const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return wants_host_ends() || wants_data_ops() ? &result : NULL;
}

double heddle__ompt_last_end(void) { return last_end; }

void heddle__ompt_reset(void) {
    ompt_data_t *task = NULL;
    last_end = 0;
    host_task = on && task_info(0, NULL, &task, NULL, NULL, NULL) ? task : NULL;
}
