/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C = alpha A B + beta C with A m x k, B k x n, C m x n, in block-major storage (Weber 2012, section 5.3): what is
 * moved to a device in one piece lies in one piece.
 *
 *   C   tiles of `tile` x `tile` elements, one after another, row after row of tiles; each tile row-major
 *   A   panels of `tile` rows, each transposed: element (r, p) of panel i at p * pitch + r
 *   B   panels of `tile` columns: element (p, c) of panel j at p * pitch + c
 *
 * so that any range of p of a panel, a tile of A or B, is in one piece too, whatever its length. The last row and
 * column of tiles hold what is left. A pitch is a tile's side rounded up to 4 elements, which keeps rows aligned; what
 * is between the two is nobody's.
 */
#ifndef GEMM_PROBLEM_H
#define GEMM_PROBLEM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct devices;

struct gemm {
    long m, n, k;
    long tile;
    bool is_double;
    double alpha, beta;
    void *a, *b, *c; /* owned; NULL before gemm_alloc() */

    long tile_rows, tile_cols, tiles; /* of C */
    int *row_of, *col_of;             /* iteration t of the loop computes tile (row_of[t], col_of[t]) */
    struct devices *devices;          /* devices.h; NULL: the host alone */
    atomic_long done;                 /* tiles of all runs, for who wants to know how far it is */
};

/* A tile of C. */
struct gemm_tile {
    long row, col, rows, cols;
    long pitch_a, pitch_b; /* of the panels that it needs; pitch_b is the tile's own, too */
};

/* Fills in what follows from m, n, k, tile and is_double. Neighbouring iterations get neighbouring tiles: the grid of
 * tiles is halved along its longer side again and again, so that any run of iterations needs few panels. False: no
 * memory. */
bool gemm_plan(struct gemm *g);
/* Memory for the matrices, zero. Page-sized alignment, huge pages where the system has them. False: no memory. */
bool gemm_alloc(struct gemm *g);
void gemm_free(struct gemm *g);

static inline size_t gemm_element(const struct gemm *g) { return g->is_double ? sizeof(double) : sizeof(float); }
static inline long gemm_pitch(long side) { return (side + 3) / 4 * 4; }
/* Rows of panel `p` of a matrix with `all` of them. */
static inline long gemm_side(const struct gemm *g, long all, long p) {
    const long left = all - p * g->tile;
    return left < g->tile ? left : g->tile;
}

struct gemm_tile gemm_tile_at(const struct gemm *g, long t);
/* Addresses, in bytes from the matrix' begin: row p of a panel, and a tile of C. */
size_t gemm_panel_offset(const struct gemm *g, long all, long panel, long p);
size_t gemm_c_offset(const struct gemm *g, long row, long col);
/* Bytes of a matrix; of C for panels = false. */
size_t gemm_operand_bytes(const struct gemm *g, long all);
size_t gemm_c_bytes(const struct gemm *g);

/* One element, for input, output and checks. */
double gemm_get_a(const struct gemm *g, long i, long p);
double gemm_get_b(const struct gemm *g, long p, long j);
double gemm_get_c(const void *c, const struct gemm *g, long i, long j);
void gemm_set_a(struct gemm *g, long i, long p, double value);
void gemm_set_b(struct gemm *g, long p, long j, double value);
void gemm_set_c(struct gemm *g, long i, long j, double value);

/* Seeded values of a matrix that depend on place and seed alone: reals in [-1, 1), or whole numbers from -4 to 4, with
 * which every sum is exact up to k = 2^24 / 16. */
enum gemm_matrix { GEMM_A, GEMM_B, GEMM_C };
void gemm_fill(struct gemm *g, enum gemm_matrix which, uint64_t seed, bool whole);

/* Has the pages of C, so that neither page-locking nor the first run has to make them, one by one. */
void gemm_touch_c(struct gemm *g);

/* Does one tile of C as written, in plain C: the loop's body. */
void gemm_tile(struct gemm *g, long t);

#endif
