/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled twice: as it stands, and with the pragmas ignored. */
#include "graph.h"

#ifdef SYNTH_SERIAL
#define graph_run graph_run_serial
#define graph_run_independent graph_run_independent_serial
#endif

static uint32_t spin(uint32_t v, int rounds) {
    for (int k = 0; k < rounds; k++)
        v = (v ^ v >> 13) * 1664525u + 1013904223u;
    return v;
}

static uint32_t neighbours(const uint32_t *value, int cols, int first_row, int y, int x) {
    const uint32_t *here = value + (long)y * cols + x;
    uint32_t v = (uint32_t)(y * cols + x);
    if (x > 0)
        v = v * 31 + here[-1];
    if (y > first_row) {
        const uint32_t *above = here - cols;
        if (x > 0)
            v = v * 31 + above[-1];
        v = v * 31 + above[0];
        if (x < cols - 1)
            v = v * 31 + above[1];
    }
    return v;
}

void graph_run(const struct graph *g) {
    const int rows = g->rows, cols = g->cols, slices = g->slices, per_slice = g->per_slice;
    const int *rounds = g->rounds;
    uint32_t *value = g->value;
#pragma heddle pool map(to: rounds[0:(long)rows * cols]) map(tofrom: value[0:(long)rows * cols])
    {
#pragma heddle taskloop sink(s, r, x-1) sink(s, r-1, x-1) sink(s, r-1, x) sink(s, r-1, x+1)
        for (int s = 0; s < slices; s++)
            for (int r = 0; r < per_slice; r++)
                for (int x = 0; x < cols; x++) {
                    const int y = s * per_slice + r;
                    if (y < rows)
                        value[(long)y * cols + x] =
                            spin(neighbours(value, cols, s * per_slice, y, x), rounds[(long)y * cols + x]);
                }
    }
}

void graph_run_independent(const struct graph *g) {
    const int rows = g->rows, cols = g->cols;
    const int *rounds = g->rounds;
    uint32_t *value = g->value;
#pragma heddle pool map(to: rounds[0:(long)rows * cols]) map(tofrom: value[0:(long)rows * cols])
    {
#pragma heddle taskloop
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < cols; x++)
                value[(long)y * cols + x] = spin((uint32_t)(y * cols + x), rounds[(long)y * cols + x]);
    }
}
