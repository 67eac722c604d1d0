/* SPDX-License-Identifier: Apache-2.0 */
/* 06_unmodified_openmp: a plain OpenMP program without a word of heddle. Four kinds of target regions: large with much
 * work, large with little work per byte, small, and on data that stays mapped.
 *
 * clang builds it; `./prog` runs every region on the default device, `heddle run ./prog` on the device (or the host)
 * that finishes it first. Results are whole numbers, so every choice must give the same. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 17, FEW = 512, STEPS = 20, ROUNDS = 8 };
static uint32_t x[N], y[N], few[FEW];

static inline uint32_t mix(uint32_t v) {
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    v *= 0x846ca68bu;
    return v ^ v >> 16;
}

static inline uint32_t searched(uint32_t v) {
    for (uint32_t k = 0; k < 60; k++)
        v = mix(v + k);
    return v;
}

static inline uint32_t relaxed(uint32_t y, uint32_t x, int step) { return y / 2 + x / 2 + (uint32_t)step; }

/* Much work for each element. */
static void search(void) {
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; i++)
        x[i] = searched(x[i]);
}

/* One addition for twelve bytes that move. */
static void add(void) {
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: y)
    for (int i = 0; i < N; i++)
        y[i] += x[i];
}

/* Too small for any device. */
static void turn(void) {
#pragma omp target teams distribute parallel for map(tofrom: few)
    for (int i = 0; i < FEW; i++)
        few[i] = few[i] * 5 + 1;
}

/* Steps on data that stays on the device. */
static void relax(void) {
#pragma omp target data map(tofrom: y) map(to: x)
    for (int step = 0; step < STEPS; step++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            y[i] = relaxed(y[i], x[i], step);
    }
}

/* What one element must be at the end, computed serially. */
static int is_right(int i) {
    uint32_t a = (uint32_t)i, b = (uint32_t)i * 3;
    for (int round = 0; round < ROUNDS; round++) {
        a = searched(a);
        b += a;
        for (int step = 0; step < STEPS; step++)
            b = relaxed(b, a, step);
    }
    return x[i] == a && y[i] == b;
}

int main(void) {
    for (int i = 0; i < N; i++)
        x[i] = (uint32_t)i, y[i] = (uint32_t)i * 3;
    for (int i = 0; i < FEW; i++)
        few[i] = (uint32_t)i;
    for (int round = 0; round < ROUNDS; round++) {
        search();
        add();
        turn();
        relax();
    }
    long wrong = 0;
    uint32_t sum = 0;
    for (int i = 0; i < N; i++)
        wrong += !is_right(i), sum = sum * 31 + x[i] + y[i];
    for (int i = 0; i < FEW; i++)
        sum = sum * 31 + few[i];
    printf("checksum %08x, %ld of %d elements differ from the serial result: %s\n", sum, wrong, N,
           wrong ? "WRONG" : "ok");
    return wrong != 0;
}
