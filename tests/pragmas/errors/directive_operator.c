/* SPDX-License-Identifier: Apache-2.0 */
/* Directives out of macros: a macro that holds more, a team's own loop, and an error in one. */
#define LOOP _Pragma("heddle for") for (int i = 0; i < n; i++)
#define SHARED _Pragma("omp for") _Pragma("heddle for")
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
void f(int n, int *a)
{
    LOOP a[i] = 1;
    SHARED
    for (int i = 0; i < n; i++)
        a[i] = 1;
    PRAGMA(heddle for independant)
    for (int i = 0; i < n; i++)
        a[i] = 1;
    _Pragma("heddle taskloop") PRAGMA(heddle pool)
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
void team(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
#pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
// expect: 8:5: error: 'LOOP' holds a directive of heddle's and more; let the macro hold directives only, before the loop, or write '#pragma heddle …'
// expect: 9:5: error: 'omp for' beside a directive of heddle's; only 'omp parallel for' may stand there
// expect: 12:5: error: unknown clause 'independant'; known here: reduction, collapse, schedule, map, device, append, firstprivate, private, lastprivate, independent
// expect: 23:5: error: the loop of '#pragma heddle for' belongs to an OpenMP directive and cannot be seen there; put it into a function of its own, or take that directive away: heddle's start threads by themselves, and 'omp target enter data' and 'exit data' stand for 'omp target data'
