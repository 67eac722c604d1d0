/* SPDX-License-Identifier: Apache-2.0 */
/* loop_cases.c: loops whose results are known, and a device that can be made to fail. */
#ifndef LOOP_CASES_H
#define LOOP_CASES_H
#include <stdatomic.h>
#include <stdbool.h>

enum { N = 1000, DEVICES = 4 };

extern int broken;               /* the device that fails; -1: none */
extern atomic_int good_launches; /* of its kernels, before it refuses them */
extern atomic_int good_copies;   /* of sections back from it, likewise */
extern atomic_int across;        /* copies from one device to another */
extern bool no_way_across;       /* ... fail */
void nap(double seconds);

extern int from[2 * N], to[2 * N];
int fill(void **state);                           /* before each test: the arrays, no device that fails, no options */
long plain(int n, const int *a, int *b);          /* on all devices */
void check(long sum, const int *a, const int *b); /* what plain(N, a, b) gave */
long run_on(int device, int n, int *b);           /* b[i] = i; their sum */
#endif
