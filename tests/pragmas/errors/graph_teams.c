/* SPDX-License-Identifier: Apache-2.0 */
void f(int *x)
{
#pragma heddle graph
    {
#pragma omp target nowait depend(inout : x[0 : 3]) map(tofrom : x[0 : 3])
#pragma omp teams num_teams(1)
        x[0]++;
    }
}
// expect: 8:9: error: the statement of these teams is no block; put it into { }
