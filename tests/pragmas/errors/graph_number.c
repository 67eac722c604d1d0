/* SPDX-License-Identifier: Apache-2.0 */
int omp_get_thread_num(void);
static double scratch[64];
static void with_team(double *x)
{
#pragma omp parallel
    x[omp_get_thread_num()] = 1;
}
static void with_number(double *x)
{
    scratch[omp_get_thread_num()] = x[0];
}
static void calls(double *x) { with_number(x); }
void f(double *x, int n)
{
#pragma heddle graph
    for (int k = 0; k < n; k++) {
#pragma omp task depend(inout : x[0 : n])
        with_team(x);
#pragma omp task depend(inout : x[0 : n])
        calls(x);
#pragma omp task depend(inout : x[0 : n])
        scratch[omp_get_thread_num()] += x[k];
    }
}
// expect: 20:1: error: this task asks for omp_get_thread_num(), which is 0 on each thread that runs a graph's tasks; give the task memory of its own
// expect: 22:1: error: this task asks for omp_get_thread_num(), which is 0 on each thread that runs a graph's tasks; give the task memory of its own
