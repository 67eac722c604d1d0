/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks behind #if and #else, with a structure behind a pointer, and goto inside. */
#include <stdio.h>
static void f(int n, long *r)
{
    if (n < 2) {
        *r = n;
        return;
    }
    long a, b;
#pragma heddle task
#ifdef NEVER
    f(n - 3, &a);
#else
    f(n - 1, &a);
#endif
#pragma heddle task
    f(n - 2, &b);
#pragma heddle taskwait
    *r = a + b;
}
struct range {
    int first, last;
    long sum;
};
static void add(struct range *all)
{
#pragma heddle pool
    {
#pragma heddle task
        {
            const int first = all->first;
            for (int i = first; i <= all->last; i++) {
                if (i % 3)
                    goto next;
                all->sum += i;
            next:;
            }
        }
    }
}
int main(void)
{
    struct range all = {1, 100, 0};
    long r;
#pragma heddle pool
#pragma heddle task
#if 0
    f(3, &r);
#else
    f(15, &r);
#endif
    add(&all);
    printf("%ld %ld\n", r, all.sum);
}
