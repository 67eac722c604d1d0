/* SPDX-License-Identifier: Apache-2.0 */
/* Sections that move, tables that stay, functions of the file with constants of their own, reductions, odd steps. */
#include "../run/run.h"

static const double weight[3] = {1, 2, 3};
struct shape { int from, to; double scale; };

static double blend(double x, const struct shape *s)
{
    double sum = 0;
    for (int k = s->from; k < s->to; k++)
        sum += x * weight[k % 3] * s->scale;
    return sum;
}

static void forward(long n)
{
    double *a = malloc((size_t)n * sizeof *a + 8), *b = calloc((size_t)n + 1, 2 * sizeof *b);
    double table[16];
    const struct shape shape = {1, 9, 0.5};
    unsigned long product = 1;
    long most = -1, sum = 5, odd = 0, all = -1, bits = 0;
    int yes = 1, any = 0, least = 7;
    for (int i = 0; i < 16; i++)
        table[i] = i;
    for (long i = 0; i < n; i++)
        a[i] = (double)(run_random() % 17);
#pragma heddle for map(to: a[heddle_lo : heddle_count]) map(from: b[heddle_lo * 2 : 2 * heddle_count]) reduction(+: sum) \
    reduction(max: most) reduction(min: least) reduction(*: product) reduction(^: odd) reduction(&: all) reduction(|: bits) \
    reduction(&&: yes) reduction(||: any)
    for (long i = 0; i < n; i++) {
        b[2 * i] = blend(a[i], &shape) + table[i & 15];
        b[2 * i + 1] = 1;
        sum += (long)b[2 * i];
        if (i > most)
            most = i;
        least = (int)a[i] < least ? (int)a[i] : least;
        product *= i % 50 == 7 ? 3 : 1;
        odd ^= i;
        all &= i | 0xf0;
        bits |= i;
        yes = yes && a[i] < 20;
        any = any || a[i] > 15;
    }
    run_report("b", b, (size_t)n * 2 * sizeof *b);
    printf("%ld: %ld %ld %lu %ld %ld %ld %d %d %d\n", n, sum, most, product, odd, all, bits, yes, any, least);
    free(a);
    free(b);
}

/* heddle_lo is the loop variable at a chunk's first iteration, heddle_count the number of its iterations */
static void steps(int n, int step)
{
    int *c = calloc((size_t)n + 1, sizeof *c), *d = calloc((size_t)n + 1, sizeof *d);
    long sum = 0;
#pragma heddle for map(tofrom: c[heddle_lo : step * (heddle_count - 1) + 1]) schedule(static, 3) reduction(+: sum)
    for (int i = 1; i <= n - 1; i += step) {
        c[i] += i;
        sum++;
    }
#pragma heddle for map(from: d[heddle_lo - 3 * (heddle_count - 1) : 3 * (heddle_count - 1) + 1])
    for (int i = n - 1; i > 0; i -= 3)
        d[i] = 2 * i;
    printf("%d %d: %ld\n", n, step, sum);
    if (step == 1)
        run_report("c", c, (size_t)n * sizeof *c);
    free(c);
    free(d);
}

/* rows of a matrix; ragged parts of a list, found through their begins */
static void rows(int n, int m)
{
    float (*x)[m] = malloc(sizeof *x * (size_t)(n + 1)), (*y)[m] = calloc((size_t)(n + 1), sizeof *y);
    int *start = malloc(((size_t)n + 1) * sizeof *start), *list = calloc((size_t)(n * 5 + 1), sizeof *list);
    float tmp = 3;
    run_floats(&x[0][0], (size_t)n * (size_t)m);
    start[0] = 0;
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + (int)(run_random() % 5);
#pragma heddle for independent map(to: x[heddle_lo : heddle_count]) map(from: y[heddle_lo : heddle_count][0 : m]) firstprivate(tmp)
    for (int i = 0; i < n; i++) {
        tmp = 0;
#pragma omp simd
        for (int j = 0; j < m; j++)
            y[i][j] = x[i][j] * 2;
        for (int j = 0; j < m; j++)
            tmp += x[i][j];
        if (i % 2)
            continue;
        y[i][0] = tmp;
    }
#pragma heddle for independent map(to: start[heddle_lo : heddle_count + 1]) map(tofrom: list[start[heddle_lo] : start[heddle_lo + heddle_count] - start[heddle_lo]])
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            list[k] += i * 10 + k - start[i];
    run_report("y", y, sizeof *y * (size_t)n);
    run_report("list", list, (size_t)start[n] * sizeof *list);
    free(x);
    free(y);
    free(start);
    free(list);
}

/* What iterations leave out of an array that only comes back stays as it was. */
static void parts(int n)
{
    int *a = malloc((size_t)(3 * n + 3) * sizeof *a), *b = malloc((size_t)(n + 1) * sizeof *b), *c = malloc((size_t)(2 * n + 1) * sizeof *c);
    run_fill(a, (size_t)(3 * n + 3) * sizeof *a, 200);
    run_fill(b, (size_t)(n + 1) * sizeof *b, 200);
    run_fill(c, (size_t)(2 * n + 1) * sizeof *c, 200);
#pragma heddle for map(from: a[3 * heddle_lo : 3 * heddle_count], b[heddle_lo : heddle_count], c[2 * heddle_lo : 2 * heddle_count])
    for (int i = 0; i < n; i++) {
        c[2 * i] = i;
        c[2 * i + 1] = -i;
        a[3 * i + 1] = i;
        if (i % 5 == 2)
            continue;
        b[i] = i;
    }
#pragma heddle for map(from: a[heddle_lo : 4 * heddle_count - 3])
    for (int i = 0; i < 3 * n; i += 4)
        a[i] = i;
    run_report("a", a, (size_t)(3 * n) * sizeof *a);
    run_report("b", b, (size_t)n * sizeof *b);
    run_report("c", c, (size_t)(2 * n) * sizeof *c);
    free(a);
    free(b);
    free(c);
}

int main(void)
{
    static const int sizes[] = {0, 1, 3, 4, 5, 17, 1000, 10007};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        forward(sizes[s]);
        steps(sizes[s], 1);
        steps(sizes[s], 7);
        steps(sizes[s], 1000000007);
    }
    rows(1, 1);
    rows(37, 5);
    rows(400, 33);
    parts(1);
    parts(1000);
    return 0;
}
