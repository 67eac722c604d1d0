/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds in memory that the loop may write; those it cannot write pass: other types, other arrays, sizeof, constants. */
struct list {
    int n;
    double *value;
};
static const int most[2] = {100, 200};
static int own[4], a[400];
void f(int *n, int *restrict b, struct list *l, double *c, int *d)
{
#pragma heddle for
    for (int i = 0; i < *n; i++)
        a[i] = i;
#pragma heddle for device(host)
    for (int i = l->n; i < 400; i++)
        d[i] = i;
#pragma heddle for
    for (int i = 0; i < 400; i += d[0])
        a[i] = i;
#pragma heddle for
    for (int i = a[0]; i < 400; i++)
        a[i] = i;
#pragma heddle for
    for (int i = own[0]; i < most[1]; i++)
        a[i] = i;
#pragma heddle for
    for (int i = 0; i < *n; i++)
        b[i] = i;
#pragma heddle for
    for (int i = 0; i < l->n; i++)
        c[i] = i;
#pragma heddle for
    for (int i = 0; i < (int)(sizeof a / sizeof *a); i++)
        a[i] = i;
}
// expect: 12:25: error: the loop may write what its head reads in memory, through 'a'; copy that to a variable before the loop
// expect: 15:18: error: the loop may write what its head reads in memory, through 'd'; copy that to a variable before the loop
// expect: 18:35: error: the loop may write what its head reads in memory, through 'a'; copy that to a variable before the loop
// expect: 21:18: error: the loop may write what its head reads in memory, through 'a'; copy that to a variable before the loop
