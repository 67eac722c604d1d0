/* SPDX-License-Identifier: Apache-2.0 */
struct list { int n; int *at; };
static int get(const struct list *l, int i) { return l->at[i]; }
void f(int n, int *a, struct list l, const struct list *many)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = get(&l, i);
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: many[0 : 3])
    for (int i = 0; i < n; i++)
        a[i] = many[i % 3].n;
}
// expect: 8:21: error: 'l' holds the pointer 'at', which is not valid on a device; map what it points to, map(to: l.at[first : count])
// expect: 11:16: error: the elements of 'many' hold the pointer 'at', which is not valid on a device; use indices into a mapped array
