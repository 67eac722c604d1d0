/* SPDX-License-Identifier: Apache-2.0 */
/* Taskloops side by side that share an array and no element, or wait for each other: none of these is an error. */
#include "../run/run.h"

int main(void)
{
    enum { N = 300, H = 20 };
    static int half[2 * N], stripes[2 * N], waited[N], rows[H][N], far[N + 40], flags[4];
    int cut = 120;
#pragma heddle pool map(tofrom: half, stripes, waited, rows, far, flags)
    {
#pragma heddle taskloop
        for (int i = 0; i < cut; i++)
            half[i] = i * 3;
#pragma heddle taskloop
        for (int i = cut; i < 2 * N; i++)
            half[i] = i * 5;
#pragma heddle taskloop
        for (int i = 0; i < N; i++)
            stripes[2 * i] = i;
#pragma heddle taskloop
        for (int i = 0; i < N; i++)
            stripes[2 * i + 1] = -i;
#pragma heddle taskloop
        for (int i = 0; i < N; i++) {
            waited[i] = i ^ 21;
            flags[0] = 1;
        }
#pragma heddle taskloop
        for (int i = 0; i < 20; i++)
            far[i] = i;
#pragma heddle taskloop
        for (int i = 20; i < 40; i++) {
            far[i] = i * i;
            flags[0] = 1;
        }
#pragma heddle taskwait
#pragma heddle taskloop collapse(2)
        for (int y = 0; y < H; y++)
            for (int x = 1; x < N; x++)
                rows[y][x] = waited[x] + waited[x - 1] + y;
#pragma heddle taskloop
        for (int y = 0; y < H; y++)
            rows[y][0] = stripes[y];
    }
    run_report("half", half, sizeof half);
    run_report("stripes", stripes, sizeof stripes);
    run_report("waited", waited, sizeof waited);
    run_report("rows", rows, sizeof rows);
    run_report("far", far, sizeof far);
    run_report("flags", flags, sizeof flags);
    return 0;
}
