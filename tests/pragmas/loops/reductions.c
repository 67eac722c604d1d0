/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by every operator over the types that devices join in partial results, and over others; more and fewer iterations than there
   are partial results, values that start away from the neutral element, two loops in one, results beside them. */
#include "../run/run.h"

static void whole_numbers(int n, const int *a)
{
    int least = 1000000, most = -7, all = -1, any = 0;
    unsigned odd = 5, product = 3;
    long sum = 10;
    unsigned long bits = 1;
    long long squares = -1;
    _Bool every = 1, some = 0;
    short narrow = 0;
    unsigned char low = 255;
    int yes = 1, no = 0;
#pragma heddle for map(to: a[heddle_lo : heddle_count]) reduction(min: least) reduction(max: most) reduction(&: all) reduction(|: any) \
    reduction(^: odd) reduction(*: product) reduction(+: sum, squares) reduction(|: bits) reduction(&&: yes) reduction(||: no)
    for (int i = 0; i < n; i++) {
        if (a[i] < least)
            least = a[i];
        most = a[i] > most ? a[i] : most;
        all &= a[i] | 8;
        any |= a[i] & 64;
        odd ^= (unsigned)a[i];
        product *= 2u * (unsigned)a[i] + 1;
        sum -= a[i];
        squares += (long long)a[i] * a[i];
        bits |= 1ul << (a[i] & 63);
        yes = yes && a[i] != 40;
        no = no || a[i] == 41;
    }
#pragma heddle for map(to: a[heddle_lo : heddle_count]) reduction(&&: every) reduction(||: some) reduction(+: narrow) reduction(&: low)
    for (int i = 0; i < n; i++) {
        every = every && a[i] < 90;
        some = some || a[i] > 97;
        narrow += (short)(a[i] & 1);
        low &= (unsigned char)(a[i] | 240);
    }
    printf("%d: %d %d %d %d %u %u %ld %lu %lld %d %d %d %d %d %d\n", n, least, most, all, any, odd, product, sum, bits, squares, yes, no, every,
           some, narrow, low);
}

/* || and && as flags that are set */
static void flags(int n, const int *a)
{
    _Bool found = 0;
    int all = 1, none = 1, seen = 0;
#pragma heddle for reduction(||: found, seen) reduction(&&: all, none)
    for (int i = 0; i < n; i++) {
        if (a[i] == 40)
            found = 1;
        if (!seen && a[i] > 97)
            seen = 1;
        if (a[i] < 0)
            all = 0;
        if (a[i] % 10 == 3) {
            none = 0;
        }
    }
    printf("%d: %d %d %d %d\n", n, found, all, none, seen);
}

/* Sums of halves are exact in any order. */
static void reals(int n, const int *a)
{
    double sum = 0.5, most = -1e300, product = 1;
    float half = 0, least = 3e38f;
    long double wide = 0;
#pragma heddle for map(to: a[heddle_lo : heddle_count]) reduction(+: sum, half) reduction(max: most) reduction(min: least) reduction(*: product)
    for (int i = 0; i < n; i++) {
        sum += 0.5 * a[i];
        half += 0.5f * (float)(a[i] & 3);
        most = a[i] * 1.25 > most ? a[i] * 1.25 : most;
        if ((float)a[i] - 0.5f < least)
            least = (float)a[i] - 0.5f;
        product *= a[i] & 1 ? -1 : 1;
    }
#pragma heddle for map(to: a[heddle_lo : heddle_count]) device(host) reduction(+: wide)
    for (int i = 0; i < n; i++)
        wide += a[i];
    printf("%d: %g %g %g %g %g %g\n", n, sum, most, product, half, least, (double)wide);
}

static void squares(int n, int m)
{
    long sum = 0;
    int most = 0, *out = calloc((size_t)n * (size_t)m, sizeof *out);
#pragma heddle for collapse(2) map(from: out[heddle_lo * m : heddle_count * m]) reduction(+: sum) reduction(max: most)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[i * m + j] = i ^ j;
            sum += i ^ j;
            most = (i ^ j) > most ? i ^ j : most;
        }
    printf("%d %d: %ld %d\n", n, m, sum, most);
    run_report("out", out, (size_t)n * (size_t)m * sizeof *out);
    free(out);
}

int main(void)
{
    static const int sizes[] = {1, 2, 31, 1000, 1024, 1025, 70001};
    int *a = malloc(70001 * sizeof *a);
    run_ints(a, 70001, 100);
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        whole_numbers(sizes[k], a);
        reals(sizes[k], a);
        flags(sizes[k], a);
    }
    squares(3, 5);
    squares(101, 57);
    free(a);
    return 0;
}
