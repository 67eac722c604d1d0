/* SPDX-License-Identifier: Apache-2.0 */
/* Fibonacci numbers, n-queens and cilksort (M. Frigo, C. Leiserson and K. Randall, The implementation of the Cilk-5
 * multithreaded language, 1998; C. Leiserson and A. Mirman, How to survive the multicore software revolution, 2008). */
#include "textbook.h"

static long fib_serial(int n) { return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2); }

static void fib(int n, int cut, long *out) {
    if (n < cut || n < 2) {
        *out = n < 2 ? n : fib_serial(n);
        return;
    }
    long a, b;
#pragma heddle task
    fib(n - 1, cut, &a);
#pragma heddle task
    fib(n - 2, cut, &b);
#pragma heddle taskwait
    *out = a + b;
}

long textbook_fib(int n, int cut) {
    long out[1] = {0};
#pragma heddle pool map(tofrom : out[0 : 1])
    {
#pragma heddle task
        fib(n, cut, out);
    }
    return out[0];
}

static long queens_below(int n, int row, unsigned columns, unsigned left, unsigned right) {
    if (row == n)
        return 1;
    long found = 0;
    for (unsigned safe = ~(columns | left | right) & ((1u << n) - 1); safe; safe &= safe - 1) {
        const unsigned bit = safe & -safe;
        found += queens_below(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

static void queens(int n, int cut, int row, unsigned columns, unsigned left, unsigned right, long *solutions) {
    if (row >= cut || row == n) {
        const long found = queens_below(n, row, columns, left, right);
        if (found) {
#pragma omp atomic
            *solutions += found;
        }
        return;
    }
    for (unsigned safe = ~(columns | left | right) & ((1u << n) - 1); safe; safe &= safe - 1) {
        const unsigned bit = safe & -safe;
#pragma heddle task
        queens(n, cut, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1, solutions);
    }
}

long textbook_queens(int n, int cut) {
    long solutions[1] = {0};
#pragma heddle pool map(tofrom : solutions[0 : 1])
    {
#pragma heddle task
        queens(n, cut, 0, 0, 0, 0, solutions);
    }
    return solutions[0];
}

static void insertion_sort(int *a, long n) {
    for (long i = 1; i < n; i++) {
        const int x = a[i];
        long k = i;
        for (; k > 0 && a[k - 1] > x; k--)
            a[k] = a[k - 1];
        a[k] = x;
    }
}

/* How many of a[0 … n) are less than x. */
static long count_less(const int *a, long n, int x) {
    long low = 0;
    while (low < n) {
        const long middle = low + (n - low) / 2;
        if (a[middle] < x)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static void merge_serial(const int *a, long n, const int *b, long m, int *to) {
    long i = 0, k = 0;
    while (i < n || k < m) {
        if (k == m || (i < n && a[i] <= b[k])) {
            to[i + k] = a[i];
            i++;
        } else {
            to[i + k] = b[k];
            k++;
        }
    }
}

static void merge(const int *a, long n, const int *b, long m, int *to, long cut) {
    if (n + m <= cut) {
        merge_serial(a, n, b, m, to);
        return;
    }
    if (n < m) {
        const int *other = a;
        const long count = n;
        a = b, n = m, b = other, m = count;
    }
    const long half = n / 2, place = count_less(b, m, a[half]);
#pragma heddle task
    merge(a, half, b, place, to, cut);
#pragma heddle task
    merge(a + half, n - half, b + place, m - place, to + half + place, cut);
#pragma heddle taskwait
}

static void cilksort(int *a, int *spare, long n, long cut) {
    if (n <= cut) {
        insertion_sort(a, n);
        return;
    }
    long q = n / 4;
#pragma heddle task
    cilksort(a, spare, q, cut);
#pragma heddle task
    cilksort(a + q, spare + q, q, cut);
#pragma heddle task
    cilksort(a + 2 * q, spare + 2 * q, q, cut);
#pragma heddle task
    cilksort(a + 3 * q, spare + 3 * q, n - 3 * q, cut);
#pragma heddle taskwait
#pragma heddle task
    merge(a, q, a + q, q, spare, 2 * cut);
#pragma heddle task
    merge(a + 2 * q, q, a + 3 * q, n - 3 * q, spare + 2 * q, 2 * cut);
#pragma heddle taskwait
#pragma heddle task
    merge(spare, 2 * q, spare + 2 * q, n - 2 * q, a, 2 * cut);
#pragma heddle taskwait
}

void textbook_sort(long n, int *values, int *spare, int cut) {
#pragma heddle pool map(tofrom : values[0 : n]) map(alloc : spare[0 : n])
    {
#pragma heddle task
        cilksort(values, spare, n, cut);
    }
}
