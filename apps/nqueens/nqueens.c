/* SPDX-License-Identifier: Apache-2.0 */
/* nqueens: counts the ways to place n queens, or shows one. */
#include "app.h"
#include "queens.h"
#include <stdlib.h>

struct nqueens {
    struct app app;
    long depth;
    bool first;
};

static int show_first(const struct nqueens *q) {
    const int n = (int)q->app.rows;
    int *column = app_alloc((size_t)n, sizeof *column);
    if (!queens_first(n, column)) {
        free(column);
        printf("no solution for n = %d\n", n);
        return APP_OK;
    }
    for (int row = 0; row < n; row++)
        for (int c = 0; c < n; c++)
            printf("%c%c", c == column[row] ? 'Q' : '.', c == n - 1 ? '\n' : ' ');
    free(column);
    return APP_OK;
}

static int count(const struct nqueens *q) {
    const int n = (int)q->app.rows, depth = (int)q->depth;
    double *seconds = app_alloc((size_t)q->app.repeat, sizeof *seconds);
    long found = 0;
    bool wrong = false;
    for (long k = 0; k < q->app.repeat; k++) {
        app_progress(&q->app, "run %ld of %ld", k + 1, q->app.repeat);
        const double start = app_seconds();
        const long now = queens_count(n, depth);
        seconds[k] = app_seconds() - start;
        wrong |= k && now != found;
        found = now;
    }
    app_progress_end(&q->app);
    struct app_result result = {.rows = n,
                                .cols = n,
                                .seconds = app_median(seconds, (int)q->app.repeat),
                                .work = (double)found,
                                .unit = "Gsolutions/s",
                                .checksum = (uint64_t)found,
                                .check = APP_NOT_CHECKED};
    free(seconds);
    /* the known count where the serial program would take minutes */
    if (q->app.check)
        result.check = !wrong && found == (n <= 14 ? queens_count_serial(n, depth) : queens_known[n]) ? APP_CHECK_OK
                                                                                                      : APP_CHECK_BAD;
    if (!q->app.json)
        printf("%ld\n", found);
    const struct app_value values[] = {{"solutions", (double)found}, {"depth", (double)depth}, {NULL, 0}};
    return app_report_values(&q->app, &result, q->app.json ? stdout : stderr, values);
}

/* Rows that tasks place: their number is to keep a GPU busy, their size lanes. */
static long default_depth(long n) { return n < 17 ? 3 : 5; }

int main(int argc, char **argv) {
    struct nqueens q = {.depth = -1,
                        .app = {.name = "nqueens",
                                .summary = "n queens, none attacking another: counts the solutions",
                                .size_help = "rows of the board, up to 27 (12)",
                                .pools = true,
                                .rows = 12,
                                .cols = 12,
                                .repeat = 1}};
    const struct app_option options[] = {
        {"depth", "D", "rows that tasks place (chosen by size)", APP_LONG, &q.depth, 0},
        {"first", NULL, "print one board", APP_FLAG, &q.first, 0},
        {0}};
    q.app.options = options;
    int status = app_parse(&q.app, argc, argv);
    if (status < 0 && q.first)
        status = show_first(&q);
    if (status < 0 && q.app.rows > QUEENS_MOST)
        status = app_fail(&q.app, "--size=%ld: more than %d rows are not counted (the count for %d took years)",
                          q.app.rows, QUEENS_MOST, QUEENS_MOST);
    if (status < 0) {
        q.depth = q.depth >= 0 ? q.depth : default_depth(q.app.rows);
        status = count(&q);
    }
    return status;
}
