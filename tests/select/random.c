/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random [--first=N] [--count=N] [--verbose]: runs seeded random OpenMP programs and compares each with plain
 * OpenMP's result. Run it plainly (it must pass with libomptarget alone), preloaded and linked.
 */
#include "random.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 6 };

struct program {
    struct random r;
    struct array arrays[ARRAYS];
    uint64_t seed;
    int errors;
};
static bool verbose;

static void make(struct array *a, struct random *r) {
    static const long limits[] = {1, 8, 100, 1000, 5000};
    a->n = 1 + below(r, limits[below(r, 5)]);
    a->maps = 0;
    const size_t bytes = (size_t)a->n * sizeof(word);
    a->at = malloc(bytes);
    a->want = malloc(bytes);
    a->device = malloc(bytes);
    for (long i = 0; i < a->n; i++)
        a->at[i] = a->want[i] = clip(next(r));
    memset(a->device, 0, bytes);
}

static void enter(struct array *a, struct random *r) {
    word *p = a->at;
    const long n = a->n;
    if (below(r, 2)) {
#pragma omp target enter data map(to : p[0 : n])
    } else {
#pragma omp target enter data map(alloc : p[0 : n])
        if (!a->maps) {
#pragma omp target update to(p[0 : n])
        }
    }
    if (!a->maps++)
        memcpy(a->device, a->want, (size_t)n * sizeof(word));
}

static void leave(struct array *a, struct random *r) {
    word *p = a->at;
    const long n = a->n;
    const int how = (int)below(r, 3);
    if (!a->maps)
        return;
    if (how == 0) {
#pragma omp target exit data map(from : p[0 : n])
        if (a->maps == 1)
            memcpy(a->want, a->device, (size_t)n * sizeof(word));
        a->maps--;
    } else if (how == 1) {
#pragma omp target exit data map(release : p[0 : n])
        a->maps--;
    } else {
#pragma omp target exit data map(delete : p[0 : n])
        a->maps = 0;
    }
}

static void update(struct array *a, struct random *r) {
    word *p = a->at;
    const long from = below(r, a->n), n = 1 + below(r, a->n - from);
    if (below(r, 2)) {
#pragma omp target update to(p[from : n])
        if (a->maps)
            memcpy(a->device + from, a->want + from, (size_t)n * sizeof(word));
    } else {
#pragma omp target update from(p[from : n])
        if (a->maps)
            memcpy(a->want + from, a->device + from, (size_t)n * sizeof(word));
    }
}

/* The program's own memory is its own, mapped or not. */
static void host_writes(struct array *a, struct random *r) {
    const long i = below(r, a->n);
    a->at[i] = a->want[i] = clip(next(r));
}

static bool same(struct program *p, const char *when) {
    for (int k = 0; k < ARRAYS; k++)
        for (long i = 0; i < p->arrays[k].n; i++)
            if (p->arrays[k].at[i] != p->arrays[k].want[i]) {
                if (!p->errors++)
                    fprintf(stderr, "seed %llu, %s: array %d of %ld, word %ld is %llx, not %llx\n",
                            (unsigned long long)p->seed, when, k, p->arrays[k].n, i,
                            (unsigned long long)p->arrays[k].at[i], (unsigned long long)p->arrays[k].want[i]);
                return false;
            }
    return true;
}

static void step(struct program *p) {
    struct random *r = &p->r;
    const int a = (int)below(r, ARRAYS), b = (a + 1 + (int)below(r, ARRAYS - 1)) % ARRAYS;
    struct array *x = &p->arrays[a], *z = &p->arrays[b];
    char what[64];
    const int op = (int)below(r, 20);
    snprintf(what, sizeof what, "operation %d", op);
    if (op < 2)
        enter(x, r);
    else if (op < 4)
        leave(x, r);
    else if (op < 6)
        update(x, r);
    else if (op < 7)
        host_writes(x, r);
    else {
        const int kind = (int)below(r, REGIONS);
        snprintf(what, sizeof what, "region kind %d on %d (%d maps) and %d (%d maps)", kind, a, x->maps, b, z->maps);
        if (region_fits(kind, x, z))
            region_run(kind, x, z, clip(next(r)), r);
    }
    if (verbose)
        fprintf(stderr, "%s, arrays %d %d\n", what, a, b);
    same(p, what);
}

/* A random graph of `target nowait` tasks; its serial order is one of its right orders. Without `parallel` in the
   regions: on x86_64 devices LLVM 19's libomp now and then aborts over one in a helper thread (kmp_tasking.cpp
   4368), with or without heddle. */
static void graph(struct program *p) {
    struct random *r = &p->r;
    char flag[ARRAYS];
    const int tasks = 3 + (int)below(r, 12), threads = 1 + (int)below(r, 4);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int t = 0; t < tasks; t++) {
        const int a = (int)below(r, ARRAYS), b = (a + 1 + (int)below(r, ARRAYS - 1)) % ARRAYS;
        struct array *ax = &p->arrays[a], *az = &p->arrays[b];
        word *x = ax->at, *z = az->at;
        const long m = ax->n, n = az->n;
        const word c = clip(next(r));
        for (long i = 0; i < n; i++)
            seen(az)[i] = clip(seen(az)[i] * 3 + seen(ax)[i % m] + c);
#pragma omp target map(to : x[0 : m]) map(tofrom : z[0 : n]) depend(in : flag[a]) depend(inout : flag[b]) nowait
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + x[i % m] + c);
    }
    (void)flag;
    same(p, "after a task graph");
}

/* One task of a graph whose dependences name the arrays' own bytes. */
struct node {
    int a, b, kind;
    word c;
};
enum { READS, WRITES_BOTH, ON_HOST, WRITES_INPUT };

static struct node draw_node(struct random *r) {
    const int a = (int)below(r, ARRAYS), b = (a + 1 + (int)below(r, ARRAYS - 1)) % ARRAYS;
    const int kind = below(r, 12) ? (int)below(r, WRITES_INPUT) : WRITES_INPUT;
    return (struct node){a, b, kind, clip(next(r))};
}

static void node_model(struct array *ax, struct array *az, const struct node *t) {
    if (t->kind == ON_HOST) {
        for (long i = 0; i < az->n; i++)
            az->want[i] = clip(az->want[i] * 3 + t->c);
        return;
    }
    for (long i = 0; i < az->n; i++)
        seen(az)[i] = clip(seen(az)[i] * 3 + seen(ax)[i % ax->n] + t->c);
    if (t->kind == WRITES_BOTH || (t->kind == WRITES_INPUT && ax->maps))
        for (long i = 0; i < ax->n; i++)
            seen(ax)[i] = clip(seen(ax)[i] + t->c);
}

/* A task that writes what it has in depend(in:) is alone: then plain OpenMP has one result, too. */
static void node_writes_input(word *x, long m, word *z, long n, word c) {
#pragma omp taskwait
#pragma omp target map(to : x[0 : m]) map(tofrom : z[0 : n]) depend(in : x[0 : m]) depend(inout : z[0 : n]) nowait
    {
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + x[i % m] + c);
        for (long i = 0; i < m; i++)
            x[i] = clip(x[i] + c);
    }
#pragma omp taskwait
}

static void node_run(struct array *ax, struct array *az, const struct node *t) {
    word *x = ax->at, *z = az->at;
    const long m = ax->n, n = az->n;
    const word c = t->c;
    if (t->kind == READS) {
#pragma omp target map(to : x[0 : m]) map(tofrom : z[0 : n]) depend(in : x[0 : m]) depend(inout : z[0 : n]) nowait
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + x[i % m] + c);
    } else if (t->kind == WRITES_BOTH) {
#pragma omp target map(tofrom : x[0 : m], z[0 : n]) depend(inout : x[0 : m], z[0 : n]) nowait
        {
            for (long i = 0; i < n; i++)
                z[i] = clip(z[i] * 3 + x[i % m] + c);
            for (long i = 0; i < m; i++)
                x[i] = clip(x[i] + c);
        }
    } else if (t->kind == ON_HOST) {
#pragma omp task depend(inout : z[0 : n])
        for (long i = 0; i < n; i++)
            z[i] = clip(z[i] * 3 + c);
    } else {
        node_writes_input(x, m, z, n, c);
    }
}

/* The same graph again and again, with another task now and then. */
static void iterations(struct program *p) {
    enum { MOST = 16 };
    struct random *r = &p->r;
    struct node node[MOST];
    const int nodes = 2 + (int)below(r, MOST - 2), rounds = 2 + (int)below(r, 6), threads = 1 + (int)below(r, 4);
    for (int k = 0; k < nodes; k++)
        node[k] = draw_node(r);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < nodes; k++) {
            struct array *x = &p->arrays[node[k].a], *z = &p->arrays[node[k].b];
            node_model(x, z, &node[k]);
            node_run(x, z, &node[k]);
        }
        if (!below(r, 3))
            node[below(r, nodes)] = draw_node(r);
#pragma omp taskwait
    }
    same(p, "after iterations of a graph");
}

/* Threads race into regions that map all of one array and write a part each. */
static void race(struct program *p) {
    struct random *r = &p->r;
    struct array *ax = &p->arrays[0], *az = &p->arrays[1 + below(r, ARRAYS - 1)];
    word *x = ax->at, *z = az->at;
    const long m = ax->n, n = az->n;
    const int threads = 2 + (int)below(r, 3), rounds = 1 + (int)below(r, 6);
#pragma omp parallel num_threads(threads)
    for (int k = 0; k < rounds; k++) {
        const long self = omp_get_thread_num(), all = omp_get_num_threads();
#pragma omp target map(to : x[0 : m]) map(tofrom : z[0 : n]) firstprivate(self, all)
        for (long i = self; i < n; i += all)
            z[i] = clip(z[i] * 3 + x[i % m] + 1);
    }
    for (int k = 0; k < rounds; k++)
        for (long i = 0; i < n; i++)
            seen(az)[i] = clip(seen(az)[i] * 3 + seen(ax)[i % m] + 1);
    same(p, "after racing threads");
}

static void late(struct program *p) {
    if (late_writers(&p->r))
        return;
    fprintf(stderr, "seed %llu: tasks that begin to write beside readers: a wrong result\n",
            (unsigned long long)p->seed);
    p->errors++;
}

static void check_empty(struct program *p, struct array *a) {
    for (int d = 0; d < omp_get_num_devices(); d++)
        if (omp_target_is_present(a->at, d)) {
            fprintf(stderr, "seed %llu: device %d still maps an array at the end\n", (unsigned long long)p->seed, d);
            p->errors++;
        }
}

static int run(uint64_t seed) {
    struct program p = {.r = {seed * 7919 + 1}, .seed = seed};
    for (int k = 0; k < ARRAYS; k++)
        make(&p.arrays[k], &p.r);
    const int steps = 5 + (int)below(&p.r, 30);
    for (int k = 0; k < steps && !p.errors; k++) {
        const long what = below(&p.r, 16);
        if (what == 0)
            graph(&p);
        else if (what == 2)
            iterations(&p);
        else if (what == 1)
            race(&p);
        else if (what == 3)
            late(&p);
        else
            step(&p);
    }
    for (int k = 0; k < ARRAYS; k++) {
        while (p.arrays[k].maps)
            leave(&p.arrays[k], &p.r);
        check_empty(&p, &p.arrays[k]);
    }
    same(&p, "at the end");
    for (int k = 0; k < ARRAYS; k++) {
        free(p.arrays[k].at);
        free(p.arrays[k].want);
        free(p.arrays[k].device);
    }
    return p.errors;
}

int main(int argc, char **argv) {
    unsigned long first = 1, count = 100, failed = 0;
    for (int k = 1; k < argc; k++)
        if (sscanf(argv[k], "--first=%lu", &first) != 1 && sscanf(argv[k], "--count=%lu", &count) != 1)
            verbose = !strcmp(argv[k], "--verbose");
    for (unsigned long s = first; s < first + count; s++)
        failed += run(s) != 0;
    printf("%lu random programs, %lu wrong\n", count, failed);
    return failed != 0;
}
