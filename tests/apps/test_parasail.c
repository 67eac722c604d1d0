/* SPDX-License-Identifier: Apache-2.0 */
/* Scores against libparasail, an independent program, on random pairs. */
#include "check.h"

#include "app.h"
#include "block.h"

#include <parasail.h>
#include <parasail/matrices/blosum62.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 400, LONGEST = 300 };

static struct app_random numbers;

static void keep(void *cookie, const struct sw_best *best) { *(struct sw_best *)cookie = *best; }

static struct sw_best ours(const struct sw_scoring *scoring, const char *q, int n, const char *t, int m) {
    signed char a[LONGEST], b[LONGEST];
    struct sw_best best;
    for (int k = 0; k < n; k++)
        a[k] = scoring->query.code[(unsigned char)q[k]];
    for (int k = 0; k < m; k++)
        b[k] = scoring->target.code[(unsigned char)t[k]];
    struct sw_item query = {a, n}, target = {b, m};
    struct sw_engine engine = {.scoring = scoring, .rows_most = 1000, .repeat = 1};
    sw_engine_start(&engine);
    sw_score_block(&engine, &query, 1, &target, 1, keep, &best);
    sw_engine_stop(&engine);
    return best;
}

/* Two relatives: the second is a copy of the first with a tenth of it changed. */
static void random_pair(const char *letters, char *q, int *n, char *t, int *m) {
    unsigned count = (unsigned)strlen(letters);
    *n = 1 + (int)app_below(&numbers, LONGEST);
    *m = 0;
    for (int k = 0; k < *n; k++)
        q[k] = letters[app_below(&numbers, count)];
    for (int k = (int)app_below(&numbers, (uint32_t)*n); k < *n && *m < LONGEST; k++) {
        unsigned event = app_below(&numbers, 30);
        if (event == 0)
            continue;
        t[(*m)++] = event < 3 ? letters[app_below(&numbers, count)] : q[k];
        if (event == 3)
            k--;
    }
    if (!*m)
        t[(*m)++] = q[0];
}

static void compare(struct sw_scoring *scoring, const parasail_matrix_t *matrix, const char *letters, int open,
                    int extend) {
    char q[LONGEST], t[LONGEST];
    int n, m;
    scoring->open = open;
    scoring->extend = extend;
    for (int k = 0; k < ROUNDS; k++) {
        random_pair(letters, q, &n, t, &m);
        parasail_result_t *theirs = parasail_sw(q, n, t, m, open, extend, matrix);
        assert_int_equal(ours(scoring, q, n, t, m).score, parasail_result_get_score(theirs));
        parasail_result_free(theirs);
    }
}

static void dna(void **state) {
    (void)state;
    struct sw_scoring scoring;
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 2, -3);
    sw_scoring_dna(&scoring, 2, -3);
    compare(&scoring, matrix, "ACGT", 2, 2);
    compare(&scoring, matrix, "ACGT", 5, 1);
    parasail_matrix_free(matrix);
}

static void protein(void **state) {
    (void)state;
    struct sw_scoring scoring;
    sw_scoring_blosum62(&scoring);
    compare(&scoring, &parasail_blosum62, "ARNDCQEGHILKMFPSTWYVBZX", 4, 4);
    compare(&scoring, &parasail_blosum62, "ARNDCQEGHILKMFPSTWYV", 11, 1);
}

int main(void) {
    app_seed(&numbers, 3);
    const struct CMUnitTest tests[] = {cmocka_unit_test(dna), cmocka_unit_test(protein)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
