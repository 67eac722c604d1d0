/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The static schedule of a taskloop (heddle/engine/pool/schedule.h): ROWS x COLS iterations, each after its left, upper left, upper and
 * upper right neighbour, in the order of their level x + 2y. Worker r of WORKERS takes every WORKERS-th and waits for its
 * predecessors' flags. All workers are there, which the engine makes sure of.
 *
 * Proved for every interleaving: no task runs before its predecessors or twice, and all run: there is no invalid end state.
 * -DBROKEN_ORDER: by columns instead of by level; -DBROKEN_WAIT: the upper right neighbour is forgotten. Both must fail.
 */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef ROWS
#define ROWS 3
#endif
#ifndef COLS
#define COLS 4
#endif
#define TASKS (ROWS * COLS)

byte order[TASKS];
bool done[(ROWS + 1) * (COLS + 2)]; /* with a border of iterations that do not exist */
byte executed;

#define PLACE(y, x) (((y) + 1) * (COLS + 2) + (x) + 1)
#define DONE(y, x) done[PLACE(y, x)]

proctype worker(byte number)
{
    short step = number, y, x;
    do
    :: step < TASKS ->
        y = order[step] / COLS;
        x = order[step] % COLS;
        DONE(y, x - 1);
        DONE(y - 1, x - 1);
        DONE(y - 1, x);
#ifndef BROKEN_WAIT
        DONE(y - 1, x + 1);
#endif
        atomic {
            assert(!DONE(y, x) && DONE(y, x - 1) && DONE(y - 1, x - 1) && DONE(y - 1, x) && DONE(y - 1, x + 1));
            executed++;
        }
        DONE(y, x) = true;
        step = step + WORKERS;
    :: else -> break
    od
}

init
{
    short k, l, n;
    atomic {
        for (k : 0 .. (ROWS + 1) * (COLS + 2) - 1) {
            done[k] = (k < COLS + 2 || k % (COLS + 2) == 0 || k % (COLS + 2) == COLS + 1);
        }
#ifdef BROKEN_ORDER
        for (k : 0 .. TASKS - 1) {
            order[k] = (k % ROWS) * COLS + k / ROWS;
        }
#else
        for (l : 0 .. COLS - 1 + 2 * (ROWS - 1)) {
            for (k : 0 .. TASKS - 1) {
                if
                :: k % COLS + 2 * (k / COLS) == l -> order[n] = k; n++;
                :: else
                fi
            }
        }
#endif
        for (k : 0 .. WORKERS - 1) {
            run worker(k);
        }
    }
    (_nr_pr == 1);
    assert(executed == TASKS);
}
