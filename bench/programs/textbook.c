/* SPDX-License-Identifier: Apache-2.0 */
/* bench-textbook: fork-join programs without any tuning for a device. One line of JSON for each run: seconds of the
 * whole call and of the kernel alone, and whether the result is right. */
#include "app.h"
#include "heddle.h"
#include "textbook.h"
#include <stdlib.h>
#include <string.h>

struct textbook {
    struct app app;
    const char *method;
    long cut;
    int *values, *spare;
};

static const long queens[] = {1,   1,   0,    0,     2,     10,     4,       40,       92,
                              352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104};
enum { QUEENS_MOST = sizeof queens / sizeof *queens - 1, FIB_MOST = 60 };

static long fibonacci(long n) {
    long a = 0, b = 1;
    for (; n > 0; n--) {
        const long sum = a + b;
        a = b, b = sum;
    }
    return a;
}

static unsigned mixed(unsigned x) {
    x = (x ^ x >> 16) * 0x45d9f3bu;
    x = (x ^ x >> 16) * 0x45d9f3bu;
    return x ^ x >> 16;
}

/* The values are different ones, so the sum of a function of them is a good check. */
static int run_fib(struct textbook *t) { return textbook_fib((int)t->app.rows, (int)t->cut) == fibonacci(t->app.rows); }
static int run_queens(struct textbook *t) {
    return textbook_queens((int)t->app.rows, t->cut ? (int)t->cut : (int)t->app.rows) == queens[t->app.rows];
}
static void fill(struct textbook *t) {
    for (long i = 0; i < t->app.rows; i++)
        t->values[i] = (int)mixed((unsigned)i);
}
static int run_sort(struct textbook *t) {
    textbook_sort(t->app.rows, t->values, t->spare, t->cut ? (int)t->cut : 2048);
    return 1;
}
static int is_sorted(const struct textbook *t) {
    unsigned long got = 0, want = 0;
    int sorted = 1;
    for (long i = 0; i < t->app.rows; i++) {
        sorted &= !i || t->values[i - 1] <= t->values[i];
        got += mixed((unsigned)t->values[i]) * 3ul;
        want += mixed(mixed((unsigned)i)) * 3ul;
    }
    return sorted && got == want;
}

static const struct method {
    const char *name;
    int (*run)(struct textbook *t);
    long most;
    int sorts;
} methods[] = {
    {"fib", run_fib, FIB_MOST, 0}, {"queens", run_queens, QUEENS_MOST, 0}, {"cilksort", run_sort, 1L << 31, 1}, {0}};

static int measure(struct textbook *t, const struct method *m) {
    int bad = 0;
    if (m->sorts) {
        t->values = app_alloc((size_t)t->app.rows, sizeof *t->values);
        t->spare = app_alloc((size_t)t->app.rows, sizeof *t->spare);
    }
    for (long k = 0; k < t->app.repeat; k++) {
        struct heddle_report r;
        if (m->sorts)
            fill(t);
        const double start = app_seconds();
        int ok = m->run(t);
        const double seconds = app_seconds() - start;
        heddle_last_report(&r);
        ok = ok && (!m->sorts || is_sorted(t));
        bad |= !ok;
        char device[16] = "host";
        if (r.device >= 0)
            snprintf(device, sizeof device, "%d", r.device);
        printf("{\"program\": \"bench-textbook\", \"method\": \"%s\", \"size\": \"%ld\", \"cut\": %ld, \"run\": %ld, "
               "\"seconds\": %.9g, \"kernel_seconds\": %.9g, \"tasks\": %ld, \"check\": \"%s\", \"device\": \"%s\", "
               "\"schedule\": \"%s\", \"workers\": %d, \"error\": %d}\n",
               m->name, t->app.rows, t->cut, k, seconds, r.kernel_seconds, r.rows, ok ? "ok" : "fail", device,
               r.schedule, r.workers, r.error);
        fflush(stdout);
    }
    free(t->values);
    free(t->spare);
    return bad ? APP_CHECK_FAILED : APP_OK;
}

int main(int argc, char **argv) {
    struct textbook t = {.method = "fib",
                         .app = {.name = "bench-textbook",
                                 .summary = "fork-join programs as textbooks have them",
                                 .pools = true,
                                 .rows = 30,
                                 .repeat = 1}};
    const struct app_option options[] = {
        {"method", "NAME", "fib, queens or cilksort", APP_TEXT, &t.method, 0},
        {"cut", "N",
         "below which number, from which row on, or up to how many values there are no more tasks (0: fib and queens "
         "have tasks to the end, cilksort sorts 2048 values alone)",
         APP_LONG, &t.cut, 0},
        {0}};
    t.app.options = options;
    const int status = app_parse(&t.app, argc, argv);
    if (status >= 0)
        return status;
    const struct method *m = methods;
    while (m->name && strcmp(m->name, t.method))
        m++;
    if (!m->name)
        return app_fail(&t.app, "--method=%s: expected fib, queens or cilksort", t.method);
    if (t.app.rows < 1 || t.app.rows > m->most || t.cut < 0 || t.cut > 1 << 30)
        return app_fail(&t.app, "--size=%ld --cut=%ld: sizes of %s are 1 to %ld", t.app.rows, t.cut, m->name, m->most);
    return measure(&t, m);
}
