/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Every reduction operator, several in a nest, several nests in a function. */
#include "run.h"
static int counter;

static void all(int n, int m, int (*A)[m])
{
    long sum = 1;
    double product = 2, low = 1e9;
    unsigned and = ~0u, or = 0, xor = 7;
    int every = 1, any = 0, high = -5;
#pragma heddle wavefront reduction(+: sum) reduction(*: product) \
    reduction(min: low), reduction(max: high) \
    reduction(&: and) reduction(|: or) reduction(^: xor) reduction(&&: every) reduction(||: any)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + 1) % 1009;
            sum = sum + A[i][j];
            product *= (double)(A[i][j] & 1) + 0.5;
            low = low < A[i][j] ? low : A[i][j];
            high = MAX(high, A[i][j]);
            and &= (unsigned)A[i][j];
            or |= (unsigned)A[i][j];
            xor ^= (unsigned)A[i][j];
            every = every && A[i][j] < 1000;
            any = any || A[i][j] == 7;
        }
    printf("%ld %a %a %u %u %u %d %d %d\n", sum, product, low, and, or, xor, every, any, high);
#pragma heddle wavefront reduction(+: counter, sum)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] ^= A[i - 1][j - 1];
            counter++;
            sum -= 2;
        }
    printf("%d %ld\n", counter, sum);
}

int main(void)
{
    enum { N = 12, M = 13 };
    static int A[N][M];
    run_ints(&A[0][0], N * M, 100);
    all(N, M, A);
    run_report("A", A, sizeof A);
    return 0;
}
