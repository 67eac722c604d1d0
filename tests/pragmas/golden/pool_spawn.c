/* SPDX-License-Identifier: Apache-2.0 */
struct node { int key, left, right; };
static int depth;
static const int weight[4] = {1, 2, 3, 4};
static long below(const struct node *tree, int n)
{
    return n < 0 ? 0 : weight[tree[n].key & 3] + below(tree, tree[n].left) + below(tree, tree[n].right);
}
static void visit(const struct node *tree, int n, int level, long *total, int *steps)
{
    if (n < 0)
        return;
    long own = tree[n].key;
    if (level == depth)
        own += below(tree, tree[n].left);
    #pragma omp atomic
    *total += own;
    *steps++ = level;
    #pragma heddle task priority(level & 3)
    visit(tree, tree[n].left, level + 1, total, steps);
}
static void fib(int n, long *out)
{
    if (n < 2) {
        *out = n;
        return;
    }
    long a, b;
    for (int k = 1; k < 3; k++)
        #pragma heddle task
        fib(n - k, k == 1 ? &a : &b);
    #pragma heddle taskwait
    *out = a + b;
}
long search(const struct node *tree, int nodes, int *steps)
{
    long total = 0, f = 0;
    #pragma heddle pool schedule(dynamic) map(to: tree[0:nodes]) map(tofrom: total, f, steps[0:nodes])
    {
        for (int root = 0; root < 2; root++) {
            #pragma heddle task depend(out: total) priority(1)
            visit(tree, root, 0, &total, steps);
        }
        #pragma heddle taskwait
        #pragma heddle task
        fib(12, &f);
    }
    return total + f;
}
