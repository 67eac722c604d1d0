/* SPDX-License-Identifier: Apache-2.0 */
struct link { int value; struct link *next; };
struct view { int n; struct { int *at; } of[2]; };
static void walk(struct link *l, int *sum)
{
    for (; l; l = l->next)
        *sum += l->value;
}
static void look(struct view *v, int *sum) { *sum += v->of[0].at[v->n]; }
static struct view all;
static void global(int *sum) { *sum += all.of[1].at[0]; }
void g(struct link *l, int n, struct view v, int *sum)
{
#pragma heddle pool map(to: l[0:n]) map(tofrom: sum[0:1]) device(0)
    {
#pragma heddle task
        walk(l, sum);
    }
#pragma heddle pool map(to: v) map(tofrom: sum[0:1]) device(0)
    {
#pragma heddle task
        look(&v, sum);
    }
#pragma heddle pool map(tofrom: sum[0:1]) device(0)
    {
#pragma heddle task
        global(sum);
    }
}
// expect: 14:29: error: 'l' holds pointers, and what they point to cannot be mapped; use indices
// expect: 19:29: error: 'v' holds pointers, and what they point to cannot be mapped; use indices
// expect: 11:40: error: 'all' holds pointers, and what they point to cannot be mapped; use indices
