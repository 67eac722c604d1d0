/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments without names, which come one after the other. */
#include <stdarg.h>
void f(int n, int *restrict x, va_list given)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        x[i] = va_arg(given, int);
}
double g(int n, ...)
{
    double s = 0;
    va_list args;
    va_start(args, n);
#pragma heddle for reduction(+: s)
    for (int i = 0; i < n; i++)
        s += va_arg(args, double);
    va_end(args);
    return s;
}
// expect: 8:23: error: each use of 'given' takes the next argument, so iterations cannot come in another order; copy the arguments into an array before the loop
// expect: 17:21: error: each use of 'args' takes the next argument, so iterations cannot come in another order; copy the arguments into an array before the loop
