/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Maxima and minima with their places; many cells have equal values, and the serial loop's
 * one counts. */
#include "run.h"
enum { ROWS = 83, COLS = 131 };
static int H[ROWS][COLS];
static float D[ROWS][COLS];
static char a[ROWS], b[COLS];
static int width = COLS;

/* Smith-Waterman: the first of the best cells. */
static void first(int from, int *place)
{
    int best = from, bi = -1, bj = -2;
#pragma heddle wavefront
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLS; j++) {
            int s = H[i - 1][j - 1] + (a[i] == b[j] ? 1 : -1);
            s = MAX(s, H[i - 1][j] - 1);
            s = MAX(s, H[i][j - 1] - 1);
            H[i][j] = MAX(s, 0);
            if (H[i][j] > best) {
                best = H[i][j];
                bi = i;
                bj = j;
            }
        }
    place[0] = best;
    place[1] = bi;
    place[2] = bj;
}

/* The last one, its number in the table, what is counted beside it, and a clause that says so. */
static void last(int *place)
{
    int best = 0, at = -5, count = 0;
    const int shift = place[3];
#pragma heddle wavefront reduction(max : best) reduction(+ : count)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLS; j++) {
            const int s = MAX(H[i - 1][j], H[i][j - 1]) + (a[i] == b[j]) - (j % 7 == 3);
            const int number = (i - 1) * width + j;
            H[i][j] = s % 5;
            count += s == 2;
            if (j != 77 && best <= H[i][j]) {
                at = number + shift - COLS * (i == 0);
                best = H[i][j];
            }
        }
    place[0] = best;
    place[1] = at;
    place[2] = count;
}

/* The least cost of the last rows; conditions on the cell besides. */
static void least(float *out, int *place)
{
    float low = 1e9f;
    int row = 7, column = 9;
#pragma heddle wavefront
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLS; j++) {
            float d = MIN(D[i - 1][j], D[i][j - 1]);
            d = MIN(d, D[i - 1][j - 1]);
            D[i][j] = d + (float)((a[i] - b[j]) * (a[i] - b[j]));
            if (low > D[i][j] && i > ROWS - 9) { column = j + 1; low = D[i][j]; row = i; }
        }
    *out = low;
    place[0] = row;
    place[1] = column;
}

int main(void)
{
    for (int letters = 2; letters < 5; letters++) {
        int place[12] = {0, 0, 0, 11};
        float low;
        run_fill(a, sizeof a, letters);
        run_fill(b, sizeof b, letters);
        memset(H, 0, sizeof H);
        memset(D, 0, sizeof D);
        first(0, place);
        printf("first %d at %d %d\n", place[0], place[1], place[2]);
        run_report("H", H, sizeof H);
        first(place[0] - 1, place);
        printf("first %d at %d %d\n", place[0], place[1], place[2]);
        first(place[0], place);
        printf("none  %d at %d %d\n", place[0], place[1], place[2]);
        last(place);
        printf("last  %d at %d, %d\n", place[0], place[1], place[2]);
        least(&low, place);
        printf("least %g at %d %d\n", low, place[0], place[1]);
    }
    return 0;
}
