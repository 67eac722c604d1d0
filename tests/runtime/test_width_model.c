/* SPDX-License-Identifier: Apache-2.0 */
/* The tile-width model against PeerWave's printed equations, and the hybrid layout's index transformation. */
#include "core/internal.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static unsigned next_random(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static double between(unsigned *seed, double low, double high) {
    return low + (high - low) * (next_random(seed) % 10007) / 10007;
}

/* Equations 1 to 3 as the paper prints them: right where each worker has rows enough and is blocked by itself. */
static double printed_time(const struct heddle__width *m, double w) {
    const double tile = w * m->d, both = tile + m->tau;
    const double blocked = (m->columns + m->h) / w * both - m->workers * both;
    return m->rows / m->h * (m->h / w + 1) * both + blocked * (m->rows / (m->h * m->workers) - 1) +
           (m->columns / w - 1) * both;
}

/* Equation 4. */
static double printed_width(const struct heddle__width *m) {
    const double h = m->h, p = m->workers, n = m->rows, c = m->columns;
    return sqrt(m->tau * (n * c + n * h + n * h * p - h * h * p) / (m->d * h * p * (p - 1)));
}

static void equations(void **state) {
    unsigned seed = 7;
    int compared = 0;
    (void)state;
    for (int k = 0; k < 300; k++) {
        struct heddle__width m = {.h = 32 * (1 + next_random(&seed) % 32), .workers = 2 + next_random(&seed) % 30};
        m.rows = m.h * m.workers * (1 + next_random(&seed) % 5);
        m.columns = between(&seed, 1000, 60000);
        m.d = between(&seed, 10e-9, 2e-6);
        m.tau = between(&seed, 10e-9, 3e-6);
        for (double w = 2; w <= 1024; w *= 2)
            if ((m.columns + m.h) / w >= m.workers && m.columns >= w)
                assert_true(fabs(heddle__width_time(&m, w) / printed_time(&m, w) - 1) < 1e-9);
        const double best = printed_width(&m);
        if (best < 3 || best > 1000 || (m.columns + m.h) / (best * 1.5) < m.workers || m.columns < 2 * best)
            continue;
        compared++;
        /* the nearest whole widths are as good as it gets */
        const double chosen = heddle__width_time(&m, (double)heddle__width_best(&m, 2, 1024));
        assert_true(chosen <= printed_time(&m, floor(best)) * (1 + 1e-9));
        assert_true(chosen <= printed_time(&m, ceil(best)) * (1 + 1e-9));
        assert_true(chosen >= printed_time(&m, best) * 0.97);
    }
    assert_true(compared > 20);
}

static void edges(void **state) {
    struct heddle__width m = {.rows = 10, .columns = 5, .h = 64, .workers = 132, .d = 1e-7, .tau = 1e-6};
    (void)state;
    for (long w = 2; w <= 1024; w *= 2)
        assert_true(heddle__width_time(&m, (double)w) > 0);
    m = (struct heddle__width){.rows = 1e5, .columns = 1e5, .h = 256, .workers = 132, .d = 1e-7, .tau = 0};
    assert_int_equal(heddle__width_best(&m, 2, 1024), 2); /* synchronising costs nothing: as often as possible */
    m.tau = 1;
    assert_true(heddle__width_best(&m, 2, 1024) > 500);
}

/* d and tau come back out of times that the model itself made, also with some noise. */
static void fit(void **state) {
    unsigned seed = 11;
    (void)state;
    for (int k = 0; k < 100; k++) {
        struct heddle__width m = {
            .h = 256, .workers = 132, .d = between(&seed, 30e-9, 1e-6), .tau = between(&seed, 1e-7, 3e-6)};
        const double d = m.d, tau = m.tau, noise = k % 2 ? 0.01 : 0;
        struct heddle__width_run runs[6];
        for (int q = 0; q < 6; q++) {
            runs[q] = (struct heddle__width_run){3500, 3500, 8 << (2 * (q % 3)), 0};
            m.rows = m.columns = 3500;
            runs[q].seconds = heddle__width_time(&m, runs[q].w) * (1 + noise * between(&seed, -1, 1));
        }
        m.d = m.tau = 0;
        assert_true(heddle__width_fit(&m, runs, 6));
        assert_true(fabs(m.d / d - 1) < 1e-6 + 10 * noise);
        assert_true(fabs(m.tau - tau) < 1e-6 * tau + 200 * noise * d + 10 * noise * tau);
    }
    struct heddle__width m = {.h = 256, .workers = 4};
    const struct heddle__width_run falling[2] = {{3500, 3500, 8, 1}, {3500, 3500, 128, 1e-9}};
    assert_false(heddle__width_fit(&m, falling, 2)); /* wider tiles in no time */
    assert_false(heddle__width_fit(&m, falling, 1));
}

/* Every cell has a place of its own and comes back from it; what is left over is said to be no cell. */
static void round_trip(void **state) {
    static const long sizes[][3] = {{1, 1, 1},   {1, 1, 32},  {7, 11, 4},    {11, 7, 11}, {64, 64, 32},
                                    {97, 1, 32}, {1, 97, 32}, {130, 61, 64}, {5, 3, 8}};
    (void)state;
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++) {
        const struct heddle_hybrid at = {.rows = sizes[z][0], .columns = sizes[z][1], .h = sizes[z][2]};
        const size_t count = heddle_hybrid_count(&at);
        char *taken = calloc(count, 1);
        size_t cells = 0;
        long a, b;
        for (long i = 0; i < at.rows; i++)
            for (long j = 0; j < at.columns; j++) {
                const size_t index = heddle_hybrid_index(&at, i, j);
                assert_true(index < count && !taken[index]);
                taken[index] = 1;
                assert_int_equal(heddle_hybrid_cell(&at, index, &a, &b), 0);
                assert_true(a == i && b == j);
                /* the cells of one diagonal are neighbours */
                if (j && i + 1 < at.rows && (i + 1) % at.h)
                    assert_true(heddle_hybrid_index(&at, i + 1, j - 1) == index + 1);
            }
        for (size_t k = 0; k < count; k++)
            cells += heddle_hybrid_cell(&at, k, &a, &b) == 0;
        assert_true(cells == (size_t)(at.rows * at.columns));
        free(taken);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equations), cmocka_unit_test(edges), cmocka_unit_test(fit),
                                       cmocka_unit_test(round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
