/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Free places of tasks that change hands between warps (heddle_lane_give_pack, heddle_lane_take_pack of
 * heddle/engine/pool/lane_tasks.h): a list of packs whose head has a count of its changes. WARPS warps take and give
 * packs at any time; an attempt that comes too late is given up.
 *
 * Proved for every interleaving: no pack is with two warps, or with a warp and in the list; in the end none is lost.
 * -DBROKEN_COUNT: the head's changes are not counted, so that a head that has come back looks unchanged.
 */
#ifndef WARPS
#define WARPS 2
#endif
#define PACKS 3
#define TURNS 3

byte head, changes, next[PACKS + 1], owners[PACKS + 1], left_over, gone;

#ifdef BROKEN_COUNT
#define UNCHANGED head == seen
#else
#define UNCHANGED head == seen && changes == at
#endif

proctype warp(byte mine)
{
    byte other, seen, at, after, turn;
    do
    :: turn < TURNS ->
        turn++;
        d_step { seen = head; at = changes; }
        if
        :: seen && (!mine || !other) ->
            after = next[seen];
            atomic {
                if
                :: UNCHANGED ->
                    head = after; changes++;
                    owners[seen]++;
                    assert(owners[seen] == 1);
                    if
                    :: mine -> other = seen;
                    :: else -> mine = seen;
                    fi
                :: else
                fi
            }
        :: mine ->
            next[mine] = seen;
            atomic {
                if
                :: UNCHANGED ->
                    owners[mine]--; head = mine; changes++;
                    mine = other; other = 0;
                :: else
                fi
            }
        :: else
        fi
    :: else -> break
    od;
    atomic {
        gone++;
        left_over = left_over + (mine > 0) + (other > 0);
        if
        :: gone == WARPS ->
            do
            :: head -> left_over++; assert(left_over <= PACKS); head = next[head];
            :: else -> break
            od;
            assert(left_over == PACKS);
        :: else
        fi
    }
}

init
{
    atomic {
        next[1] = 2;
        head = 1;
        owners[3] = 1;
        run warp(3);
        byte k;
        for (k : 2 .. WARPS) {
            run warp(0);
        }
    }
}
