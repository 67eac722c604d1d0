/* SPDX-License-Identifier: Apache-2.0 */
/*
 * depend CASE: what `depend` says in bytes.
 *   order    two tasks on overlapping sections from different addresses, in flight together; freed: a section is freed
 *            before its task begins: both are told
 *   readers  regions that read one array on all devices: it is copied to each once
 *   writer   the same, and from the fourth step on they write it, in order: results as in plain OpenMP
 *   beside   two at once that say depend(in:), one of which writes what the other never touches; its map says tofrom
 *   always   the same, and its map says to; it writes from the first step on
 *   hidden   the same, in the eighth step; hidden-last: it ends last
 *   several  four at once, three of which write in the eighth step, each bytes of its own
 *   graph    a graph of tasks that is the same in each step: dealt by the policies of graphs
 *   tiles    a triangle of tiles that stay on devices, each read by many tasks at once, over and over
 */
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the first turns, ALONE, regions that are to run at once run one after another, so that each is compared with a
   copy on another device and found not to write: those that are not stay on one device when they meet. */
enum { N = 2000, OBJECTS = 8, STEPS = 12, ALONE = 4, READS = 7, TURNS = 8 };

static int order(void) {
    int x[8] = {0}, flag = 0;
#pragma omp target map(tofrom : flag)
    flag = 1;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x[0 : 4]) shared(x)
        {
            usleep(300000);
            x[1] = 7;
        }
#pragma omp task depend(in : x[1 : 2])
        usleep(1000);
#pragma omp taskwait
    }
    return x[1] != 7 || flag != 1;
}

static int freed(void) {
    int flag = 0;
    double *big = malloc(32 << 20);
    big[0] = 1;
#pragma omp target map(tofrom : flag)
    flag = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : flag)
        usleep(100000);
#pragma omp task depend(in : flag) depend(out : big[0 : 4 << 20])
        usleep(1000);
        free(big);
    }
    return flag != 1;
}

#define READER(k)                                                                                                      \
    {                                                                                                                  \
        double s = 0;                                                                                                  \
        _Pragma("omp target map(to : x[0 : N]) map(from : s) depend(in : x[0 : N]) nowait") {                          \
            s = 0;                                                                                                     \
            for (int i = 0; i < N; i++)                                                                                \
                s += x[i];                                                                                             \
        }                                                                                                              \
        _Pragma("omp taskwait") sum[k] = s;                                                                            \
    }

static int readers(void) {
    double *x = malloc(N * sizeof *x), sum[4];
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target enter data map(to : x[0 : N])
    for (int round = 0; round < 3; round++) {
        memset(sum, 0, sizeof sum);
        READER(0)
        READER(1)
        READER(2)
        READER(3)
        for (int k = 0; k < 4; k++)
            wrong += sum[k] != N / 2 * (N - 1.0);
    }
#pragma omp target exit data map(delete : x[0 : N])
    free(x);
    return wrong;
}

static int steps(int writes_from) {
    double *x = malloc(N * sizeof *x), *y[OBJECTS], x0 = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target enter data map(to : x[0 : N])
    for (int k = 0; k < OBJECTS; k++) {
        double *z = y[k] = calloc(N, sizeof *z);
#pragma omp target enter data map(to : z[0 : N])
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int s = 0; s < STEPS; s++) {
        const int writes = s >= writes_from;
        for (int k = 0; k < OBJECTS; k++) {
            double *z = y[k];
#pragma omp target nowait depend(in : x[0 : N]) depend(inout : z[0 : N]) map(x[0 : N], z[0 : N]) firstprivate(writes)
            {
                for (int i = 0; i < N; i++)
                    z[i] += x[i];
                if (writes)
                    x[0] += 1;
            }
            if (writes) {
#pragma omp taskwait
            }
        }
#pragma omp taskwait
    }
    for (int k = 0; k < OBJECTS; k++) {
        double *z = y[k];
#pragma omp target exit data map(from : z[0 : N])
        for (int i = 1; i < N; i++)
            wrong += z[i] != (double)i * STEPS;
        free(z);
    }
#pragma omp target exit data map(from : x[0 : N])
    x0 = writes_from < STEPS ? (STEPS - writes_from) * OBJECTS : 0;
    wrong += x[0] != x0;
    free(x);
    return wrong;
}

/* Regions on x86_64 devices are in this process: a flag of the host's is reached by its address, which goes along as a
   number, and that both run at the same time is waited for. */
#pragma omp begin declare target
static void pass_time(double seconds) {
    const double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}
static void meet(uintptr_t flag, int all) {
    const double end = omp_get_wtime() + 0.3;
    __atomic_add_fetch((int *)flag, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n((int *)flag, __ATOMIC_SEQ_CST) < all && omp_get_wtime() < end)
        ;
}
static void write_between(double *x, double more, double before, double after) {
    pass_time(before);
    if (more > 0)
        x[0] += more;
    pass_time(after);
}
#pragma omp end declare target

static void beside_it(double *x, double seconds, uintptr_t flag, int all) {
#pragma omp target nowait depend(in : x[0 : N]) map(to : x[0 : N]) firstprivate(flag)
    {
        meet(flag, all);
        if (seconds < 0)
            x[1] += 1;
        pass_time(seconds);
    }
}
static void write_tofrom(double *x, double more, const double *seconds, uintptr_t flag, int all) {
    const double before = seconds[0], after = seconds[1];
#pragma omp target nowait depend(in : x[0 : N]) map(tofrom : x[0 : N]) firstprivate(flag)
    {
        meet(flag, all);
        write_between(x, more, before, after);
    }
}
static void write_hidden(double *x, double more, const double *seconds, uintptr_t flag, int all) {
    const double before = seconds[0], after = seconds[1];
#pragma omp target nowait depend(in : x[0 : N]) map(to : x[0 : N]) firstprivate(flag)
    {
        meet(flag, all);
        write_between(x, more, before, after);
    }
}

/* After so many steps in which nothing is written the writer ends first, or last. */
static int at_once(void (*write)(double *, double, const double *, uintptr_t, int), bool first, int reads) {
    static int flag;
    const double some = 0.005, early[] = {some, 0}, late[] = {0, 4 * some};
    double *x = calloc(N, sizeof *x);
    flag = 0;
#pragma omp target enter data map(to : x[0 : N])
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int s = 0; s < TURNS; s++) {
        const bool alone = s < ALONE && s < reads;
        write(x, s >= reads, first ? early : late, (uintptr_t)&flag, 2 * s + (alone ? 1 : 2));
        if (alone) {
#pragma omp taskwait
        }
        beside_it(x, first ? 4 * some : some, (uintptr_t)&flag, 2 * s + 2);
#pragma omp taskwait
    }
#pragma omp target exit data map(from : x[0 : N])
    const int wrong = x[0] != TURNS - reads || x[1] != 0;
    free(x);
    return wrong;
}

static int beside(void) { return at_once(write_tofrom, true, READS) || at_once(write_tofrom, false, READS); }
static int always(void) { return at_once(write_hidden, true, 0) || at_once(write_hidden, false, 0); }
static int hidden(void) { return at_once(write_hidden, true, READS); }
static int hidden_last(void) { return at_once(write_hidden, false, READS); }
/* Of each four words three are written, each by another region; one word again at its end. */
#define ONE_OF_FOUR(k, seconds)                                                                                        \
    _Pragma("omp target nowait depend(in : x[0 : N]) map(to : x[0 : N]) firstprivate(flag)") {                         \
        meet(flag, before + (alone ? (k) + 1 : 4));                                                                    \
        if (writes && (k) < 3)                                                                                         \
            for (int i = (k); i < N; i += 4)                                                                           \
                x[i] += 1;                                                                                             \
        pass_time(seconds);                                                                                            \
        if (writes && (k) == 1)                                                                                        \
            x[k] += 1;                                                                                                 \
    }                                                                                                                  \
    if (alone) {                                                                                                       \
        _Pragma("omp taskwait")                                                                                        \
    }
static void four(double *x, int writes, bool alone, uintptr_t flag, int before) {
    ONE_OF_FOUR(0, 0.002)
    ONE_OF_FOUR(1, 0.01)
    ONE_OF_FOUR(2, 0.005)
    ONE_OF_FOUR(3, 0.02)
}

static int several(void) {
    static int flag;
    double *x = calloc(N, sizeof *x);
    int wrong = 0;
#pragma omp target enter data map(to : x[0 : N])
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int s = 0; s < TURNS; s++) {
        four(x, s >= READS, s < ALONE, (uintptr_t)&flag, 4 * s);
#pragma omp taskwait
    }
#pragma omp target exit data map(from : x[0 : N])
    for (int i = 0; i < N; i++)
        wrong += x[i] != (TURNS - READS) * ((i % 4 < 3) + (i == 1));
    free(x);
    return wrong;
}

/* As in a factorization by tiles: a[i][j] takes from the tiles of column k in each of its steps. */
enum { TILES = 8, SIDE = 2000, ROUNDS = 3 };
typedef unsigned tile[SIDE];
static tile a[TILES][TILES], expected[TILES][TILES];

static void fill_tiles(tile (*x)[TILES]) {
    for (unsigned i = 0; i < TILES * TILES * SIDE; i++)
        x[i / SIDE / TILES][i / SIDE % TILES][i % SIDE] = i * 2654435761u;
}
#pragma omp begin declare target
static void mix(unsigned *z, const unsigned *x, const unsigned *y) {
    for (int k = 0; k < SIDE; k += 16)
        for (int e = 0; e < SIDE; e++)
            z[e] = z[e] * 3 + x[e] * y[(e + k) % SIDE] + (unsigned)e;
}
#pragma omp end declare target
static void expect_tiles(void) {
    fill_tiles(expected);
    for (int k = 0; k < TILES; k++) {
        for (int i = k; i < TILES; i++)
            mix(expected[i][k], expected[k][k], expected[k][k]);
        for (int i = k + 1; i < TILES; i++)
            for (int j = k + 1; j <= i; j++)
                mix(expected[i][j], expected[i][k], expected[j][k]);
    }
}
static void step_of_tiles(int k) {
    unsigned *d = a[k][k];
#pragma omp target nowait depend(inout : a[k][k]) map(tofrom : d[0 : SIDE])
    mix(d, d, d);
    for (int i = k + 1; i < TILES; i++) {
        unsigned *z = a[i][k];
#pragma omp target nowait depend(in : a[k][k]) depend(inout : a[i][k]) map(to : d[0 : SIDE]) map(tofrom : z[0 : SIDE])
        mix(z, d, d);
    }
    for (int i = k + 1; i < TILES; i++)
        for (int j = k + 1; j <= i; j++) {
            unsigned *x = a[i][k], *y = a[j][k], *z = a[i][j];
#pragma omp target nowait depend(in : a[i][k], a[j][k]) depend(inout : a[i][j]) map(to : x[0 : SIDE], y[0 : SIDE])     \
    map(tofrom : z[0 : SIDE])
            mix(z, x, y);
        }
}
static int tiles(void) {
    int wrong = 0;
    expect_tiles();
    for (int round = 0; round < ROUNDS && !wrong; round++) {
        fill_tiles(a);
        for (int k = 0; k < TILES * TILES; k++) {
            unsigned *x = a[k / TILES][k % TILES];
#pragma omp target enter data map(to : x[0 : SIDE])
        }
#pragma omp parallel num_threads(2)
#pragma omp single
        for (int k = 0; k < TILES; k++)
            step_of_tiles(k);
        for (int k = 0; k < TILES * TILES; k++) {
            unsigned *x = a[k / TILES][k % TILES];
#pragma omp target exit data map(from : x[0 : SIDE])
        }
        wrong = memcmp(a, expected, sizeof a) != 0;
    }
    return wrong;
}

static int writer(void) { return steps(3); }
static int graph(void) { return steps(STEPS); }

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*run)(void);
    } cases[] = {{"order", order},     {"freed", freed},   {"readers", readers}, {"writer", writer},
                 {"beside", beside},   {"always", always}, {"hidden", hidden},   {"hidden-last", hidden_last},
                 {"several", several}, {"graph", graph},   {"tiles", tiles}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases && argc == 2; k++)
        if (!strcmp(argv[1], cases[k].name))
            return cases[k].run() != 0;
    return 2;
}
