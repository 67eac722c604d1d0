/* SPDX-License-Identifier: Apache-2.0 */
/* What single lanes do not run. */
static void add(int *x, int n)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        x[i] += 1;
}
static void one(int *x) { *x += 1; }
static void ordered(int *x)
{
#pragma heddle task depend(inout: x[0])
    one(x);
#pragma heddle task depend(inout: x[0])
    one(x);
}
void lanes(int *x, int n)
{
#pragma heddle pool workers(lane) map(tofrom: x[0:n])
    {
#pragma heddle task
        add(x, n);
    }
}
void depends(int *x, int n)
{
#pragma heddle pool workers(lane) map(tofrom: x[0:n])
    {
#pragma heddle task
        ordered(x);
    }
}
void priorities(int *x, int n)
{
#pragma heddle pool workers(lane) map(tofrom: x[0:n])
    {
#pragma heddle task priority(2)
        one(x);
    }
}
void fixed(int *x, int n)
{
#pragma heddle pool workers(lane) schedule(static) map(tofrom: x[0:n])
    {
#pragma heddle task
        one(x);
    }
}
// expect: 5:1: error: the pool has workers(lane), but this task has a lanes loop; use workers(warp)
// expect: 12:1: error: the pool has workers(lane), but this task is made by a task, with dependences; use workers(warp)
// expect: 37:21: error: the pool has workers(lane), but this task has a priority; use workers(warp)
// expect: 43:35: error: workers(lane) runs tasks in any order and does not stay for others; leave one clause out
