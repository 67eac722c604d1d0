/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle/policy.h - write your own device policy
 * ==============================================
 *
 * `heddle run ./prog` asks a policy where each target region shall run. A policy is one function over numbers:
 * it gets the candidates, which are the devices (the host is one) where the region gives the same result as with
 * plain OpenMP, and for each what is known about it in seconds. It returns an index into `candidates`; anything else
 * means "as plain OpenMP".
 *
 *     #include <heddle/policy.h>
 *     static int choose(const struct heddle_choice *c, void *state)
 *     {
 *         for (int k = 0; k < c->count; k++)
 *             if (c->candidates[k].device != c->default_device) return k;
 *         return -1;
 *     }
 *     const struct heddle_policy heddle_policy = {
 *         .version = HEDDLE_POLICY_VERSION, .name = "away", .help = "never the default device", .choose = choose };
 *
 *     clang-19 -shared -fPIC away.c -o away.so && HEDDLE_POLICY=./away.so heddle run ./prog
 *
 * The functions of one policy are called one at a time, whatever thread the region comes from. They must not
 * call OpenMP. The simulator calls the same functions.
 */
#ifndef HEDDLE_SELECT_H
#define HEDDLE_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#define HEDDLE_POLICY_VERSION 3

struct heddle_candidate {
    int device;         /* OpenMP number; -1: the host version */
    int class;          /* candidates of one class are as fast as each other */
    double run;         /* predicted seconds of the region here, its own maps included; < 0: not known */
    double move;        /* predicted seconds to bring the program's mapped data here; 0: it is here */
    double wait;        /* seconds until the regions that run here now should be done */
    unsigned samples;   /* measurements of this region at this size on this class */
    unsigned long runs; /* of this region here, warm-up included */
    int busy;           /* regions that run here now */
    double transfer;    /* predicted seconds of `run` that its own maps take on their way; only with HEDDLE_EXPLAIN=1 */
};

/* The regions that lately ran at the same time as others, this one included: the set an LP looks at. */
struct heddle_region_group {
    int count;
    double run[64]; /* predicted seconds per candidate; < 0: not known */
    int placed[64]; /* how many of `count` already run there */
};

struct heddle_choice {
    const char *region, *where; /* offload name; "file:line" */
    unsigned long runs;         /* of this region, anywhere */
    double n, bytes;            /* trip count (bytes if it is not a loop); bytes of its own maps */
    int default_device;         /* the device plain OpenMP would take */
    int count;
    const struct heddle_candidate *candidates;
    int groups;                              /* 0 when regions come one after the other */
    const struct heddle_region_group *group; /* group[0] is this region's kind */
};

struct heddle_policy {
    int version;
    const char *name, *help;
    void *(*start)(void);      /* (optional) returns the policy's state */
    void (*stop)(void *state); /* (optional) */
    int (*choose)(const struct heddle_choice *choice, void *state);
    bool learns;       /* wants every class measured before it trusts its numbers */
    const char *graph; /* (optional) a policy of heddle/graph.h: deals target tasks with `depend` that come again and
                          again in the same way; `choose` is for all others */
};

#endif
