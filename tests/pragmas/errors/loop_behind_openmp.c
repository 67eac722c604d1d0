/* SPDX-License-Identifier: Apache-2.0 */
void scale(int n, float *x)
{
#pragma omp target data map(tofrom: x[0:n])
    {
#pragma heddle for map(tofrom: x[heddle_lo : heddle_count])
        for (int i = 0; i < n; i++)
            x[i] *= 2;
    }
}
// expect: 7:9: error: the loop of '#pragma heddle for' belongs to an OpenMP directive and cannot be seen there; put it into a function of its own, or take that directive away: heddle's start threads by themselves, and 'omp target enter data' and 'exit data' stand for 'omp target data'
