/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "app.h"
#include "create.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 128 << 10 };

static bool fail(char *message, size_t size, const char *path, const char *what) {
    snprintf(message, size, "%s: %s", path, what);
    return false;
}

bool file_ends(const char *path, const char *end) {
    const size_t n = strlen(path), m = strlen(end);
    return n > m && !strcmp(path + n - m, end);
}

static bool look(FILE *file, const char *path, struct npy *npy, char *message, size_t size) {
    unsigned char *head = app_alloc(HEAD, 1);
    const size_t count = fread(head, 1, HEAD, file);
    char what[160] = "";
    const bool good = npy_parse(npy, head, count, what, sizeof what);
    free(head);
    return good || fail(message, size, path, what);
}

bool file_look(const char *path, struct npy *npy, bool *is_bin, char *message, size_t size) {
    *is_bin = file_ends(path, ".bin");
    *npy = (struct npy){.rows = -1, .cols = -1};
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(message, size, path, strerror(errno));
    const bool good = *is_bin || look(file, path, npy, message, size);
    fclose(file);
    return good;
}

static void put(struct gemm *g, enum gemm_matrix which, long i, long j, double value) {
    if (which == GEMM_A)
        gemm_set_a(g, i, j, value);
    else if (which == GEMM_B)
        gemm_set_b(g, i, j, value);
    else
        gemm_set_c(g, i, j, value);
}

static double value_of(const struct gemm *g, enum gemm_matrix which, long i, long j) {
    return which == GEMM_A ? gemm_get_a(g, i, j) : which == GEMM_B ? gemm_get_b(g, i, j) : gemm_get_c(g->c, g, i, j);
}

static long rows_of(const struct gemm *g, enum gemm_matrix which) { return which == GEMM_B ? g->k : g->m; }
static long cols_of(const struct gemm *g, enum gemm_matrix which) { return which == GEMM_A ? g->k : g->n; }

/* Line after line as they lie in the file: rows, or columns in Fortran's order. */
static bool read_lines(FILE *file, struct gemm *g, enum gemm_matrix which, const struct npy *npy) {
    const long lines = npy->fortran ? npy->cols : npy->rows, each = npy->fortran ? npy->rows : npy->cols;
    const size_t element = npy->is_double ? sizeof(double) : sizeof(float);
    char *line = app_alloc((size_t)each, element);
    bool good = true;
    for (long x = 0; x < lines && good; x++) {
        good = fread(line, element, (size_t)each, file) == (size_t)each;
        for (long y = 0; y < each && good; y++) {
            const double v = npy->is_double ? ((double *)(void *)line)[y] : (double)((float *)(void *)line)[y];
            put(g, which, npy->fortran ? y : x, npy->fortran ? x : y, v);
        }
    }
    free(line);
    return good && fgetc(file) == EOF;
}

bool file_read(const char *path, struct gemm *g, enum gemm_matrix which, char *message, size_t size) {
    struct npy npy = {.rows = rows_of(g, which), .cols = cols_of(g, which), .is_double = g->is_double};
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(message, size, path, strerror(errno));
    bool good = file_ends(path, ".bin") || look(file, path, &npy, message, size);
    if (good && (fseek(file, (long)npy.begin, SEEK_SET) || !read_lines(file, g, which, &npy))) {
        char what[160];
        snprintf(what, sizeof what, "not %ld x %ld elements of %d bytes as expected", npy.rows, npy.cols,
                 npy.is_double ? 8 : 4);
        good = fail(message, size, path, what);
    }
    fclose(file);
    return good;
}

static bool write_rows(FILE *file, const struct gemm *g) {
    const size_t element = gemm_element(g);
    char *line = app_alloc((size_t)g->n, element);
    bool good = true;
    for (long i = 0; i < g->m && good; i++) {
        for (long col = 0; col < g->tile_cols; col++) {
            const long side = gemm_side(g, g->n, col), inside = i % g->tile * gemm_pitch(side);
            memcpy(line + (size_t)(col * g->tile) * element,
                   (const char *)g->c + gemm_c_offset(g, i / g->tile, col) + (size_t)inside * element,
                   (size_t)side * element);
        }
        good = fwrite(line, element, (size_t)g->n, file) == (size_t)g->n;
    }
    free(line);
    return good;
}

bool file_write(const char *path, const struct gemm *g, char *message, size_t size) {
    char header[128];
    const size_t head = file_ends(path, ".npy") ? npy_header(header, g->m, g->n, g->is_double) : 0;
    FILE *file = app_create(path);
    if (!file)
        return fail(message, size, path, strerror(errno));
    bool good = fwrite(header, 1, head, file) == head && write_rows(file, g);
    good = app_finish(file, good);
    return good || fail(message, size, path, strerror(errno));
}

bool file_has_odd_values(const struct gemm *g, enum gemm_matrix which) {
    for (long i = 0; i < rows_of(g, which); i++)
        for (long j = 0; j < cols_of(g, which); j++) {
            const double v = value_of(g, which, i, j);
            if (!(v - v == 0))
                return true;
        }
    return false;
}
