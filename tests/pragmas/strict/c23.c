/* SPDX-License-Identifier: Apache-2.0 */
/* What C23 brought: constexpr, auto, typeof, attributes, digit separators, binary numbers, nullptr. */
#include <stdio.h>

constexpr int N = 64;
constexpr double HALF = 0.5;
static int A[N][N], t[N];
static double D[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (i * 7 + j * 3) % 1'1;
            D[i][j] = A[i][j];
        }
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) {
            auto up = A[i - 1][j];
            typeof(up) left = A[i][j - 1];
            const bool more = up > left;
            [[maybe_unused]] const int *none = nullptr;
            A[i][j] = more ? (up + 1'000 + i) & 0b1111'1111 : left + 1;
        }
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            D[i][j] = D[i - 1][j] * HALF + D[i][j - 1] * HALF;
    long sum = 0;
#pragma heddle for reduction(+: sum)
    for (int i = 0; i < 1'000; i++) sum += i % 7;
#pragma heddle pool map(tofrom: t)
#pragma heddle taskloop
    for (int i = 0; i < N; i++) t[i] = i + 1'0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + A[i][N - 1 - i] + (long)(D[i][i] * 1e6) + t[i];
    printf("%ld\n", sum);
    return 0;
}
