/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The iterations of a loop of tasks: their numbers and places, and which others they depend on.
 */
HEDDLE_DEVICE void heddle_place_of(const struct heddle_job *j, uint64_t number, long *at) {
    at[0] = (long)number, at[1] = at[2] = 0;
    if (j->dims == 1)
        return;
    if (j->total >> 32) {
        at[2] = (long)(number % (uint64_t)j->count[2]);
        number /= (uint64_t)j->count[2];
        at[1] = (long)(number % (uint64_t)j->count[1]);
        at[0] = (long)(number / (uint64_t)j->count[1]);
    } else {
        uint32_t n = (uint32_t)number;
        at[2] = (long)(n % (uint32_t)j->count[2]);
        n /= (uint32_t)j->count[2];
        at[1] = (long)(n % (uint32_t)j->count[1]);
        at[0] = (long)(n / (uint32_t)j->count[1]);
    }
}
HEDDLE_DEVICE uint64_t heddle_number_of(const struct heddle_job *j, const int32_t *at) {
    return ((uint64_t)at[0] * (uint32_t)j->count[1] + (uint32_t)at[1]) * (uint32_t)j->count[2] + (uint32_t)at[2];
}
/* The iteration `sign` sinks away; 0: there is none. Loops with sinks have less than 2^31 iterations each. */
HEDDLE_DEVICE int heddle_neighbour(const struct heddle_job *j, const int32_t *at, int sink, int sign, int32_t *to) {
    int inside = 1;
    for (int d = 0; d < 3; d++) {
        to[d] = at[d] + sign * j->sink[sink][d];
        inside &= to[d] >= 0 && to[d] < (int32_t)j->count[d];
    }
    return inside;
}
/* How many dependences an iteration has. */
HEDDLE_DEVICE uint32_t heddle_wanted(const struct heddle_job *j, const int32_t *at) {
    int inner = 1;
    for (int d = 0; d < 3; d++)
        inner &= at[d] + j->low[d] >= 0 && at[d] + j->high[d] < (int32_t)j->count[d];
    if (inner)
        return (uint32_t)j->sinks;
    uint32_t wanted = 0;
    for (int q = 0; q < j->sinks; q++) {
        int32_t before[3];
        wanted += (uint32_t)heddle_neighbour(j, at, q, 1, before);
    }
    return wanted;
}
HEDDLE_DEVICE void heddle_place32_of(const struct heddle_job *j, uint64_t number, int32_t *at) {
    long place[3];
    heddle_place_of(j, number, place);
    for (int d = 0; d < 3; d++)
        at[d] = (int32_t)place[d];
}
