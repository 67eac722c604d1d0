/* SPDX-License-Identifier: Apache-2.0 */
/* Pools that stay on the host use what devices lack: memory, lists, alloca, functions by address, output, critical. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
enum { N = 200 };
#define threads 3 /* as a member of heddle's own structures is called */
struct node { struct node *left, *right; int value; };
static struct node *tree(int depth)
{
    struct node *n = malloc(sizeof *n);
    n->left = n->right = 0;
    n->value = depth;
    if (depth) {
#pragma heddle task
        n->left = tree(depth - 1);
#pragma heddle task
        n->right = tree(depth - 1);
#pragma heddle taskwait
    }
    return n;
}
static int sum(struct node *n)
{
    int l = 0, r = 0;
    if (!n) return 0;
#pragma heddle task
    l = sum(n->left);
#pragma heddle task
    r = sum(n->right);
#pragma heddle taskwait
    int v = n->value + l + r;
    free(n);
    return v;
}
static int queens(int n, int j, char *a)
{
    int *count = alloca(sizeof(int) * n), solutions = 0;
    if (n == j) return 1;
    for (int i = 0; i < n; i++) {
        int ok = 1;
        count[i] = 0;
        for (int k = 0; k < j; k++)
            ok &= a[k] != i && a[k] - i != j - k && i - a[k] != j - k;
        if (!ok) continue;
#pragma heddle task
        {
            char *b = alloca(n);
            memcpy(b, a, j);
            b[j] = i;
            count[i] = queens(n, j + 1, b);
        }
    }
#pragma heddle taskwait
    for (int i = 0; i < n; i++) solutions += count[i];
    return solutions;
}
static int done;
static double apply(double (*f)(double), double x) { return f(x); }
static double twice(double x) { return 2 * x; }
int main(void)
{
    struct node *t;
    int s, q;
    char a[1];
    double *x[N], total = 0;
    char text[N][12];
#pragma heddle pool
    {
#pragma heddle task
        t = tree(6);
    }
#pragma heddle pool
    {
#pragma heddle task
        s = sum(t);
#pragma heddle task
        q = queens(6, 0, a);
    }
#pragma heddle pool
    {
#pragma heddle taskloop independent
        for (int i = 0; i < N; i++) {
            x[i] = malloc(sizeof(double));
            *x[i] = apply(twice, i);
            snprintf(text[i], sizeof text[i], "%d", i);
#pragma omp critical(lock)
            {
                done++;
                total += *x[i];
            }
        }
    }
    int k;
    char *copy[4];
#pragma heddle pool
    {
        for (int i = 0; i < 4; i++)
#pragma heddle task
        {
            k = i + threads;
            copy[i] = malloc(8);
            copy[i][0] = (char)('a' + k);
        }
    }
    printf("%.1s%.1s\n", copy[0], copy[3]);
    printf("%d %d %d %g %s\n", s, q, done, total, text[N - 1]);
}
