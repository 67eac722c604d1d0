/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle/words.h - every word that stands for a schedule, a policy, a layout, a kind of worker or of device
 *
 * One row X(name, text) for each word of a list, in the order in which people are shown them. The translator, the
 * library, the applications, the `heddle` command, the reference and the tests take the words from here. A loop
 * schedule is a file that defines `heddle__loop_NAME` and its row in HEDDLE_LOOP_SCHEDULES; a policy is a file that
 * defines `heddle__policy_NAME` and its row in HEDDLE_POLICIES; one for jobs is a file that defines `heddle__jobs_NAME`
 * and its row in HEDDLE_JOBS_POLICIES; one for graphs a file that defines `heddle__graph_NAME` and its row in
 * HEDDLE_GRAPH_POLICIES.
 */
#ifndef HEDDLE_WORDS_H
#define HEDDLE_WORDS_H

/* Clause `schedule` of a wavefront, HEDDLE_WAVEFRONT: HEDDLE_SCHEDULE_NAME. */
#define HEDDLE_WAVEFRONT_SCHEDULES(X)                                                                                  \
    X(AUTO, "auto")                                                                                                    \
    X(REGISTERS, "registers")                                                                                          \
    X(SCAN, "scan")                                                                                                    \
    X(FLEXIBLE, "flexible")                                                                                            \
    X(PEER, "peer")                                                                                                    \
    X(BARRIER, "barrier")                                                                                              \
    X(PEER_SQUARE, "peer-square")                                                                                      \
    X(BARRIER_SQUARE, "barrier-square")                                                                                \
    X(SERIAL, "serial")

/* Clause `layout`, HEDDLE_LAYOUT: HEDDLE_LAYOUT_NAME. */
#define HEDDLE_LAYOUTS(X)                                                                                              \
    X(AUTO, "auto")                                                                                                    \
    X(ROW, "row")                                                                                                      \
    X(HYBRID, "hybrid")

/* Clause `schedule` of a pool, HEDDLE_POOL: HEDDLE_POOL_NAME. The engine compares: up to GLOBAL tasks run when they
   are ready, the others in an order that is fixed beforehand. */
#define HEDDLE_POOL_SCHEDULES(X)                                                                                       \
    X(AUTO, "auto")                                                                                                    \
    X(DYNAMIC, "dynamic")                                                                                              \
    X(STEAL, "steal")                                                                                                  \
    X(GLOBAL, "global")                                                                                                \
    X(STATIC, "static")                                                                                                \
    X(BARRIER, "barrier")                                                                                              \
    X(SERIAL, "serial")

/* Clause `workers`: HEDDLE_WORKER_NAME. */
#define HEDDLE_WORKERS(X)                                                                                              \
    X(WARP, "warp")                                                                                                    \
    X(BLOCK, "block")                                                                                                  \
    X(LANE, "lane")

/* Clause `schedule` of a loop, HEDDLE_FOR: heddle__loop_name. */
#define HEDDLE_LOOP_SCHEDULES(X)                                                                                       \
    X(auto, "auto")                                                                                                    \
    X(static, "static")                                                                                                \
    X(capability, "capability")                                                                                        \
    X(chunk, "chunk")                                                                                                  \
    X(gss, "gss")                                                                                                      \
    X(fss, "fss")                                                                                                      \
    X(tss, "tss")                                                                                                      \
    X(hybrid, "hybrid")                                                                                                \
    X(egs, "egs")                                                                                                      \
    X(pina, "pina")                                                                                                    \
    X(steal, "steal")                                                                                                  \
    X(steal_time, "steal_time")                                                                                        \
    X(lp, "lp")

/* Clause `schedule` of jobs, HEDDLE_JOBS: heddle__jobs_name. The first is the default. */
#define HEDDLE_JOBS_POLICIES(X)                                                                                        \
    X(lp, "lp")                                                                                                        \
    X(lp_published, "lp_published")                                                                                    \
    X(lp_at_once, "lp_at_once")                                                                                        \
    X(lp_zeros, "lp_zeros")                                                                                            \
    X(lp_steal, "lp_steal")                                                                                            \
    X(lp_no_setup, "lp_no_setup")                                                                                      \
    X(lp_flat, "lp_flat")                                                                                              \
    X(proportional, "proportional")                                                                                    \
    X(steal, "steal")                                                                                                  \
    X(steal_times, "steal_times")                                                                                      \
    X(lau10, "lau10")                                                                                                  \
    X(tan09, "tan09")                                                                                                  \
    X(hpccd, "hpccd")

/* Clause `schedule` of a graph, HEDDLE_GRAPH: heddle__graph_name. The first is the default. */
#define HEDDLE_GRAPH_POLICIES(X)                                                                                       \
    X(affinity, "affinity")                                                                                            \
    X(affinity_published, "affinity_published")                                                                        \
    X(steal, "steal")                                                                                                  \
    X(static, "static")                                                                                                \
    X(round_robin, "round_robin")                                                                                      \
    X(heft, "heft")

/* Policies of the device selector: heddle__policy_name. */
#define HEDDLE_POLICIES(X)                                                                                             \
    X(fixed, "fixed")                                                                                                  \
    X(round_robin, "round-robin")                                                                                      \
    X(first_free, "first-free")                                                                                        \
    X(history, "history")                                                                                              \
    X(estimate_history, "estimate-history")                                                                            \
    X(earliest_finish, "earliest-finish")                                                                              \
    X(lp, "lp")                                                                                                        \
    X(partition, "partition")                                                                                          \
    X(steal, "steal")                                                                                                  \
    X(affinity, "affinity")

/* Clause `device`, beside a number: HEDDLE_DEVICE_NAME. */
#define HEDDLE_DEVICE_WORDS(X)                                                                                         \
    X(ALL, "all")                                                                                                      \
    X(HOST, "host")

/* Directive `variant`: HEDDLE_KIND_NAME. */
#define HEDDLE_DEVICE_KINDS(X)                                                                                         \
    X(CUDA, "cuda")                                                                                                    \
    X(HOST, "host")                                                                                                    \
    X(OTHER, "other")

/* HEDDLE_WORD_TEXTS(HEDDLE_LAYOUTS, " or 7"): the constant string "auto, row, hybrid or 7". */
#define HEDDLE_WORD_TEXT(name, text) ", " text
#define HEDDLE_WORD_TEXTS(LIST, after) (&(LIST(HEDDLE_WORD_TEXT) after)[2])
/* HEDDLE_WORD_ARRAY(HEDDLE_LAYOUTS): {"auto", "row", "hybrid", NULL} for an array of strings. */
#define HEDDLE_WORD_ITEM(name, text) text,
#define HEDDLE_WORD_ARRAY(LIST) {LIST(HEDDLE_WORD_ITEM) NULL}
#endif
