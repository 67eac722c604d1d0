/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations of the function that cannot stand before it. */
#define TWICE (2 * K)
enum { K = 1 };
void f(int n, int *a)
{
    enum { K = 3, L = 4 }; /* TWICE would be another one */
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = K + L;
}
void g(int n, int m, int *a)
{
    typedef int row[m];
    struct point { int x; } p = {1};
    enum { W = 2 } w = W;
    static int counter;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        row r;
        r[0] = p.x + counter;
        a[i] = r[0];
    }
#pragma heddle for map(from: a[heddle_lo * W : heddle_count * W])
    for (int i = 0; i < n; i++)
        a[2 * i] = w;
    {
        enum { TWO = 2 };
        a[0] = TWO;
    }
    {
        enum { TWO = 22 };
#pragma heddle for map(from: a[heddle_lo : heddle_count])
        for (int i = 0; i < n; i++)
            a[i] = TWO;
    }
}
// expect: 10:16: error: constant 'K' is declared inside the function, but the loop becomes a function before it; move its enum to file scope
// expect: 10:20: error: constant 'L' is declared inside the function, but the loop becomes a function before it; move its enum to file scope
// expect: 20:9: error: type 'row' is declared inside the function, but the loop becomes a function before it; move the type to file scope
// expect: 21:16: error: the type of 'p' is declared inside the function, but the loop becomes a function before it; move the type to file scope
// expect: 26:20: error: the type of 'w' is declared inside the function, but the loop becomes a function before it; move the type to file scope
// expect: 35:20: error: constant 'TWO' is declared inside the function, but the loop becomes a function before it; move its enum to file scope
