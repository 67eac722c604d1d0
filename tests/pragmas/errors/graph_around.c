/* SPDX-License-Identifier: Apache-2.0 */
struct mesh {
    double *x;
    int n;
};
void f(double *x, int n, struct mesh mesh)
{
    double sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma heddle graph
        for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : sum)
            sum += x[i];
        }
    }
#pragma omp parallel
#pragma omp single
#pragma heddle graph
    for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : sum)
        sum += x[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += 1;
#pragma omp target enter data map(to : x[0 : n])
#pragma heddle graph
    {
#pragma omp target teams distribute parallel for nowait map(tofrom : x[0 : n])
        for (int i = 0; i < mesh.n; i++)
            x[i] += mesh.x[i];
    }
#pragma omp target data map(tofrom : x[0 : n])
    {
#pragma heddle graph
        {
#pragma omp task depend(iterator(i = 0 : n), inout : sum)
            sum += x[0];
        }
    }
#pragma omp barrier
#pragma heddle graph
    {
#pragma omp task depend(iterator(i = 0 : n), in : sum)
        sum += x[0];
    }
}
// expect: 12:1: error: '#pragma omp parallel' at line 9 is around this graph; put '#pragma heddle graph' before it
// expect: 20:1: error: '#pragma omp parallel' at line 18 is around this graph; put '#pragma heddle graph' before it
// expect: 32:29: error: 'mesh' holds pointers, and what they point to cannot be mapped; point a variable at it before the task
// expect: 39:25: error: expected a kind of dependence: in, out, inout, mutexinoutset or inoutset; iterators and depobj are not read here: write the items out
// expect: 46:25: error: expected a kind of dependence: in, out, inout, mutexinoutset or inoutset; iterators and depobj are not read here: write the items out
