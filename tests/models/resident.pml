/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns of the kernel that stays for the host's tasks (runtime/src/pool/resident.c). A thread sends tasks for as long as there
 * is room, POLLERS run them, a launcher brings the kernel, a monitor ends its turns. `stranger` makes calls that the driver
 * answers once all kernels launched before have left, of which libheddle knows nothing; `other` runs pools, which ask for the
 * device. Critical sections are atomic. With -DALONE there is no `other`; with -DPAUSES the sender may stop for ever.
 *
 * Proved, with weak fairness, for every interleaving: the stranger, the other and the sender each go on for ever; a sender
 * that stops leaves no task behind; the other is alone on the device; no task is run twice.
 * -DBROKEN_TURN: the kernel leaves only when nothing is under way or it is asked to; -DBROKEN_YIELD: it is asked to only if it
 * is seen there; -DBROKEN_OWED: whoever has had the device may ask again at once; -DBROKEN_PENDING: it does not come back for
 * tasks that were sent while it left. All must fail.
 */
#ifndef POLLERS
#define POLLERS 2
#endif
#ifndef ROOM
#define ROOM 2
#endif
#define TASK 1
#define LEAVE 0

chan ring = [ROOM + 2 * POLLERS] of {bit};
byte under;                                  /* tasks sent and not done */
byte inside;                                 /* pollers in the kernel */
bit launch;                                  /* parity of the launches */
bool due[2];                                 /* the driver's calls that wait for the kernel that was there */
bool wanted, running, leaving, back, owed;
byte waiting;
bool sent, served, ran, stopped;

#define CAN_LEAVE (running && !leaving && inside == POLLERS)
#define GO(comes) leaving = true; back = comes; k = 0; do :: k < POLLERS -> ring!LEAVE; k++ :: else -> break od; k = 0

/* A call that the driver answers when the kernel that was there has left. */
#define DRIVER_CALL(n)                                                                             \
    atomic { due[n] = inside > 0 }                                                                 \
    !due[n];

active proctype sender()
{
    do
    :: atomic { under < ROOM -> ring!TASK; under++; sent = true; if :: !running && !wanted -> wanted = true :: else fi }
       sent = false
#ifdef PAUSES
    :: stopped = true; break
#endif
    od
}

active [POLLERS] proctype poller()
{
    bit work, mine;
    do
    :: atomic { inside > 0 && launch != mine -> mine = launch }
       do
       :: ring?work ->
           if
           :: work == TASK -> atomic { assert(under > 0); under-- }
           :: else -> break
           fi
       od;
       atomic { assert(leaving); inside--; work = 0;
                if :: inside == 0 -> due[0] = false; due[1] = false :: else fi }
    od
}

active proctype launcher()
{
    do
    :: atomic { wanted && !waiting -> wanted = false; owed = false; leaving = false; back = false; running = true }
       atomic { launch = 1 - launch; inside = POLLERS }
       atomic {
           inside == 0 -> running = false;
#ifdef BROKEN_PENDING
           wanted = back
#else
           wanted = back || under > 0
#endif
       }
    od
}

active proctype monitor()
{
    byte k;
    do
    :: atomic { CAN_LEAVE && under == 0 -> GO(false) } /* nothing to do for long */
#ifndef BROKEN_TURN
    :: atomic { CAN_LEAVE -> GO(true) }
#endif
    od
}

active proctype stranger()
{
    do
    :: DRIVER_CALL(0)
       served = true; served = false
    od
}

#ifndef ALONE
active proctype other()
{
    byte k;
    bool asked;
    do
    ::
#ifdef BROKEN_OWED
       atomic { waiting++; asked = true }
#else
       atomic { !(owed && wanted) -> asked = true;
#ifdef BROKEN_YIELD
                asked = running;
#endif
                if :: asked -> waiting++ :: else fi }
#endif
       do
       :: atomic { asked && running -> if :: CAN_LEAVE -> GO(false) :: else fi; back = false }
          inside == 0 || !leaving
       :: atomic { asked && !running -> wanted = under > 0; break }
       :: !asked -> break
       od;
       DRIVER_CALL(1) /* before its kernel */
       assert(!asked || !inside);
       ran = true;
       ran = false;
       atomic { if :: asked -> waiting--; owed = wanted :: else fi; asked = false }
    od
}
#endif

ltl stranger_goes_on { []<> served }
ltl other_goes_on { []<> ran }
ltl sender_goes_on { []<> sent }
ltl nothing_left { []<> sent || <>[] (stopped && under == 0) }
