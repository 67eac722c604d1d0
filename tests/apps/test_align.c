/* SPDX-License-Identifier: Apache-2.0 */
/* Scores, ends and alignments on random sequences against a full-matrix program that is too simple
 * to be wrong: linear and affine, letters and matrix, one batch with many sequences in both
 * orientations. */
#include "check.h"

#include "align.h"
#include "app.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 120, SEQUENCES = 12 };

static struct app_random numbers;
static struct sw_scoring scoring;

static signed char random_code(bool matrix) {
    static const char residues[] = "ARNDCQEGHILKMFPSTWYV";
    return matrix ? (signed char)(residues[app_below(&numbers, 20)] - 'A') : (signed char)app_below(&numbers, 4);
}

/* A mutated copy of a random piece of the model, so that there is something to align. */
static struct sw_item random_item(const signed char *model, signed char *codes, bool matrix) {
    int length = 0, want = 1 + (int)app_below(&numbers, LONGEST - 1);
    int at = (int)app_below(&numbers, LONGEST / 2);
    while (length < want) {
        unsigned event = app_below(&numbers, 20);
        if (event == 0)
            at += 1 + (int)app_below(&numbers, 6);
        codes[length++] = event < 3 || at >= LONGEST ? random_code(matrix) : model[at++];
    }
    return (struct sw_item){codes, length};
}

static int max2(int x, int y) { return x > y ? x : y; }

/* Gotoh with three full matrices. */
static struct sw_best reference(struct sw_item q, struct sw_item t) {
    static int H[LONGEST + 1][LONGEST + 1], E[LONGEST + 1][LONGEST + 1], F[LONGEST + 1][LONGEST + 1];
    struct sw_best best = {0};
    for (int i = 0; i <= q.length; i++)
        for (int j = 0; j <= t.length; j++) {
            H[i][j] = 0;
            E[i][j] = F[i][j] = -1000000;
            if (!i || !j)
                continue;
            E[i][j] = max2(E[i][j - 1] - scoring.extend, H[i][j - 1] - scoring.open);
            F[i][j] = max2(F[i - 1][j] - scoring.extend, H[i - 1][j] - scoring.open);
            H[i][j] = max2(0, H[i - 1][j - 1] + scoring.matrix[q.codes[i - 1]][t.codes[j - 1]]);
            H[i][j] = max2(H[i][j], max2(E[i][j], F[i][j]));
            if (H[i][j] > best.score)
                best = (struct sw_best){0, 0, H[i][j], i, j};
        }
    return best;
}

struct block {
    struct sw_item queries[SEQUENCES], targets[SEQUENCES];
    int seen;
};

static void compare(void *cookie, const struct sw_best *best) {
    struct block *block = cookie;
    struct sw_item q = block->queries[best->query], t = block->targets[best->target];
    struct sw_best expected = reference(q, t);
    struct sw_path path;
    block->seen++;
    assert_int_equal(best->score, expected.score);
    assert_int_equal(best->query_end, expected.query_end);
    assert_int_equal(best->target_end, expected.target_end);
    if (!best->score)
        return;
    assert_int_equal(sw_align(&scoring, q, t, best, &path), SW_ALIGN_OK);
    int rows = best->query_end - path.query_start + 1, cols = best->target_end - path.target_start + 1;
    for (const char *op = path.operations; *op; op++) {
        rows -= *op != 'D';
        cols -= *op != 'I';
    }
    assert_int_equal(rows, 0);
    assert_int_equal(cols, 0);
    assert_int_equal(sw_path_score(&scoring, q, t, &path), best->score);
    assert_true(path.matches + path.edits == path.columns);
    free(path.operations);
}

static void try_block(int query_count, int target_count, long rows_most) {
    static signed char store[2 * SEQUENCES][LONGEST];
    signed char model[LONGEST];
    struct block block = {.seen = 0};
    for (int k = 0; k < LONGEST; k++)
        model[k] = random_code(scoring.matrix_mode);
    for (int k = 0; k < SEQUENCES; k++) {
        block.queries[k] = random_item(model, store[k], scoring.matrix_mode);
        block.targets[k] = random_item(model, store[SEQUENCES + k], scoring.matrix_mode);
    }
    struct sw_engine engine = {.scoring = &scoring, .rows_most = rows_most, .repeat = 1, .check = true};
    sw_engine_start(&engine);
    sw_score_block(&engine, block.queries, query_count, block.targets, target_count, compare, &block);
    sw_engine_stop(&engine);
    assert_int_equal(block.seen, query_count * target_count);
    assert_false(engine.differs);
}

static void try_all(int rounds) {
    for (int k = 0; k < rounds; k++) {
        try_block(SEQUENCES, 3, 1 << 20);
        try_block(2, SEQUENCES, 1 << 20);
        try_block(SEQUENCES, SEQUENCES, 150);
        try_block(1, 1, 1);
    }
}

static void set_gaps(int open, int extend) {
    scoring.open = open;
    scoring.extend = extend;
}

static void letters(void **state) {
    (void)state;
    static const int costs[][4] = {{2, -1, 1, 1}, {2, -2, 3, 1}, {1, -3, 5, 2}, {5, -4, 8, 6}, {3, 0, 1, 1}};
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
        sw_scoring_dna(&scoring, costs[k][0], costs[k][1]);
        set_gaps(costs[k][2], costs[k][3]);
        try_all(5);
    }
}

static void blosum(void **state) {
    (void)state;
    sw_scoring_blosum62(&scoring);
    set_gaps(11, 1);
    try_all(5);
    set_gaps(4, 4);
    try_all(5);
}

/* Exchanged roles must use the transposed matrix. */
static void lopsided_matrix(void **state) {
    (void)state;
    sw_scoring_blosum62(&scoring);
    for (int x = 0; x < SW_CODES; x++)
        for (int y = 0; y < x; y++)
            scoring.transposed[y][x] = scoring.matrix[x][y] -= 1;
    set_gaps(6, 2);
    try_all(5);
}

/* A short hit at the end of a long query must not cost a pass over all of it. */
static void long_query_short_hit(void **state) {
    (void)state;
    const int length = 400000;
    signed char *codes = app_alloc((size_t)length, 1);
    signed char target[12];
    sw_scoring_dna(&scoring, 2, -2);
    set_gaps(3, 1);
    for (int k = 0; k < length; k++)
        codes[k] = (signed char)app_below(&numbers, 2);
    for (int k = 0; k < 12; k++)
        target[k] = codes[length - 12 + k] = (signed char)(2 + app_below(&numbers, 2));
    struct sw_best best = {0, 0, 24, length, 12};
    struct sw_path path;
    double start = app_seconds();
    assert_int_equal(sw_align(&scoring, (struct sw_item){codes, length}, (struct sw_item){target, 12}, &best, &path),
                     SW_ALIGN_OK);
    assert_true(app_seconds() - start < 2);
    assert_int_equal(path.query_start, length - 11);
    assert_string_equal(path.operations, "============");
    free(path.operations);
    free(codes);
}

static void cigars(void **state) {
    (void)state;
    char *text = sw_cigar("==XX=IIID");
    assert_string_equal(text, "2=2X1=3I1D");
    free(text);
}

int main(void) {
    app_seed(&numbers, 7);
    const struct CMUnitTest tests[] = {cmocka_unit_test(letters), cmocka_unit_test(blosum),
                                       cmocka_unit_test(lopsided_matrix), cmocka_unit_test(long_query_short_hit),
                                       cmocka_unit_test(cigars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
