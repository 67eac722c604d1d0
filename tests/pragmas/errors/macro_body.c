/* SPDX-License-Identifier: Apache-2.0 */
/* not one definition, and a macro that joins names */
#define PUT(v) A[i][j] = (v)
#undef PUT
#define PUT(v) A[i][j] = (v) + 1
#define AT(name, i) name##_[i][j]
void f(int n, int m, int (*A)[m], int (*B_)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            PUT(A[i - 1][j]);
        }
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            AT(B, i) = AT(B, i - 1) + 1;
}
// expect: 12:13: error: a reference to 'A', which the nest writes, comes out of a macro's body; write the subscripts out (macro arguments are fine)
// expect: 17:13: error: a reference to 'B_', which the nest writes, comes out of a macro's body; write the subscripts out (macro arguments are fine)
