/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that each task sets before it reads them are the task's own, and so are those of private(). */
#include <stdio.h>
#include <string.h>
enum { N = 40 };
typedef int line[N];
int main(void)
{
    int a[N], b[N], i, t, k;
    line all;
    for (i = 0; i < N; i++)
        a[i] = i * 7 % 11, all[i] = i;
#pragma heddle pool
    {
        for (i = 0; i < N; i++) {
#pragma heddle task private(all)
            {
                for (k = 0, t = 0; k <= i; k++)
                    t += a[k];
                memset(all, i, sizeof(int) * N);
                b[i] = t + all[1];
            }
        }
#pragma heddle taskwait
#pragma heddle task
        for (k = 0; k < N; k++)
            a[k] += b[k];
    }
    long sum = 0;
    for (i = 0; i < N; i++)
        sum += (long)a[i] * (i + 1) + b[i];
    printf("%ld\n", sum);
}
