/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that are other ones in each thread, by OpenMP's word or by C's. */
int g;
#pragma omp threadprivate(g)
_Thread_local int h;
static int get(int i) { return g + i; }
static int have(int i) { return h + get(i); }
void f(int *restrict a, int (*A)[40])
{
#pragma heddle for independent
    for (int i = 0; i < 100; i++)
        a[i] = have(i);
#pragma heddle wavefront independent
    for (int i = 1; i < 40; i++)
        for (int j = 1; j < 40; j++)
            A[i][j] = A[i - 1][j] + A[i][j - 1] % 5 + get(i);
#pragma heddle pool
    {
#pragma heddle taskloop
        for (int i = 0; i < 100; i++)
            a[i] = have(i);
    }
#pragma heddle pool
    {
        for (int i = 0; i < 100; i++) {
#pragma heddle task
            a[i] = g + i;
        }
    }
}
// expect: 12:16: note: this loop stays on the host: 'have' uses the global variable 'h', which devices do not have; pass it as an argument, or make it const
// expect: 12:16: error: 'have' uses the global variable 'h', which is another one in each thread; pass it as an argument, or make it const
// expect: 16:55: error: 'get' uses the global variable 'g', which devices do not have; pass it as an argument, or make it const
// expect: 7:33: error: a task uses the variable 'h', which is another one in each thread, and runs on any of them; pass its value to the task as an argument
// expect: 6:32: error: a task uses the variable 'g', which is another one in each thread, and runs on any of them; pass its value to the task as an argument
// expect: 27:20: error: a task uses the variable 'g', which is another one in each thread, and runs on any of them; pass its value to the task as an argument
