/* SPDX-License-Identifier: Apache-2.0 */
void g(int n, int *x, int *y, int *z)
{
    int count = 0, a[3] = {0};
#pragma heddle pool map(to: x[0:n], count, a) map(alloc: y[0:n]) map(tofrom: z[0:n])
    {
#pragma heddle task
        {
            x[0] = n;
            y[0] = n;
            z[0] = y[0];
            *x = 1;
            count++;
            a[1] = 2;
        }
    }
}
// expect: 9:13: error: 'x' is written, but map(to) does not bring it back; use map(tofrom: …)
// expect: 12:14: error: 'x' is written, but map(to) does not bring it back; use map(tofrom: …)
// expect: 13:13: error: 'count' is written, but map(to) does not bring it back; use map(tofrom: …)
// expect: 14:13: error: 'a' is written, but map(to) does not bring it back; use map(tofrom: …)
