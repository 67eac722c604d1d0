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
// expect: 10:9: error: not a perfect nest of three loops; move what stands between them into the inner loop or out of the nest
// expect: 22:9: error: not a perfect nest of three loops; move what stands between them into the inner loop or out of the nest
// expect: 34:9: error: not a perfect nest of three loops; move what stands between them into the inner loop or out of the nest
// expect: 48:9: error: not a perfect nest of three loops; move what stands between them into the inner loop or out of the nest
// expect: 59:9: error: not a perfect nest of three loops; move what stands between them into the inner loop or out of the nest
