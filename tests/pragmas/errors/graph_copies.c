/* SPDX-License-Identifier: Apache-2.0 */
static int of_file;
int f(int *x)
{
#pragma heddle graph
#pragma omp parallel private(of_file)
#pragma omp single
    for (of_file = 0; of_file < 3; of_file++) {
#pragma omp task depend(inout : x[0 : 3])
        x[0]++;
    }
    return of_file;
}
// expect: 6:30: error: the block of a graph has its own copy of a variable of the function only; declare 'of_file' there
