/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, const int *n, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        float sum = 0;
        for (int i = 1; i < n[p]; i++)
            sum += i;
        r[p] = sum;
    }
}
// expect: 5:37: error: no nest of two loops in this block, with nothing between them; each problem of a batch is one
