/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task pools: what translated code provides and what it calls. `heddle-translate` includes this header at the top of
 * a file with pools, writes for each pool the parts described here, and includes heddle/engine/pool/engine.h after
 * them, which instantiates the device engine and defines the description `<prefix>_type`. tests/runtime/pool_nests.c is
 * a complete example, written by hand in the form that the translator emits.
 *
 *
 * 1. What a pool provides, with prefix N (heddle_p1, …; with a hash of the file, since kernels are told apart by it)
 * ---------------------------------------------------------------------------------------------------------------------
 *     #define N_FILE "app.c"           #define N_FUNCTION "main"          #define N_LINE 12
 *     #define N_WORKER HEDDLE_WORKER_WARP           // or HEDDLE_WORKER_BLOCK, HEDDLE_WORKER_LANE
 *     #define N_SCRATCH 1024                        // bytes of scratch memory that a worker needs; 0: none
 *     #define N_KINDS(X) X(N, name, flags) …        // every kind of task: one per task or taskloop directive
 *     struct N_env { … };                           // pointers of the mapped arrays and scalars, nothing else
 *     HEDDLE_POOL_TYPES(N)                          // from KINDS: the constants N_name_kind
 *     struct N_name { … };                          // the record of each kind: its captured variables, by value
 *     static HEDDLE_TASK int N_name_run(struct heddle_worker *heddle_w, const struct N_env *heddle_env,
 *                                       struct N_name *heddle_r, const long *heddle_at, int heddle_part);
 *
 * A kind is a statement: `#pragma heddle task` before `place(child(b, bit), solutions)` makes a kind whose record holds
 * b and bit (the values at the directive), and whose run function executes the statement with them. Mapped arrays are
 * not captured on the host: there the statement uses heddle_env->solutions, which is the device's address. A task
 * inside a task captures pointers like everything else, they are device addresses already. A record has at most
 * HEDDLE_RECORD_MAX bytes (the translator says so otherwise) and at least one member.
 *
 * Flags: 0, or of HEDDLE_TASK_WAITS for a kind with a taskwait in it and HEDDLE_TASK_DEPENDS for one that a task makes
 * with dependences (below), HEDDLE_TASK_PRIORITY for one that a task makes with a priority, HEDDLE_TASK_PLAIN for one
 * that has no lanes loop, makes no tasks and does not wait, nor do the functions it calls: on a GPU a lane runs it
 * alone, and the lanes of a warp run several iterations at a time. Such code sees a worker with one lane.
 * A function that contains task directives or lanes loops is emitted once more for the pool, with the parameter
 * `struct heddle_worker *heddle_w` first; the original stays as the serial form.
 *
 *
 * 2. How a task's code is written
 * -------------------------------
 * All lanes of a worker run it together, on the same values: each lane has its own copy of every local variable, and
 * control flow outside lanes loops is the same for all. Therefore
 *   - the run function starts by copying the record's members to locals: `const long n = heddle_r->n;`;
 *   - a store to anything but a local, and every atomic, outside a lanes loop happens once:
 *         if (HEDDLE_FIRST(heddle_w)) { *solutions += n; }   then, if a lane may read it: HEDDLE_SYNC(heddle_w);
 *   - `#pragma heddle lanes` before `for (int i = a; i < b; i += s)`:
 *         HEDDLE_SYNC(heddle_w);                             // what was stored before is seen by all lanes
 *         HEDDLE_LANES_LOOP                                  // SIMD on a CPU; nothing on a GPU
 *         for (int i = a + HEDDLE_LANE(heddle_w) * s; i < b; i += HEDDLE_LANES(heddle_w) * s) body
 *         HEDDLE_SYNC(heddle_w);
 *     with reduction(op: x): HEDDLE_LANES_REDUCE(heddle_w, OP, x, scratch_offset) after the loop joins the lanes'
 *     private x. They start from the operator's neutral element, and the value before the loop is joined after it.
 *     OP: ADD MUL MAX MIN AND OR XOR. All lanes get the result. Block workers alone use the scratch memory,
 *     8 * HEDDLE_LANES_MAX bytes;
 *   - a local array that lanes loops share lives in the worker's scratch memory (shared memory on a GPU):
 *         unsigned char *pixels = HEDDLE_SCRATCH(heddle_w, 64);      // 64: the offset that the translator assigned
 *     It keeps its values until the task ends, or until its next taskwait. Offsets are multiples of 16.
 *   - no recursion: a call that would recurse is a task.
 *
 * With HEDDLE_WORKER_LANE every task of the pool runs on one lane, which sees a worker with one lane and scratch memory
 * of its own: there are no lanes loops, dependences on siblings or priorities then. Tasks that are nothing but a call
 * of the same function f are one kind, call_f, whose record holds the arguments. They are made by
 *     if (heddle_lane_at_once(heddle_w) && N_leaf_f(heddle_w, heddle_e, …))
 *         heddle_lane_ran(heddle_w);
 *     else
 *         heddle_spawn(heddle_w, N_call_f_kind, …);
 * where leaf_f runs the call unless it would make a task: then it has changed nothing, and returns 0.
 *
 * On a CPU there is one lane, HEDDLE_LANE is 0, HEDDLE_LANES 1, HEDDLE_SYNC nothing: the same text is a SIMD loop.
 *
 *
 * 3. Tasks from tasks
 * -------------------
 *     struct N_name heddle_t = {.b = …};
 *     heddle_spawn(heddle_w, N_name_kind, &heddle_t, sizeof heddle_t, priority); // by all lanes, outside lanes loops
 * priority: 0 (default) to HEDDLE_LEVELS - 1, larger first; other values are clamped.
 * With depend clauses, which order the tasks that one task makes (the next taskwait or its end closes the list):
 *     struct heddle_depend heddle_d[] = {{&x[i], HEDDLE_DEPEND_IN}, …};          // HEDDLE_DEPENDS_MAX at most
 *     heddle_spawn_depend(heddle_w, N_name_kind, &heddle_t, sizeof heddle_t, priority, heddle_d, 1);
 * A taskloop inside a task is its loops with such a task as their body. Its sinks are dependences on iterations,
 * HEDDLE_ITERATION(loop, i, j, k) for an address: out of itself, in of the sinks.
 *
 * taskwait inside a task waits for all tasks that this one made, and those that they made. It splits the run function:
 *     switch (heddle_part) {
 *     case 0:
 *         … heddle_spawn(…) …
 *         return 1;            // taskwait: run again with heddle_part == 1 when they are done
 *     case 1:
 *         …
 *     }
 *     return 0;                // the task is done
 * The record of such a kind has a place of its own until the task ends, so tasks may be given the address of a member
 * (`long *result = &heddle_r->a`). Locals that live across the taskwait are members: the first lane stores them before
 * `return` (`if (HEDDLE_FIRST(heddle_w)) heddle_r->i = i;`), every lane loads them at the `case`. `case` labels may
 * stand inside loops. A kind that waits counts as done only when the tasks it made are done; others do not wait.
 *
 *
 * 4. The block on the host
 * ------------------------
 *     struct N_env heddle_env = {…host pointers…};
 *     struct heddle_map heddle_maps[] = {HEDDLE_MAP(N, solutions, HEDDLE_MAP_TOFROM | HEDDLE_MAP_W, solutions, 0, 1)};
 *     struct heddle_pool heddle_p = {.type = &N_type, .env = &heddle_env, .maps = heddle_maps, .nmaps = 1,
 *                                    .schedule = HEDDLE_POOL_AUTO, .device = HEDDLE_DEVICE_AUTO};
 *     heddle_pool_begin(&heddle_p);
 *     … the block in program order, with
 *         task:      { struct N_name heddle_t = {…};
 *                      heddle_pool_task(&heddle_p, N_name_kind, &heddle_t, sizeof heddle_t, priority, deps, ndeps); }
 *         taskloop:  { struct N_name heddle_t = {…}; struct heddle_taskloop heddle_l = {…};
 *                      heddle_pool_loop(&heddle_p, &heddle_l, &heddle_t, sizeof heddle_t); }
 *         taskwait:  heddle_pool_wait(&heddle_p);
 *     heddle_pool_end(&heddle_p);       // waits too; results are in place
 * None of them fails in a way that the program sees: where a device or memory is missing the tasks run on CPU threads
 * or at once, and one line on stderr says why. The block must not be left by goto, return, break.
 *
 * depend(in|out|inout: lvalue): `struct heddle_depend heddle_d[] = {{&x[i], HEDDLE_DEPEND_IN}, …}`; compared by
 * address. A task waits for the last task before it that had out or inout on the address, one with out or inout also
 * for the `in` ones since. Dependences order the tasks that the block makes; a task counts as done when its own code is
 * (WAITS: and its tasks').
 *
 * taskloop: iterations are numbered from 0 in each loop (the run function gets heddle_at[0 … dims-1] and computes
 * `y = y0 + heddle_at[1]`; y0 is in the record). `sink(f, y, x-1)` becomes {0, 0, -1}, again in iterations. A sink must
 * come before the iteration in program order: its first nonzero number is negative (else the translator says so, and
 * the runtime runs the loop in program order). The iterations share one record.
 */
#ifndef HEDDLE_POOL_H
#define HEDDLE_POOL_H

#include <heddle/engine/device.h>
#include <heddle/engine/nest.h>
#include <heddle/engine/bounds.h>
#include <heddle/engine/pool/call.h>

enum {
#define HEDDLE_X(name, text) HEDDLE_WORKER_##name,
    HEDDLE_WORKERS(HEDDLE_X)
#undef HEDDLE_X
};
enum { HEDDLE_TASK_WAITS = 1, HEDDLE_TASK_DEPENDS = 2, HEDDLE_TASK_PRIORITY = 4, HEDDLE_TASK_PLAIN = 8 };

/* On a GPU in one piece with the kernel: only then does the compiler see that scratch memory is shared memory, and the
   worker's state stays in registers. */
#if HEDDLE_ON_GPU
#define HEDDLE_TASK __attribute__((__always_inline__, __unused__))
#else
#define HEDDLE_TASK HEDDLE_UNUSED
#endif

#define HEDDLE_KIND_CONSTANT(N, name, flags) N##_##name##_kind,
#define HEDDLE_POOL_TYPES(N) enum N##_kind{N##_KINDS(HEDDLE_KIND_CONSTANT) N##_kinds};

struct heddle_worker; /* heddle/engine/pool/worker.h */

/* ---- the host's side ---------------------------------------------------------------------------------- */
/* A nest of 1 to 3 loops, each iteration a task. */
struct heddle_taskloop {
    int kind, dims;
    long count[3]; /* iterations of each loop, outermost first */
    int sinks;
    short sink[HEDDLE_SINKS_MAX][3]; /* iteration that must be done before, relative to this one */
};

enum { HEDDLE_DEPEND_IN = 1, HEDDLE_DEPEND_OUT = 2, HEDDLE_DEPEND_INOUT = 3 };
enum { HEDDLE_DEPENDS_MAX = 32 };
struct heddle_depend {
    const void *address;
    int kind;
};
#define HEDDLE_ITERATION(loop, i, j, k)                                                                                \
    ((const void *)(uintptr_t)(UINT64_C(1) << 63 | (uint64_t)((loop) & 7) << 60 | ((uint64_t)(i) & 0xfffff) << 40 |    \
                               ((uint64_t)(j) & 0xfffff) << 20 | ((uint64_t)(k) & 0xfffff)))

/* The schedule clause: dynamic takes ready tasks in any order, most of them from the worker's own stack, and keeps one
   queue short but filled for whoever has none; steal gives each worker a queue of its own and lets idle ones take from
   it; global sends every ready task through one queue; static fixes the order beforehand; barrier runs level by level.
 */
enum {
#define HEDDLE_X(name, text) HEDDLE_POOL_##name,
    HEDDLE_POOL_SCHEDULES(HEDDLE_X)
#undef HEDDLE_X
};

struct heddle_pool_launch; /* heddle/engine/pool/call.h */

/* Facts and entry points of one pool; static const, defined by heddle/engine/pool/engine.h. */
struct heddle_pool_type {
    struct heddle_site site;
    int worker; /* HEDDLE_WORKER_* */
    int kinds;
    int workers_per_block;          /* on a GPU */
    size_t env_bytes, record_bytes; /* record_bytes: of the largest kind, rounded up to 16 */
    size_t scratch_bytes;
    const unsigned char *flags; /* of each kind */
    int tiles;                  /* the kernel knows tiles of iterations */
    int (*run)(struct heddle_worker *w, const void *env, int kind, void *record, const long *at, int part);
    int (*gpu)(const struct heddle_pool_launch *launch);
};

/* One execution of a pool. Translated code fills in the first part and leaves the rest zero. */
struct heddle_pool {
    const struct heddle_pool_type *type;
    void *env;
    struct heddle_map *maps;
    int nmaps;
    int schedule;  /* HEDDLE_POOL_* */
    int device;    /* HEDDLE_DEVICE_AUTO, HEDDLE_DEVICE_HOST or a device number */
    size_t memory; /* clause memory(bytes): of queues and records on a device; 0: chosen by the runtime */
    double idle;   /* clause idle(seconds): how long the kernel stays on the device for the next tasks, in turns of some
                      ms */
    void *state;   /* the runtime's own */
};

#pragma GCC visibility push(default)
HEDDLE_C void heddle_pool_begin(struct heddle_pool *pool);
HEDDLE_C void heddle_pool_task(struct heddle_pool *pool, int kind, const void *record, size_t bytes, int priority,
                               const struct heddle_depend *depends, int ndepends);
HEDDLE_C void heddle_pool_loop(struct heddle_pool *pool, const struct heddle_taskloop *loop, const void *record,
                               size_t bytes);
HEDDLE_C void heddle_pool_wait(struct heddle_pool *pool);
HEDDLE_C void heddle_pool_end(struct heddle_pool *pool);
#pragma GCC visibility pop

#include <heddle/engine/pool/worker.h>
#endif
