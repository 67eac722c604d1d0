/* SPDX-License-Identifier: Apache-2.0 */
/* Fork-join programs as textbooks have them, whose tasks run on single lanes of a warp. */
#include "../run/run.h"

enum { N = 3000, CUT = 16 };

static void fib(int n, long *out)
{
    if (n < 2) {
        *out = n;
        return;
    }
    long a, b;
#pragma heddle task
    fib(n - 1, &a);
#pragma heddle task
    fib(n - 2, &b);
#pragma heddle taskwait
    *out = a + b;
}

/* No taskwait: what counts is counted at the leaves. */
static void queens(int n, int row, unsigned columns, unsigned left, unsigned right, long *solutions)
{
    if (row == n) {
#pragma omp atomic
        *solutions += 1;
        return;
    }
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        const unsigned bit = free & -free;
#pragma heddle task
        queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1, solutions);
    }
}

static void insertion(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        const int x = a[i];
        int k = i;
        for (; k > 0 && a[k - 1] > x; k--)
            a[k] = a[k - 1];
        a[k] = x;
    }
}

static int below(const int *a, int n, int x)
{
    int lo = 0;
    while (lo < n) {
        const int mid = lo + (n - lo) / 2;
        if (a[mid] < x)
            lo = mid + 1;
        else
            n = mid;
    }
    return lo;
}

static void merge(const int *a, int n, const int *b, int m, int *to)
{
    if (n + m <= 2 * CUT) {
        int i = 0, k = 0;
        while (i < n || k < m) {
            const int first = k == m || (i < n && a[i] <= b[k]);
            to[i + k] = first ? a[i] : b[k];
            i += first;
            k += !first;
        }
        return;
    }
    if (n < m) {
        const int *c = a;
        const int l = n;
        a = b, n = m, b = c, m = l;
    }
    const int half = n / 2, place = below(b, m, a[half]);
#pragma heddle task
    merge(a, half, b, place, to);
#pragma heddle task
    merge(a + half, n - half, b + place, m - place, to + half + place);
#pragma heddle taskwait
}

/* Four quarters, two merges, one merge: three parts between two waits. */
static void sort(int *a, int *spare, int n)
{
    if (n <= CUT) {
        insertion(a, n);
        return;
    }
    int q = n / 4;
    for (int k = 0; k < 4; k++) {
#pragma heddle task
        sort(a + k * q, spare + k * q, k < 3 ? q : n - 3 * q);
    }
#pragma heddle taskwait
#pragma heddle task
    merge(a, q, a + q, q, spare);
#pragma heddle task
    merge(a + 2 * q, q, a + 3 * q, n - 3 * q, spare + 2 * q);
#pragma heddle taskwait
#pragma heddle task
    merge(spare, 2 * q, spare + 2 * q, n - 2 * q, a);
#pragma heddle taskwait
}

/* An uneven tree: a node has none to six others below it. */
static void grow(unsigned seed, int depth, long *nodes)
{
    const int children = depth < 3 ? 6 : (int)(seed >> 20) % 7 * (depth < 12) / (1 + (depth > 8));
#pragma omp atomic
    nodes[depth & 7] += 1 + (seed & 3);
    for (int k = 0; k < children; k++) {
#pragma heddle task
        grow(seed * 1664525u + 1013904223u * (unsigned)(k + 1), depth + 1, nodes);
    }
}

/* A wait for tasks of which one goes on without waiting for its own, an array on the stack, waits in a loop. */
static void deep(int n, long *sum)
{
#pragma omp atomic
    *sum += n;
    if (n > 0) {
#pragma heddle task
        deep(n - 1, sum);
    }
}
static void loops(int n, long *out)
{
    long part[4], total = 0;
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < 4; l++)
            part[l] = 0;
#pragma heddle task
        deep(k, &part[0]);
#pragma heddle task
        deep(2, &part[1]);
#pragma heddle taskwait
        total += part[0] * 3 + part[1] + k;
    }
    *out = total;
#pragma heddle task
    deep(n, out + 1);
}

static void filled(int *row, int n, int seed)
{
    for (int i = 0; i < n; i++)
        row[i] = seed + i;
}
static void local_array(int k, long *out)
{
    int row[20];
    filled(row, 20, k);
    long sum = 0;
    for (int i = 0; i < 20; i++)
        sum += row[i];
    out[k] = sum;
    if (k > 0) {
#pragma heddle task
        local_array(k - 1, out);
    }
}

static int data[N], spare[N];
static long fibs[16], solutions[1], nodes[8], sums[2], arrays[40], chain[40], cells[40][50];

int main(void)
{
#pragma heddle pool workers(lane) map(tofrom: fibs)
    {
        for (int n = 0; n < 16; n++) {
#pragma heddle task
            fib(n, &fibs[n]);
        }
    }
    run_report("fib", fibs, sizeof fibs);
#pragma heddle pool map(tofrom: solutions)
    {
#pragma heddle task
        queens(7, 0, 0, 0, 0, solutions);
    }
    run_report("queens", solutions, sizeof solutions);
    run_ints(data, N, 3);
#pragma heddle pool map(tofrom: data) map(alloc: spare)
    {
#pragma heddle task
        sort(data, spare, N);
    }
    run_report("sort", data, sizeof data);
#pragma heddle pool map(tofrom: nodes)
    {
#pragma heddle task
        grow(12345, 0, nodes);
    }
    run_report("grow", nodes, sizeof nodes);
#pragma heddle pool map(tofrom: sums)
    {
#pragma heddle task
        loops(30, sums);
    }
    run_report("loops", sums, sizeof sums);
#pragma heddle pool map(tofrom: arrays)
    {
#pragma heddle task
        local_array(39, arrays);
    }
    run_report("arrays", arrays, sizeof arrays);
    /* The host's own tasks and iterations in an order, on lanes. */
#pragma heddle pool workers(lane) map(tofrom: chain, cells)
    {
        for (int k = 0; k < 40; k++) {
#pragma heddle task depend(inout: chain[k % 7]) depend(in: chain[(k + 1) % 7])
            chain[k % 7] = chain[k % 7] * 3 + chain[(k + 1) % 7] + k;
        }
#pragma heddle taskwait
#pragma heddle taskloop collapse(2) sink(y, x-1) sink(y-1, x+1)
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 50; x++)
                cells[y][x] = (x ? cells[y][x - 1] : 1) + (y && x < 49 ? (cells[y - 1][x + 1] * 3) & 1023 : 2);
#pragma heddle taskwait
#pragma heddle taskloop
        for (int k = 0; k < 40; k++) {
#pragma heddle task
            fib(k % 9, &chain[k]);
        }
    }
    run_report("chain", chain, sizeof chain);
    run_report("cells", cells, sizeof cells);
    return 0;
}
