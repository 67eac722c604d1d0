/* SPDX-License-Identifier: Apache-2.0 */
/* heddle/gpu.h: streams, events, copies and page-locking. Without a GPU its functions say so, and the test is skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <heddle.h>
#include <heddle/gpu.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 64 << 20 };

static void fill(unsigned char *at, size_t bytes, unsigned seed) {
    for (size_t k = 0; k < bytes; k++) {
        seed = seed * 1664525 + 1013904223;
        at[k] = (unsigned char)(seed >> 24);
    }
}

/* There and back by two streams, ordered by an event; `locked`: asynchronously. */
static void round_trip(unsigned char *there, unsigned char *back, void *memory) {
    void *in, *out, *event, *end;
    assert_int_equal(heddle_gpu_stream(&in), 0);
    assert_int_equal(heddle_gpu_stream(&out), 0);
    assert_int_equal(heddle_gpu_event(&event), 0);
    assert_int_equal(heddle_gpu_event(&end), 0);
    assert_int_equal(heddle_gpu_done(event), 1); /* nothing was recorded */
    assert_int_equal(heddle_gpu_copy_in(memory, there, BYTES, in), 0);
    assert_int_equal(heddle_gpu_record(event, in), 0);
    assert_int_equal(heddle_gpu_wait(out, event), 0);
    assert_int_equal(heddle_gpu_copy_out(back, memory, BYTES, out), 0);
    assert_int_equal(heddle_gpu_record(end, out), 0);
    int done;
    while (!(done = heddle_gpu_done(end)))
        ;
    assert_int_equal(done, 1);
    assert_int_equal(heddle_gpu_done(event), 1);
    assert_memory_equal(there, back, BYTES);
    assert_int_equal(heddle_gpu_synchronize(in), 0);
    heddle_gpu_event_free(event);
    heddle_gpu_event_free(end);
    heddle_gpu_stream_free(in);
    heddle_gpu_stream_free(out);
}

static void test_copies(void **state) {
    unsigned char *there = malloc(BYTES), *back = malloc(BYTES);
    void *memory = NULL;
    (void)state;
    assert_non_null(there);
    assert_non_null(back);
    assert_int_equal(heddle_gpu_enter(0), 0);
    assert_int_equal(heddle_gpu_enter(0), 0); /* they nest */
    const int before = heddle_gpu_wait_awake();
    heddle_gpu_wait_as(before);
    assert_int_equal(heddle_gpu_wait_awake(), before);
    heddle_gpu_wait_as(before);
    const size_t room = heddle_gpu_room();
    assert_int_equal(heddle_gpu_alloc(&memory, BYTES), 0);
    assert_true(heddle_gpu_room() < room);
    for (unsigned locked = 0; locked < 2; locked++) {
        fill(there, BYTES, locked + 1);
        memset(back, 0, BYTES);
        if (locked) {
            assert_int_equal(heddle_gpu_lock(there, BYTES), 0);
            assert_int_equal(heddle_gpu_lock(back, BYTES), 0);
            assert_int_equal(heddle_gpu_lock(back, BYTES), HEDDLE_ENOMEM); /* locked already */
        }
        round_trip(there, back, memory);
    }
    heddle_gpu_unlock(there);
    heddle_gpu_unlock(back);
    heddle_gpu_free(memory);
    heddle_gpu_free(NULL);
    assert_int_equal(heddle_gpu_alloc(&memory, (size_t)1 << 45), HEDDLE_ENOMEM);
    assert_null(memory);
    heddle_gpu_leave();
    heddle_gpu_leave();
    free(there);
    free(back);
}

/* From one GPU's memory to another's, where there are two with a link. */
static void test_across(void **state) {
    unsigned char *there = malloc(BYTES), *back = malloc(BYTES);
    void *from = NULL, *to = NULL, *stream;
    (void)state;
    assert_true(there && back);
    assert_int_equal(heddle_gpu_enter(0), 0);
    assert_int_equal(heddle_gpu_reach(1000), HEDDLE_ENODEV);
    assert_int_equal(heddle_gpu_reach(-1), HEDDLE_ENODEV);
    const bool linked = !heddle_gpu_reach(1);
    if (linked) {
        assert_int_equal(heddle_gpu_reach(1), 0); /* asked again */
        assert_int_equal(heddle_gpu_enter(1), 0);
        assert_int_equal(heddle_gpu_alloc(&from, BYTES), 0);
        fill(there, BYTES, 7);
        assert_int_equal(heddle_gpu_stream(&stream), 0);
        assert_int_equal(heddle_gpu_copy_in(from, there, BYTES, stream), 0);
        assert_int_equal(heddle_gpu_synchronize(stream), 0);
        heddle_gpu_stream_free(stream);
        heddle_gpu_leave();
        assert_int_equal(heddle_gpu_alloc(&to, BYTES), 0);
        assert_int_equal(heddle_gpu_stream(&stream), 0);
        assert_int_equal(heddle_gpu_copy_across(to, from, 1, BYTES, stream), 0);
        assert_int_equal(heddle_gpu_copy_out(back, to, BYTES, stream), 0);
        assert_int_equal(heddle_gpu_synchronize(stream), 0);
        assert_memory_equal(there, back, BYTES);
        heddle_gpu_stream_free(stream);
        heddle_gpu_free(to);
        assert_int_equal(heddle_gpu_enter(1), 0);
        heddle_gpu_free(from);
        heddle_gpu_leave();
    }
    heddle_gpu_leave();
    free(there);
    free(back);
    if (!linked)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies), cmocka_unit_test(test_across)};
    char memory[16];
    if (heddle_gpu_enter(1000) != HEDDLE_ENODEV || heddle_gpu_enter(-1) != HEDDLE_ENODEV)
        return 1;
    const int first = heddle_gpu_enter(0);
    if (first == HEDDLE_ENODEV) {
        heddle_gpu_unlock(memory); /* does nothing */
        if (heddle_gpu_wait_awake() >= 0)
            return 1;
        if (heddle_gpu_reach(0) != HEDDLE_ENODEV ||
            heddle_gpu_copy_across(memory, memory, 0, sizeof memory, NULL) != HEDDLE_ENODEV)
            return 1;
        if (heddle_gpu_lock(memory, sizeof memory) != HEDDLE_ENODEV)
            return 1;
        return puts("skipped: no NVIDIA GPU here"), 77;
    }
    heddle_gpu_leave();
    return first ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
