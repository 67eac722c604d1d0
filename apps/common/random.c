/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded random numbers for generated inputs: xoshiro256** by D. Blackman and S. Vigna (2018),
 * seeded by splitmix64 as its authors advise. Not for cryptography. */
#include "app.h"

static uint64_t rotate(uint64_t value, int by) { return value << by | value >> (64 - by); }

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void app_seed(struct app_random *random, uint64_t seed) {
    for (int k = 0; k < 4; k++)
        random->state[k] = splitmix64(&seed);
}

uint64_t app_next(struct app_random *random) {
    uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

/* Multiply-shift; the bias of at most limit / 2^32 does not matter for test inputs. */
uint32_t app_below(struct app_random *random, uint32_t limit) {
    return (uint32_t)((app_next(random) >> 32) * limit >> 32);
}

double app_unit(struct app_random *random) { return (double)(app_next(random) >> 11) * 0x1p-53; }
