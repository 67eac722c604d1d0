/* SPDX-License-Identifier: Apache-2.0 */
/* A nest that is run a few times on device 0: tests/runtime/path.py looks at the way of its last call. */
#include <stdio.h>

enum { N = 300, CALLS = 3 };
static int H[N + 1][N + 1];
static char a[N], b[N];

static int score(int n, int m) {
    int best = 0;
#pragma heddle wavefront schedule(registers) map(to: a[0:n], b[0:m]) reduction(max: best) device(0)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const int s = H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
            const int gap = (H[i - 1][j] > H[i][j - 1] ? H[i - 1][j] : H[i][j - 1]) - 1;
            H[i][j] = s > gap ? s > 0 ? s : 0 : gap > 0 ? gap : 0;
            best = best > H[i][j] ? best : H[i][j];
        }
    return best;
}

int main(void) {
    for (int k = 0; k < CALLS; k++)
        if (score(N, N) != 2 * N)
            return 1;
    return 0;
}
