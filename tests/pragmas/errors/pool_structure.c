/* SPDX-License-Identifier: Apache-2.0 */
struct list { int n, *at; };
static void f(struct list l) { l.at[0] = l.n; }
void g(struct list l)
{
#pragma heddle pool device(0)
    {
#pragma heddle task
        f(l);
    }
}
// expect: 9:11: error: 'l' holds a pointer, which would be the host's on a device; map what it points to and pass that pointer
