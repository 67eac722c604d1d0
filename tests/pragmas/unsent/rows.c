/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and what loops write of them. */
enum { COLUMNS = 16 };
#define WIDTH 16
struct plane { double *out; int n; };

void whole(int n, int m, double *a, double (*b)[m], double (*c)[100])
{
// a: always
// b: (long)m - (long)(sizeof b[0] / sizeof b[0][0]) >= 0
// c: always
#pragma heddle for independent map(from: a[heddle_lo * m : heddle_count * m], b[heddle_lo : heddle_count], c[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[i * m + j] = b[i][j] = 1;
        for (int j = 99; j >= 0; j--)
            c[i][j] = 1;
    }
}

void borders(int n, int m, double *a, double *b, double (*c)[100])
{
// a: never
// b: always
// c: never
#pragma heddle for independent map(from: a[heddle_lo * m : heddle_count * m], b[heddle_lo * m : heddle_count * m], c[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        b[i * m] = 0;
        for (int j = 1; j < m - 1; j++)
            a[i * m + j] = b[i * m + j] = 1;
        b[i * m + m - 1] = 0;
        for (int j = 0; j < 99; j++)
            c[i][j] = 1;
    }
}

void triangle(int n, int m, double *a, double *b)
{
// a: never
// b: always
#pragma heddle for independent map(from: a[heddle_lo * m : heddle_count * m], b[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++) {
        for (int j = i; j < m; j++)
            a[i * m + j] = b[i * m + j] = 1;
        for (int j = 0; j < i; j++)
            b[i * m + j] = 0;
    }
}

void both(int n, int m, int p, double *a, double *b, double *c)
{
// a: always
#pragma heddle for collapse(2) independent map(from: a[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = 1;
// b: never
#pragma heddle for collapse(2) independent map(from: b[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 2)
            b[i * m + j] = 1;
// c: (long)m - 1 >= 0
#pragma heddle for independent map(from: c[heddle_lo * m * p : heddle_count * m * p])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[(i * m + j) * p + k] = 1;
}

/* other names for the same number */
void constants(int n, int ld, int m, double *a, double *b)
{
// a: 16 - (long)WIDTH == 0 && 16 - (long)COLUMNS == 0 && (long)WIDTH - 16 == 0
// b: (long)m - (long)ld == 0
#pragma heddle for independent map(from: a[heddle_lo * WIDTH : COLUMNS * heddle_count], b[heddle_lo * ld : heddle_count * ld])
    for (int i = 0; i < n; i++) {
        double *row = a + COLUMNS * i;
        const int width = m;
        for (int j = 0; j < WIDTH; ++j)
            row[j] = 0;
        for (int j = 0; j < width; j++)
            b[i * ld + j] = 0;
    }
}

void steps(int n, int b, double *x, double *y, double *z)
{
// x: always
#pragma heddle for independent map(from: x[heddle_lo : 4 * heddle_count])
    for (int i = 0; i < n; i += 4) {
        x[i] = x[i + 1] = 1;
        x[i + 3] = x[i + 2] = 1;
    }
// y: always
#pragma heddle for independent map(from: y[heddle_lo : b * heddle_count])
    for (int i = 0; i < n; i += b)
        for (int j = i; j < i + b; j++)
            y[j] = 1;
// z: never
#pragma heddle for independent map(from: z[heddle_lo : 4 * heddle_count])
    for (int i = 0; i < n; i += 4) {
        z[i] = z[i + 1] = 1;
        z[i + 3] = 1;
    }
// x: always
#pragma heddle for independent map(from: x[heddle_lo - heddle_count + 1 : heddle_count])
    for (int i = n - 1; i >= 0; i--)
        x[i] = 1;
// z: never
#pragma heddle for independent map(from: z[2 * heddle_lo : 2 * heddle_count])
    for (int i = 0; i < n; i++)
        z[2 * i] = 1;
}

void members(int n, struct plane s, struct plane t)
{
// s.out: always
// t.out: never
#pragma heddle for independent map(from: s.out[heddle_lo : heddle_count], t.out[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        s.out[i] = i;
        if (i & 1)
            t.out[i] = i;
    }
}

/* A negative step, and a loop that may end before its bound. */
void counts(int n, int *a, int *b, const int *in)
{
// a: always
#pragma heddle for map(from: a[64 * heddle_lo : 64 * heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 63; j >= 0; j += -1)
            a[i * 64 + j] = i;
// b: never
#pragma heddle for map(from: b[64 * heddle_lo : 64 * heddle_count]) map(to: in[0 : n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 64 && in[i]; j++)
            b[i * 64 + j] = i;
}
