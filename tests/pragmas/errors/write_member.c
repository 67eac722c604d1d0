/* SPDX-License-Identifier: Apache-2.0 */
struct s { int A[100][100], n; };
void f(struct s *p, struct s q)
{
#pragma heddle wavefront
    for (int i = 1; i < 100; i++)
        for (int j = 1; j < 100; j++)
            p->A[i][j] = p->A[i - 1][j];
#pragma heddle wavefront
    for (int i = 1; i < 100; i++)
        for (int j = 1; j < 100; j++)
            (*p).A[i][j] = 1;
#pragma heddle wavefront
    for (int i = 1; i < 100; i++)
        for (int j = 1; j < 100; j++)
            q.A[i][j] = q.A[i - 1][j] + q.n;
}
// expect: 8:13: error: 'p' is a structure, and an array in it is written; point a variable at that array before the nest, such as T (*A)[columns] = p->A, and use the variable
// expect: 12:15: error: 'p' is a structure, and an array in it is written; point a variable at that array before the nest, such as T (*A)[columns] = p->A, and use the variable
// expect: 16:13: error: 'q' is a structure, and an array in it is written; point a variable at that array before the nest, such as T (*A)[columns] = p->A, and use the variable
