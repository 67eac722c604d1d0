/* SPDX-License-Identifier: Apache-2.0 */
struct list { int n; int *at; };
void f(int n, int *a, struct list l)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: l.to[0 : n])
    for (int i = 0; i < n; i++)
        a[i] = l.at[i];
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: l.n)
    for (int i = 0; i < n; i++)
        a[i] = l.n;
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: l.at)
    for (int i = 0; i < n; i++)
        a[i] = l.at[i];
#pragma heddle for map(from: a.b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
// expect: 5:69: error: no member 'to' in 'struct list'
// expect: 8:68: error: 'l.n' is not a pointer to data; only such members are mapped on their own
// expect: 11:67: error: 'l.at' is a pointer, so its size is not known; write l.at[first : count]
// expect: 14:31: error: 'a' is not a structure; only pointers in structures are mapped by member
