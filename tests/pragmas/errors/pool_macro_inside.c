/* SPDX-License-Identifier: Apache-2.0 */
void g(int n, int *x)
{
#define TWO 2
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        {
            x[TWO] = 0;
        }
    }
}
// expect: 4:9: error: macro 'TWO' is defined inside the function, but the task that uses it becomes a function before it; move the #define up
