/* SPDX-License-Identifier: Apache-2.0 */
/* Problems in an array of structures, whose words lie wherever malloc put them: for the host alone. */
#include <stdio.h>
#include <stdlib.h>

struct job {
    int n, m, score;
    const char *a, *b;
};

static int max(int a, int b) { return a > b ? a : b; }

static void local(struct job *jobs, int count) {
#pragma heddle wavefront batch(k) device(host) independent reduction(max: best)
    for (int k = 0; k < count; k++) {
        struct job *job = &jobs[k];
        const char *a = job->a, *b = job->b;
        int H[job->n + 1][job->m + 1];
        int best = 0;
        for (int i = 0; i <= job->n; i++)
            H[i][0] = 0;
        for (int j = 0; j <= job->m; j++)
            H[0][j] = 0;
        for (int i = 1; i <= job->n; i++)
            for (int j = 1; j <= job->m; j++) {
                H[i][j] =
                    max(max(0, H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -3)), max(H[i - 1][j], H[i][j - 1]) - 4);
                best = max(best, H[i][j]);
            }
        job->score = best;
    }
}

/* The same, read through the structure in every cell. */
static void through(struct job *jobs, int count) {
#pragma heddle wavefront batch(k) device(host) independent
    for (int k = 0; k < count; k++) {
        int D[jobs[k].n + 1][jobs[k].m + 1];
        for (int i = 0; i <= jobs[k].n; i++)
            D[i][0] = i;
        for (int j = 0; j <= jobs[k].m; j++)
            D[0][j] = j;
        for (int i = 1; i <= jobs[k].n; i++)
            for (int j = 1; j <= jobs[k].m; j++)
                D[i][j] = -max(max(-D[i - 1][j], -D[i][j - 1]) - 1,
                               -D[i - 1][j - 1] - (jobs[k].a[i - 1] != jobs[k].b[j - 1]));
        jobs[k].score = D[jobs[k].n][jobs[k].m];
    }
}

static unsigned seed = 1;
static unsigned any(unsigned below) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

static const char *word(int n) {
    char *text = malloc((size_t)n + 1);
    for (int k = 0; text && k < n; k++)
        text[k] = "ACGT"[any(4)];
    return text;
}

int main(void) {
    enum { COUNT = 300 };
    static struct job jobs[COUNT];
    for (int form = 0; form < 2; form++) {
        for (int k = 0; k < COUNT; k++) {
            jobs[k].n = (int)any(70);
            jobs[k].m = (int)any(90);
            jobs[k].a = word(jobs[k].n);
            jobs[k].b = word(jobs[k].m);
        }
        form ? through(jobs, COUNT) : local(jobs, COUNT);
        for (int k = 0; k < COUNT; k++) {
            printf("%d%c", jobs[k].score, k % 20 == 19 ? '\n' : ' ');
            free((void *)(size_t)jobs[k].a), free((void *)(size_t)jobs[k].b);
        }
    }
    return 0;
}
