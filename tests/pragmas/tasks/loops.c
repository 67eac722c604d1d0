/* SPDX-License-Identifier: Apache-2.0 */
/* Task loops of one to three dimensions with sinks, also to the upper right, with lanes inside. */
#include "../run/run.h"

enum { F = 5, H = 9, W = 13, P = 16 };
struct pixel { int v, w; };

static void mix(int *cell, const int *left, const int *up_right)
{
    int sum = 0;
    int part[P];
#pragma heddle lanes
    for (int i = 0; i < P; i++)
        part[i] = left[i] * 3 + up_right[P - 1 - i];
#pragma heddle lanes reduction(+: sum)
    for (int i = 0; i < P; i++)
        sum += part[i] & 255;
#pragma heddle lanes
    for (int i = 0; i < P; i++)
        cell[i] = (part[i] + sum) & 1023;
}

int main(void)
{
    static int line[200];
    line[0] = 5;
#pragma heddle pool map(tofrom: line)
    {
#pragma heddle taskloop sink(i-1)
        for (int i = 1; i < 200; i++)
            line[i] = (line[i - 1] * 5 + i) & 4095;
    }
    run_report("line", line, sizeof line);

    int rows = 17, cols = 23;
    struct pixel (*grid)[cols] = calloc((size_t)rows, sizeof *grid);
    if (!grid)
        return 1;
#pragma heddle pool map(tofrom: grid[0:rows])
#pragma heddle taskloop sink(y, x-1) sink(y-1, x+1)
    for (int y = 1; y <= rows - 1; y++)
        for (int x = 1; x < cols - 1; x++) {
            struct pixel p = grid[y][x - 1], q = grid[y - 1][x + 1];
            grid[y][x].v = (p.v * 3 + q.v + x) & 1023;
            grid[y][x].w = p.w ^ q.w ^ y;
        }
    run_report("grid", grid, sizeof *grid * (size_t)rows);
    free(grid);

    static int cube[F][H + 1][W + 2][P];
    run_ints(&cube[0][0][0][0], (size_t)F * (H + 1) * (W + 2) * P, 50);
#pragma heddle pool workers(warp) map(tofrom: cube)
    {
#pragma heddle taskloop sink(f, y, x-1) sink(f, y-1, x-1) sink(f, y-1, x) sink(f, y-1, x+1)
        for (int f = 0; f < F; f++)
            for (int y = 1; y <= H; y++)
                for (int x = 1; x <= W; x++)
                    mix(cube[f][y][x], cube[f][y][x - 1], cube[f][y - 1][x + 1]);
    }
    run_report("cube", cube, sizeof cube);

    static long squares[100];
#pragma heddle pool map(from: squares) workers(block)
    {
#pragma heddle taskloop collapse(2)
        for (long i = 0; i < 10; i++)
            for (unsigned j = 0; j < 10; j++) {
                long n = 0;
                for (long k = 0; k < i * 10 + j; k++)
                    n += 2 * k + 1;
                squares[i * 10 + j] = n;
            }
#pragma heddle taskwait
#pragma heddle taskloop
        for (int i = 5; i < 5; i++)
            squares[i] = 0;
#pragma heddle taskloop
        for (int i = 0; i < 100; i++) {
            if (i % 3)
                continue;
            squares[i] += i;
        }
    }
    run_report("squares", squares, sizeof squares);
    return 0;
}
