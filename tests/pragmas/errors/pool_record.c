/* SPDX-License-Identifier: Apache-2.0 */
static void f(const int *a, const double *b, int *x) { x[0] = a[3] + (int)b[2]; }
static void h(int n, int *x)
{
    int part[80], k = n;
#pragma heddle task
    h(n - 1, &part[3]);
#pragma heddle taskwait
    x[0] = part[3] + k;
}
void g(int n, int *x)
{
    int a[50] = {n};
    double b[7] = {1};
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(a, b, x);
#pragma heddle task
        h(n, x);
    }
}
// expect: 17:1: error: the task holds 256 bytes of variables, and its record 240 at most; map 'a' (200 bytes) instead, or make it smaller
// expect: 19:1: error: the task holds 328 bytes of variables, and its record 240 at most; map 'part' (320 bytes) instead, or make it smaller
// expect: 6:1: error: the task holds 340 bytes of variables, and its record 240 at most; map 'part' (320 bytes) instead, or make it smaller
