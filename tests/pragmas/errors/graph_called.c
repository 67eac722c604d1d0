/* SPDX-License-Identifier: Apache-2.0 */
double x[8];
#define STEP(x) step(x)
static void step(double *x)
{
#pragma omp task depend(inout: x[0:8])
    x[0] += 1;
}
static void again(double *x, int n)
{
#pragma omp task depend(inout: x[0:8])
    x[0] += 1;
    if (n)
        again(x, n - 1);
}
static void gone(double *x)
{
    double part = 2;
#pragma omp task shared(part) depend(inout: x[0:8])
    x[0] += part;
    part = 3;
}
static void counts(double *x)
{
    static int n;
#pragma omp task depend(inout: x[0:8])
    x[0] += 1;
    n++;
}
static void early(double *x, int n)
{
    double part[2] = {1, 2};
#pragma omp task shared(part) depend(inout: x[0:8])
    x[0] += part[1];
    if (n)
        return;
#pragma omp taskwait
}
static void touches(double *x)
{
#pragma omp task depend(inout: x[0:8])
    x[0] += 1;
    x[1] = 2;
}
static void loops(double *x)
{
#pragma omp task depend(inout: x[0:8])
    x[0] += 1;
#pragma omp parallel for
    for (int i = 0; i < 8; i++)
        x[i] += 1;
}
void later(double *x);
void f1(void)
{
#pragma heddle graph
    { STEP(x); }
}
void f2(void)
{
#pragma heddle graph
    { again(x, 2); }
}
void f3(void)
{
#pragma heddle graph
    { gone(x); }
}
void f4(void)
{
#pragma heddle graph
    { counts(x); }
}
void f5(void)
{
#pragma heddle graph
    { early(x, 1); }
}
void f6(void)
{
#pragma heddle graph map(tofrom: x[0:8])
    { touches(x); }
}
void f7(void)
{
#pragma heddle graph
    { later(x); }
}
void f8(void)
{
#pragma heddle graph
    { loops(x); }
}
void later(double *x)
{
#pragma omp task depend(inout: x[0:8])
    x[0] += 1;
}
// expect: 57:7: error: 'step' makes tasks of this graph, and its call comes out of a macro here; write it out
// expect: 14:9: error: 'again' makes tasks of this graph and is called from itself; write it as a loop
// expect: 19:1: error: this task works with 'part', which is gone when 'gone' returns, and may run later; put '#pragma omp taskwait' behind it, or make it firstprivate
// expect: 25:5: error: 'n' is a static variable of 'counts', which makes tasks of a graph and has a second form there; put it before the function
// expect: 33:1: error: this task works with 'part', which is gone when 'early' returns, and may run later; put '#pragma omp taskwait' behind it, or make it firstprivate
// expect: 43:5: error: the function touches 'x' itself, but map(x) says that only its tasks do; do it in a task, or take it out of the clause
// expect: 87:7: error: 'later' makes tasks of this graph; define it before 'f7'
// expect: 49:1: error: 'parallel for' in a graph; its loops and blocks make tasks, and run by themselves
