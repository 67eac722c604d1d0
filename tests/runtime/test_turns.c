/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of several host threads at once: their seats, and the turns that their threads take. */
#include "device/turns.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

enum { MOST = 3, EACH = 4 /* threads of a call */, CALLS = 4, PIECES = 200 };

/* Stand-ins. */
int heddle__host_threads(void) { return MOST; }
double heddle__now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void seats(void **state) {
    int seat[HEDDLE__SEATS];
    unsigned set = 0;
    (void)state;
    for (int k = 0; k < HEDDLE__SEATS; k++) {
        assert_int_equal(heddle__seats_shared(), k > 1);
        set |= 1u << (seat[k] = heddle__seat_take());
    }
    assert_int_equal(set, (1u << HEDDLE__SEATS) - 1);
    assert_int_equal(heddle__seat_take(), -1);
    heddle__seat_leave(seat[2]);
    assert_int_equal(heddle__seat_take(), seat[2]);
    for (int k = 0; k < HEDDLE__SEATS; k++)
        heddle__seat_leave(seat[k]);
    assert_false(heddle__seats_shared());
}

/* A call that is alone counts nothing; a loop in another one's body gets no seat. */
static void alone(void **state) {
    (void)state;
    const int seat = heddle__seat_take();
    bool turn[2 * MOST];
    for (int k = 0; k < 2 * MOST; k++) {
        turn[k] = heddle__turn_begin();
        assert_false(turn[k]);
    }
    assert_int_equal(heddle__seat_take(), -1);
    for (int k = 0; k < 2 * MOST; k++)
        heddle__turn_end(turn[k]);
    const int other = heddle__seat_take();
    assert_int_equal(other, 1);
    heddle__seat_leave(other);
    heddle__seat_leave(seat);
}

static atomic_int running, too_many, done[CALLS];

static bool keep; /* threads keep their turns for a while */

static void *work(void *with) {
    bool turn = false;
    for (int k = 0; k < PIECES; k++) {
        turn = keep && k ? heddle__turn_go_on(turn) : heddle__turn_begin();
        if (!turn || atomic_fetch_add(&running, 1) >= MOST)
            atomic_fetch_add(&too_many, 1);
        nanosleep(&(struct timespec){0, 100000}, NULL);
        atomic_fetch_sub(&running, 1);
        if (!keep || k == PIECES - 1)
            heddle__turn_end(turn);
        atomic_fetch_add((atomic_int *)with, 1);
    }
    return NULL;
}

/* No more compute than one call would have threads, and all calls get on alike. */
static void in_turn(void **state) {
    pthread_t thread[CALLS][EACH];
    int seat[CALLS], least = EACH * PIECES;
    keep = *state;
    for (int c = 0; c < CALLS; c++)
        atomic_store(&done[c], 0);
    for (int c = 0; c < CALLS; c++)
        seat[c] = heddle__seat_take();
    for (int c = 0; c < CALLS; c++)
        for (int k = 0; k < EACH; k++)
            assert_int_equal(pthread_create(&thread[c][k], NULL, work, &done[c]), 0);
    while (atomic_load(&done[0]) < EACH * PIECES / 2)
        nanosleep(&(struct timespec){0, 100000}, NULL);
    for (int c = 0; c < CALLS; c++)
        least = atomic_load(&done[c]) < least ? atomic_load(&done[c]) : least;
    assert_true(least > EACH * PIECES / 8);
    for (int c = 0; c < CALLS; c++)
        for (int k = 0; k < EACH; k++)
            pthread_join(thread[c][k], NULL);
    assert_int_equal(atomic_load(&too_many), 0);
    for (int c = 0; c < CALLS; c++)
        heddle__seat_leave(seat[c]);
}

static atomic_int has_turn, had_turn;

static void *take_turn(void *with) {
    (void)with;
    const bool turn = heddle__turn_begin();
    atomic_store(&has_turn, 1);
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    atomic_store(&had_turn, 1);
    heddle__turn_end(turn);
    return NULL;
}

/* Who goes on gives its turn to who waits, and waits for another one itself. */
static void changes_hands(void **state) {
    pthread_t thread;
    bool turn[MOST];
    (void)state;
    const int seat = heddle__seat_take(), other = heddle__seat_take();
    for (int k = 0; k < MOST; k++)
        turn[k] = heddle__turn_begin();
    assert_true(heddle__turn_go_on(turn[0])); /* nobody waits */
    assert_int_equal(pthread_create(&thread, NULL, take_turn, NULL), 0);
    while (!atomic_load(&has_turn))
        assert_true(turn[0] = heddle__turn_go_on(turn[0]));
    assert_true(atomic_load(&had_turn));
    pthread_join(thread, NULL);
    for (int k = 0; k < MOST; k++)
        heddle__turn_end(turn[k]);
    heddle__seat_leave(other);
    heddle__seat_leave(seat);
    assert_false(heddle__turn_go_on(false)); /* a call that is alone */
}

static atomic_int waits, there;

static void *wait_for_other(void *with) {
    (void)with;
    const bool turn = heddle__turn_begin();
    atomic_fetch_add(&waits, 1);
    while (!atomic_load(&there))
        nanosleep(&(struct timespec){0, 100000}, NULL);
    heddle__turn_end(turn);
    return NULL;
}

/* Pieces that wait for one which has no turn yet do not wait for ever. */
static void goes_on(void **state) {
    pthread_t thread[MOST];
    (void)state;
    const int seat = heddle__seat_take(), other = heddle__seat_take();
    for (int k = 0; k < MOST; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, wait_for_other, NULL), 0);
    while (atomic_load(&waits) < MOST)
        nanosleep(&(struct timespec){0, 100000}, NULL);
    const bool turn = heddle__turn_begin();
    atomic_store(&there, 1);
    heddle__turn_end(turn);
    for (int k = 0; k < MOST; k++)
        pthread_join(thread[k], NULL);
    bool again[MOST]; /* what went on without a turn has given back none */
    for (int k = 0; k < MOST; k++)
        again[k] = heddle__turn_begin();
    for (int k = 0; k < MOST; k++)
        heddle__turn_end(again[k]);
    heddle__seat_leave(other);
    heddle__seat_leave(seat);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(seats),         cmocka_unit_test(alone),
                                       cmocka_unit_test(in_turn),       cmocka_unit_test_prestate(in_turn, &keep),
                                       cmocka_unit_test(changes_hands), cmocka_unit_test(goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
