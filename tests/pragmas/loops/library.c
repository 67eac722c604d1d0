/* SPDX-License-Identifier: Apache-2.0 */
/* Variables with names of the C library, in a program that includes none of its headers, as NPB UA has them. */
int printf(const char *, ...);

double time, difftime, tzname;
int clock, select, sched_yield, nanosleep, daylight;
unsigned uint, ushort;

static void scaled(int n, double *restrict x)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        x[i] = x[i] * time + clock + select + uint;
}

static int paths(int n, int m, int (*restrict a)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] = (a[i - 1][j] + a[i][j - 1]) & 0xffff;
    return a[n - 1][m - 1];
}

int main(void)
{
    static double x[500];
    static int a[60][70];
    double sum = 0;
    time = 1.5;
    clock = select = 2;
    uint = 7;
    for (int i = 0; i < 500; i++)
        x[i] = i;
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 70; j++)
            a[i][j] = i + j;
    scaled(500, x);
    for (int i = 0; i < 500; i++)
        sum += i * x[i];
    printf("%.17g %d\n", sum, paths(60, 70, a));
    return 0;
}
