/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of arrays, as OpenMP writes them. */
void whole(int n, const unsigned char *x)
{
    int bins[256] = {0};
#pragma heddle for reduction(+: bins)
    for (int i = 0; i < n; i++)
        bins[x[i]]++;
}
void section(int n, const unsigned char *x, int *bins)
{
#pragma heddle for reduction(+: bins[0 : 256])
    for (int i = 0; i < n; i++)
        bins[x[i]]++;
}
// expect: 12:37: error: expected ')' at the end of 'reduction'; variables are named here, without sections
// expect: 6:33: error: reduction variable 'bins' is not a number; update the elements behind '#pragma omp atomic', in a taskloop in a pool
