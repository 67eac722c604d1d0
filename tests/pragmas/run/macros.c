/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory registers memory. Macros, whose names heddle's headers use for members and variables. */
#include "run.h"

#define ROWS (40) /* as people write them: the headers have such names, too */
#define COLUMNS 70
#define N (2)
#define SIZE COLUMNS
#define unused __attribute__((unused))
#define noinline __attribute__((noinline))
#define load(x) ((x) + 1)
#define lane lane is no C

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

static unused noinline void capitals(int (*A)[COLUMNS])
{
#pragma heddle wavefront
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < SIZE; j++)
            A[i][j] = (load(A[i - 1][j]) + A[i][j - 1] * N + A[i - 1][j - 1]) & 1023;
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
    int A[rows][columns], B[rows * columns], C[ROWS][COLUMNS];
    run_fill((unsigned char *)A, sizeof A, 100);
    run_fill((unsigned char *)B, sizeof B, 100);
    run_ints(&C[0][0], ROWS * COLUMNS, 100);
    table(A);
    capitals(C);
    flat(B);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    run_report("C", C, sizeof C);
    return 0;
}
