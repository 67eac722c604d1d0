/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedule steal of a task pool (heddle/engine/pool/steal.h; CPU threads do the same, runtime/src/pool/cpu.c): WORKERS workers
 * that start at any time run a binary tree of tasks from queues of their own, take from each other, and find the end by
 * counting the idle ones.
 *
 * Proved for every interleaving: each task runs once; when the first worker leaves nothing is left to run and nothing is in
 * a queue or on a stack; every worker leaves. Waiting in a loop is a guard on what could end it, so "nobody waits for
 * ever" is "no invalid end state".
 * -DBROKEN_IDLE: a thief takes first and says afterwards that it is not idle. -DBROKEN_START: how many have started is read
 * before how many are idle. -DBROKEN_SLOT: a slot is filled again although its last task may not have been read. -DBROKEN_OWNER:
 * an owner who lost its task to a thief looks no further in its own queue.
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef DEPTH
#define DEPTH 2
#endif
#define SLOTS 2
#define TASKS ((1 << (DEPTH + 1)) - 1)
#define STACK 6
#define AT(worker, place) ((worker) * SLOTS + (place) % SLOTS)

byte head[WORKERS], tail[WORKERS], started, idle, running, executed, first_job = 1;
byte word[WORKERS * SLOTS], taken[WORKERS * SLOTS];
bool stop;

/* A new task: to the own queue if its slot is free, else on the own stack. */
inline give(task_given)
{
#ifdef BROKEN_SLOT
    if
    :: tail[me] < head[me] + SLOTS ->
#else
    if
    :: taken[AT(me, tail[me])] == tail[me] / SLOTS ->
#endif
        assert(word[AT(me, tail[me])] == 0);
        word[AT(me, tail[me])] = task_given;
        tail[me] = tail[me] + 1;
    :: else -> own[top] = task_given; top++;
    fi
}

/* One attempt on a queue; task is 0 if another was faster. */
inline take(who)
{
    task = 0;
    seen = head[who];
    if
    :: tail[who] > seen ->
        atomic {
            if
            :: head[who] == seen -> head[who] = seen + 1; mine = 1;
            :: else -> mine = 0;
            fi
        }
        if
        :: mine ->
            (word[AT(who, seen)] != 0); /* it was put in before the count */
            d_step { task = word[AT(who, seen)]; word[AT(who, seen)] = 0; }
            taken[AT(who, seen)] = seen / SLOTS + 1;
        :: else
        fi
    :: else
    fi;
    seen = 0; mine = 0;
}

proctype worker(byte me)
{
    byte own[STACK];
    byte top, task, seen, mine, from;
    started++;
next:
    atomic {
        if
        :: top > 0 -> top--; task = own[top]; own[top] = 0; goto work;
        :: top == 0 && first_job -> first_job = 0; task = DEPTH + 1; goto work; /* a claim of iterations */
        :: else
        fi
    }
    take(me);
    if
    :: task -> goto work;
#ifndef BROKEN_OWNER
    :: !task && tail[me] > head[me] -> goto next; /* a thief was faster; there is more */
    :: !task && tail[me] <= head[me] -> idle++;
#else
    :: else -> idle++;
#endif
    fi;
look:
    from = 0;
    do
    :: from < WORKERS && (from == me || tail[from] <= head[from]) -> from++;
    :: from < WORKERS && from != me && tail[from] > head[from] ->
#ifdef BROKEN_IDLE
        take(from);
        if
        :: task -> idle--; goto work;
        :: else
        fi;
#else
        idle--;
        take(from);
        if
        :: task -> goto work;
        :: else -> idle++;
        fi;
#endif
        goto look;
    :: from == WORKERS -> break;
    od;
#ifdef BROKEN_START
    seen = started;
    mine = idle;
#else
    mine = idle;
    seen = started;
#endif
    if
    :: mine == seen -> stop = true;
    :: else
    fi;
    seen = 0; mine = 0; from = 0;
    if
    :: stop -> goto leave;
    :: !stop -> /* there is something to look at, or to stop for, now or later */
        (stop || idle == started || head[0] < tail[0] || head[WORKERS - 1] < tail[WORKERS - 1] || (WORKERS > 2 && head[1] < tail[1]));
        goto look;
    fi;
work: skip;
    d_step { running++; executed++; assert(executed <= TASKS); }
    if
    :: task > 1 -> give(task - 1); give(task - 1);
    :: else
    fi;
    running--;
    goto next;
leave:
    assert(executed == TASKS && running == 0 && top == 0 && head[me] == tail[me]);
}

init
{
    byte k;
    atomic {
        for (k : 1 .. WORKERS) {
            run worker(k - 1);
        }
    }
}
