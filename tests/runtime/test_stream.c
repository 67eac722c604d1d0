/* SPDX-License-Identifier: Apache-2.0 */
/* Results larger than the caches, which CPU threads store past them: right to the last cell, and nothing beside them.
 */
#include <heddle.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* More than 32 MB; rows begin anywhere in a line, and stripes and lanes end in the middle of one. */
enum { N = 2911, M = 3001, WIDE = M + 5, OUTSIDE = -77 };

static void table(int n, int m, int (*S)[WIDE], const signed char (*W)[WIDE]) {
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = W[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}

static void distance(int n, int m, int (*D)[WIDE], const signed char *a, const signed char *b) {
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const int apart = D[i - 1][j - 1] + (a[i] != b[j]), above = D[i - 1][j] + 1, left = D[i][j - 1] + 1;
            const int edge = above < left ? above : left;
            D[i][j] = apart < edge ? apart : edge;
        }
}

struct work {
    int (*got)[WIDE], (*want)[WIDE];
    signed char (*values)[WIDE];
};

/* Borders of zeros; what is right of column M and below row N belongs to nobody. */
static void make(struct work *w) {
    w->got = malloc(sizeof(int[N + 2][WIDE]));
    w->want = malloc(sizeof(int[N + 2][WIDE]));
    w->values = malloc(sizeof(signed char[N + 2][WIDE]));
    assert_true(w->got && w->want && w->values);
    unsigned random = 12345;
    for (int i = 0; i < N + 2; i++)
        for (int j = 0; j < WIDE; j++) {
            random = random * 1664525u + 1013904223u;
            w->values[i][j] = (signed char)(random >> 30);
            w->got[i][j] = w->want[i][j] = i <= N && j <= M ? i * j == 0 ? 0 : -1 : OUTSIDE;
        }
}

static void compare(struct work *w) {
    for (int i = 0; i < N + 2; i++)
        assert_memory_equal(w->got[i], w->want[i], sizeof w->got[i]);
    free(w->got);
    free(w->want);
    free(w->values);
}

static void prefix_sums(void **state) {
    static const char *const threads[] = {"1", "2", "5"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct work w;
        struct heddle_report r;
        make(&w);
        heddle_option_set("threads", threads[k]);
        table(N, M, w.got, (const signed char(*)[WIDE])w.values);
        heddle_last_report(&r);
        assert_string_equal(r.schedule, "scan");
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= M; j++)
                w.want[i][j] = w.values[i][j] + w.want[i - 1][j] + w.want[i][j - 1] - w.want[i - 1][j - 1];
        compare(&w);
    }
    heddle_option_set("threads", NULL);
}

static void kept_cells(void **state) {
    struct work w;
    (void)state;
    make(&w);
    heddle_option_set("threads", "2");
    heddle_option_set("cpu-form", "lanes");
    distance(N, M, w.got, w.values[0], w.values[1]);
    heddle_option_set("cpu-form", NULL);
    heddle_option_set("threads", NULL);
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++) {
            const int apart = w.want[i - 1][j - 1] + (w.values[0][i] != w.values[1][j]);
            const int above = w.want[i - 1][j] + 1, left = w.want[i][j - 1] + 1, edge = above < left ? above : left;
            w.want[i][j] = apart < edge ? apart : edge;
        }
    compare(&w);
}

int main(void) {
    heddle_option_set("device", "host");
    const struct CMUnitTest tests[] = {cmocka_unit_test(prefix_sums), cmocka_unit_test(kept_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
