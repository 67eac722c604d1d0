/* SPDX-License-Identifier: Apache-2.0 */
#include "problem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static long ceil_div(long a, long b) { return (a + b - 1) / b; }

/* The order of tiles: halves of the longer side, depth first. */
static long visit(struct gemm *g, long t, long row, long rows, long col, long cols) {
    if (rows == 1 && cols == 1) {
        g->row_of[t] = (int)row;
        g->col_of[t] = (int)col;
        return t + 1;
    }
    if (rows >= cols) {
        t = visit(g, t, row, rows / 2, col, cols);
        return visit(g, t, row + rows / 2, rows - rows / 2, col, cols);
    }
    t = visit(g, t, row, rows, col, cols / 2);
    return visit(g, t, row, rows, col + cols / 2, cols - cols / 2);
}

bool gemm_plan(struct gemm *g) {
    g->tile_rows = ceil_div(g->m, g->tile);
    g->tile_cols = ceil_div(g->n, g->tile);
    g->tiles = g->tile_rows * g->tile_cols;
    g->row_of = calloc((size_t)g->tiles + 1, sizeof *g->row_of);
    g->col_of = calloc((size_t)g->tiles + 1, sizeof *g->col_of);
    if (!g->row_of || !g->col_of)
        return false;
    if (g->tiles)
        visit(g, 0, 0, g->tile_rows, 0, g->tile_cols);
    return true;
}

struct gemm_tile gemm_tile_at(const struct gemm *g, long t) {
    struct gemm_tile at = {.row = g->row_of[t], .col = g->col_of[t]};
    at.rows = gemm_side(g, g->m, at.row);
    at.cols = gemm_side(g, g->n, at.col);
    at.pitch_a = gemm_pitch(at.rows);
    at.pitch_b = gemm_pitch(at.cols);
    return at;
}

size_t gemm_panel_offset(const struct gemm *g, long all, long panel, long p) {
    const size_t before = (size_t)panel * (size_t)gemm_pitch(g->tile) * (size_t)g->k;
    return (before + (size_t)p * (size_t)gemm_pitch(gemm_side(g, all, panel))) * gemm_element(g);
}

/* Elements of a row of tiles, per row. */
static size_t row_pitch(const struct gemm *g) {
    return g->tile_cols ? (size_t)(g->tile_cols - 1) * (size_t)gemm_pitch(g->tile) +
                              (size_t)gemm_pitch(gemm_side(g, g->n, g->tile_cols - 1))
                        : 0;
}

size_t gemm_c_offset(const struct gemm *g, long row, long col) {
    const size_t above = (size_t)row * (size_t)g->tile * row_pitch(g);
    return (above + (size_t)gemm_side(g, g->m, row) * (size_t)col * (size_t)gemm_pitch(g->tile)) * gemm_element(g);
}

size_t gemm_operand_bytes(const struct gemm *g, long all) {
    const long panels = ceil_div(all, g->tile);
    return panels ? gemm_panel_offset(g, all, panels - 1, g->k) : 0;
}

size_t gemm_c_bytes(const struct gemm *g) { return (size_t)g->m * row_pitch(g) * gemm_element(g); }

/* mmap: zero pages, at a page's begin, that are not there before they are written. */
static void *take(size_t bytes) {
    void *at = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    madvise(at, bytes, MADV_HUGEPAGE); /* page-locking huge pages is twice as fast; no matter if there are none */
    return at;
}

bool gemm_alloc(struct gemm *g) {
    g->a = take(gemm_operand_bytes(g, g->m));
    g->b = take(gemm_operand_bytes(g, g->n));
    g->c = take(gemm_c_bytes(g));
    return g->a && g->b && g->c;
}

static void release(void *at, size_t bytes) { munmap(at, bytes ? bytes : 1); }

void gemm_free(struct gemm *g) {
    if (g->a)
        release(g->a, gemm_operand_bytes(g, g->m));
    if (g->b)
        release(g->b, gemm_operand_bytes(g, g->n));
    if (g->c)
        release(g->c, gemm_c_bytes(g));
    free(g->row_of);
    free(g->col_of);
    g->a = g->b = g->c = NULL;
    g->row_of = g->col_of = NULL;
}

static double get(const struct gemm *g, const void *matrix, size_t offset) {
    const char *at = (const char *)matrix + offset;
    return g->is_double ? *(const double *)at : (double)*(const float *)at;
}

static void set(const struct gemm *g, void *matrix, size_t offset, double value) {
    char *at = (char *)matrix + offset;
    if (g->is_double)
        *(double *)at = value;
    else
        *(float *)at = (float)value;
}

static size_t operand_at(const struct gemm *g, long all, long r, long p) {
    return gemm_panel_offset(g, all, r / g->tile, p) + (size_t)(r % g->tile) * gemm_element(g);
}

static size_t c_at(const struct gemm *g, long i, long j) {
    const long col = j / g->tile;
    const size_t inside = (size_t)(i % g->tile) * (size_t)gemm_pitch(gemm_side(g, g->n, col)) + (size_t)(j % g->tile);
    return gemm_c_offset(g, i / g->tile, col) + inside * gemm_element(g);
}

double gemm_get_a(const struct gemm *g, long i, long p) { return get(g, g->a, operand_at(g, g->m, i, p)); }
double gemm_get_b(const struct gemm *g, long p, long j) { return get(g, g->b, operand_at(g, g->n, j, p)); }
double gemm_get_c(const void *c, const struct gemm *g, long i, long j) { return get(g, c, c_at(g, i, j)); }
void gemm_set_a(struct gemm *g, long i, long p, double value) { set(g, g->a, operand_at(g, g->m, i, p), value); }
void gemm_set_b(struct gemm *g, long p, long j, double value) { set(g, g->b, operand_at(g, g->n, j, p), value); }
void gemm_set_c(struct gemm *g, long i, long j, double value) { set(g, g->c, c_at(g, i, j), value); }

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014) of the element's number: no state, so any order will do. */
static uint64_t hash(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double value(uint64_t key, long i, long j, bool whole) {
    const uint64_t bits =
        hash(key + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)j * UINT64_C(0xd1b54a32d192ed03));
    return whole ? (double)(int64_t)((bits >> 32) * 9 >> 32) - 4 : (double)(int64_t)(bits >> 11) * 0x1p-52 - 1;
}

/* Storage order: consecutive elements of a row of a panel or tile. */
static void fill_row(const struct gemm *g, char *at, long count, uint64_t key, const long place[2], const long step[2],
                     bool whole) {
    for (long r = 0; r < count; r++) {
        const double v = value(key, place[0] + r * step[0], place[1] + r * step[1], whole);
        if (g->is_double)
            ((double *)at)[r] = v;
        else /* not rounded up to 1 */
            ((float *)at)[r] = (float)(whole ? v : (double)(long)(v * 0x1p23) * 0x1p-23);
    }
}

static void fill_operand(struct gemm *g, bool is_a, uint64_t key, bool whole) {
    const long all = is_a ? g->m : g->n, panels = ceil_div(all, g->tile);
    char *matrix = is_a ? g->a : g->b;
#pragma omp parallel for collapse(2)
    for (long panel = 0; panel < panels; panel++)
        for (long p = 0; p < g->k; p++) {
            const long first = panel * g->tile;
            fill_row(g, matrix + gemm_panel_offset(g, all, panel, p), gemm_side(g, all, panel), key,
                     (long[]){is_a ? first : p, is_a ? p : first}, (long[]){is_a, !is_a}, whole);
        }
}

void gemm_fill(struct gemm *g, enum gemm_matrix which, uint64_t seed, bool whole) {
    const uint64_t key = hash(seed * 4 + (uint64_t)which + 1);
    if (which != GEMM_C) {
        fill_operand(g, which == GEMM_A, key, whole);
        return;
    }
#pragma omp parallel for
    for (long i = 0; i < g->m; i++)
        for (long col = 0; col < g->tile_cols; col++)
            fill_row(g, (char *)g->c + c_at(g, i, col * g->tile), gemm_side(g, g->n, col), key,
                     (long[]){i, col * g->tile}, (long[]){0, 1}, whole);
}

void gemm_touch_c(struct gemm *g) {
    const size_t bytes = gemm_c_bytes(g);
#pragma omp parallel for
    for (size_t at = 0; at < bytes; at += 4096)
        ((volatile char *)g->c)[at] = 0;
}
