/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
int outside(int n);
static void f(int n, int *out)
{
    *out = outside(n);
    printf("%d\n", n);
}
static void h(int n, int *out, void (*call)(int, int *)) { call(n, out); }
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
#pragma heddle task
        h(n, x, f);
    }
}
// expect: 6:12: error: 'outside' is called by a task, but its body is not in this file, so it cannot run on a device; define it here or in a header
// expect: 9:60: error: call through a pointer in code that tasks run; call the functions by name
