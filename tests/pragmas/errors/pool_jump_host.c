/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
int g(int *x, int n)
{
    for (int i = 0; i < n; i++) {
#pragma heddle pool map(tofrom: x[0:n])
        {
            if (n > 3)
                break;
            if (n > 4)
                return 1;
            if (n > 5)
                goto end;
            for (int k = 0; k < n; k++)
                if (k == 2)
                    break;
                else
                    continue;
#pragma heddle task
            f(x);
        }
    }
end:
    return 0;
}
// expect: 9:17: error: 'break' leaves the pool; compute a condition instead
// expect: 11:17: error: 'return' leaves the pool; compute a condition instead
// expect: 13:17: error: 'goto' leaves the pool; compute a condition instead
