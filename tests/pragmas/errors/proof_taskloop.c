/* SPDX-License-Identifier: Apache-2.0 */
/* A taskloop orders what its sinks name; that nothing else meets has to be seen, or said. */
struct list { int *item; };
static void link(int *a, int from, int to) { a[to] = a[from] + 1; }
void loops(int n, int m, int k, int *a, const int *next, int (*M)[m])
{
#pragma heddle pool map(tofrom: a[0:n], M[0:n]) map(to: next[0:n])
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            link(a, i, next[i]);
#pragma heddle taskwait
#pragma heddle taskloop sink(i-1)
        for (int i = 0; i < n; i++)
            link(a, i, next[i]);
#pragma heddle taskwait
#pragma heddle taskloop sink(i-2)
        for (int i = 0; i < n; i++)
            a[(i * 5) % 11] += i;
#pragma heddle taskwait
#pragma heddle taskloop sink(y, x-1) sink(y-1, x)
        for (int y = 1; y < n; y++)
            for (int x = 1; x < m - k; x++)
                M[y][x] += M[y - 1][x + k];
#pragma heddle taskwait
#pragma heddle taskloop collapse(2)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++)
                M[y][x & 3] = y;
    }
}
// expect: 4:46: error: one iteration writes 'a[to]', another reads 'a[from]', and nothing proves that they are different elements or that a sink orders the two; if they always are, write '#pragma heddle taskloop independent', else name the iteration to wait for in sink(…)
// expect: 4:54: note: 'a[from]' is here
// expect: 9:1: note: the iterations are those of this loop
// expect: 19:13: error: one iteration writes 'a[(i * 5) % 11]', another writes 'a[(i * 5) % 11]', and nothing proves that they are different elements or that a sink orders the two; if they always are, write '#pragma heddle taskloop independent', else name the iteration to wait for in sink(…)
// expect: 24:17: error: one iteration writes 'M[y][x]', another reads 'M[y - 1][x + k]', and nothing proves that they are different elements or that a sink orders the two; if they always are, write '#pragma heddle taskloop independent', else name the iteration to wait for in sink(…)
// expect: 24:28: note: 'M[y - 1][x + k]' is here
// expect: 29:17: error: one iteration writes 'M[y][x & 3]', another writes 'M[y][x & 3]', and nothing proves that they are different elements or that a sink orders the two; if they always are, write '#pragma heddle taskloop independent', else name the iteration to wait for in sink(…)
