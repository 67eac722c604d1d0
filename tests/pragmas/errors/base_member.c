/* SPDX-License-Identifier: Apache-2.0 */
struct s { int *A; };
void f(int n, int m, struct s *p)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            p->A[i * m + j] = p->A[(i - 1) * m + j];
        }
}
// expect: 8:13: error: 'A' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
// expect: 8:31: error: 'A' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
