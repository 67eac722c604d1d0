/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in front of the inner loop runs once for each row, in the rows' order, where anybody can tell. */
void fill(int i, double *t);
static int calls;
static int next(void) { return ++calls; }
static int twice(const int *x, int i) { return 2 * x[i]; }
extern volatile int clock_now;
int f(int n, int m, double (*restrict u)[5], int (*restrict a)[m], const int *x)
{
    double t[5];
    int s = 0;
#pragma heddle wavefront
    for (int i = 0; i < n; i++) {
        fill(i, t);
        for (int k = 0; k < 5; k++)
            u[i][k] = t[k];
    }
#pragma heddle wavefront
    for (int i = 0; i < n; i++) {
        int e = next();
        for (int j = 0; j < m; j++)
            a[i][j] = e = e + j;
    }
#pragma heddle wavefront reduction(+ : s)
    for (int i = 0; i < n; i++) {
        int e = s;
        for (int j = 0; j < m; j++) {
            s += e + j;
            a[i][j] = e = e + j;
        }
    }
#pragma heddle wavefront
    for (int i = 0; i < n; i++) {
        int e = clock_now;
        for (int j = 0; j < m; j++)
            a[i][j] = e = e + j;
    }
#pragma heddle wavefront map(to : x[0 : n])
    for (int i = 0; i < n; i++) {
        int e = twice(x, i); /* a value, and nothing else */
        for (int j = 0; j < m; j++)
            a[i][j] = e = e + j;
    }
    return s;
}
// expect: 14:17: error: 't' is passed to a function that may write through it; make the parameter a pointer to const
// expect: 20:17: error: 'next()' in front of the inner loop may do more than give a value, and rows run in another order; call it in a loop of its own before the nest, and keep what it gives in an array
// expect: 26:17: error: the row begins with 's', which cells of the rows above change, so no row can begin before they have ended; let it begin with what the nest does not change
// expect: 34:17: error: 'clock_now' is volatile, and rows run in another order; read it before the nest
