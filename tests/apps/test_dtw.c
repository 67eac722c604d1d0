/* SPDX-License-Identifier: Apache-2.0 */
/* Distances against known values and full matrices, in both precisions; the reader. */
#include "check.h"

#include "app.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 60, SERIES = 9 };

static double reference(const double *a, int n, const double *b, int m, bool squared, long band) {
    static double D[LONGEST + 1][LONGEST + 1];
    long skew = labs((long)n - m), width = band < 0 ? LONGEST : band > skew ? band : skew;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            D[i][j] = i || j ? INFINITY : 0;
            if (!i || !j || labs((long)i - j) > width)
                continue;
            double d = a[i - 1] - b[j - 1];
            D[i][j] = (squared ? d * d : fabs(d)) + fmin(D[i - 1][j - 1], fmin(D[i - 1][j], D[i][j - 1]));
        }
    return D[n][m];
}

/* Two rows are enough for a band in a large matrix. */
static double reference_rows(const double *a, int n, const double *b, int m, long band) {
    long skew = labs((long)n - m), width = band > skew ? band : skew;
    double *row = app_alloc((size_t)m + 1, sizeof *row);
    for (int j = 1; j <= m; j++)
        row[j] = INFINITY;
    for (int i = 1; i <= n; i++) {
        double corner = row[0];
        row[0] = INFINITY;
        for (int j = 1; j <= m; j++) {
            double d = a[i - 1] - b[j - 1], up = row[j];
            row[j] = labs((long)i - j) > width ? INFINITY : d * d + fmin(corner, fmin(up, row[j - 1]));
            corner = up;
        }
    }
    double result = row[m];
    free(row);
    return result;
}

static void add_series(struct series_set *set, const double *samples, int count) {
    for (int k = 0; k < count; k++)
        series_add_sample(set, samples[k]);
    series_end(set);
}

static double one(const double *a, int n, const double *b, int m, bool squared, long band) {
    struct series_set set = {0};
    struct dtw_engine engine = {.squared = squared, .band = band, .repeat = 1};
    double sum;
    add_series(&set, a, n);
    add_series(&set, b, m);
    dtw_engine_start(&engine, &set);
    dtw_warp(&engine, 1, &(int){0}, &(int){1}, &sum);
    dtw_engine_stop(&engine);
    series_free(&set);
    return sum;
}

static void known_values(void **state) {
    (void)state;
    const double a[] = {0, 0, 1, 2, 1, 0, 1, 0, 0}, b[] = {0, 1, 2, 0, 0, 0, 0, 0, 0};
    assert_true(one(a, 9, b, 9, true, -1) == 2);
    assert_true(one(a, 9, b, 9, false, -1) == 2);
    assert_true(one(a, 1, b, 1, true, -1) == 0);
    assert_true(one(b, 9, a, 9, true, 0) == reference(b, 9, a, 9, true, 0));
}

static void add_random(struct series_set *set, struct app_random *numbers, int length) {
    for (; length; length--)
        series_add_sample(set, app_unit(numbers) * 10 - 5);
    series_end(set);
}

/* All ordered pairs of a set, a series with itself, too, against the full matrix. */
static void compare_all(const struct series_set *set, struct dtw_engine *engine) {
    const int pairs = set->count * set->count;
    int *x = app_alloc((size_t)pairs, sizeof *x), *y = app_alloc((size_t)pairs, sizeof *y);
    double *sums = app_alloc((size_t)pairs, sizeof *sums), cells = 0;
    const double most = engine->single ? 2e-5 : 1e-12;
    for (int k = 0; k < pairs; k++) {
        x[k] = k / set->count;
        y[k] = k % set->count;
        cells += dtw_cells(set, x[k], y[k]);
    }
    dtw_engine_start(engine, set);
    dtw_warp(engine, pairs, x, y, sums);
    dtw_engine_stop(engine);
    assert_false(engine->differs);
    assert_true(engine->cells == cells);
    for (int k = 0; k < pairs; k++) {
        const struct series *row = &set->at[x[k]], *col = &set->at[y[k]];
        const double expected = reference(set->samples + row->start, row->length, set->samples + col->start,
                                          col->length, engine->squared, engine->band);
        assert_true(fabs(sums[k] - expected) <= most * expected);
    }
    free(x);
    free(y);
    free(sums);
}

static void random_pairs(void **state) {
    (void)state;
    struct app_random numbers;
    app_seed(&numbers, 11);
    for (int round = 0; round < 60; round++) {
        struct series_set set = {0};
        struct dtw_engine engine = {.squared = round & 1,
                                    .single = round & 2,
                                    .band = round % 3 ? (long)app_below(&numbers, 12) : -1,
                                    .repeat = 2,
                                    .check = true};
        for (int k = 0; k < SERIES; k++)
            add_random(&set, &numbers, round % 5 ? 1 + (int)app_below(&numbers, LONGEST) : 1);
        compare_all(&set, &engine);
        series_free(&set);
    }
}

/* Series that are too long for the stack go alone, or make the rows. */
static void long_and_short(void **state) {
    (void)state;
    enum { LONG = 70000 };
    struct app_random numbers;
    app_seed(&numbers, 13);
    struct series_set set = {0};
    struct dtw_engine engine = {.squared = true, .band = -1, .repeat = 1, .check = true};
    add_random(&set, &numbers, 3);
    add_random(&set, &numbers, LONG);
    add_random(&set, &numbers, 40);
    const int x[] = {0, 1, 2, 1}, y[] = {1, 0, 1, 2};
    double sums[4];
    dtw_engine_start(&engine, &set);
    dtw_warp(&engine, 4, x, y, sums);
    dtw_engine_stop(&engine);
    assert_false(engine.differs);
    assert_true(sums[0] == sums[1] && sums[2] == sums[3]);
    for (int k = 0; k < 4; k += 2) {
        const struct series *row = &set.at[x[k]];
        const double expected =
            reference_rows(set.samples + row->start, row->length, set.samples + set.at[1].start, LONG, LONG);
        assert_true(fabs(sums[k] - expected) <= 1e-9 * expected);
    }
    series_free(&set);
}

/* Long series with a narrow band go block by block. */
static void narrow_bands(void **state) {
    (void)state;
    static const int shapes[][3] = {{3000, 3000, 0},   {3000, 3000, 1}, {3000, 2990, 5},   {2600, 2700, 40},
                                    {5000, 5000, 600}, {1025, 4000, 7}, {3001, 2999, 511}, {2048, 2048, 3}};
    struct app_random numbers;
    app_seed(&numbers, 12);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const int n = shapes[k][0], m = shapes[k][1];
        struct series_set set = {0};
        double walk = 0, sum;
        for (int i = 0; i < n + m; i++) {
            series_add_sample(&set, walk += app_unit(&numbers) - 0.5);
            if (i == n - 1)
                series_end(&set);
        }
        series_end(&set);
        struct dtw_engine engine = {.squared = true, .single = k & 1, .band = shapes[k][2], .repeat = 1, .check = true};
        dtw_engine_start(&engine, &set);
        dtw_warp(&engine, 1, &(int){0}, &(int){1}, &sum);
        dtw_engine_stop(&engine);
        double expected = reference_rows(set.samples, n, set.samples + n, m, shapes[k][2]);
        assert_false(engine.differs);
        assert_true(fabs(sum - expected) <= (engine.single ? 1e-4 : 1e-12) * expected);
        if (k < 3)
            assert_true(engine.cells < 0.6 * n * m);
        series_free(&set);
    }
}

static bool read_text(const char *text, struct series_set *set, char *message) {
    char path[] = "heddle-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_true(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    bool good = series_read(set, path, message, 300);
    unlink(path);
    return good;
}

static void reader(void **state) {
    (void)state;
    char message[300];
    struct series_set set = {0};
    assert_true(read_text("# head\n1,2,3\n\n 4\t5 6e-1;7\r\n8,\n-9", &set, message));
    assert_int_equal(set.count, 4);
    assert_int_equal(set.at[1].length, 4);
    assert_true(set.samples[set.at[1].start + 2] == 0.6);
    assert_true(set.samples[set.at[3].start] == -9);
    series_free(&set);
    set.most = SERIES_MOST_SINGLE;
    assert_false(read_text("1e13 -1e13\n1.1e13\n", &set, message));
    assert_string_equal(strchr(message, ':'), ":2: sample 1 is out of range (at most 1e+13): 1.1e13");
    series_free(&set);
}

static void reader_errors(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"", ": no series in this file"},
                                           {"\n#x\n", ":2: no series in this file"},
                                           {"1 2\n3 nan\n", ":2: sample 2 is not a finite number: nan"},
                                           {"1e999\n", ":1: sample 1 is not a finite number: 1e999"},
                                           {"1 -inf\n", ":1: sample 2 is not a finite number: -inf"},
                                           {"1,,2\n", ":1: sample 2 is empty"},
                                           {",1\n", ":1: sample 1 is empty"},
                                           {"1 2x 3\n", ":1: sample 2 is not a number: 2x"}};
    char message[300];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct series_set set = {0};
        assert_false(read_text(cases[k][0], &set, message));
        assert_string_equal(strchr(message, ':'), cases[k][1]);
        series_free(&set);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values),   cmocka_unit_test(random_pairs),
                                       cmocka_unit_test(long_and_short), cmocka_unit_test(narrow_bands),
                                       cmocka_unit_test(reader),         cmocka_unit_test(reader_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
