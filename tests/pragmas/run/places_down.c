/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. A maximum and its place where loops count down, in wider numbers, and one that nothing reaches. */
#include "run.h"
enum { ROWS = 83, COLS = 131 };
static long T[ROWS][COLS];
static char a[ROWS], b[COLS];

static void down(long *place)
{
    long most = -1, none = 1l << 40;
    size_t mi = 3, ni = 4;
    long mj = 5, nj = 6;
#pragma heddle wavefront
    for (size_t i = ROWS - 2; i > 0; i--)
        for (long j = COLS - 2; j >= 0; j--) {
            T[i][j] = MAX(T[i + 1][j], T[i][j + 1]) + (a[i] == b[j]);
            const long t = T[i][j] % 9;
            if (t > most) {
                most = t;
                mi = i;
                mj = -j;
            }
            if (T[i][j] >= none) {
                none = T[i][j];
                ni = i;
                nj = j;
            }
        }
    place[0] = most;
    place[1] = (long)mi;
    place[2] = mj;
    place[3] = none;
    place[4] = (long)ni;
    place[5] = nj;
}

int main(void)
{
    for (int letters = 2; letters < 5; letters++) {
        long place[6];
        run_fill(a, sizeof a, letters);
        run_fill(b, sizeof b, letters);
        down(place);
        printf("down %ld at %ld %ld, %ld at %ld %ld\n", place[0], place[1], place[2], place[3], place[4], place[5]);
    }
    return 0;
}
