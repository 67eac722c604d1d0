/* SPDX-License-Identifier: Apache-2.0 */
#define UNTIL(i) i < n
#define FROM_ZERO(i) int i = 0
#define BY(i) i += n
void f(int n, int *p)
{
#pragma heddle for map(from: p[heddle_lo : heddle_count])
    for (int i = 0; UNTIL(i); i++)
        p[i] = i;
#pragma heddle for map(from: p[heddle_lo : heddle_count])
    for (FROM_ZERO(i); i < n; i++)
        p[i] = i;
#pragma heddle for map(tofrom: p[heddle_lo : (heddle_count - 1) * n + 1])
    for (int i = 0; i < n; BY(i))
        p[i] = i;
#pragma heddle wavefront map(tofrom: p[0 : n * n])
    for (int i = 1; i < n; i++)
        for (int j = 1; UNTIL(j); j++)
            p[i * n + j] += p[i * n + j - 1];
}
// expect: 8:21: error: not a canonical loop: the bound comes out of a macro together with the loop variable; write one of them out
// expect: 11:10: error: not a canonical loop: the first value of 'i' comes out of a macro together with it; write one of them out
// expect: 14:28: error: not a canonical loop: the step comes out of a macro together with the loop variable; write one of them out
// expect: 18:25: error: not a canonical loop: the bound comes out of a macro together with the loop variable; write one of them out
