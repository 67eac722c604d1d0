/* SPDX-License-Identifier: Apache-2.0 */
struct list { int n; int *at; const char *name; };
struct pair { struct list a, b; };
static int get(const struct list *l, int i) { return l->at[i]; }
void f(int n, int *a, struct list l, struct pair p, const struct list *many)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = get(&l, i);
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: many[0 : 3])
    for (int i = 0; i < n; i++)
        a[i] = many[i % 3].at[0];
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: p.a.at[0 : p.a.n])
    for (int i = 0; i < n; i++)
        a[i] = get(&p.a, i) + get(&p.b, i);
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: many[0 : 3])
    for (int i = 0; i < n; i++)
        a[i] = many[i % 3].n + l.n;
}
struct odd {
    int n;
    struct {
        double x;
    } *points;
    volatile int *now;
    union {
        double *one;
        int *other;
    };
    double *three[3];
};
void g(int n, double *out, struct odd *p)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        out[i] = p->points[i].x;
#pragma heddle for
    for (int i = 0; i < n; i++)
        out[i] = p->now[i];
#pragma heddle for
    for (int i = 0; i < n; i++)
        out[i] = p->one[i];
#pragma heddle for
    for (int i = 0; i < n; i++)
        out[i] = p->three[1][i];
}
// expect: 9:21: error: 'l.at' is a pointer, which is not valid on a device; map what it points to, map(to: l.at[first : count])
// expect: 12:16: error: the elements of 'many' hold the pointer 'at', which is not valid on a device; use indices into a mapped array
// expect: 15:21: error: 'p.b.at' is a pointer, which is not valid on a device; map what it points to, map(to: p.b.at[first : count])
// expect: 36:18: error: 'p->points' is a pointer in a structure, which is not valid on a device; copy it to a variable before the loop, and use that
// expect: 39:18: error: 'p->now' is a pointer in a structure, which is not valid on a device; copy it to a variable before the loop, and use that
// expect: 42:18: error: 'p->one' is a pointer in a structure, which is not valid on a device; copy it to a variable before the loop, and use that
// expect: 45:18: error: 'p->three' is a pointer in a structure, which is not valid on a device; copy it to a variable before the loop, and use that
