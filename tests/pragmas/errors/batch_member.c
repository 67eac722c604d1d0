/* SPDX-License-Identifier: Apache-2.0 */
struct job {
    int n, result;
    const int *a;
};
void f(int count, struct job *jobs)
{
#pragma heddle wavefront batch(p) device(host)
    for (int p = 0; p < count; p++) {
        const int n = jobs[p].n, *a = jobs[p].a;
        int A[9][n];
        for (int j = 0; j < n; j++)
            A[0][j] = 0;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + a[j];
        jobs[p].result = A[8][n - 1];
    }
}
// expect: 17:9: error: one iteration writes 'jobs[p].result', another reads what 'a[j]' leads to, and nothing proves that they are different elements; if they always are, write '#pragma heddle wavefront independent'
// expect: 16:41: note: what 'a[j]' leads to is here
