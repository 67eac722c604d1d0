/* SPDX-License-Identifier: Apache-2.0 */
/* Without input: the score of two seeded random sequences, and how fast it came. */
#include "sw.h"

#include <stdlib.h>

static signed char *random_codes(struct app_random *random, const struct sw_scoring *scoring, long count) {
    static const char residues[] = "ARNDCQEGHILKMFPSTWYV";
    signed char *codes = app_alloc((size_t)count, 1);
    for (long k = 0; k < count; k++)
        codes[k] = scoring->matrix_mode ? scoring->query.code[(int)residues[app_below(random, 20)]]
                                        : (signed char)app_below(random, 4);
    return codes;
}

struct pair {
    int n, m;
    signed char *a, *b;
};

static void keep_best(void *cookie, const struct sw_best *best) { *(int *)cookie = best->score; }

/* With a matrix the batch nest does it; letters have nests that compute the score and nothing else.
 */
static int score_pair(const struct sw *sw, const struct sw_nests *nests, const struct pair *p, double *seconds) {
    const struct sw_scoring *s = &sw->scoring;
    int *rolling = app_alloc(2 * ((size_t)p->m + 1), sizeof(int)), score;
    int *down = app_alloc((size_t)p->m + 1, sizeof(int)), *right = app_alloc((size_t)p->n + 1, sizeof(int));
    double start = app_seconds();
    if (s->open == s->extend)
        score = nests->score_linear(p->n, p->m, p->a, p->b, s->match, s->mismatch, s->open, rolling);
    else
        score = nests->score_affine(p->n, p->m, p->a, p->b, s->match, s->mismatch, s->open, s->extend, rolling, down,
                                    right);
    *seconds = app_seconds() - start;
    free(rolling);
    free(down);
    free(right);
    return score;
}

static int run_letters(struct sw *sw, const struct pair *pair, struct app_result *result) {
    double *times = app_alloc((size_t)sw->app.repeat, sizeof *times), unused;
    int score = 0;
    for (int k = 0; k < sw->app.repeat; k++) {
        app_progress(&sw->app, "run %d of %ld", k + 1, sw->app.repeat);
        score = score_pair(sw, &sw_nests_heddle, pair, &times[k]);
    }
    result->seconds = app_median(times, (int)sw->app.repeat);
    if (sw->app.check)
        result->check = score_pair(sw, &sw_nests_serial, pair, &unused) == score ? APP_CHECK_OK : APP_CHECK_BAD;
    free(times);
    return score;
}

static int run_matrix(struct sw *sw, const struct pair *pair, struct app_result *result) {
    struct sw_item query = {pair->a, pair->n}, target = {pair->b, pair->m};
    int score = 0;
    sw->engine = (struct sw_engine){
        .scoring = &sw->scoring, .rows_most = sw->set.batch, .repeat = (int)sw->app.repeat, .check = sw->app.check};
    sw_engine_start(&sw->engine);
    sw_score_block(&sw->engine, &query, 1, &target, 1, keep_best, &score);
    sw_engine_stop(&sw->engine);
    result->seconds = sw->engine.seconds;
    if (sw->app.check)
        result->check = sw->engine.differs ? APP_CHECK_BAD : APP_CHECK_OK;
    return score;
}

int sw_run_seeded(struct sw *sw) {
    char message[512];
    struct app_random random;
    struct app_result result = {.rows = (double)sw->app.rows,
                                .cols = (double)sw->app.cols,
                                .work = (double)sw->app.rows * (double)sw->app.cols,
                                .unit = "GCUPS"};
    if (sw->set.align || sw->set.out || sw->set.pairs)
        return app_fail(&sw->app, "--align, --out and --pairs need input files");
    if (!sw_score_fits(sw, (int)sw->app.rows, (int)sw->app.cols))
        return app_fail(&sw->app, "--size: the score could exceed 32 bits, lower the match score");
    if (sw->set.matrix)
        return app_fail(&sw->app, "--matrix needs input files (--protein does not)");
    app_start_devices(&sw->app, false);
    app_seed(&random, (uint64_t)sw->set.seed);
    struct pair pair = {.n = (int)sw->app.rows, .m = (int)sw->app.cols};
    pair.a = random_codes(&random, &sw->scoring, pair.n);
    pair.b = random_codes(&random, &sw->scoring, pair.m);
    if (app_check_device(&sw->app, message, sizeof message) >= 0)
        return app_fail(&sw->app, "%s", message);
    int score = sw->scoring.matrix_mode ? run_matrix(sw, &pair, &result) : run_letters(sw, &pair, &result);
    result.checksum = app_hash(APP_HASH_START, &score, sizeof score);
    app_progress_end(&sw->app);
    free(pair.a);
    free(pair.b);
    return app_report(&sw->app, &result, stdout, "score", score);
}
