/* SPDX-License-Identifier: Apache-2.0 */
/* C before C99: functions in the manner of K&R, int where nothing stands, and calls without a declaration. */
fill(x, n, by)
double *x;
{
    int i;
#pragma heddle for
    for (i = 0; i < n; i++)
        x[i] = i * by;
#pragma heddle for
    for (i = 0; i < n; i++)
        x[i] += 1;
    return i;
}

double total(x, n, m)
double **x;
int n, m;
{
    double sum = 0, row;
    int i, j;
#pragma heddle for reduction(+ : sum)
    for (i = 0; i < n; i++) {
        row = 0;
        for (j = 0; j < m; j++)
            row += x[i][j];
        sum += row;
    }
    return sum;
}

main()
{
    double x[50], y[50], *rows[2];
    rows[0] = x;
    rows[1] = y;
    printf("%d ", fill(x, 50, 3));
    printf("%d ", fill(y, 50, 7));
    printf("%g\n", total(rows, 2, 50));
    return 0;
}
