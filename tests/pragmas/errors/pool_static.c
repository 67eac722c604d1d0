/* SPDX-License-Identifier: Apache-2.0 */
static int counter;
static int next(void)
{
    static int k;
    return k++;
}
static void f(int n, int *out) { out[0] = next() + n; }
static void h(int *out) { out[0] = counter++; }
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
#pragma heddle task
        h(x);
    }
}
// expect: 5:5: error: static variable 'k' in a function that tasks run in parallel; pass it as an argument
