/* SPDX-License-Identifier: Apache-2.0 */
void g(int n, int *x, int heddle_x)
{
    struct pair { int a, b; } p = {n, n};
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        {
            x[0] = heddle_x;
        }
#pragma heddle task
        {
            x[1] = p.a;
        }
#pragma heddle task
        {
            struct pair q = {1, 2};
            x[2] = q.a;
        }
    }
}
// expect: 9:20: error: the name 'heddle_x' collides with emitted ones; do not begin names with 'heddle_'
// expect: 13:20: error: the type of 'p' is declared inside the function, but the task becomes a function before it; move the type to file scope
