/* SPDX-License-Identifier: Apache-2.0 */
/* bench-at-once: loops and jobs of several host threads, at once and one after the other, in turns in one process. */
#include "app.h"

#include <heddle/list.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CALLERS = 8 };
struct numbers HEDDLE_LIST(uint32_t);

struct caller {
    pthread_t id;
    const char *method;
    long n, loops;
    int steps;
    float *y;
    uint64_t sign;
    double seconds, alone; /* of the last run; ... when they came one after the other */
};

static uint32_t hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static float step(float x, int steps) {
    for (int k = 0; k < steps; k++)
        x = x * 0.75f + 0.5f;
    return x;
}

static void loop(long n, float *y, int steps) {
#pragma heddle for map(from : y[heddle_lo : heddle_count])
    for (long i = 0; i < n; i++)
        y[i] = step((float)(i % 1000), steps);
}

static uint64_t jobs(long n, int steps) {
    struct numbers list = {0}, *todo = &list;
    uint64_t sum = 0;
    for (long k = 0; k < n; k++)
        heddle_list_append(todo, hash((uint32_t)k));
#pragma heddle jobs
    while (todo->count) {
#pragma heddle for append(todo) reduction(+ : sum)
        for (long k = 0; k < todo->count; k++) {
            const uint32_t seed = todo->at[k];
            sum += (uint64_t)(1000 * step((float)(seed % 1000), steps));
            if (seed % 3 == 0)
                heddle_list_append(todo, hash(seed + 1));
        }
        heddle_list_clear(todo);
    }
    heddle_list_free(todo);
    return sum;
}

static void *work(void *with) {
    struct caller *c = with;
    const double start = app_seconds();
    c->sign = 0;
    for (long k = 0; k < c->loops; k++)
        if (!strcmp(c->method, "jobs"))
            c->sign += jobs(c->n, c->steps);
        else
            loop(c->n, c->y, c->steps);
    for (long i = 0; i < c->n; i += 97)
        c->sign += (uint64_t)(1000 * c->y[i]);
    c->seconds = app_seconds() - start;
    return NULL;
}

/* Seconds of all callers. */
static double run(struct caller *caller, long callers, bool at_once) {
    const double start = app_seconds();
    for (long k = 0; k < callers; k++)
        if (!at_once || pthread_create(&caller[k].id, NULL, work, &caller[k])) {
            work(&caller[k]);
            caller[k].id = pthread_self();
        }
    for (long k = 0; at_once && k < callers; k++)
        if (!pthread_equal(caller[k].id, pthread_self()))
            pthread_join(caller[k].id, NULL);
    return app_seconds() - start;
}

static void make_callers(struct caller *caller, long callers, const char *method, long n, long loops, long steps) {
    const bool mixed = !strcmp(method, "mixed");
    for (long k = 0; k < callers; k++) {
        caller[k] = (struct caller){.method = !mixed  ? method
                                              : k % 2 ? "jobs"
                                                      : "loops",
                                    .n = n,
                                    .loops = loops,
                                    .steps = (int)steps,
                                    .y = app_alloc((size_t)n, sizeof(float))};
        memset(caller[k].y, 0, (size_t)n * sizeof(float));
    }
}

static uint64_t sign_of(const struct caller *caller, long callers) {
    uint64_t sign = 0;
    for (long k = 0; k < callers; k++)
        sign = sign * 31 + caller[k].sign;
    return sign;
}

/* Seconds in which the caller would be done if all that are not got on alike. */
static double fair_of(const struct caller *caller, long callers, const struct caller *of) {
    double sum = 0;
    for (long k = 0; k < callers; k++)
        sum += caller[k].alone < of->alone ? caller[k].alone : of->alone;
    return sum;
}

/* Of the callers' times against those, the largest over the smallest: with equal callers the longest over the shortest
   time. */
static double uneven_of(const struct caller *caller, long callers) {
    double least = 1e9, most = 0;
    for (long k = 0; k < callers; k++) {
        const double slower = caller[k].seconds / fair_of(caller, callers, &caller[k]);
        least = slower < least ? slower : least;
        most = slower > most ? slower : most;
    }
    return most / least;
}

int main(int argc, char **argv) {
    long callers = 2, loops = 10, steps = 200;
    const char *method = "loops";
    struct app app = {.name = "bench-at-once",
                      .summary = "loops or jobs of several host threads, at once and one after the other",
                      .size_help = "iterations of a loop, or jobs (100000)",
                      .loops = true,
                      .rows = 100000,
                      .cols = 1};
    const struct app_option options[] = {
        {"method", "NAME", "loops, jobs, or mixed: every second caller has jobs (loops)", APP_TEXT, &method, 0},
        {"callers", "N", "host threads that call (2)", APP_LONG, &callers, 1},
        {"loops", "N", "calls of each (10)", APP_LONG, &loops, 1},
        {"steps", "N", "of an iteration (200)", APP_LONG, &steps, 1},
        {0}};
    struct app_result result = {.cols = 1, .unit = "Giterations/s", .check = APP_CHECK_OK};
    struct caller caller[CALLERS];
    app.options = options;
    const int status = app_parse(&app, argc, argv);
    if (status >= 0)
        return status;
    if (callers > CALLERS || app.rows > 100000000 || steps > 1000000)
        return app_fail(&app, "--callers is at most 8, --size 100000000, --steps 1000000");
    if (strcmp(method, "mixed") != 0 && strcmp(method, "loops") != 0 && strcmp(method, "jobs") != 0)
        return app_fail(&app, "--method=%s: expected loops, jobs or mixed", method);
    double *once = app_alloc((size_t)app.repeat, sizeof *once), *turns = app_alloc((size_t)app.repeat, sizeof *turns),
           uneven = 1;
    make_callers(caller, callers, method, app.rows, loops, steps);
    run(caller, callers, false); /* threads and devices start */
    result.checksum = sign_of(caller, callers);
    for (long r = 0; r < app.repeat; r++)
        for (int at_once = 0; at_once < 2; at_once++) {
            (at_once ? once : turns)[r] = run(caller, callers, at_once);
            for (long k = 0; !at_once && k < callers; k++)
                caller[k].alone = caller[k].seconds;
            const double most = at_once ? uneven_of(caller, callers) : 1;
            uneven = most > uneven ? most : uneven;
            result.check = sign_of(caller, callers) != result.checksum ? APP_CHECK_BAD : result.check;
        }
    result.rows = (double)app.rows;
    result.work = (double)app.rows * (double)(loops * callers);
    result.seconds = app_median(once, (int)app.repeat);
    const double in_turn = app_median(turns, (int)app.repeat);
    for (long k = 0; k < callers; k++)
        free(caller[k].y);
    free(once);
    free(turns);
    return app_report_values(
        &app, &result, stdout,
        (const struct app_value[]){
            {"in_turn_seconds", in_turn}, {"ratio", in_turn / result.seconds}, {"uneven", uneven}, {NULL, 0}});
}
