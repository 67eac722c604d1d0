/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of arrays that are none. */
int look(const int *bins);
void f(int n, const unsigned char *x, int *bins, int k, int *best, int hist[4][8], int **rows)
{
    int own[256] = {0};
#pragma heddle for reduction(+: bins)
    for (int i = 0; i < n; i++)
        bins[x[i]]++;
#pragma heddle for reduction(+: bins[0 : 256])
    for (int i = 0; i < n; i++)
        bins[x[i]] = bins[x[i] + 1] + 1;
#pragma heddle for reduction(+: own)
    for (int i = 0; i < n; i++)
        own[x[i]] += own[0];
#pragma heddle for reduction(+: own)
    for (int i = 0; i < n; i++) {
        own[x[i]]++;
        bins[i] = own[i];
    }
#pragma heddle for reduction(+: own)
    for (int i = 0; i < n; i++)
        own[look(own)] *= 2;
#pragma heddle for reduction(max: own)
    for (int i = 0; i < n; i++) {
        int b = 0;
        if (own[b] < x[i]) {
            b++;
            own[b] = x[i];
        }
    }
#pragma heddle for reduction(max: own)
    for (int i = 0; i < n; i++)
        if (own[x[i]] < i)
            own[x[i] & 7] = i;
#pragma heddle for reduction(+: rows[0 : 4])
    for (int i = 0; i < n; i++)
        rows[0][i] += 1;
#pragma heddle for reduction(+: hist[0 : 4])
    for (int i = 0; i < n; i++) {
        int *row = hist[x[i]];
        row[1] += 1;
    }
#pragma heddle for reduction(+: own) map(tofrom: own)
    for (int i = 0; i < n; i++)
        own[x[i]]++;
#pragma heddle for reduction(+: own) reduction(*: own)
    for (int i = 0; i < n; i++)
        own[x[i]]++;
#pragma heddle for reduction(+: k[0 : 1])
    for (int i = 0; i < n; i++)
        k += i;
#pragma heddle for reduction(+: own) map(tofrom: best[heddle_lo : heddle_count]) map(to: x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        own[x[i]]++;
        best[x[i]] = i;
    }
}
static int shared[8];
static int seen(int i) { return shared[i & 7]; }
void global(int n)
{
#pragma heddle for reduction(+: shared)
    for (int i = 0; i < n; i++)
        shared[i & 3] += seen(i);
}
void devices(int n, const unsigned char *x)
{
    int bins[256] = {0};
    long double wide[4] = {0};
#pragma heddle for reduction(+: bins) device(all) map(to: x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        x[i] & 1 ? bins[0]++ : bins[1]++;
#pragma heddle for reduction(*: bins) device(0) map(to: x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        int t = 0;
        bins[x[i]] = bins[x[i]] * t++;
    }
#pragma heddle for reduction(+: wide) device(all)
    for (int i = 0; i < n; i++)
        wide[i & 3] += i;
#define COUNT(k) bins[k]++
#pragma heddle for reduction(+: bins) device(all)
    for (int i = 0; i < n; i++)
        COUNT(i & 3);
}
// expect: 7:33: error: 'bins' is a pointer, so its size is not known; write bins[first : count]
// expect: 12:9: error: this is not a '+' reduction of an element of 'bins'; update it with that operator only
// expect: 15:9: error: this is not a '+' reduction of an element of 'own'; update it with that operator only
// expect: 19:19: error: an element of 'own' read outside its own update; its value is known only after the loop
// expect: 23:9: error: this is not a '+' reduction of an element of 'own'; update it with that operator only
// expect: 23:18: error: 'own' is reduced, so each thread has a copy of its own; only update its elements
// expect: 27:13: error: an element of 'own' read outside its own update; its value is known only after the loop
// expect: 29:13: error: this is not a 'max' reduction of an element of 'own'; update it with that operator only
// expect: 35:13: error: this is not a 'max' reduction of an element of 'own'; update it with that operator only
// expect: 36:33: error: reduction variable 'rows' is not a number, nor an array of numbers; reduce into a local variable of arithmetic type
// expect: 41:20: error: 'hist' is reduced, so each thread has a copy of its own; only update its elements
// expect: 44:50: error: 'own' is reduced, which says all of it; remove it from 'map'
// expect: 47:51: error: 'own' is reduced twice; name it once
// expect: 50:33: error: reduction variable 'k' is not a number; reduce into a local variable of arithmetic type
// expect: 56:9: error: one iteration writes 'best[x[i]]', another writes 'best[x[i]]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 65:26: note: this loop stays on the host: 'seen' uses the global variable 'shared', which devices do not have; pass it as an argument, or make it const
// expect: 65:9: error: one iteration writes 'shared[i & 3]', another reads 'shared[i & 7]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 60:33: note: 'shared[i & 7]' is here
// expect: 73:20: error: devices update an element of 'bins' atomically, which is not known of this: it is a part of another expression; make it a statement of its own
// expect: 77:9: error: devices update an element of 'bins' atomically, which is not known of this: it may be computed several times, but changes or calls something else; compute that before
// expect: 81:9: error: devices update an element of 'wide' atomically, which is not known of this: it has more than 8 bytes
// expect: 85:9: error: devices update an element of 'bins' atomically, which is not known of this: its text comes out of a macro, or has directives in it; write it out
