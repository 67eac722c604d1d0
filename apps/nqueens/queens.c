/* SPDX-License-Identifier: Apache-2.0 */
/* A first solution, and the counts that are known. */
#include "queens.h"

const long queens_known[QUEENS_MOST + 1] = {0,
                                            1,
                                            0,
                                            0,
                                            2,
                                            10,
                                            4,
                                            40,
                                            92,
                                            352,
                                            724,
                                            2680,
                                            14200,
                                            73712,
                                            365596,
                                            2279184,
                                            14772512,
                                            95815104,
                                            666090624,
                                            4968057848,
                                            39029188884,
                                            314666222712,
                                            2691008701644,
                                            24233937684440,
                                            227514171973736,
                                            2207893435808352,
                                            22317699616364044,
                                            234907967154122528};

/* E. Pauls, 1874: the rows of even columns first, with an exchange where n leaves the remainder 2 or 3 by 6. */
int queens_first(int n, int *column) {
    int row = 0;
    if (n < 1 || n == 2 || n == 3)
        return 0;
    for (int c = 1; c < n; c += 2)
        column[row++] = c;
    const int odd = row;
    for (int c = 0; c < n; c += 2)
        column[row++] = c;
    if (n % 6 == 2) { /* 1, 3, 5, 7, … becomes 3, 1, 7, …, 5 */
        column[odd] = 2;
        column[odd + 1] = 0;
        for (int k = odd + 2; k < n - 1; k++)
            column[k] = 2 * (k - odd) + 2;
        column[n - 1] = 4;
    } else if (n % 6 == 3) { /* 2, 4, …: the first goes behind; 1 and 3 go to the end */
        for (int k = 0; k + 1 < odd; k++)
            column[k] = 2 * k + 3;
        column[odd - 1] = 1;
        for (int k = odd; k < n - 2; k++)
            column[k] = 2 * (k - odd) + 4;
        column[n - 2] = 0;
        column[n - 1] = 2;
    }
    return 1;
}
