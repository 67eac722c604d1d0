/* SPDX-License-Identifier: Apache-2.0 */
/* gemm's parts: order and storage of tiles, products, the cache, .npy headers, and whether the check finds what is
 * wrong. */
#include "check.h"

#include "app.h"
#include "blas.h"
#include "cache.h"
#include "nest.h"
#include "npy.h"
#include "tile.h"
#include "verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the loop calls it where there are devices; here is none */
void gemm_device(struct gemm *g, long first, long count);
void gemm_device(struct gemm *g, long first, long count) {
    (void)g, (void)first, (void)count;
    fail();
}

static struct gemm make(long m, long n, long k, long tile, bool is_double, bool whole) {
    struct gemm g = {.m = m, .n = n, .k = k, .tile = tile, .is_double = is_double, .alpha = 1};
    assert_true(gemm_plan(&g) && gemm_alloc(&g));
    gemm_fill(&g, GEMM_A, 1, whole);
    gemm_fill(&g, GEMM_B, 1, whole);
    gemm_fill(&g, GEMM_C, 1, whole);
    return g;
}

static void test_order(void **state) {
    (void)state;
    const long sizes[][2] = {{1, 1}, {1, 9}, {7, 1}, {8, 8}, {5, 13}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct gemm g = {.m = sizes[s][0] * 10, .n = sizes[s][1] * 10 - 3, .k = 1, .tile = 10};
        char seen[128] = {0};
        assert_true(gemm_plan(&g));
        assert_int_equal(g.tiles, sizes[s][0] * sizes[s][1]);
        for (long t = 0; t < g.tiles; t++)
            seen[g.row_of[t] * g.tile_cols + g.col_of[t]]++;
        for (long t = 0; t < g.tiles; t++)
            assert_int_equal(seen[t], 1);
        gemm_free(&g);
    }
    /* a quarter of a square is a square: 4 panels of each, not 2 and 8 */
    struct gemm g = {.m = 80, .n = 80, .k = 1, .tile = 10};
    assert_true(gemm_plan(&g));
    for (long t = 0; t < 16; t++)
        assert_true(g.row_of[t] < 4 && g.col_of[t] < 4);
    gemm_free(&g);
}

/* Every element has a place of its own inside the matrix. */
static void test_storage(void **state) {
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        struct gemm g = make(23, 31, 17, 7, is_double, false);
        double next = 1;
        for (long i = 0; i < g.m; i++)
            for (long p = 0; p < g.k; p++)
                gemm_set_a(&g, i, p, next++);
        for (long p = 0; p < g.k; p++)
            for (long j = 0; j < g.n; j++)
                gemm_set_b(&g, p, j, next++);
        for (long i = 0; i < g.m; i++)
            for (long j = 0; j < g.n; j++)
                gemm_set_c(&g, i, j, next++);
        next = 1;
        for (long i = 0; i < g.m; i++)
            for (long p = 0; p < g.k; p++)
                assert_true(gemm_get_a(&g, i, p) == next++);
        for (long p = 0; p < g.k; p++)
            for (long j = 0; j < g.n; j++)
                assert_true(gemm_get_b(&g, p, j) == next++);
        for (long i = 0; i < g.m; i++)
            for (long j = 0; j < g.n; j++)
                assert_true(gemm_get_c(g.c, &g, i, j) == next++);
        assert_int_equal(gemm_operand_bytes(&g, g.m), (3 * 8 + 4) * 17 * gemm_element(&g)); /* sides 7, 7, 7, 2 */
        assert_int_equal(gemm_c_bytes(&g), 23 * (4 * 8 + 4) * gemm_element(&g));            /* 7, 7, 7, 7, 3 */
        gemm_free(&g);
    }
}

/* Values depend on their place alone, not on the tiles; reals lie in [-1, 1), whole numbers in [-4, 4]. */
static void test_fill(void **state) {
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        struct gemm g = make(40, 30, 20, 7, false, whole), h = make(40, 30, 20, 64, false, whole);
        double least = 9, most = -9;
        for (long i = 0; i < g.m; i++)
            for (long p = 0; p < g.k; p++) {
                const double v = gemm_get_a(&g, i, p);
                assert_true(v == gemm_get_a(&h, i, p));
                least = fmin(least, v);
                most = fmax(most, v);
            }
        for (long j = 0; j < g.n; j++) {
            assert_true(gemm_get_b(&g, 3, j) == gemm_get_b(&h, 3, j));
            assert_true(gemm_get_c(g.c, &g, 3, j) == gemm_get_c(h.c, &h, 3, j));
        }
        assert_true(whole ? least == -4 && most == 4 : least >= -1 && least < -0.9 && most < 1 && most > 0.9);
        gemm_free(&g);
        gemm_free(&h);
    }
}

/* The serial program, and the library tile by tile, against three loops; whole numbers are exact. */
static void test_product(void **state) {
    (void)state;
    const long sizes[][4] = {{1, 1, 1, 4},      {5, 6, 7, 4}, {64, 80, 300, 64},
                             {33, 65, 257, 20}, {9, 9, 0, 4}, {70, 3, 513, 32}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int how = 0; how < 8; how++) {
            struct gemm g = make(sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3], how & 1, true);
            g.alpha = how & 2 ? -2 : 1;
            g.beta = how & 2 ? 3 : 0;
            double *right = app_alloc((size_t)(g.m * g.n), sizeof *right);
            for (long i = 0; i < g.m; i++)
                for (long j = 0; j < g.n; j++) {
                    double sum = 0;
                    for (long p = 0; p < g.k; p++)
                        sum += gemm_get_a(&g, i, p) * gemm_get_b(&g, p, j);
                    right[i * g.n + j] = g.alpha * sum + (g.beta == 0 ? 0 : g.beta * gemm_get_c(g.c, &g, i, j));
                }
            for (long t = 0; t < g.tiles && how & 4; t++)
                gemm_host(&g, t);
            if (!(how & 4))
                gemm_serial(&g);
            for (long i = 0; i < g.m; i++)
                for (long j = 0; j < g.n; j++)
                    assert_true(gemm_get_c(g.c, &g, i, j) == right[i * g.n + j]);
            free(right);
            gemm_free(&g);
        }
}

static void test_cache(void **state) {
    (void)state;
    struct cache cache;
    char memory[3 * 64];
    assert_true(cache_open(&cache, 3, memory, 64));
    struct segment *a = cache_bind(&cache, GEMM_A, 0, 0, 5), *b = cache_bind(&cache, GEMM_B, 0, 0, 5),
                   *c = cache_bind(&cache, GEMM_A, 0, 1, 5);
    assert_true(a && b && c && a != b && b != c && a != c);
    assert_true(a->at != b->at && b->at != c->at);
    assert_ptr_equal(cache_bind(&cache, GEMM_A, 0, 0, 5), a); /* there: one more user */
    assert_null(cache_bind(&cache, GEMM_A, 1, 0, 5));         /* all in use */
    cache_unbind(&cache, a);
    assert_null(cache_bind(&cache, GEMM_A, 1, 0, 5)); /* still one user */
    a->issued = 5;
    cache_unbind(&cache, a);
    assert_null(cache_bind(&cache, GEMM_A, 1, 0, 5)); /* being loaded */
    a->loaded = 5;
    cache_unbind(&cache, b);
    assert_ptr_equal(cache_bind(&cache, GEMM_A, 0, 0, 5), a); /* found again, with what is there */
    assert_int_equal(a->loaded, 5);
    cache_unbind(&cache, a);
    assert_ptr_equal(cache_bind(&cache, GEMM_B, 7, 2, 4), b); /* the least recently used one goes */
    assert_int_equal(b->loaded, 0);
    assert_int_equal(b->length, 4);
    assert_int_equal(cache.misses, 4);
    assert_int_equal(cache.hits, 2);
    assert_null(cache_lend(&cache, GEMM_B, 7, 2, 3)); /* not there yet */
    assert_false(cache_coming(&cache, GEMM_B, 7, 2, 3));
    cache_issued(&cache, b, 3);
    assert_true(cache_coming(&cache, GEMM_B, 7, 2, 3));
    assert_false(cache_coming(&cache, GEMM_B, 7, 2, 4));
    cache_loaded(&cache, b, 3);
    assert_false(cache_coming(&cache, GEMM_B, 7, 2, 3));
    assert_null(cache_lend(&cache, GEMM_B, 7, 2, 4));
    assert_null(cache_lend(&cache, GEMM_A, 7, 2, 3));
    assert_ptr_equal(cache_lend(&cache, GEMM_B, 7, 2, 3), b);
    cache_unbind(&cache, b);
    cache_unbind(&cache, c);
    c->loaded = c->issued = 5;
    assert_ptr_equal(cache_lend(&cache, GEMM_A, 0, 1, 5), c);
    assert_ptr_equal(cache_bind(&cache, GEMM_A, 4, 0, 5), a); /* c is older, but lent; b has a user */
    cache_unbind(&cache, c);
    cache_stale(&cache);
    assert_null(cache_lend(&cache, GEMM_B, 7, 2, 3));
    cache_clear(&cache);
    assert_null(cache_lend(&cache, GEMM_B, 7, 2, 0)); /* not known any more */
    cache_close(&cache);
}

static void header(const char *text, int version, struct npy *npy, bool good, const char *why) {
    unsigned char bytes[400];
    char message[160] = "";
    const size_t n = strlen(text), fixed = version == 1 ? 10 : 12;
    memcpy(bytes, "\x93NUMPY", 6);
    memcpy(bytes + 6, (unsigned char[]){(unsigned char)version, 0, n & 255, n >> 8, 0, 0}, 6);
    memcpy(bytes + fixed, text, n);
    assert_int_equal(npy_parse(npy, bytes, fixed + n, message, sizeof message), good);
    if (why)
        assert_non_null(strstr(message, why));
}

static void test_npy(void **state) {
    (void)state;
    struct npy npy;
    header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n", 1, &npy, true, NULL);
    assert_true(npy.rows == 3 && npy.cols == 4 && !npy.is_double && !npy.fortran && npy.begin == 10 + 60);
    header("{\"shape\":(0,7),'fortran_order':True,'descr':'<f8'}", 2, &npy, true, NULL);
    assert_true(npy.rows == 0 && npy.cols == 7 && npy.is_double && npy.fortran);
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }", 1, &npy, true, NULL);
    assert_true(npy.rows == 5 && npy.cols == 1);
    header("{'descr': '>f8', 'fortran_order': False, 'shape': (5,), }", 1, &npy, false, "not float32 or float64");
    header("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (5,), }", 1, &npy, false, "structured");
    header("{'descr': '<f8', 'fortran_order': 0, 'shape': (5,), }", 1, &npy, false, "neither True nor False");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 1, &npy, false, "matrix or vector");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3), }", 1, &npy, false, "matrix or vector");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }", 1, &npy, false, "matrix or vector");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2), }", 1, &npy, false,
           "matrix or vector");
    header("{'descr': '<f8', 'shape': (1, 2), }", 1, &npy, false, "lacks");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), 'shape': (6,)}", 1, &npy, false, "a key twice");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), } x", 1, &npy, false, "follows");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), 'more': 1}", 1, &npy, false, "a key besides");
    header("", 1, &npy, false, "not a dictionary");
    header("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }", 3, &npy, false, "version");
    char message[160];
    unsigned char bytes[128];
    assert_int_equal(npy_header((char *)bytes, 1999999999, 1999999999, true), 128);
    assert_true(npy_parse(&npy, bytes, 128, message, sizeof message));
    assert_true(npy.rows == 1999999999 && npy.cols == 1999999999 && npy.is_double && npy.begin == 128);
    for (size_t n = 0; n < 128; n++)
        assert_false(npy_parse(&npy, bytes, n, message, sizeof message));
}

static struct check with(const struct gemm *g, const void *c0, bool exact) {
    (void)g;
    return (struct check){.c0 = c0, .exact = exact, .trials = 2, .samples = 256, .seed = 7, .zero_mean = !exact};
}

/* What is right passes, what is wrong does not. */
static void test_check(void **state) {
    (void)state;
    for (int how = 0; how < 8; how++) {
        struct gemm g = make(200, 150, 300, 32, how & 1, how & 2);
        g.alpha = 2;
        g.beta = how & 4 ? -3 : 0;
        void *c0 = malloc(gemm_c_bytes(&g)), *good = malloc(gemm_c_bytes(&g));
        assert_non_null(c0);
        assert_non_null(good);
        memcpy(c0, g.c, gemm_c_bytes(&g));
        gemm_serial(&g);
        memcpy(good, g.c, gemm_c_bytes(&g));
        struct check check = with(&g, g.beta != 0 ? c0 : NULL, how & 2);
        assert_true(check_product(&g, &check));
        assert_true(check_against(&g, good, &check));
        /* a tile that was not written */
        const struct gemm_tile at = gemm_tile_at(&g, 3);
        memcpy((char *)g.c + gemm_c_offset(&g, at.row, at.col), (char *)c0 + gemm_c_offset(&g, at.row, at.col),
               gemm_element(&g));
        memset((char *)g.c + gemm_c_offset(&g, at.row, at.col), 0, 1000);
        check = with(&g, g.beta != 0 ? c0 : NULL, how & 2);
        assert_false(check_product(&g, &check));
        assert_non_null(strstr(check.message, "off by"));
        assert_false(check_against(&g, good, &check));
        /* one element, and NaN */
        memcpy(g.c, good, gemm_c_bytes(&g));
        gemm_set_c(&g, 77, 33, gemm_get_c(g.c, &g, 77, 33) + 100);
        check = with(&g, g.beta != 0 ? c0 : NULL, how & 2);
        assert_false(check_product(&g, &check));
        gemm_set_c(&g, 77, 33, NAN);
        check = with(&g, g.beta != 0 ? c0 : NULL, how & 2);
        assert_false(check_product(&g, &check));
        free(c0);
        free(good);
        gemm_free(&g);
    }
}

/* Operands cut to 12 bits, a little more than TF32 has: right within the bounds for any data, but not a product in
 * single precision. */
static void test_precision(void **state) {
    (void)state;
    struct gemm g = make(128, 128, 2048, 64, false, false), low = make(128, 128, 2048, 64, false, false);
    for (long i = 0; i < g.m; i++)
        for (long p = 0; p < g.k; p++) {
            gemm_set_a(&low, i, p, rint(gemm_get_a(&g, i, p) * 4096) / 4096);
            gemm_set_b(&low, p, i, rint(gemm_get_b(&g, p, i) * 4096) / 4096);
        }
    gemm_serial(&low);
    memcpy(g.c, low.c, gemm_c_bytes(&g));
    struct check check = with(&g, NULL, false);
    assert_false(check_product(&g, &check));
    assert_non_null(strstr(check.message, "single precision"));
    gemm_serial(&g);
    check = with(&g, NULL, false);
    assert_true(check_product(&g, &check));
    assert_true(check.precision > 0 && check.precision < 3);
    gemm_free(&g);
    gemm_free(&low);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_storage),
                                       cmocka_unit_test(test_fill),  cmocka_unit_test(test_product),
                                       cmocka_unit_test(test_cache), cmocka_unit_test(test_npy),
                                       cmocka_unit_test(test_check), cmocka_unit_test(test_precision)};
    char message[200];
    blas_open(NULL, message, sizeof message);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
