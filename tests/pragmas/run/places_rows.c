/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Best cells and sums of nests whose rows differ in length. */
#include "run.h"

enum { ROWS = 83, COLS = 131 };
static int H[ROWS][COLS];
static char a[ROWS], b[COLS];

/* A triangle, and a sum beside. */
static void triangle(int *place)
{
    int best = -1, row = -1, column = -1, count = 0;
#pragma heddle wavefront reduction(+ : count)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < i + 2; j++) {
            H[i][j] = (H[i - 1][j] + H[i][j - 1] + (a[i] == b[j])) & 7;
            count += H[i][j] == 3;
            if (H[i][j] > best) {
                best = H[i][j];
                row = i;
                column = j;
            }
        }
    place[0] = best;
    place[1] = row * 1000 + column;
    place[2] = count;
}

int main(void)
{
    for (int letters = 2; letters < 5; letters++) {
        int place[3];
        run_fill(a, sizeof a, letters);
        run_fill(b, sizeof b, letters);
        memset(H, 0, sizeof H);
        triangle(place);
        printf("triangle %d at %d, %d\n", place[0], place[1], place[2]);
        run_report("H", H, sizeof H);
    }
    return 0;
}
