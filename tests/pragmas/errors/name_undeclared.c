/* SPDX-License-Identifier: Apache-2.0 */
struct s { int n; };
enum { WIDTH = 4 };
#define TILE 16
void f(int n, int m, int (*A)[m], struct s *q, int *p)
{
#pragma heddle wavefront schedule(peer, TILE, WIDTH + (int)sizeof(struct s) + hight) device(gpu)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
#pragma heddle wavefront map(tofrom: A[0 : q->rows][0:m]) device(q->n)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
#pragma heddle for map(tofrom: p[heddle_low : heddle_count])
    for (int i = 0; i < n; i++)
        p[i] = i;
#pragma heddle pool map(tofrom: p[0:n])
    {
#pragma heddle task depend(in: p[k])
        p[0] = 1;
    }
#pragma heddle wavefront map(tofrom: A[0:heddle_count][0:m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
}
// expect: 7:79: error: 'hight' is not declared
// expect: 7:93: error: 'gpu' is not declared
// expect: 15:34: error: 'heddle_low' is not declared
// expect: 20:34: error: 'k' is not declared
// expect: 23:42: error: 'heddle_count' is not declared
