/* SPDX-License-Identifier: Apache-2.0 */
/* Pools of whose arrays nobody can tell what a device would need: on the host, with globals and memory beside them, as
   heddle's own tasks or as OpenMP's. */
#include <stdio.h>
#include <stdlib.h>
enum { N = 300 };
static int seen[N];
static void visit(int i, int *x) {
    x[i] += i;
    seen[i]++;
}
/* a list through an index: only the tasks know where it ends */
static void chain(const int *next, int *mark, int i, int depth) {
    mark[i] = depth;
    if (next[i] >= 0) {
#pragma heddle task
        chain(next, mark, next[i], depth + 1);
    }
}
static void gathered(int n, int *z, const int *x, const int *order, int *y) {
#pragma heddle pool
    {
        for (int i = 0; i < n; i++)
#pragma heddle task
            z[i] = x[order[i]];
        for (int i = 0; i < n; i++)
#pragma heddle task
            visit(order[i], y);
    }
}
static void linked(const int *next, int *mark) {
#pragma heddle pool
    {
#pragma heddle task
        chain(next, mark, 0, 1);
    }
}
static void ordered(int n, const int *group, long *sum, const int *x) {
#pragma heddle pool
    {
        for (int i = 0; i < n; i++)
#pragma heddle task depend(inout: sum[group[i]])
            sum[group[i]] = sum[group[i]] * 3 + x[i];
    }
}
/* OpenMP's tasks. libomp gives the memory of one to the next, which nobody tells the thread sanitizer: serial there. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SERIAL
#endif
#endif
static void with_memory(int n, const int *order, int **own) {
#ifndef SERIAL
#pragma heddle pool
#endif
    {
        for (int i = 0; i < n; i++)
#ifndef SERIAL
#pragma heddle task
#endif
        {
            own[order[i]] = malloc(sizeof(int));
#pragma omp critical
            *own[order[i]] = i;
        }
    }
}
static unsigned hash(const int *x) {
    unsigned h = 0;
    for (int i = 0; i < N; i++)
        h = h * 31 + (unsigned)x[i];
    return h;
}
int main(void) {
    static int x[N], y[N], z[N], order[N], next[N], mark[N], group[N], *own[N];
    long sum[5] = {0};
    for (int i = 0; i < N; i++) {
        x[i] = i * i % 37;
        order[i] = i * 7 % N;
        next[i] = i < 20 ? i * 3 + 1 : -1;
        group[i] = i % 5;
    }
    gathered(N, z, x, order, y);
    linked(next, mark);
    ordered(N, group, sum, x);
    with_memory(N, order, own);
    unsigned owned = 0;
    for (int i = 0; i < N; i++) {
        owned = owned * 31 + (unsigned)*own[i];
        free(own[i]);
    }
    printf("%u %u %u %u %u\n", hash(z), hash(y), hash(seen), hash(mark), owned);
    printf("%ld %ld %ld %ld %ld\n", sum[0], sum[1], sum[2], sum[3], sum[4]);
    return 0;
}
