/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
    enum { K = 3 };
    enum { W = 2 };
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = K;
#pragma heddle for map(from: a[heddle_lo * W : heddle_count * W])
    for (int i = 0; i < n; i++)
        a[2 * i] = 1;
}
// expect: 8:16: error: constant 'K' is declared inside the function, but the loop becomes a function before it; move its enum to file scope
// expect: 9:44: error: constant 'W' is declared inside the function, but sections are computed before it; move its enum to file scope
// expect: 9:63: error: constant 'W' is declared inside the function, but sections are computed before it; move its enum to file scope
