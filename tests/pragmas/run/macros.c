/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Macros in small letters, whose names heddle's headers use for members and variables. */
#include "run.h"

#define rows 23
#define columns 31
#define step 2
#define right 5
#define index(a, b) ((a) * columns + (b))

static void table(int (*A)[columns])
{
#pragma heddle wavefront
    for (int i = 1; i < rows; i++)
        for (int j = 1; j < columns; j++)
            A[i][j] = A[i - 1][j] / step + right;
}

#undef step
#define step 3
static void flat(int *A)
{
#pragma heddle wavefront map(tofrom: A[0:rows * columns])
    for (int i = 1; i < rows; i++)
        for (int j = 1; j < columns; j++)
            A[index(i, j)] = A[index(i - 1, j)] / step + A[index(i, j - 1)] / step;
}

int main(void)
{
    int A[rows][columns], B[rows * columns];
    run_fill((unsigned char *)A, sizeof A, 100);
    run_fill((unsigned char *)B, sizeof B, 100);
    table(A);
    flat(B);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    return 0;
}
