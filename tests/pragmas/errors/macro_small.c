/* SPDX-License-Identifier: Apache-2.0 */
#define rows 100 /* fine: put aside around heddle's headers */
#define size 100
#define row(i) (i)
static int A[rows][size];
void f(void)
{
#pragma heddle wavefront
    for (int i = 1; i < rows; i++)
        for (int j = 1; j < size; j++)
            A[row(i)][j] = A[i - 1][j] + 1;
}
#define first 1
// expect: 3:9: error: macro 'size' would rewrite a name in what heddle makes of the directive; write it in capitals, or as an enum constant
