/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, long *out)
{
    long a = 0;
    if (n) {
#pragma heddle task
        f(n - 1, &a);
    }
#pragma heddle taskwait
    *out = a + 1;
}
static void h(int n, long *out)
{
    if (n)
        f(n, out);
    *out += 1;
}
long g(int n)
{
    long x = 0;
#pragma heddle pool map(tofrom: x) device(0)
    {
#pragma heddle task
        h(n, &x);
    }
    return x;
}
// expect: 15:9: error: 'f' waits for its tasks, so its call is a task or a statement of a block; put '#pragma heddle task' before it, or '{ }' around it
