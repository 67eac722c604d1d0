/* SPDX-License-Identifier: Apache-2.0 */
struct body {
    double *x;
    int n;
};
void f(double *x, double *y, double **rows, struct body *body, int n, int m)
{
    long sum = 0;
#pragma heddle graph
    {
#pragma omp target teams distribute parallel for depend(inout : x[0 : n]) map(tofrom : x[0 : n])
        for (int i = 0; i < n; i++)
            x[i]++;
#pragma omp target teams distribute parallel for nowait depend(inout : x[0 : n]) map(to : x[0 : n])
        for (int i = 0; i < n; i++)
            x[i]++;
#pragma omp target teams distribute parallel for nowait depend(inout : x[0 : n]) map(tofrom : x[0 : n])
        for (int i = 0; i < n; i++)
            x[i] += y[i];
#pragma omp target teams distribute parallel for nowait depend(inout : x[0 : n]) map(tofrom : x)
        for (int i = 0; i < n; i++)
            x[i] += 2;
#pragma omp target teams distribute parallel for nowait depend(inout : x[0 : n]) map(tofrom : x[0 : n]) if (n > 4)
        for (int i = 0; i < n; i++)
            x[i] += 2;
#pragma omp target teams distribute parallel for nowait depend(inout : x[0 : n]) is_device_ptr(x)
        for (int i = 0; i < n; i++)
            x[i] += 2;
#pragma omp target teams distribute parallel for nowait map(tofrom : rows[0 : n])
        for (int i = 0; i < n; i++)
            rows[i][0] += 2;
#pragma omp target teams distribute parallel for nowait map(tofrom : body->x[0 : n])
        for (int i = 0; i < n; i++)
            body->x[i] += 2;
#pragma omp task depend(iterator(k = 0 : n), in : x[k])
        x[m]++;
#pragma omp target nowait map(tofrom : x[0 : n])
        x[0] = 1;
#pragma omp task depend(inout : x[0 : n]) if (m)
        x[m]++;
    }
    (void)sum;
}
// expect: 11:1: error: a target region of a graph is a task; add 'nowait'
// expect: 14:91: error: 'x' is written, but map(to) does not bring it back; use map(tofrom: …)
// expect: 19:21: error: 'y' is a pointer that this target region does not map; add map(to: y[first : count])
// expect: 20:95: error: 'x' is a pointer, so its size is not known; write x[first : count]
// expect: 23:105: error: 'if' on a task of a graph, which heddle places itself; write an if statement around it
// expect: 26:82: error: 'is_device_ptr' on a task of a graph, which heddle places itself; remove it
// expect: 31:13: error: 'rows' holds pointers, and what they point to cannot be mapped; point a variable at it before the task
// expect: 32:70: error: 'body->x[0 : n]' is mapped through 'body'; point a variable at it before the task, and map that
// expect: 35:25: error: expected a kind of dependence: in, out, inout, mutexinoutset or inoutset; iterators and depobj are not read here: write the items out
// expect: 39:43: error: 'if' on a task of a graph, which heddle places itself; write an if statement around it
