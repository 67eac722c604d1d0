/* SPDX-License-Identifier: Apache-2.0 */
/* Directives out of _Pragma and macros, with other directives, conditions and comments before their loops. */
#include <stdio.h>
#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* scop */
#define STR(...) #__VA_ARGS__
#define PRAGMA(...) _Pragma(STR(__VA_ARGS__))
#define DO(x) _Pragma(#x)
#define BOTH _Pragma("omp parallel for") _Pragma("heddle for map(tofrom: x[heddle_lo:heddle_count])")
#ifdef NOPE
#define PAR _Pragma("omp parallel for")
#else
#define PAR _Pragma("heddle for device(host) map(tofrom: x[heddle_lo:heddle_count]) map(to: y[heddle_lo:heddle_count])")
#endif
double x[1000], y[1000];
int main(void)
{
#ifdef _OPENMP
#pragma heddle for map(from: x[heddle_lo : heddle_count])
#endif
#pragma scop
    for (int i = 0; i < 1000; i++)
        x[i] = i;
#pragma endscop
    PRAGMA(heddle for map(tofrom: x[heddle_lo:heddle_count]) device(host))
    /* comment */
#if 0
    nothing here
#endif
    for (int i = 0; i < 1000; i++)
        x[i] += 1;
    BOTH
    for (int i = 0; i < 1000; i++)
        x[i] *= 2;
    _Pragma("heddle for map(tofrom: x[heddle_lo:heddle_count])") for (int i = 0; i < 1000; i++)
        x[i] += 2;
#pragma heddle for map(tofrom: x[heddle_lo:heddle_count])
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 1000; i++)
        x[i] += 3;
#pragma omp parallel for simd
#pragma heddle for map(tofrom: x[heddle_lo:heddle_count])
#pragma GCC ivdep
    for (int i = 0; i < 1000; i++)
        x[i] += 3;
    DO(heddle for map(from: y[heddle_lo:heddle_count]) map(to:x))
#pragma GCC unroll 4
    for (int i = 0; i < 1000; i++) {
        double s = 0;
#pragma omp simd reduction(+: s)
        for (int j = 0; j < 1000; j++)
            s += x[j];
        y[i] = s;
    }
    PAR for (int i = 0; i < 1000; i++) x[i] += y[i];
    double t = 0;
    for (int i = 0; i < 1000; i++) t += x[i];
    printf("%g\n", t);
}
