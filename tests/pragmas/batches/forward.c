/* SPDX-License-Identifier: Apache-2.0 */
/* Probability of reads given haplotypes by a pair hidden Markov model: three arrays, a sum over each problem's last row
   and a maximum over its last column. */
#include <stdio.h>

enum { PAIRS = 150, READS = 40, HAPLOTYPES = 60 };

struct letter {
    char base;
    struct {
        float match, mismatch;
    } prior;
};

static void forward(const int (*size)[2], const struct letter (*read)[READS], const char (*haplotype)[HAPLOTYPES],
                    float *sums, float *most) {
#pragma heddle wavefront batch(p) reduction(+: sum) reduction(max: last) map(to: size[0:PAIRS], read[0:PAIRS],         \
                                                                             haplotype[0:PAIRS])       \
    map(from: sums[0:PAIRS], most[0:PAIRS])
    for (int p = 0; p < PAIRS; p++) {
        const int n = size[p][0], m = size[p][1];
        float M[n + 1][m + 1], X[n + 1][m + 1], Y[n + 1][m + 1];
        float sum = 0, last = 0;
        for (int j = 0; j <= m; j++) {
            M[0][j] = X[0][j] = 0;
            Y[0][j] = 1.0f / (float)(m + 1);
        }
        for (int i = 1; i <= n; i++)
            M[i][0] = X[i][0] = Y[i][0] = 0;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                const float prior = read[p][i - 1].base == haplotype[p][j - 1] ? read[p][i - 1].prior.match
                                                                               : read[p][i - 1].prior.mismatch;
                M[i][j] = prior * (0.9f * M[i - 1][j - 1] + 0.8f * (X[i - 1][j - 1] + Y[i - 1][j - 1]));
                X[i][j] = 0.05f * M[i - 1][j] + 0.2f * X[i - 1][j];
                Y[i][j] = 0.05f * M[i][j - 1] + 0.2f * Y[i][j - 1];
                if (i == n)
                    sum += M[i][j] + X[i][j];
                if (j == m && M[i][j] > last)
                    last = M[i][j];
            }
        sums[p] = sum;
        most[p] = last;
    }
}

static unsigned seed = 1;
static unsigned any(unsigned below) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

int main(void) {
    static int size[PAIRS][2];
    static struct letter read[PAIRS][READS];
    static char haplotype[PAIRS][HAPLOTYPES];
    static float sums[PAIRS], most[PAIRS];
    for (int p = 0; p < PAIRS; p++) {
        size[p][0] = (int)any(READS + 1);
        size[p][1] = (int)any(HAPLOTYPES + 1);
        for (int k = 0; k < HAPLOTYPES; k++)
            haplotype[p][k] = "ACGT"[any(4)];
        for (int k = 0; k < READS; k++)
            read[p][k] = (struct letter){any(20) ? haplotype[p][k] : 'N', {0.75f, (float)(1 + any(9)) / 64}};
    }
    forward(size, read, haplotype, sums, most);
    for (int p = 0; p < PAIRS; p++)
        printf("%.6g %.6g\n", (double)sums[p], (double)most[p]);
    return 0;
}
