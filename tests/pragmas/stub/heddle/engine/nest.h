/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for the runtime's nest.h in the translator's own tests: types, maps and the call record of
 * the emission contract, without the runtime. A "device" is a copy of exactly the mapped bytes, so that
 * the address sanitizer sees every access that a map clause or its inference forgot.
 */
#ifndef HEDDLE_STUB_NEST_H
#define HEDDLE_STUB_NEST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_INLINE inline __attribute__((__always_inline__, __unused__))
#define HEDDLE_QUIET /* here the compiler's warnings about emitted text are wanted */
#define HEDDLE_LOUD
#define HEDDLE_PASTE_(a, b) a##_##b
#define HEDDLE_PASTE(a, b) HEDDLE_PASTE_(a, b)
#define HEDDLE_N(name) HEDDLE_PASTE(HEDDLE_NEST, name)
#define HEDDLE_FIELD(type, name) __typeof__(type) name;
#define HEDDLE_RED_FIELD(type, name, op) __typeof__(type) name;
#define HEDDLE_EARLY_FIELD(type, name, stream, di, dj) __typeof__(type) name;
#define HEDDLE_NEST_TYPES(N)                                                                                           \
    struct N##_cell {                                                                                                  \
        N##_CELL(HEDDLE_FIELD)                                                                                         \
    };                                                                                                                 \
    struct N##_edge {                                                                                                  \
        N##_EDGE(HEDDLE_FIELD)                                                                                         \
    };                                                                                                                 \
    struct N##_row {                                                                                                   \
        N##_ROW(HEDDLE_FIELD)                                                                                          \
    };                                                                                                                 \
    struct N##_col {                                                                                                   \
        N##_COL(HEDDLE_FIELD)                                                                                          \
    };                                                                                                                 \
    struct N##_early {                                                                                                 \
        N##_EARLY(HEDDLE_EARLY_FIELD)                                                                                  \
    };                                                                                                                 \
    struct N##_far {                                                                                                   \
        N##_FAR(HEDDLE_FIELD)                                                                                          \
    };                                                                                                                 \
    struct N##_red {                                                                                                   \
        N##_RED(HEDDLE_RED_FIELD)                                                                                      \
    };

enum { HEDDLE_MAP_ALLOC, HEDDLE_MAP_TO, HEDDLE_MAP_FROM, HEDDLE_MAP_TOFROM, HEDDLE_MAP_W = 16 };
enum {
    HEDDLE_SCHEDULE_AUTO,
    HEDDLE_SCHEDULE_REGISTERS,
    HEDDLE_SCHEDULE_PEER,
    HEDDLE_SCHEDULE_PEER_SQUARE,
    HEDDLE_SCHEDULE_BARRIER,
    HEDDLE_SCHEDULE_SERIAL,
    HEDDLE_SCHEDULE_SCAN
};
enum { HEDDLE_PREFIX_ROW = 1, HEDDLE_PREFIX_COLUMN = 2, HEDDLE_PREFIX_GUARD_I = 4, HEDDLE_PREFIX_GUARD_J = 8 };
enum { HEDDLE_DEVICE_AUTO = -2, HEDDLE_DEVICE_HOST = -1 };

struct heddle_map {
    const char *name;
    size_t slot;
    int kind;
    void *base;
    ptrdiff_t first;
    size_t bytes;
};
#define HEDDLE_MAP(N, field, mapkind, pointer, lo, count)                                                              \
    {.name = #field,                                                                                                   \
     .slot = offsetof(struct N##_env, field),                                                                          \
     .kind = (mapkind),                                                                                                \
     .base = (void *)(uintptr_t)(pointer),                                                                             \
     .first = (ptrdiff_t)(lo) * (ptrdiff_t)sizeof *(pointer),                                                          \
     .bytes = (size_t)(count) * sizeof *(pointer)}
/* How the array lies in rows is for runs in panels, which the stand-in has not. */
#define HEDDLE_MAP_ROWS(N, field, mapkind, pointer, lo, count, step, rows, start)                                      \
    HEDDLE_MAP(N, field, mapkind, pointer, lo, count)

struct heddle_rows { /* which nobody compares here */
    const char *name;
    const void *table;
    int variable, depth, written;
    size_t bytes;
    long lo[3], hi[3], pace[3];
};
struct heddle_wavefront;
struct heddle_nest {
    const char *file, *function;
    int line, registers, memory, host_border, store, skew, prefix;
    size_t env_bytes;
    void (*run_registers)(const struct heddle_wavefront *call, const void *device);
    void (*run_memory)(const struct heddle_wavefront *call, const void *device);
    void (*run_scan)(const struct heddle_wavefront *call, const void *device);
    void (*set_sweep)(void *env, long t);
    void (*run_stencil)(const struct heddle_wavefront *call, void *device); /* all sweeps, or NULL */
};
struct heddle_wavefront {
    const struct heddle_nest *nest;
    void *env, *red;
    struct heddle_map *maps;
    int nmaps, nkept;
    long i0, i1, j0, j1, t0, t1;
    int schedule;
    long tile_h, tile_w;
    int device;
    long loops, loop_rows, at_once;
    const struct heddle_rows *rows;
    int nrows, *said;
};

static inline void heddle_stub_copy(struct heddle_map *m, char *device, int back) {
    char *host = (char *)m->base + m->first;
    if (!back && (m->kind & HEDDLE_MAP_TO))
        memcpy(device, host, m->bytes);
    if (back && (m->kind & HEDDLE_MAP_FROM))
        memcpy(host, device, m->bytes);
}

static inline int heddle_wavefront_run(struct heddle_wavefront *c) {
    const char *form = getenv("HEDDLE_STUB_FORM");
    int registers = form && strcmp(form, "registers") == 0;
    int memory = form && strcmp(form, "memory") == 0;
    int scan = form && strcmp(form, "scan") == 0;
    if (c->i1 < c->i0 || c->j1 < c->j0)
        return 0;
    if ((registers && !c->nest->registers) || (memory && !c->nest->memory) || (scan && !c->nest->prefix) ||
        (!registers && !memory && !scan)) {
        fprintf(stderr, "%s: serial\n", c->nest->function);
        return 1;
    }
    fprintf(stderr, "%s: %s\n", c->nest->function, form);
    char *device = malloc(c->nest->env_bytes), *copies[64];
    memcpy(device, c->env, c->nest->env_bytes);
    for (int k = 0; k < c->nmaps; k++) {
        struct heddle_map *m = &c->maps[k];
        copies[k] = malloc(m->bytes);
        memset(copies[k], 0x5a, m->bytes);
        heddle_stub_copy(m, copies[k], 0);
        uintptr_t slot = (uintptr_t)copies[k] - (uintptr_t)m->first;
        memcpy(device + m->slot, &slot, sizeof slot);
    }
    for (long t = c->t0; t <= c->t1; t++) {
        if (c->nest->set_sweep)
            c->nest->set_sweep(device, t);
        if (!registers)
            (memory ? c->nest->run_memory : c->nest->run_scan)(c, device);
        else if (!c->nest->run_stencil)
            c->nest->run_registers(c, device);
    }
    if (registers && c->nest->run_stencil)
        c->nest->run_stencil(c, device);
    for (int k = 0; k < c->nmaps; k++) {
        heddle_stub_copy(&c->maps[k], copies[k], 1);
        free(copies[k]);
    }
    free(device);
    return 0;
}
#endif
