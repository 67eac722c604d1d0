/* SPDX-License-Identifier: Apache-2.0 */
extern const int elsewhere[4];
static int storage[4];
static int *const place = storage;
static const char *const names[2] = {"a", "b"};
static void f(int *x) { x[0] = elsewhere[1] + names[1][0]; }
static void h(int *x) { x[0] = place[1]; }
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(x);
    }
}
void k(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        h(x);
    }
}
// expect: 13:9: error: constant 'elsewhere' is used by code for devices, but its value is in another file, so they cannot find it; define it in this file or in a header
// expect: 7:32: error: 'place' is global and used by a task; add map(tofrom: place[0 : count]) to the pool, with the number of elements that tasks touch
