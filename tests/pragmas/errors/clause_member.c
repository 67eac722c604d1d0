/* SPDX-License-Identifier: Apache-2.0 */
struct s { int *v, n; };
void f(struct s *p, struct s q, int n)
{
#pragma heddle for private(p->v)
    for (int i = 0; i < n; i++)
        p->v[i] = i;
#pragma heddle for reduction(+: q.n)
    for (int i = 0; i < n; i++)
        q.n += i;
}
// expect: 5:29: error: expected ')' at the end of 'private'; variables are named here: copy what the structure holds to a local one first
// expect: 8:33: error: 'q.n' is a member, and variables are reduced; write '__typeof__(q.n) n = q.n;' before the loop, reduce and update 'n', and write 'q.n = n;' behind the loop
