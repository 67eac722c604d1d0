/* SPDX-License-Identifier: Apache-2.0 */
void g(int n, int *x)
{
#define TWO 2
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        {
            x[TWO] = 0;
        }
    }
}
// expect: 9:15: error: macro 'TWO' is defined inside the function, but the nest becomes a function before it; move the #define up
// expect: 4:9: note: defined here
