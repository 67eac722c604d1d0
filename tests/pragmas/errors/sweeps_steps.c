/* SPDX-License-Identifier: Apache-2.0 */
/* Time steps that no slope orders, or that hold more than loops over rows. */
void mirrored(int n, double (*a)[64], double (*b)[64])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < 63; i++)
            for (int j = 0; j < 64; j++)
                b[i][j] = a[63 - i][j];
        for (int i = 1; i < 63; i++)
            for (int j = 0; j < 64; j++)
                a[i][j] = b[i][j];
    }
}
void border(int n, double (*a)[64], double (*b)[64])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < 63; i++)
            for (int j = 0; j < 64; j++)
                b[i][j] = a[i][j] + a[0][j];
        for (int i = 0; i < 63; i++)
            for (int j = 0; j < 64; j++)
                a[i][j] = b[i][j];
    }
}
void moving(int n, double (*a)[64], double (*b)[64])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < n; t++) {
        for (int i = t; i < 63; i++)
            for (int j = 0; j < 64; j++)
                b[i][j] = a[i][j];
        for (int i = 0; i < 63; i++)
            for (int j = 0; j < 64; j++)
                a[i][j] = b[i][j];
    }
}
void ended(int n, double (*a)[64], double (*b)[64])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < 63; i++) {
            if (a[i][0] > 9)
                break;
            b[i][1] = a[i - 1][1];
        }
        for (int i = 0; i < 63; i++)
            a[i][1] = b[i][1];
    }
}
void summed(int n, double (*a)[64], double (*b)[64], double *sum)
{
    double all = 0;
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < 63; i++)
            b[i][1] = a[i - 1][1] + all;
        for (int i = 0; i < 63; i++)
            all += a[i][1] = b[i][1];
    }
    *sum = all;
}
// expect: 9:27: error: 'a[63 - i][j]' is of row '63 - i', 'a[i][j]' writes the array, and steps behind each other need all rows at a constant distance: 'i' plus a number; put 'heddle for' before each loop of the step instead
// expect: 21:37: error: 'a[0][j]' is of row '0', 'a[i][j]' writes the array, and steps behind each other need all rows at a constant distance: 'i' plus a number; put 'heddle for' before each loop of the step instead
// expect: 31:9: error: the rows of this loop are others in each step 't'; loop over all rows, and skip some by a condition
// expect: 45:17: error: a step holds loops over rows of arrays and numbers of its own, without calls, pointers and ways out; put this in front of the steps or behind them
// expect: 60:13: error: 'all' goes from step to step, and steps run one behind the other, some rows at a time; put 'heddle for' before each loop of the step instead
