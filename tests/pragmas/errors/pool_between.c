/* SPDX-License-Identifier: Apache-2.0 */
/* Taskloops side by side whose iterations come to the same elements. */
void side_by_side(int *a, int *b, int *c, long n)
{
#pragma heddle pool map(tofrom: a[0:n], b[0:n], c[0:2*n])
    {
#pragma heddle taskloop
        for (long i = 0; i < n; i++)
            a[i] = (int)i;
#pragma heddle taskloop
        for (long i = 1; i < n; i++)
            b[i] = a[i - 1] + 1;
#pragma heddle taskloop
        for (long i = 0; i < n; i++)
            c[2 * i] = 3;
#pragma heddle taskloop
        for (long i = 0; i < n; i++)
            c[2 * i + 1] = c[0];
    }
}

void overwrites(float (*x)[64], float *row, int n)
{
#pragma heddle pool map(tofrom: x[0:n]) map(tofrom: row[0:n])
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            row[i] = x[i][0];
#pragma heddle taskwait
#pragma heddle taskloop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 64; j++)
                x[i][j] = 1;
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            row[i] = 2;
#pragma heddle taskloop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 63; j++)
                x[i][j] = x[i][j] + 2;
    }
}
// expect: 12:20: error: 'a[i - 1]' is read here and written by the taskloop in line 7, whose iterations and these run in any order; put '#pragma heddle taskwait' between the two
// expect: 9:13: note: iteration (i) comes to it as 'a[i]' here, iteration (i + 1) there
// expect: 40:17: error: 'x[i][j]' is written here and written by the taskloop in line 30, whose iterations and these run in any order; put '#pragma heddle taskwait' between the two
// expect: 33:17: note: iteration (i, j) comes to it as 'x[i][j]' here, iteration (i, j) there
