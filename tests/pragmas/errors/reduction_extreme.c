/* SPDX-License-Identifier: Apache-2.0 */
/* A minimum that is called a maximum, and the other way round. */
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int n, const double *x)
{
    double best = x[0], low[8] = {0};
#pragma heddle for reduction(max: best)
    for (int i = 0; i < n; i++)
        if (x[i] < best)
            best = x[i];
#pragma heddle for reduction(max: best) reduction(min: low)
    for (int i = 0; i < n; i++) {
        best = best < x[i] ? best : x[i];
        low[i & 7] = low[i & 7] > x[i] ? low[i & 7] : x[i];
        if (low[i & 7] < x[i])
            low[i & 7] = x[i];
        best = fmin(best, x[i]);
        best = MIN(best, x[i]);
        if (i > 3 && best >= x[i])
            best = x[i];
        if (best < x[i])
            ;
        else
            best = x[i];
    }
#pragma heddle for reduction(max: best) reduction(min: low)
    for (int i = 0; i < n; i++) {
        best = best < x[i] ? x[i] : best;
        low[i & 7] = low[i & 7] > x[i] ? x[i] : low[i & 7];
        best = fmax(best, x[i]);
        if (i > 3 && x[i] >= best)
            best = x[i];
        if (!(x[i] <= best))
            best = x[i];
        if (best > x[i])
            ;
        else
            best = x[i];
        if (best < 100)
            best = x[i] > best ? x[i] : best;
    }
}

static int lesser(int a, int b)
{
    if (a <= b)
        return a;
    return b;
}
static double greater(double a, double b) { return a > b ? a : b; }
int better(int a, int b);

void g(int n, const int *x)
{
    int most = x[0], least = x[0];
    long wide = x[0];
#pragma heddle for reduction(max: most) reduction(min: least) reduction(min: wide)
    for (int i = 0; i < n; i++) {
        most = lesser(x[i], most);
        least = lesser(least, x[i]);
        wide = lesser(wide, x[i]);
    }
#pragma heddle for reduction(max: most) reduction(min: least)
    for (int i = 0; i < n; i++) {
        most = better(x[i], most);
        most = greater(x[i], most);
        least = greater(x[i], least);
    }
}
// expect: 11:13: error: this is not a 'max' reduction of 'best'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 14:9: error: this is not a 'max' reduction of 'best'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 15:9: error: this is not a 'min' reduction of an element of 'low'; set it to what it is compared with where that is less, and let no other test ask for it
// expect: 17:13: error: this is not a 'min' reduction of an element of 'low'; set it to what it is compared with where that is less, and let no other test ask for it
// expect: 18:9: error: this is not a 'max' reduction of 'best'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 19:9: error: this is not a 'max' reduction of 'best'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 21:13: error: this is not a 'max' reduction of 'best'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 25:13: error: this is not a 'max' reduction of 'best'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 41:13: error: this is not a 'max' reduction of 'best'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 60:9: error: this is not a 'max' reduction of 'most'; set it to what it is compared with where that is greater, and let no other test ask for it
// expect: 62:9: error: this is not a 'min' reduction of 'wide'; its type does not hold every value that it is compared with, so the order of the iterations would show; convert the value to that type before the comparison
// expect: 68:9: error: this is not a 'min' reduction of 'least'; set it to what it is compared with where that is less, and let no other test ask for it
