/* SPDX-License-Identifier: Apache-2.0 */
static const int weight[3] = {1, 2, 3};
static void rows(int *a, int row)
{
    static const int own[2] = {4, 5};
    a[row] += own[row & 1];
#pragma heddle taskloop
    for (int i = 0; i < 4; i++)
        a[row * 4 + i] += own[i & 1] + weight[i % 3];
}
void f(int *a)
{
    static const int table[4] = {1, 2, 3, 4};
#pragma heddle pool map(tofrom: a[0:100]) device(0)
    {
#pragma heddle task
        a[0] = table[1] + weight[2];
#pragma heddle task
        rows(a, 3);
    }
}
// expect: 17:16: error: constant 'table' is declared inside the function, but the task becomes a function before it; move it to file scope
