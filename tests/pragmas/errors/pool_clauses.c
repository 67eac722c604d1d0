/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int *x)
{
#pragma heddle pool schedule(peer)
    {
#pragma heddle task
        f(x);
    }
#pragma heddle pool workers(thread)
    {
#pragma heddle task priority
        f(x);
    }
#pragma heddle pool keep(x: none)
    {
#pragma heddle task depend(x)
        f(x);
#pragma heddle task depend(in: )
        f(x);
#pragma heddle task sink(x)
        f(x);
#pragma heddle taskwait depend(in: x)
    }
}
// expect: 5:30: error: expected a schedule: auto, dynamic, steal, global, static, barrier or serial
// expect: 10:29: error: expected a kind of worker: warp, block or lane
// expect: 12:29: error: expected '(' after 'priority'
// expect: 15:21: error: unknown clause 'keep'; known here: map, device, schedule, workers, memory, idle
// expect: 17:28: error: expected a kind of dependence: in, out or inout
// expect: 19:32: error: expected an expression
// expect: 21:21: error: unknown clause 'sink'; known here: depend, priority, private
// expect: 23:25: error: unknown clause 'depend'; known here: none
