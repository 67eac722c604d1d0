/* SPDX-License-Identifier: Apache-2.0 */
/* heat2d, sor, sat and inthist by their parts: closed forms, brute force, the stop rules. The nests
 * are the serial ones; the scripts run the others. */
#include "check.h"

#include "../../apps/heat2d/nest.h"
#include "../../apps/heat2d/plate.h"
#include "../../apps/inthist/nest.h"
#include "../../apps/sat/nest.h"
#include "../../apps/sor/nest.h"
#include "../../apps/sor/problem.h"
#include "app.h"
#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A plate with one edge at 100 has 25 in its centre: four of them, turned, add up to 100
 * everywhere. */
static void centre_of_a_plate(void **state) {
    (void)state;
    for (int edge = 0; edge < 4; edge++) {
        struct plate plate = {.uniform = true};
        struct field field;
        struct sweeps sweeps = {.most = 100000, .every = 7, .tolerance = 1e-12, .device = -2};
        *(edge == 0 ? &plate.top : edge == 1 ? &plate.bottom : edge == 2 ? &plate.left : &plate.right) = 100;
        assert_true(field_alloc(&field, 15, 15, true));
        plate_fill(&plate, &field);
        heat_solve_double_serial(&field, &sweeps);
        assert_true(sweeps.done < 10000 && sweeps.done % 7 == 0 && sweeps.change <= 1e-12);
        assert_true(fabs(field_get(&field, 8, 8) - 25) < 1e-9);
        field_free(&field);
    }
}

static void heat_by_hand(void **state) {
    (void)state;
    struct plate plate = {.top = 8, .left = 4, .uniform = true, .start = 16};
    struct field field;
    struct sweeps sweeps = {.most = 1, .every = 1, .device = -2};
    assert_true(field_alloc(&field, 2, 2, false));
    plate_fill(&plate, &field);
    heat_solve_float_serial(&field, &sweeps);
    assert_true(field_get(&field, 1, 1) == (8 + 4 + 16 + 16) / 4.0);     /* 11 */
    assert_true(field_get(&field, 1, 2) == (8 + 11 + 16 + 0) / 4.0);     /* 8.75 */
    assert_true(field_get(&field, 2, 1) == (11 + 4 + 0 + 16) / 4.0);     /* 7.75 */
    assert_true(field_get(&field, 2, 2) == (8.75 + 7.75 + 0 + 0) / 4.0); /* 4.125 */
    assert_true(sweeps.change == 16 - 4.125 && sweeps.done == 1);
    assert_true(field_get(&field, 0, 1) == 8 && field_get(&field, 1, 0) == 4);
    field_free(&field);
}

static void stop_rules(void **state) {
    (void)state;
    static const long batches[] = {4, 4, 2};
    struct sweeps s = {.most = 10, .every = 4, .tolerance = 1};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(sweeps_batch(&s), batches[k]);
        assert_int_equal(sweeps_go_on(&s, batches[k], 2), k < 2);
    }
    assert_int_equal(s.done, 10);
    s = (struct sweeps){.most = 10, .every = 40, .tolerance = 1};
    assert_int_equal(sweeps_batch(&s), 10);
    s = (struct sweeps){.most = 10, .every = 1, .tolerance = 1};
    assert_int_equal(sweeps_batch(&s), 1);
    assert_true(sweeps_go_on(&s, 1, 1.5));
    assert_false(sweeps_go_on(&s, 1, 1));
    assert_true(s.done == 2 && s.change == 1);
}

/* Gauss-Seidel (omega 1) and others reach the known solutions to rounding, at the predicted speed.
 */
static void known_solutions(void **state) {
    (void)state;
    static const int shapes[][2] = {{31, 31}, {20, 50}, {1, 1}, {1, 9}, {13, 1}};
    for (size_t k = 0; k < 2 * sizeof shapes / sizeof *shapes; k++)
        for (int best = 0; best < 2; best++) {
            const int n = shapes[k / 2][0], m = shapes[k / 2][1];
            const enum sor_problem problem = k % 2 ? SOR_SINE : SOR_HARMONIC;
            struct sor_work work = {.omega = best ? sor_best_omega(n, m) : 1,
                                    .sweeps = {.most = 100000, .every = 1, .tolerance = 1e-14, .device = -2}};
            assert_true(field_alloc(&work.u, n, m, true));
            if (problem == SOR_SINE)
                assert_true(field_alloc(&work.f, n, m, true));
            sor_problem_fill(problem, 5, true, &work.u, &work.f);
            sor_solve_double_serial(&work);
            assert_true(sor_problem_error(problem, &work.u) < 1e-11);
            assert_true(sor_residual(&work) < 1e-12);
            if (best && n == 31) /* about 32 digits * 2.3 / (2 pi / 32); Gauss-Seidel takes 16 times
                                    as many */
                assert_true(work.sweeps.done < 250);
            field_free(&work.u);
            field_free(&work.f);
        }
    assert_true(fabs(sor_best_omega(31, 31) - 2 / (1 + sin(3.14159265358979323846 / 32))) < 1e-12);
    assert_true(sor_best_omega(1, 1) == 1);
}

/* With omega 1 and no right-hand side sor is heat2d; powers of two make that exact. */
static void sor_is_heat(void **state) {
    (void)state;
    struct plate plate = {.top = 1, .right = 3, .seed = 4};
    struct field field;
    struct sor_work work = {.omega = 1, .sweeps = {.most = 5, .every = 5, .device = -2}};
    struct sweeps sweeps = work.sweeps;
    assert_true(field_alloc(&field, 37, 23, false) && field_alloc(&work.u, 37, 23, false));
    plate_fill(&plate, &field);
    field_copy(&work.u, &field);
    heat_solve_float_serial(&field, &sweeps);
    sor_solve_float_serial(&work);
    assert_true(field_difference(&field, &work.u) == 0);
    assert_true(sweeps.change == work.sweeps.change);
    field_set(&field, 37, 23, 1e30);
    assert_true(field_difference(&field, &work.u) > 1e29);
    field_set(&field, 37, 23, NAN);
    assert_true(field_difference(&field, &work.u) == HUGE_VAL);
    field_free(&field);
    field_free(&work.u);
}

/* The bound of the README: 4 n m u max |S|. */
static void sums_against_brute_force(void **state) {
    (void)state;
    enum { N = 23, M = 31 };
    static int32_t w32[N][M], s32[N + 1][M + 1];
    static int64_t w64[N][M], s64[N + 1][M + 1];
    static float wf[N][M], sf[N + 1][M + 1];
    static double wd[N][M], sd[N + 1][M + 1];
    struct app_random random;
    app_seed(&random, 8);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            w32[i][j] = (int32_t)app_below(&random, 2000001) - 1000000;
            w64[i][j] = (int64_t)w32[i][j] * ((int64_t)1 << 32);
            wf[i][j] = (float)(wd[i][j] = app_unit(&random));
        }
    sat_int32_serial(N, M, w32, s32);
    sat_int64_serial(N, M, w64, s64);
    sat_float_serial(N, M, wf, sf);
    sat_double_serial(N, M, wd, sd);
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++) {
            int64_t whole = 0;
            double f = 0, d = 0;
            for (int y = 0; y < i; y++)
                for (int x = 0; x < j; x++)
                    whole += w32[y][x], f += (double)wf[y][x], d += wd[y][x];
            assert_true(s32[i][j] == whole && s64[i][j] == whole * ((int64_t)1 << 32));
            assert_true(fabs((double)sf[i][j] - f) <= 4.0 * N * M * 0x1p-24 * (N * M));
            assert_true(fabs(sd[i][j] - d) <= 4.0 * N * M * 0x1p-53 * (N * M));
        }
}

static void counts_against_brute_force(void **state) {
    (void)state;
    enum { N = 17, M = 19, BINS = 5 };
    static unsigned char codes[N][M];
    static int counts[BINS][N + 1][M + 1], part[2][N + 1][M + 1];
    struct app_random random;
    app_seed(&random, 9);
    for (int k = 0; k < N * M; k++)
        codes[k / M][k % M] = (unsigned char)app_below(&random, BINS);
    inthist_count_serial(N, M, 0, BINS, codes[0], counts[0][0], -2);
    inthist_count_serial(N, M, 2, 4, codes[0], part[0][0], -2);
    assert_memory_equal(part, counts[2], sizeof part);
    for (int b = 0; b < BINS; b++)
        for (int i = 0; i <= N; i++)
            for (int j = 0; j <= M; j++) {
                int count = 0;
                for (int y = 0; y < i; y++)
                    for (int x = 0; x < j; x++)
                        count += codes[y][x] == b;
                assert_int_equal(counts[b][i][j], count);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(centre_of_a_plate),
                                       cmocka_unit_test(heat_by_hand),
                                       cmocka_unit_test(stop_rules),
                                       cmocka_unit_test(known_solutions),
                                       cmocka_unit_test(sor_is_heat),
                                       cmocka_unit_test(sums_against_brute_force),
                                       cmocka_unit_test(counts_against_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
