/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n*n])
    {
#pragma heddle taskloop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                f(&x[i * n + j]);
#pragma heddle taskloop collapse(2)
        for (int i = 0; i < n; i++) {
            f(x);
            for (int j = 0; j < n; j++)
                f(&x[i * n + j]);
        }
#pragma heddle taskloop collapse(n)
        for (int i = 0; i < n; i++)
            f(x);
#pragma heddle taskloop
        for (int i = 0; i < n; i += 2)
            f(x);
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            if (i)
                break;
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            f(&i);
    }
}
// expect: 9:29: error: the inner loop's bounds depend on 'i'; a taskloop must be rectangular: loop over the whole range and skip iterations with 'if'
// expect: 11:16: error: the taskloop should have 2 loops, but only 1 are nested perfectly; move what stands between them into the innermost
// expect: 17:34: error: collapse takes a number of loops, 1 to 3
// expect: 21:32: error: not a canonical loop: the stride is not 1; use 'i++' and scale the subscripts
// expect: 26:17: error: 'break' leaves the taskloop, whose iterations are tasks; compute a condition instead
// expect: 29:16: error: the task changes loop variable 'i' or takes its address; copy it to a variable of the task
