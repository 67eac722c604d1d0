/* SPDX-License-Identifier: Apache-2.0 */
/* What all lanes do together and what once: shared stores, calls with effects, local arrays and structures, loops
   over lanes nested in other loops, every reduction operator, macros, bit-fields. */
#include "../run/run.h"

enum { N = 100, TASKS = 24 };
#define PIXEL(x, i) (x)[(i) * 2 + 1]
struct acc { int hist[8]; unsigned flags : 5, more : 3; double total; };

static int bump(int *counter, int by)
{
    int old = *counter;
    *counter += by;
    return old;
}
static int pick(const int *a, int i) { return a[i] ^ (a[i + 1] << 1); }
static void clear(struct acc *a) { memset(a, 0, sizeof *a); }

static int histogram(struct acc *a, const int *in, int n)
{
    int odd = 0;
#pragma heddle lanes reduction(+: odd)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        a->hist[in[i] & 7]++;
        if (in[i] & 1)
            odd++;
    }
    return odd;
}

static void sort(int *a, int n)
{
    for (int pass = 0; pass < n; pass++) {
#pragma heddle lanes
        for (int k = 0; k < (n - (pass & 1)) / 2; k++) {
            int at = 2 * k + (pass & 1);
            if (a[at] > a[at + 1]) {
                int t = a[at];
                a[at] = a[at + 1];
                a[at + 1] = t;
            }
        }
    }
}

static void task(const int *in, int *out, int k, int *counters)
{
    int copy[N], *p = out + k * 16, n = 0;
    struct acc a;
    long sum = 0, product = 1;
    int most = -1, least = 1 << 30, all = 1, any = 0;
    unsigned bits = 0, mask = ~0u, parity = 0;
    clear(&a);
#pragma heddle lanes
    for (int i = 0; i < N; i++)
        copy[i] = in[i] + k;
    int odd = histogram(&a, copy, N);
    sort(copy, 32);
#pragma heddle lanes reduction(+: sum) reduction(max: most) reduction(min: least) reduction(&&: all) \
    reduction(||: any) reduction(|: bits) reduction(&: mask) reduction(^: parity) reduction(*: product)
    for (int i = 0; i < N; i++) {
        int v = copy[i];
        sum += v;
        most = v > most ? v : most;
        if (v < least)
            least = v;
        all = all && v >= 0;
        any = any || v == 17;
        bits |= (unsigned)v;
        mask &= (unsigned)v | 0xf0u;
        parity ^= (unsigned)v;
        product *= i % 9 == 3 ? 3 : 1;
    }
    *p++ = (int)sum;
    *p++ = most, *p++ = least;
    if (all)
        *p++ = 1;
    else
        *p++ = 0;
    p[0] = any, p[1] = (int)bits;
    p += 2;
    for (int round = 0; round < 3; round++, n++) {
        int before = bump(&counters[k], round + 1);
        *p += before + pick(copy, round);
        counters[k]++;
    }
    p++;
    *p++ = (int)(mask ^ parity) + (int)(product & 0xffff);
    PIXEL(p, 0) = odd + n;
    a.flags = 3;
    a.flags += (unsigned)k & 7;
    a.more = 1;
    p[0] = a.hist[k & 7] + (int)a.flags * (int)a.more;
    a.total = 0.5 * k;
    p[2] = (int)(a.total * 2) + (bump(&counters[k], 5), 1);
    switch (k & 3) {
    case 0:
        p[3] = 10;
        break;
    case 1:
    case 2:
        p[3] = pick(in, k);
        /* fall through */
    default:
        p[3] += 20;
    }
    int w = 3;
    do
        p[4] += w;
    while (--w);
}

/* Values of calls with effects in conditions, heads of loops that change shared memory, arrays with initial values. */
static void control(int *out, int *counters, int k)
{
    int start[4] = {k, 2 * k, bump(&counters[k], 1), 7}, sum = 0;
    struct acc a = {.flags = 1, .hist = {1, 2, 3}};
    char word[] = "lanes";
    for (counters[k] = 0; counters[k] < 4; counters[k]++)
        sum += counters[k];
    while (bump(&counters[k], 1) < 9)
        sum += 100;
    do
        sum++;
    while (bump(&counters[k], -3) > 0);
    if (k & 1 && bump(&counters[k], 2) < 0)
        sum += 1000;
    else if (k & 2)
        counters[k] = bump(&counters[k], 3) + 1;
    (k & 4) ? (out[1] = sum) : (out[2] = sum);
#pragma heddle lanes
    for (unsigned i = 0; i <= 3; i++) {
        start[i] += word[i];
        a.hist[i] += start[i];
    }
    out[0] += start[0] + start[1] * 3 + start[2] * 5 + start[3] * 7 + a.hist[0] + a.hist[2] + a.hist[3] + (int)sizeof start;
    *out++ += sum, *out += counters[k];
}

int main(void)
{
    static int in[N + 2], out[TASKS * 16], counters[TASKS];
    run_ints(in, N + 2, 90);
#pragma heddle pool map(to: in) map(tofrom: out, counters)
    {
        for (int k = 0; k < TASKS; k++)
#pragma heddle task
            task(in, out, k, counters);
    }
    run_report("out", out, sizeof out);
    run_report("counters", counters, sizeof counters);
#pragma heddle pool workers(block) map(to: in) map(tofrom: out, counters)
#pragma heddle taskloop independent
    for (int k = 0; k < TASKS; k++)
        task(in, out, k, counters);
    run_report("out", out, sizeof out);
    run_report("counters", counters, sizeof counters);
#pragma heddle pool map(tofrom: out, counters)
#pragma heddle taskloop independent
    for (int k = 0; k < TASKS; k++)
        control(out + k * 16, counters, k);
    run_report("out", out, sizeof out);
    run_report("counters", counters, sizeof counters);
    return 0;
}
