/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intra-task dependences (heddle/engine/pool/task_depend.h). The maker makes TASKS tasks, each after the two
 * before it, while WORKERS run those that are ready. `list` of a task is the set of those that wait for it, closed when
 * it is done; `pending` counts what a task waits for, and 1 while it is being made; `holds` are the maker's table's and
 * the task's own, and the last one frees its place.
 *
 * Proved for every interleaving: every task runs, once, after both others; no place is used after it is free, and all
 * are free at the end.
 * -DBROKEN_GUARD: nothing is pending while a task is being made; -DBROKEN_CLOSE: the list is read and closed in two
 * steps; -DBROKEN_HOLD: the table lets go before the new task is on the list. All must fail.
 */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 4
#endif
#define CLOSED 128

byte list[TASKS], pending[TASKS], holds[TASKS], executed;
bool done[TASKS], free[TASKS];
chan ready = [TASKS] of {byte};

#define DROP(k) holds[k]--; if :: holds[k] == 0 -> assert(!free[k]); free[k] = true :: else fi

/* One of the things that k waits for is there. */
#define MET(k) pending[k]--; if :: pending[k] == 0 -> ready!k :: else fi

proctype maker()
{
    byte s, p, n, head;
    do
    :: s < TASKS ->
        holds[s] = 2;
#ifdef BROKEN_GUARD
        pending[s] = 0;
#else
        pending[s] = 1;
#endif
        n = 1;
        do
        :: n <= 2 && n <= s ->
            p = s - n;
#ifdef BROKEN_HOLD
            if
            :: n == 2 -> atomic { DROP(p) }
            :: else
            fi;
#endif
            atomic { assert(!free[p]); head = list[p] }
            if
            :: head == CLOSED
            :: else ->
                atomic { pending[s]++ }
                do
                :: head == CLOSED -> atomic { pending[s]-- } break
                :: else ->
                    atomic {
                        assert(!free[p]);
                        if
                        :: list[p] == head -> list[p] = head | (1 << s); break
                        :: else -> head = list[p]
                        fi
                    }
                od
            fi;
#ifndef BROKEN_HOLD
            if
            :: n == 2 -> atomic { DROP(p) }
            :: else
            fi;
#endif
            n++
        :: else -> break
        od;
#ifdef BROKEN_GUARD
        atomic { if :: pending[s] == 0 -> ready!s :: else fi }
#else
        atomic { MET(s) }
#endif
        s++
    :: else -> break
    od;
    atomic { DROP(TASKS - 1) }
    atomic { DROP(TASKS - 2) }
}

proctype worker()
{
    byte k, s, set;
end:
    do
    :: ready?k ->
        atomic {
            assert(!done[k]);
            assert(k < 1 || done[k - 1]);
            assert(k < 2 || done[k - 2]);
            done[k] = true;
            executed++
        }
#ifdef BROKEN_CLOSE
        set = list[k];
        list[k] = CLOSED;
#else
        atomic { set = list[k]; list[k] = CLOSED }
#endif
        s = 0;
        do
        :: s < TASKS ->
            if
            :: set & (1 << s) -> atomic { MET(s) }
            :: else
            fi;
            s++
        :: else -> break
        od;
        atomic { DROP(k) }
    od
}

proctype watcher()
{
    byte k;
    executed == TASKS; /* else this is an invalid end state */
    do
    :: k < TASKS -> free[k]; k++
    :: else -> break
    od
}

init {
    byte k;
    atomic {
        run maker();
        run watcher();
        do
        :: k < WORKERS -> run worker(); k++
        :: else -> break
        od
    }
}
