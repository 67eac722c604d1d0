/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Gaps as NCBI counts them: a gap of k residues costs open + k * extend. blast_stat.c of the NCBI C++ toolkit. */
static const struct {
    int open, extend;
    double lambda, K, H, alpha, beta;
} blosum62[] = {
    {11, 2, 0.297, 0.082, 0.27, 1.1, -10}, {10, 2, 0.291, 0.075, 0.23, 1.3, -15}, {9, 2, 0.279, 0.058, 0.19, 1.5, -19},
    {8, 2, 0.264, 0.045, 0.15, 1.8, -26},  {7, 2, 0.239, 0.027, 0.10, 2.5, -46},  {6, 2, 0.201, 0.012, 0.061, 3.3, -58},
    {13, 1, 0.292, 0.071, 0.23, 1.2, -11}, {12, 1, 0.283, 0.059, 0.19, 1.5, -19}, {11, 1, 0.267, 0.041, 0.14, 1.9, -30},
    {10, 1, 0.243, 0.024, 0.10, 2.5, -44}, {9, 1, 0.206, 0.010, 0.052, 4.0, -87},
};

/* --- computed from the matrix ----------------------------------------------------------------- */

/* Per 1000 residues: A. B. Robinson, L. R. Robinson, PNAS 88 (1991) 8880. */
static const struct {
    char letter;
    double share;
} background[20] = {{'A', 78.05}, {'C', 19.25}, {'D', 53.64}, {'E', 62.95}, {'F', 38.56}, {'G', 73.77}, {'H', 21.99},
                    {'I', 51.42}, {'K', 57.44}, {'L', 90.19}, {'M', 22.43}, {'N', 44.87}, {'P', 52.03}, {'Q', 42.64},
                    {'R', 51.29}, {'S', 71.20}, {'T', 58.41}, {'V', 64.41}, {'W', 13.30}, {'Y', 32.16}};

enum { LOWEST = -1000, HIGHEST = 1000, STEPS = 100, WIDEST = 64 };

/* Probability of each score of two residues; p[k] is that of low + k. */
struct scores {
    int low, high, unit; /* unit: all scores are multiples of it */
    double p[2 * HIGHEST + 1];
};

static int common_divisor(int a, int b) { return b ? common_divisor(b, a % b) : a; }

static bool count_scores(const struct sw_scoring *s, struct scores *scores) {
    *scores = (struct scores){.low = HIGHEST, .high = LOWEST};
    double chance[HIGHEST - LOWEST + 1] = {0}, mean = 0;
    for (int x = 0; x < 20; x++)
        for (int y = 0; y < 20; y++) {
            const int a = s->query.code[(int)background[x].letter], b = s->query.code[(int)background[y].letter];
            if (a < 0 || b < 0 || s->query.letter[a] != background[x].letter)
                return false;
            const int score = s->matrix[a][b];
            chance[score - LOWEST] += background[x].share * background[y].share * 1e-6;
            scores->low = score < scores->low ? score : scores->low;
            scores->high = score > scores->high ? score : scores->high;
            scores->unit = common_divisor(scores->unit, score < 0 ? -score : score);
        }
    for (int k = scores->low; k <= scores->high; k++)
        mean += k * (scores->p[k - scores->low] = chance[k - LOWEST]);
    return mean < 0 && scores->high > 0 && scores->high - scores->low <= WIDEST;
}

static double moment(const struct scores *s, double lambda) {
    double sum = 0;
    for (int k = s->low; k <= s->high; k++)
        sum += s->p[k - s->low] * exp(lambda * k);
    return sum;
}

/* The positive root of sum p(s) exp(lambda s) = 1. */
static double find_lambda(const struct scores *s) {
    double low = 0, high = 0.5;
    while (moment(s, high) < 1)
        high *= 2;
    for (int k = 0; k < STEPS; k++) {
        const double middle = (low + high) / 2;
        *(moment(s, middle) < 1 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* sum over k of (P(S_k >= 0) + E(exp(lambda S_k), S_k < 0)) / k, for the sums S_k of k scores. */
static double find_sigma(const struct scores *s, double lambda) {
    static const double small = 1e-12;
    static _Thread_local double now[STEPS * WIDEST + 1], next[STEPS * WIDEST + 1];
    double sigma = 0, term = 1;
    int width = 0;
    now[0] = 1;
    for (int k = 1; k <= STEPS && term > small; k++) {
        memset(next, 0, ((size_t)width + (size_t)(s->high - s->low) + 1) * sizeof *next);
        for (int x = 0; x <= width; x++)
            for (int y = 0; y <= s->high - s->low; y++)
                next[x + y] += now[x] * s->p[y];
        width += s->high - s->low;
        memcpy(now, next, ((size_t)width + 1) * sizeof *now);
        term = 0;
        for (int x = 0; x <= width; x++) {
            const int sum = k * s->low + x;
            term += now[x] * (sum < 0 ? exp(lambda * sum) : 1);
        }
        sigma += term /= k;
    }
    return sigma;
}

static struct sw_statistics computed(const struct sw_scoring *scoring) {
    struct scores scores;
    struct sw_statistics s = {.known = count_scores(scoring, &scores)};
    if (!s.known)
        return s;
    s.lambda = find_lambda(&scores);
    for (int k = scores.low; k <= scores.high; k++)
        s.H += s.lambda * k * scores.p[k - scores.low] * exp(s.lambda * k);
    s.K = scores.unit * s.lambda * exp(-2 * find_sigma(&scores, s.lambda)) / (s.H * (1 - exp(-s.lambda * scores.unit)));
    s.alpha = s.lambda / s.H;
    return s;
}

/* --- results ---------------------------------------------------------------------------------- */

struct sw_statistics sw_statistics_of(const struct sw_scoring *scoring) {
    if (!scoring->matrix_mode)
        return (struct sw_statistics){.known = false};
    const int open = scoring->open - scoring->extend;
    for (size_t k = 0; scoring->blosum62 && k < sizeof blosum62 / sizeof *blosum62; k++)
        if (blosum62[k].open == open && blosum62[k].extend == scoring->extend)
            return (struct sw_statistics){.known = true,
                                          .gapped = true,
                                          .lambda = blosum62[k].lambda,
                                          .K = blosum62[k].K,
                                          .H = blosum62[k].H,
                                          .alpha = blosum62[k].alpha,
                                          .beta = blosum62[k].beta};
    return computed(scoring);
}

/* Whether so much fits: it is no longer than what is expected of the best score by chance in the space that is left,
 * and leaves something. */
static bool fits(const struct sw_statistics *s, double m, double n, double count, double cut) {
    const double space = s->K * (m - cut) * (n - count * cut);
    return m > cut && n > count * cut && space > fmax(m, n) && cut <= s->alpha / s->lambda * log(space) + s->beta;
}

long sw_length_adjustment(const struct sw_statistics *s, long query, double residues, double count) {
    long low = 0, high = query;
    while (low + 1 < high) { /* fits(low), and not high */
        const long middle = low + (high - low) / 2;
        *(fits(s, (double)query, residues, count, (double)middle) ? &low : &high) = middle;
    }
    return low;
}

double sw_search_space(const struct sw_statistics *s, long query, double residues, double count) {
    const double cut = (double)sw_length_adjustment(s, query, residues, count);
    return ((double)query - cut) * (residues - count * cut);
}

/* What fits() leaves. */
double sw_search_space_least(const struct sw_statistics *s, long query, double residues) {
    return fmin(fmax((double)query, residues) / s->K, (double)query * residues);
}

double sw_bits(const struct sw_statistics *s, int score) { return (s->lambda * score - log(s->K)) / log(2); }

double sw_evalue(const struct sw_statistics *s, double search_space, int score) {
    return s->K * search_space * exp(-s->lambda * score);
}

int sw_least_score(const struct sw_statistics *s, double search_space, double most) {
    const double score = ceil(log(s->K * search_space / most) / s->lambda);
    int least = score < 0 ? 0 : score > INT_MAX ? INT_MAX : (int)score;
    while (least > 0 && sw_evalue(s, search_space, least - 1) <= most) /* rounding */
        least--;
    return least;
}
