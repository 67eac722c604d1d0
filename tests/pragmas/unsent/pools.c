/* SPDX-License-Identifier: Apache-2.0 */
/* Pools: tasks that are not made write nothing. */
static int squares[100], halves[100];

static void square(int i) { squares[i] = i * i; }
static void store(int *at, int k) { at[k] = k; }

void rows(int n, int m, double (*a)[40], double (*b)[40])
{
// a: always
// b: never
#pragma heddle pool map(from: a[0 : n], b[0 : n])
#pragma heddle taskloop independent
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 40; j++)
            a[i][j] = 1;
        for (int j = 1; j < m; j++)
            b[i][j] = 1;
    }
}

void tasks(int n, int *a, int *b)
{
// a: always
// b: never
#pragma heddle pool map(from: a[0 : n], b[0 : n])
    {
        for (int i = 0; i < n; i++) {
#pragma heddle task
            store(a, i);
            if (i % 3) {
#pragma heddle task
                store(b, i);
            }
        }
    }
}

void globals(void)
{
// squares: always
// halves: never
#pragma heddle pool map(from: squares, halves)
#pragma heddle taskloop independent
    for (int i = 0; i < 100; i++) {
        square(i);
        halves[i / 2] = 1;
    }
}

int scalars(int n)
{
    int all, some = 3;
// all: always
// some: never
#pragma heddle pool map(from: all, some)
    {
#pragma heddle task
        {
            all = n;
        }
        if (n) {
#pragma heddle task
            {
                some = n;
            }
        }
    }
    return all + some;
}
