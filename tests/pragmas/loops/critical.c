/* SPDX-License-Identifier: Apache-2.0 */
/* `omp critical` in a loop: it stays on the host, where names keep sections apart. */
#include <stdio.h>

enum { N = 5000, BINS = 7 };

int main(void)
{
    static int a[N];
    int count[BINS] = {0}, last[BINS] = {0};
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % 1000;
#pragma heddle for independent
    for (int i = 0; i < N; i++) {
        const int b = a[i] % BINS;
#pragma omp critical(counts)
        count[b]++;
#pragma omp critical(greatest)
        {
            if (a[i] > last[b])
                last[b] = a[i];
        }
    }
    for (int b = 0; b < BINS; b++)
        printf("%d %d\n", count[b], last[b]);
}
