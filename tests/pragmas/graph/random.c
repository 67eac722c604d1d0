/* SPDX-License-Identifier: Apache-2.0 */
/* random [graphs [seed [regions]]]: graphs of tasks of all kinds over sections that begin and end anywhere, each
 * repeated, changed a little, and repeated again. regions: of target regions alone, each time with other values. */
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long word;
enum { N = 96, TASKS = 60, REPEATS = 3, CHANGES = 3 };
enum kind { HOST, HOST_TWO, TARGET, TARGET_TWO, TARGET_SAME, OPEN, COUNT, WAIT, KINDS };

struct what {
    enum kind kind;
    int a, n, b, m; /* sections x[a : n], y[b : m] */
    word k;
};

static word seed;
static int regions;
static int below(int n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (word)n);
}

static void draw(struct what *w) {
    w->kind = below(12) ? (enum kind)below(WAIT - 1) : below(2) ? WAIT : OPEN;
    if (w->kind == OPEN && below(3))
        w->kind = TARGET;
    if (regions && w->kind != WAIT)
        w->kind = (enum kind)(TARGET + below(3));
    w->a = below(N);
    w->n = 1 + below(N - w->a < 20 ? N - w->a : 20);
    w->b = below(N);
    w->m = 1 + below(N - w->b < 30 ? N - w->b : 30);
    w->k = (word)below(1000);
}

static void turn(word *at, int n, word k) {
    for (int i = 0; i < n; i++)
        at[i] = at[i] * 3 + k + (word)i;
}

static word run(const struct what *what, int tasks, word *x, word *y, word *count) {
    word seen = 0;
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < tasks; t++) {
        const int a = what[t].a, n = what[t].n, b = what[t].b, m = what[t].m;
        const word k = what[t].k;
        word *const all = x;
        switch (what[t].kind) {
        case HOST:
#pragma omp task depend(inout : x[a : n])
            turn(&x[a], n, k);
            break;
        case HOST_TWO:
#pragma omp task depend(in : x[a : n]) depend(inout : y[b : m])
            for (int i = 0; i < m; i++)
                y[b + i] = y[b + i] * 5 + x[a + i % n];
            break;
        case TARGET:
#pragma omp target teams distribute parallel for nowait depend(inout : x[a : n]) map(tofrom : x[a : n])
            for (int i = a; i < a + n; i++)
                x[i] = x[i] * 7 + k;
            break;
        case TARGET_TWO:
#pragma omp target teams distribute parallel for simd nowait depend(in : x[a : n]) depend(inout : y[b : m])           \
    map(to : x[a : n]) map(tofrom : y[b : m])
            for (int i = 0; i < m; i++)
                y[b + i] = y[b + i] * 11 + x[a + i % n];
            break;
        case TARGET_SAME:
#pragma omp target nowait depend(in : x[a : n]) depend(inout : x[b : m]) map(tofrom : x[a : n], x[b : m])
        {
            for (int i = 0; i < m; i++)
                x[b + i] = x[b + i] * 13 + x[a + i % n];
        } break;
        case OPEN:
#pragma omp task depend(inout : x[0 : N], y[0 : N])
            for (int i = 0; i < N; i += 5)
                all[i] += y[i] + k;
            break;
        case COUNT:
#pragma omp target teams distribute parallel for nowait depend(in : x[a : n]) depend(inout : count[0 : 1])             \
    map(to : x[a : n]) map(tofrom : count[0 : 1])
            for (int one = 0; one < 1; one++) {
                word sum = k;
                for (int i = a; i < a + n; i++)
                    sum += x[i] & 7;
                count[0] = count[0] * 17 + sum;
            }
            break;
        default: {
#pragma omp taskwait
            seen = seen * 31 + x[a] + y[b] + *count;
        }
        }
    }
    return seen;
}

int main(int argc, char **argv) {
    const int graphs = argc > 1 ? atoi(argv[1]) : 20;
    static struct what what[TASKS];
    regions = argc > 3;
    word *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y), h = 0;
    for (int g = 0; g < graphs; g++) {
        seed = (argc > 2 ? strtoul(argv[2], NULL, 10) : 1) * 1000003 + (word)g;
        const int tasks = 1 + below(TASKS);
        word count = 1;
        for (int i = 0; i < N; i++)
            x[i] = (word)i, y[i] = (word)i * i;
        for (int t = 0; t < tasks; t++)
            draw(&what[t]);
        for (int c = 0; c < CHANGES; c++) {
            for (int r = 0; r < REPEATS; r++) {
                h = h * 33 + run(what, tasks - c % tasks, x, y, &count);
                what[below(tasks)].k += (word)regions;
            }
            draw(&what[below(tasks)]);
        }
        for (int i = 0; i < N; i++)
            h = h * 31 + x[i] * 7 + y[i];
        printf("%d %016lx %016lx\n", g, h, count);
    }
    free(x);
    free(y);
    return 0;
}
