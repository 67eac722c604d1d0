/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in one range of a device's memory, in pieces of any size: what a GPU's copies go through. Compared byte by
 * byte. */
#include "transfer/segments.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { PARTS = 5, RANGE = 700, TURNS = 2000 };

static unsigned seed = 1;

static size_t below(size_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* Parts in their order, with gaps, some empty, some travelling by themselves. */
static void make_parts(struct heddle__segment *part, char *host) {
    size_t at = below(20);
    for (int k = 0; k < PARTS; k++) {
        part[k] = (struct heddle__segment){
            .host = host + 2 * at, .at = at, .bytes = below(8) ? below(100) : 0, .direct = !below(4)};
        at += part[k].bytes + (below(2) ? below(20) : 0);
    }
}

static void pieces(void **state) {
    static char host[2 * RANGE], copy[2 * RANGE], range[RANGE], expected[RANGE];
    (void)state;
    for (int turn = 0; turn < TURNS; turn++) {
        struct heddle__segment part[PARTS];
        make_parts(part, host);
        for (size_t i = 0; i < sizeof host; i++)
            host[i] = (char)(1 + below(100));
        memset(range, 0, sizeof range);
        memset(expected, 0, sizeof expected);
        for (int k = 0; k < PARTS; k++)
            for (size_t i = 0; i < part[k].bytes && !part[k].direct; i++)
                expected[part[k].at + i] = part[k].host[i];
        const size_t piece = 1 + below(150);
        for (size_t at = 0; at < RANGE; at += piece)
            heddle__segments_gather(part, PARTS, range + at, at, at + piece < RANGE ? piece : RANGE - at, true);
        assert_memory_equal(range, expected, RANGE);
        memcpy(copy, host, sizeof host);
        for (int k = 0; k < PARTS; k++)
            for (size_t i = 0; i < part[k].bytes && !part[k].direct; i++)
                part[k].host[i] = 0;
        for (size_t at = 0; at < RANGE; at += piece)
            heddle__segments_gather(part, PARTS, range + at, at, at + piece < RANGE ? piece : RANGE - at, false);
        assert_memory_equal(host, copy, sizeof host);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
