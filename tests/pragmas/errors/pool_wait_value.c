/* SPDX-License-Identifier: Apache-2.0 */
static int f(int n, long *out)
{
#pragma heddle task
    f(n - 1, out);
#pragma heddle taskwait
    return n;
}
long g(int n)
{
    long x = 0, y;
#pragma heddle pool map(tofrom: x) map(from: y) device(0)
    {
#pragma heddle task
        y = f(n, &x);
#pragma heddle task
        f(n, &x);
    }
    return x + y;
}
// expect: 15:9: error: the value of 'f' must go to an object of its own type, 'int', that is named without side effects
// expect: 17:9: error: the value of 'f' is dropped, but it waits for its tasks to compute it; assign it
// expect: 5:5: error: the value of 'f' is dropped, but it waits for its tasks to compute it; assign it
