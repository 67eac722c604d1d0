/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow, functions, structures, and reads of what was written. */
struct pair { double x, y; int k; };
union either { float f; double d; };

static void fill(double *row, int m)
{
    for (int j = 0; j < m; j++)
        row[j] = j;
}
static void set(double *at, int k, double v)
{
    if (v < 0) {
        at[k] = 0;
        return;
    }
    at[k] = v;
}
static void set_some(double *at, int k, double v)
{
    if (v < 0)
        return;
    at[k] = v;
}
void unknown(double *);

void functions(int n, int m, const double *in, double *a, double *b, double *c)
{
// a: always
// b: always
// c: never
#pragma heddle for independent map(from: a[heddle_lo * m : heddle_count * m], b[heddle_lo : heddle_count], c[heddle_lo : heddle_count]) \
    map(to: in[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        fill(&a[i * m], m);
        set(b, i, in[i]);
        set_some(c, i, in[i]);
    }
}

void branches(int n, const int *in, int *a, int *b, int *c)
{
// a: always
// b: never
// c: never
#pragma heddle for independent map(from: a[heddle_lo : heddle_count], b[heddle_lo : heddle_count], c[heddle_lo : heddle_count]) \
    map(to: in[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        if (in[i] > 3)
            a[i] = 1;
        else if (in[i] > 1)
            a[i] = 2, b[i] = 1;
        else
            *(a + i) = 3;
        in[i] && (c[i] = 1);
        in[i] ? (b[i] = 1) : 0;
    }
}

void cases(int n, const int *in, int *a, int *b, int *c, int *d)
{
// a: always
// b: never
// c: never
// d: never
#pragma heddle for independent map(from: a[heddle_lo : heddle_count], b[heddle_lo : heddle_count], c[heddle_lo : heddle_count]) \
    map(from: d[heddle_lo : heddle_count]) map(to: in[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        switch (in[i]) {
        case 0:
            a[i] = d[i] = 1;
            break;
        case 1:
            c[i] = d[i] = 1;
        case 2:
            a[i] = b[i] = 2;
            break;
        default:
            a[i] = b[i] = d[i] = 3;
        }
        switch (in[i]) {
        case 0:
            c[i] = 1;
        }
    }
}

void loops(int n, int m, const int *in, int *a, int *b, int *c)
{
// a: always
// b: (long)m - 1 >= 0
// c: never
#pragma heddle for independent map(from: a[heddle_lo : heddle_count], b[heddle_lo : heddle_count], c[heddle_lo : heddle_count]) \
    map(to: in[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        do {
            a[i] = 1;
        } while (in[i] > 5 && in[i] < 5);
        for (int k = 0; k < m; k++) {
            if (k == 2)
                continue;
            else
                a[i] = 2;
        }
        for (int k = 0; k < m; k++)
            b[i] = k;
        for (int k = 0; k < 3; k++) {
            if (k == in[i])
                break;
            c[i] = k;
        }
        while (in[i] > 100)
            c[i] = 2;
    }
}

void gaps(int n, int m, int *a, int *b)
{
// a: never
// b: never
#pragma heddle for independent map(from: a[heddle_lo * m : heddle_count * m], b[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (j == 3)
                continue;
            a[i * m + j] = 1;
            b[i * m + j / 2] = 1;
        }
}

void leaves(int n, const int *in, int *a, int *b)
{
// a: always
// b: never
#pragma heddle for independent map(from: a[heddle_lo : heddle_count], b[heddle_lo : heddle_count]) map(to: in[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        if (in[i])
            continue;
        b[i] = 1;
    }
}

void structures(int n, const int *in, struct pair *a, struct pair *b, struct pair *c, union either *u)
{
// a: always
// b: never
// c: always
// u: never
#pragma heddle for independent map(from: a[heddle_lo : heddle_count], b[heddle_lo : heddle_count], c[heddle_lo : heddle_count]) \
    map(from: u[heddle_lo : heddle_count]) map(to: in[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        struct pair *at = &a[i];
        at->x = 1;
        at->y = 2;
        (*at).k = 3;
        b[i].x = 1;
        if (in[i])
            b[i].y = 2;
        b[i].k = 3;
        c[i] = (struct pair){1, 2, 3};
        u[i].f = 1;
    }
}

/* zeroed first, then added to */
void reads(int n, int m, const double *in, double *a, double *b, double *c)
{
// a: always
// b: always
// c: never
#pragma heddle for independent map(from: a[heddle_lo * m : heddle_count * m], b[heddle_lo : heddle_count], c[heddle_lo * 8 : heddle_count * 8]) map(to: in[0 : m * m])
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[i * m + j] = 0;
        for (int k = 0; k < m; k++)
            for (int j = 0; j < m; j++)
                a[i * m + j] += in[k * m + j];
        b[i] = 0;
        for (int j = 0; j < m; j++)
            b[i] += a[i * m + j];
        for (int j = 0; j < 8; j++)
            c[8 * i + j] = j ? c[8 * i + j - 1] + 1 : 0;
    }
}

/* what libclang does not show is no matter where it does not name the array */
void hidden(int n, int m, const double *in, double *a, double *b)
{
// a: always
// b: always
#pragma heddle for independent map(from: a[heddle_lo : heddle_count], b[heddle_lo : heddle_count]) map(to: in[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < m; j++)
            sum += in[i * m + j];
        a[i] = sum;
#pragma omp simd
        for (int j = 0; j < 1; j++)
            b[i] = sum;
    }
}
