/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
int g(int *x, int n)
{
    for (int i = 0; i < n; i++) {
#pragma heddle pool map(tofrom: x[0:n]) device(0)
        {
            if (n > 3)
                break;
            if (n > 4)
                return 1;
            for (int k = 0; k < n; k++)
                if (k == 2)
                    break;
#pragma heddle task
            f(x);
#pragma heddle task
            {
                if (n)
                    return 2;
                while (n)
                    break;
                f(x);
            }
        }
    }
    return 0;
}
// expect: 20:21: error: 'return' leaves the task; compute a condition instead
