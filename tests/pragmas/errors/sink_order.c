/* SPDX-License-Identifier: Apache-2.0 */
#define MAX(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__(a) a_ = (a), b_ = (b);                                                          \
        a_ > b_ ? a_ : b_;                                                                         \
    })
struct cell {
    float a, b;
};
void line(int n, int *A, struct cell *c)
{
#pragma heddle pool map(tofrom: A[0:n], c[0:n])
    {
#pragma heddle taskloop
        for (int i = 1; i < n; i++)
            A[i] = A[i - 1] + 1;
#pragma heddle taskloop sink(i-2)
        for (int i = 0; i < n - 1; i++)
            A[i] = A[i + 1];
#pragma heddle taskloop
        for (int i = 1; i < n; i++) {
            const struct cell old = c[i - 1];
            c[i].a = old.a;
        }
    }
}
void grid(int n, int m, int (*H)[m], int (*roll)[m])
{
#pragma heddle pool map(tofrom: H[0:n], roll[0:2])
    {
#pragma heddle taskloop sink(i, j-1) sink(i-1, j)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (i == 0 || j >= m - 1)
                    continue;
                H[i][j] = MAX(H[i - 1][j], H[i - 1][j + 1]);
            }
#pragma heddle taskloop sink(i, j-1) sink(i-1, j)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                roll[i & 1][j] = roll[(i - 1) & 1][j - 1];
    }
}
void rows(int n, int m, float *A)
{
#pragma heddle pool map(tofrom: A[0:n*m])
    {
#pragma heddle taskloop
        for (int y = 0; y < n; y++)
            for (int x = 1; y > 0 && x < m; x++)
                A[y * m + x] += 1;
#pragma heddle taskloop
        for (int y = 1; y < n; y++)
            for (int x = 1; x < m; x++) {
                const long at = (long)y * m + x;
                A[at] = A[at - m] + A[at - 1];
            }
#pragma heddle taskloop
        for (int t = 0; t < n / 16; t++)
            for (int k = t * 16; k < t * 16 + 16; k++)
                A[k] = A[k + 1];
    }
}
void sums(int n, int m, const float *A)
{
    float sum = 0, best[2] = {0}, last[100];
#pragma heddle pool map(to: A[0:n]) map(tofrom: sum, best, last)
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            sum += A[i];
#pragma heddle taskloop collapse(2)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++) {
                best[0] = best[0] > A[y] ? best[0] : A[y];
                best[1] = 1;
            }
#pragma heddle taskloop collapse(2)
        for (int y = 0; y < 100; y++)
            for (int x = 0; x < m; x++)
                last[y] = A[x];
    }
}
// expect: 16:20: error: 'A[i - 1]' is read by iteration (i) after it was written by iteration (i - 1), but the sinks do not keep that order; add sink(i - 1)
// expect: 16:13: note: iteration (i - 1) comes to it as 'A[i]' here
// expect: 19:13: error: 'A[i]' is written by iteration (i) after it was read by iteration (i - 1), but the sinks do not keep that order; add sink(i - 1)
// expect: 19:20: note: iteration (i - 1) comes to it as 'A[i + 1]' here
// expect: 22:37: error: 'c[i - 1]' is read by iteration (i) after it was written by iteration (i - 1), but the sinks do not keep that order; add sink(i - 1)
// expect: 23:13: note: iteration (i - 1) comes to it as 'c[i].a' here
// expect: 36:44: error: 'H[i - 1][j + 1]' is read by iteration (i, j) after it was written by iteration (i - 1, j + 1), but the sinks do not keep that order; add sink(i - 1, j + 1)
// expect: 36:17: note: iteration (i - 1, j + 1) comes to it as 'H[i][j]' here
// expect: 41:17: error: 'roll[i & 1][j]' is written by iteration (i, j) after it was read by iteration (i - 1, j + 1), but the sinks do not keep that order; add sink(i - 1, j + 1)
// expect: 41:34: note: iteration (i - 1, j + 1) comes to it as 'roll[(i - 1) & 1][j - 1]' here
// expect: 56:25: error: 'A[at - m]' is read by iteration (y) after it was written by iteration (y - 1), but the sinks do not keep that order; add sink(y - 1)
// expect: 56:17: note: iteration (y - 1) comes to it as 'A[at]' here
// expect: 61:17: error: 'A[k]' is written by iteration (t) after it was read by iteration (t - 1), but the sinks do not keep that order; add sink(t - 1)
// expect: 61:24: note: iteration (t - 1) comes to it as 'A[k + 1]' here
// expect: 71:13: error: 'sum' is read by iteration (i) after it was written by iteration (i - 1), but the sinks do not keep that order; add sink(i - 1), or use '#pragma omp atomic' where the order does not matter
// expect: 75:27: error: 'best[0]' is read by iteration (y, x) after it was written by iteration (y - 1, x + 2), but the sinks do not keep that order; no sinks can keep it, since other iterations of the inner loop come to it, too; give each an element of its own, or use '#pragma omp atomic'
// expect: 75:17: note: iteration (y - 1, x + 2) comes to it as 'best[0]' here
// expect: 81:17: error: 'last[y]' is written by iteration (y, x) after it was written by iteration (y, x - 1), but the sinks do not keep that order; add sink(y, x - 1)
