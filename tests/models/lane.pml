/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks on single lanes (heddle/engine/pool/lane_tasks.h): WORKERS warps of LANES lanes that start at any time run a
 * binary tree of tasks that wait for theirs. A warp takes a batch of its newest tasks of one class (new ones, or those
 * to go on with), runs all of it, and then may give its oldest ones to whoever waits with a ticket. What a task waits
 * for is set by a plain store at the end of the batch; whoever makes it zero goes on with the task. A task that makes no
 * others may run in its maker's place, at any time that the maker likes; a task all of whose tasks did so goes on in the
 * same batch. Lanes of a warp do not interleave here: they meet nobody else's words but `pending`, which they change by
 * one atomic addition each.
 *
 * Proved for every interleaving: each task runs once and is gone on with once, after both of its own; when a warp
 * leaves nothing is left to run or to go on with, and nothing is in the queue or in a ring; every warp leaves.
 * -DBROKEN_ONCE: a task waits for all of its tasks, also those that ran in its place. -DBROKEN_PENDING: the tasks of a batch are given away before their parents' counts are there. -DBROKEN_LAST: a count
 * is read and written in two steps. -DBROKEN_END: the queue's length is read before the ticket is taken. -DBROKEN_RING:
 * tasks that were given away stay in the ring. The model must find each of these faults.
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef DEPTH
#define DEPTH 2
#endif
#define LANES 2
#define SLOTS 8
#define INNER (1 << DEPTH) /* tasks from this number on have none of their own */
#define TASKS ((1 << (DEPTH + 1)) - 1)
#define RING 8

byte head, tail, started, running, executed, resumed, first_job = 1;
byte pending[8], given[SLOTS * LANES], count[SLOTS], generation[SLOTS], taken[SLOTS];
bool stop, again_given[SLOTS];

/* Task `number` and all of its own are done. */
inline end(number)
{
    executed++;
    if
    :: number > 1 ->
        assert(pending[number / 2] > 0);
#ifdef BROKEN_LAST
        left = pending[number / 2] - 1;
        pending[number / 2] = left;
#else
        atomic { pending[number / 2]--; left = pending[number / 2]; }
#endif
        if
        :: left == 0 -> again[ready] = number / 2; ready++;
        :: else
        fi
    :: else
    fi
}

inline counts()
{
    for (k : 0 .. n - 1) {
        if
#ifdef BROKEN_ONCE
        :: made[k] -> pending[batch[k]] = 2;
#else
        :: made[k] -> pending[batch[k]] = made[k];
#endif
        :: else
        fi
    }
}

/* Task `number` becomes one of this warp, or, if it makes none itself, runs at once. */
inline make(number)
{
    if
    :: number >= INNER -> executed++;
    :: true ->
        assert(top < RING - 1);
        fresh[top] = number;
        top++;
        made[k]++;
    fi
}

/* The oldest half of the new tasks, at most a batch, to the next ticket. */
inline spread()
{
    if
    :: head > tail && top - low > 1 ->
        atomic { ticket = tail; tail++; }
        (taken[ticket % SLOTS] == ticket / SLOTS);
        n = (top - low) / 2;
        if
        :: n > LANES -> n = LANES;
        :: else
        fi;
        d_step {
            for (k : 0 .. n - 1) {
                given[(ticket % SLOTS) * LANES + k] = fresh[low + k];
            }
            count[ticket % SLOTS] = n;
#ifndef BROKEN_RING
            low = low + n;
#endif
        }
        generation[ticket % SLOTS] = ticket / SLOTS + 1; /* released after the tasks */
    :: true
    fi
}

proctype worker()
{
    byte fresh[RING], again[RING], batch[LANES], made[LANES];
    byte low, top, ready, n, k, ticket, seen, left;
    bool resumes;
    started++;
next: skip;
    d_step {
        k = 0; left = 0; ticket = 0; seen = 0; n = 0; resumes = 0;
        batch[0] = 0; batch[1] = 0; made[0] = 0; made[1] = 0;
        if
        :: low == top -> low = 0; top = 0;
        :: else
        fi;
        if
        :: ready > 0 && (ready >= LANES || ready >= top - low) ->
            resumes = 1;
            n = (ready < LANES -> ready : LANES);
            for (k : 0 .. n - 1) { ready--; batch[k] = again[ready]; }
        :: else ->
            if
            :: top > low ->
                n = (top - low < LANES -> top - low : LANES);
                for (k : 0 .. n - 1) { top--; batch[k] = fresh[top]; }
            :: else ->
                if
                :: first_job -> first_job = 0; n = 1; batch[0] = 1; /* what the host has made */
                :: else
                fi
            fi
        fi
    }
    if
    :: n > 0 -> goto work;
    :: else
    fi;
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
        d_step {
            n = count[ticket % SLOTS];
            for (k : 0 .. n - 1) { batch[k] = given[(ticket % SLOTS) * LANES + k]; }
            taken[ticket % SLOTS] = ticket / SLOTS + 1;
        }
    :: stop -> goto leave
    fi;
work:
    running++;
    k = 0;
    do
    :: k < n ->
        if
        :: resumes -> resumed++; end(batch[k]);
        :: !resumes && batch[k] >= INNER -> end(batch[k]);
        :: else ->
            atomic { make(2 * batch[k]); make(2 * batch[k] + 1); }
            if
            :: made[k] == 0 -> resumed++; end(batch[k]);
            :: else
            fi
        fi;
        k++;
    :: else -> break
    od;
#ifdef BROKEN_PENDING
    left = n;
    spread();
    n = left;
    counts();
#else
    counts();
    spread();
#endif
    running--;
    goto next;
leave:
    assert(executed == TASKS && resumed == INNER - 1 && running == 0 && top == low && ready == 0);
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
