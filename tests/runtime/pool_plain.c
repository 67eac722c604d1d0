/* SPDX-License-Identifier: Apache-2.0 */
#include "pool_nests.h"

static void cell(uint32_t *cells, int h, int w, int f, int y, int x) {
    uint32_t *c = cells + (long)f * h * w, v = (uint32_t)(f + 1) * 2654435761u + (uint32_t)(y * w + x);
    if (x > 0)
        v = v * 31 + c[y * w + x - 1];
    if (y > 0 && x > 0)
        v = v * 31 + c[(y - 1) * w + x - 1];
    if (y > 0)
        v = v * 31 + c[(y - 1) * w + x];
    if (y > 0 && x < w - 1)
        v = v * 31 + c[(y - 1) * w + x + 1];
    c[y * w + x] = v;
}

static void grid(int nf, int h, int w, uint32_t *cells) {
#pragma heddle pool map(tofrom: cells[0:(long)nf * h * w])
    {
#pragma heddle taskloop sink(f, y, x-1) sink(f, y-1, x-1) sink(f, y-1, x) sink(f, y-1, x+1)
        for (int f = 0; f < nf; f++)
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++)
                    cell(cells, h, w, f, y, x);
    }
}

static void node(int depth, long value, long *leaves, long *sum) {
    if (depth == 0) {
#pragma omp atomic
        *leaves += 1;
#pragma omp atomic
        *sum += value;
        return;
    }
    for (int k = 0; k < 2; k++) {
#pragma heddle task
        node(depth - 1, 2 * value + k, leaves, sum);
    }
}

static void tree(int depth, long *leaves, long *sum) {
#pragma heddle pool map(tofrom: leaves[0:1], sum[0:1])
    {
#pragma heddle task
        node(depth, 1, leaves, sum);
    }
}

static long fib(int n) {
    long a, b;
    if (n < 2)
        return n;
#pragma heddle task
    a = fib(n - 1);
#pragma heddle task
    b = fib(n - 2);
#pragma heddle taskwait
    return a + b;
}

static void fibonacci(int n, long *result) {
#pragma heddle pool map(from: result[0:1])
    {
#pragma heddle task
        result[0] = fib(n);
    }
}

static void rows(int n, const int *values, long *sums) {
#pragma heddle pool map(to: values[0:100L * n]) map(from: sums[0:n])
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++) {
            int square[100];
            long sum = 0;
#pragma heddle lanes
            for (int k = 0; k < 100; k++)
                square[k] = values[i * 100 + k] * values[i * 100 + k];
#pragma heddle lanes reduction(+: sum)
            for (int k = 0; k < 100; k++)
                sum += square[99 - k] * k;
            sums[i] = sum;
        }
    }
}

static void chain(int rounds, int n, uint32_t *a) {
#pragma heddle pool map(tofrom: a[0:n])
    {
        for (int r = 0; r < rounds; r++)
            for (int j = 1; j < n; j++) {
#pragma heddle task depend(in: a[j - 1]) depend(inout: a[j])
                a[j] = a[j] * 3 + a[j - 1] + (uint32_t)r;
            }
    }
}

static void add(uint32_t *a, int j, int k) {
#pragma omp atomic
    a[j] += (uint32_t)k;
}

static void stream(int rounds, int n, int more, uint32_t *a) {
#pragma heddle pool idle(0.002) map(tofrom: a[0:n])
    {
        for (int r = 0; r < rounds; r++) {
            for (int j = 0; j < n; j++) {
                if ((r + j) % 3) {
#pragma heddle task
                    {
                        a[j] = a[j] * 5 + (uint32_t)r;
                        for (int k = 0; k < more; k++) {
#pragma heddle task
                            add(a, j, k);
                        }
                    }
                } else {
#pragma heddle task
                    a[j] = a[j] * 3 + (uint32_t)r;
                }
            }
#pragma heddle taskwait
        }
    }
}

static void flood(const int *enough, long *sent, uint32_t *sum) {
#pragma heddle pool idle(0.002) map(tofrom: sum[0:1])
    {
        do {
#pragma heddle task
            add(sum, 0, (int)(pool_scramble(1) % 1000));
            __atomic_add_fetch(sent, 1, __ATOMIC_RELEASE);
        } while (!__atomic_load_n(enough, __ATOMIC_ACQUIRE));
    }
}

static void note(int *next, int *order, int k) {
    int at;
#pragma omp atomic capture
    at = next[0]++;
    order[at] = k;
}

static void note_all(int n, int *next, int *order) {
    for (int k = 0; k < n; k++) {
#pragma heddle task priority(k % 4)
        note(next, order, k);
    }
}

static void ranks(int n, int by_task, int *next, int *order) {
#pragma heddle pool map(tofrom: next[0:1], order[0:n])
    {
        if (by_task) {
#pragma heddle task
            note_all(n, next, order);
        }
        for (int k = 0; !by_task && k < n; k++) {
#pragma heddle task priority(k % 4)
            note(next, order, k);
        }
    }
}

const struct pools POOLS = {grid, tree, fibonacci, fibonacci, rows, chain, stream, flood, ranks};
