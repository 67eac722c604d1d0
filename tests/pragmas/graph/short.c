/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of the host that take less than what they cost, until they do not: the number of threads follows. */
#include <stdint.h>
#include <stdio.h>

enum { BLOCKS = 40, STEPS = 4, RUNS = 24 };

static uint32_t u[BLOCKS], w[BLOCKS];

static uint32_t mix(uint32_t v, int rounds) {
    for (int k = 0; k < rounds; k++)
        v = (v ^ v >> 15) * 0x2c1b3c6du;
    return v;
}

static void steps(int rounds) {
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < STEPS; s++) {
        for (int b = 0; b < BLOCKS; b++) {
            const int left = (b + BLOCKS - 1) % BLOCKS;
#pragma omp task depend(in : u[left], u[b]) depend(out : w[b])
            w[b] = mix(u[left] + 3 * u[b], rounds);
        }
        for (int b = 0; b < BLOCKS; b++) {
#pragma omp task depend(in : w[b]) depend(inout : u[b])
            u[b] = mix(u[b] ^ w[b], rounds);
        }
    }
}

int main(void) {
    uint32_t sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        u[b] = (uint32_t)b + 1;
    for (int k = 0; k < RUNS; k++)
        steps(k / 4 % 2 ? 5000 : 1);
    for (int k = 0; k < RUNS; k++)
        steps(1);
    for (int b = 0; b < BLOCKS; b++)
        sum = sum * 31 + u[b] + w[b];
    printf("%u\n", sum);
    return 0;
}
