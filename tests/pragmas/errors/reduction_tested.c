/* SPDX-License-Identifier: Apache-2.0 */
/* A worker's copy is not the sum so far: what it decides over is its own update alone, and only where any copy will do. */
int capped(int n, const int *restrict x)
{
    int s = 0;
#pragma heddle for reduction(+: s)
    for (int i = 0; i < n; i++)
        if (s < 10)
            s += x[i];
    return s;
}
int first(int n, const int *restrict x, int *restrict y)
{
    int found = 0;
#pragma heddle for reduction(||: found)
    for (int i = 0; i < n; i++)
        if (!found) {
            found = found || x[i] > 10;
            y[i] = i;
        }
    return found;
}
int records(int n, const int *restrict x, int *restrict y)
{
    int best = 0;
#pragma heddle for reduction(max: best)
    for (int i = 0; i < n; i++) {
        int record = 0;
        if (x[i] > best) {
            best = x[i];
            record = 1;
        }
        y[i] = record;
    }
    return best;
}
int fine(int n, const int *restrict x)
{
    int best = 0, found = 0;
#pragma heddle for reduction(max: best) reduction(||: found)
    for (int i = 0; i < n; i++) {
        const int k = x[i];
        if (k > best) {
            best = k;
        }
        if (!found)
            found = x[i] > 3 || found;
        if (x[i] == 7)
            found = 1;
    }
    return best + found;
}
/* It may have been 5. */
int flag(int n, const int *restrict x, int found)
{
#pragma heddle for reduction(||: found)
    for (int i = 0; i < n; i++)
        if (x[i] == 7)
            found = 1;
    return found;
}
// expect: 9:13: error: this is not a '+' reduction of 's'; a test of the variable itself makes the result depend on the order of the iterations
// expect: 17:14: error: reduction variable 'found' read outside its own update; its value is known only after the nest
// expect: 29:20: error: reduction variable 'best' read outside its own update; its value is known only after the nest
// expect: 59:13: error: this is not a '||' reduction of 'found'; update it with that operator only
