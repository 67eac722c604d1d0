/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion becomes spawning: queens with global parameters, a tree walked with atomics, fork and join. */
#include "../run/run.h"

struct board { unsigned cols, left, right; int row; };
struct node { int key, child[2]; };
static int depth, queens;
static const short weight[4] = {1, 3, 5, 7};

static unsigned candidates(struct board b) { return ~(b.cols | b.left | b.right) & ((1u << queens) - 1); }
static struct board child(struct board b, unsigned bit)
{
    struct board c = {b.cols | bit, (b.left | bit) << 1, (b.right | bit) >> 1, b.row + 1};
    return c;
}
static long count_below(struct board b)
{
    if (b.row == queens)
        return 1;
    long total = 0;
    for (unsigned free = candidates(b); free; free &= free - 1)
        total += count_below(child(b, free & -free));
    return total;
}
static void place(struct board b, long *solutions)
{
    if (b.row == depth) {
        long n = count_below(b);
#pragma omp atomic
        *solutions += n;
        return;
    }
    for (unsigned free = candidates(b); free; free &= free - 1)
#pragma heddle task
        place(child(b, free & -free), solutions);
}

static void walk(const struct node *tree, int n, int level, long *sums)
{
    if (n < 0)
        return;
    long slot;
#pragma omp atomic capture
    slot = sums[0]++;
#pragma omp atomic
    sums[1 + (level & 3)] += tree[n].key * weight[n & 3];
    (void)slot;
    for (int c = 0; c < 2; c++) {
        if (tree[n].child[c] < 0)
            continue;
#pragma heddle task priority(level)
        walk(tree, tree[n].child[c], level + 1, sums);
    }
}

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

/* The same with values. */
static long tribonacci(int n)
{
    if (n < 3)
        return n == 2;
    long part[3], sum = 0;
#pragma heddle task
    part[0] = tribonacci(n - 1);
#pragma heddle task
    part[1] = tribonacci(n - 2);
    for (int k = 2; k < 3; k++)
#pragma heddle task
        part[k] = tribonacci(n - 3);
#pragma heddle taskwait
    for (int k = 0; k < 3; k++)
        sum += part[k];
    return sum;
}

/* Two waits, one in a loop; values that live across them; results of tasks in an array of the frame. */
static void rounds(int n, int level, long *out)
{
    long part[3] = {0, 0, 0}, sum = n;
    int count = 0;
    if (level == 0) {
        *out = n % 17;
        return;
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
#pragma heddle task
            rounds(n + r * k + level, level - 1, &part[k]);
        }
        count++;
#pragma heddle taskwait
        for (int k = 0; k < 3; k++)
            sum = (sum * 31 + part[k]) & 0xffffff;
    }
#pragma heddle task
    rounds(count, 0, &part[0]);
#pragma heddle taskwait
    *out = sum + part[0] + count;
}

int main(void)
{
    long solutions = 0;
    struct board start = {0, 0, 0, 0};
    queens = 9;
    depth = 3;
#pragma heddle pool map(tofrom: solutions)
    {
#pragma heddle task
        place(start, &solutions);
    }
    printf("queens %ld\n", solutions);

    enum { NODES = 500 };
    struct node *tree = malloc(NODES * sizeof *tree);
    long sums[5] = {0};
    if (!tree)
        return 1;
    for (int i = 0; i < NODES; i++) {
        tree[i] = (struct node){(int)(run_random() % 100), {2 * i + 1, 2 * i + 2}};
        for (int c = 0; c < 2; c++)
            if (tree[i].child[c] >= NODES)
                tree[i].child[c] = -1;
    }
#pragma heddle pool map(to: tree[0:NODES]) map(tofrom: sums)
    {
#pragma heddle task
        walk(tree, 0, 0, sums);
    }
    printf("tree %ld %ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3], sums[4]);
    free(tree);

    long f[4] = {0};
#pragma heddle pool map(tofrom: f)
    {
        for (int i = 0; i < 4; i++)
#pragma heddle task
            fib(8 + i, &f[i]);
    }
    printf("fib %ld %ld %ld %ld\n", f[0], f[1], f[2], f[3]);
    long r = 0;
#pragma heddle pool map(tofrom: r)
    {
#pragma heddle task
        rounds(5, 3, &r);
    }
    printf("rounds %ld\n", r);
    long t[6] = {0};
#pragma heddle pool map(tofrom: t)
    {
        for (int i = 0; i < 6; i++)
#pragma heddle task
            t[i] = tribonacci(2 * i);
    }
    run_report("tribonacci", t, sizeof t);
    return 0;
}
