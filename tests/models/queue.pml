/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ticket queue of a task pool (heddle/engine/pool/queue.h) with private stacks and the detection of the end: WORKERS
 * workers that start at any time run a binary tree of tasks. Waiting is a guard here, so "nobody waits for ever" is
 * "no invalid end state".
 *
 * Proved for every interleaving: each task runs once; when a worker leaves nothing is left to run and nothing is in a
 * queue or on a stack; every worker leaves; who puts a task in never waits for ever for its slot.
 * -DBROKEN_END: the queue's length is read before the ticket is taken. -DBROKEN_ROOM: no look at the length. -DBROKEN_ONCE: a
 * ticket is read and written in two steps. The model must find each of these faults.
 */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef DEPTH
#define DEPTH 2
#endif
#define SLOTS 4
#define ROOM (SLOTS - WORKERS) /* one task each may be on its way to its slot */
#define TASKS ((1 << (DEPTH + 1)) - 1)
#define STACK 8

byte head, tail, started, running, executed, first_job = 1;
byte word[SLOTS], generation[SLOTS], taken[SLOTS];
bool stop;

inline put(task)
{
#ifdef BROKEN_ONCE
    mine = tail;
    tail = mine + 1;
#else
    atomic { mine = tail; tail++; }
#endif
    (taken[mine % SLOTS] == mine / SLOTS);
    d_step { word[mine % SLOTS] = task; generation[mine % SLOTS] = mine / SLOTS + 1; } /* released together */
}

/* A new task: to the queue while that is short enough for sure, else on the own stack. */
inline give(task)
{
    seen = tail;
#ifdef BROKEN_ROOM
    if
    :: true -> put(task);
#else
    if
    :: seen < head + ROOM -> put(task);
    :: else -> own[top] = task; top++;
#endif
    fi
}

proctype worker()
{
    byte own[STACK];
    byte top, task, ticket, seen, mine;
    started++;
next:
    atomic {
        if
        :: top > 0 -> top--; task = own[top]; goto work;
        :: top == 0 && first_job -> first_job = 0; task = DEPTH + 1; goto work; /* a claim of iterations */
        :: else
        fi
    }
#ifdef BROKEN_END
    seen = tail;
    atomic { ticket = head; head++; }
#else
    atomic { ticket = head; head++; }
    seen = tail;
#endif
    if
    :: ticket + 1 - seen == started -> stop = true;
    :: else
    fi;
    if
    :: generation[ticket % SLOTS] == ticket / SLOTS + 1 ->
        task = word[ticket % SLOTS];
        d_step { taken[ticket % SLOTS] = ticket / SLOTS + 1; ticket = 0; seen = 0; mine = 0; }
    :: stop -> goto leave
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
    assert(executed == TASKS && running == 0 && top == 0);
}

init
{
    byte k;
    atomic {
        for (k : 1 .. WORKERS) {
            run worker();
        }
    }
}
