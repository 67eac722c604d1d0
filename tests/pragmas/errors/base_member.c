/* SPDX-License-Identifier: Apache-2.0 */
/* The structure may change while the nest runs: a member of a union, a byte that is written. */
union s { int *A; long other; };
struct b { unsigned char *A; };
void f(int n, int m, union s *p, struct b *q)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            p->A[i * m + j] = p->A[(i - 1) * m + j];
        }
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            q->A[i * m + j] = q->A[(i - 1) * m + j];
        }
}
// expect: 10:13: error: 'A' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
// expect: 10:31: error: 'A' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
// expect: 15:13: error: 'A' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
// expect: 15:31: error: 'A' is a pointer inside a structure, which cannot be mapped; copy it to a local variable before the nest, or write 'independent', and it stays on the host
