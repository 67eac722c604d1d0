/* SPDX-License-Identifier: Apache-2.0 */
/* what stands before the inner loop sets a variable for it, which rows cannot have of their own */
void along(int n, int m, int *h)
{
    int e = 0;
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        int d = 1;
        for (int j = 1; j < m; j++) {
            e = e + d; /* from the row's end to the next one's beginning */
            h[j] = h[j] > e ? h[j] : e;
        }
    }
}
int behind(int n, int m, int *h)
{
    int e = 0;
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        e = 0;
        for (int j = 1; j < m; j++) {
            e = e - 1 > h[j] ? e - 1 : h[j];
            h[j] = e;
        }
    }
    return e;
}
void get(int *);
void shown(int n, int m, int *h)
{
    int e;
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        get(&e);
        for (int j = 1; j < m; j++) {
            e = e + h[j];
            h[j] = e;
        }
    }
}
void border(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        int left = A[i][0];
        A[i][0] = 1;
        for (int j = 1; j < m; j++)
            A[i][j] = left = A[i - 1][j] + left;
    }
}
/* and the row's own array has a second dimension: one further to the left is no neighbour */
void further(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        int e = 0;
        for (int j = 3; j < m; j++) {
            e += A[i][j - 3];
            A[i][j] = e;
        }
    }
}
// expect: 10:13: error: 'e' is carried from the end of a row to the next one, so no row can begin before the one above has ended; set it in front of the inner loop, or name it in reduction()
// expect: 20:9: error: 'e' is carried along each row and read behind the nest, where no row's value arrives; name it in reduction() if it only sums up, or keep what is wanted in an array
// expect: 34:14: error: address of 'e' taken, so it may be written; make the parameter a pointer to const, or copy it to a local variable of the body first
// expect: 36:13: error: 'e' has its address taken, so nothing shows which value a cell reads; use a variable of the nest's own
// expect: 46:9: error: 'A[i][0]' is set beside the inner loop, whose cells use the row's 'left'; set it in a loop of its own before or behind the nest
// expect: 58:18: error: dependence (0, 3) of 'A[i][j - 3]' reaches further than the left neighbour and the row above from one column to the right to two to the left, so all written arrays must be whole in memory, but 'e' is a scalar that each row carries; make it an array with an element for each cell
// expect: 58:13: note: 'e' is written here
