/* SPDX-License-Identifier: Apache-2.0 */
/* The search for overlapping sections against all pairs, on sections at random. */
#include "core/internal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

void heddle__warn(const struct heddle_site *site, const char *format, ...) { (void)site, (void)format; }
bool heddle__said(const struct heddle_site *site, unsigned what) { return (void)site, (void)what, false; }

enum { MOST = 40, TURNS = 40000 };

static bool share(const struct heddle_map *a, const struct heddle_map *b) {
    const char *low = (const char *)a->base + a->first, *high = (const char *)b->base + b->first;
    return ((a->kind | b->kind) & HEDDLE_MAP_W) && a->bytes && b->bytes && low < high + b->bytes &&
           high < low + a->bytes;
}

static bool any_pair(const struct heddle_map *maps, int n) {
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (share(&maps[a], &maps[b]))
                return true;
    return false;
}

static void as_all_pairs(void **state) {
    static char memory[100000];
    int found = 0;
    (void)state;
    srandom(5);
    for (int turn = 0; turn < TURNS; turn++) {
        struct heddle_map maps[MOST];
        const int n = (int)(random() % (turn % 2 ? 5 : MOST)), reach = turn % 3 ? 300 : 60000;
        for (int k = 0; k < n; k++)
            maps[k] =
                (struct heddle_map){.kind = random() % 4 ? HEDDLE_MAP_TO : HEDDLE_MAP_TOFROM | HEDDLE_MAP_W,
                                    .base = memory + 100 + random() % 40000,
                                    .first = random() % 200 - 100,
                                    .bytes = (size_t)(random() % 5 ? random() % (65000 / reach) : random() % reach)};
        int a = -1, b = -1;
        const bool overlap = heddle__maps_overlap(maps, n, &a, &b);
        assert_int_equal(overlap, any_pair(maps, n));
        if (overlap)
            assert_true(a >= 0 && a < b && b < n && share(&maps[a], &maps[b]));
        found += overlap;
    }
    assert_true(found > TURNS / 20 && found < TURNS - TURNS / 20); /* both are met often */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
