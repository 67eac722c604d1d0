/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of directives. A new one is a file with its translate function, a bit in directive.h
 * (which the clause table refers to) and one row here.
 */
#include "front/memory.h"
#include "front/directive.h"

#include <string.h>

static const struct directive directives[] = {
    {"wavefront", DIRECTIVE_WAVEFRONT, wavefront_translate,
     "two nested loops, or three with sweeps, or a loop over such nests with batch",
     "runs a nest on lanes, threads and warps, each row a little behind the one above"},
    {"pool", DIRECTIVE_POOL, pool_translate, "a block",
     "runs the tasks that the block makes on a device or on threads; the block ends when they are done"},
    {"task", DIRECTIVE_TASK, pool_translate, "a call or block in a pool or in a task",
     "makes it a task, which holds copies of the variables that it uses"},
    {"taskloop", DIRECTIVE_TASKLOOP, pool_translate, "one to three nested loops in a pool or in a task",
     "makes each iteration a task, after the iterations that the sinks name"},
    {"taskwait", DIRECTIVE_TASKWAIT, pool_translate, "a statement, or the end of a block, in a pool or in a task",
     "waits for the tasks made so far"},
    {"lanes", DIRECTIVE_LANES, pool_translate, "a loop in a task",
     "deals the iterations to the lanes of the task's worker"},
    {"for", DIRECTIVE_FOR, for_translate, "a loop, or two with collapse(2)",
     "deals the iterations in chunks to all devices and host threads at once, while it runs"},
    {"jobs", DIRECTIVE_JOBS, jobs_translate, "a while loop over lists, with a for before the loop of each",
     "works through lists to which its own loops append, on all devices and host threads at once"},
    {"graph", DIRECTIVE_GRAPH, graph_translate, "a block or loop that makes OpenMP tasks and target tasks",
     "runs the tasks on all devices and host threads at once; a graph that repeats is recorded once and replayed; "
     "tasks of functions that it calls are its own, where these are defined in the file before it"},
    {"variant", DIRECTIVE_VARIANT, variant_translate, "a call in the loop of a for",
     "names what devices of a kind call instead, from the host"},
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

const struct directive *directive_find(const char *name, size_t n) {
    for (int i = 0; i < DIRECTIVES; i++)
        if (strlen(directives[i].name) == n && memcmp(directives[i].name, name, n) == 0)
            return &directives[i];
    return NULL;
}

const struct directive *directive_at(int i) { return i < DIRECTIVES ? &directives[i] : NULL; }

const char *directive_names(void) {
    struct buf b = {0};
    for (int i = 0; i < DIRECTIVES; i++)
        buf_printf(&b, "%s%s", i ? ", " : "", directives[i].name);
    return b.s;
}
