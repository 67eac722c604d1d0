/* SPDX-License-Identifier: Apache-2.0 */
/* Bit scores as BLASTP prints them, BLOSUM62's ungapped parameters as NCBI publishes them, and the correction for edges
 * by its definition. */
#include "check.h"

#include "statistics.h"

#include <math.h>

static struct sw_scoring scoring;

static struct sw_statistics with_gaps(int first, int extend) {
    sw_scoring_blosum62(&scoring);
    scoring.open = first;
    scoring.extend = extend;
    return sw_statistics_of(&scoring);
}

/* "Score = 43.1 bits (100)" in the output of blastp with its defaults, existence 11, extension 1. */
static void bits(void **state) {
    static const struct {
        int score;
        double bits;
    } blastp[] = {{65, 29.6}, {75, 33.5}, {100, 43.1}, {137, 57.4}, {1000, 389.8}};
    (void)state;
    const struct sw_statistics s = with_gaps(12, 1);
    assert_true(s.known && s.gapped);
    for (size_t k = 0; k < sizeof blastp / sizeof *blastp; k++)
        assert_true(fabs(sw_bits(&s, blastp[k].score) - blastp[k].bits) <= 0.0501);
}

static void ungapped(void **state) {
    (void)state;
    const struct sw_statistics s = with_gaps(40, 20); /* in no table */
    assert_true(s.known && !s.gapped);
    assert_true(fabs(s.lambda - 0.3176) < 0.00006);
    assert_true(fabs(s.K - 0.134) < 0.0006);
    assert_true(fabs(s.H - 0.4012) < 0.0002);
}

static double expected_length(const struct sw_statistics *s, double m, double n, double count, double cut) {
    return s->alpha / s->lambda * log(s->K * (m - cut) * (n - count * cut)) + s->beta;
}

static void edges(void **state) {
    static const struct {
        long query;
        double residues, count;
    } cases[] = {{232, 1.29e8, 4.1e5}, {1000, 5e7, 1.5e5}, {35, 1e7, 3e4}, {5000, 2e10, 6e7}};
    (void)state;
    const struct sw_statistics s = with_gaps(12, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double m = (double)cases[k].query, n = cases[k].residues, count = cases[k].count;
        const double cut = (double)sw_length_adjustment(&s, cases[k].query, n, count);
        assert_true(cut >= 0 && cut < m);
        if (cut > 0)
            assert_true(cut <= expected_length(&s, m, n, count, cut));
        if (s.K * (m - cut - 1) * (n - count * (cut + 1)) > fmax(m, n))
            assert_true(cut + 1 > expected_length(&s, m, n, count, cut + 1));
        assert_true(sw_search_space(&s, cases[k].query, n, count) == (m - cut) * (n - count * cut));
    }
    assert_int_equal(sw_length_adjustment(&s, 1, 1, 1), 0);
    assert_int_equal(sw_length_adjustment(&s, 5, 20, 2), 0);
}

static void limits(void **state) {
    (void)state;
    const struct sw_statistics s = with_gaps(11, 1);
    const double space = sw_search_space(&s, 300, 1e8, 3e5);
    for (double most = 1e-30; most < 1e9; most *= 7) {
        const int least = sw_least_score(&s, space, most);
        assert_true(sw_evalue(&s, space, least) <= most);
        assert_true(!least || sw_evalue(&s, space, least - 1) > most);
    }
    sw_scoring_dna(&scoring, 2, -2);
    assert_false(sw_statistics_of(&scoring).known);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits), cmocka_unit_test(ungapped), cmocka_unit_test(edges),
                                       cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
