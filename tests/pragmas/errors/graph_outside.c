/* SPDX-License-Identifier: Apache-2.0 */
void f(int *x, int n)
{
    struct own {
        int i;
    } own = {1};
#define INSIDE(i) x[i]
#pragma heddle graph
    {
#pragma omp task depend(inout : x[0 : n])
        x[0] += own.i;
#pragma omp task depend(inout : x[0 : n])
        INSIDE(0)++;
    }
}
// expect: 11:17: error: the type of 'own' is declared inside the function, but the task becomes a function before it; move the type to file scope
// expect: 13:9: error: macro 'INSIDE' is defined inside the function, but the task becomes a function before it; move the #define up
// expect: 7:9: note: defined here
