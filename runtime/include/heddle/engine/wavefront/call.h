/* SPDX-License-Identifier: Apache-2.0 */
/* The records through which the runtime and a nest's kernels talk; the same layout on host and device. */
#ifndef HEDDLE_WAVEFRONT_CALL_H
#define HEDDLE_WAVEFRONT_CALL_H
#include <stdint.h>

enum {
    HEDDLE_CPU_CHUNK = 128,
    HEDDLE_CPU_UNIT = 32 /* steps */,
    HEDDLE_CPU_CHUNK_MOST = 512,
    HEDDLE_ROWS_CHUNK = 512,
    HEDDLE_FETCH_BYTES = 12 << 10,
    HEDDLE_FLAG_WORDS = 16 /* 128 bytes */,
    HEDDLE_STAGE_BYTES = 32768,
    HEDDLE_STREAM_SPAN = 4 /* rows, columns */
};

/* A CPU's lanes: steps whose reads and cells are turned at a time, bytes that a row's next ones are asked for ahead,
   steps between lanes whose rows would get in each other's way in a cache. */
enum { HEDDLE_GROUP = 16, HEDDLE_AHEAD = 256, HEDDLE_DELAY = 16 };

/* Prefix sums on a GPU: values that a thread holds (32-bit words), columns of a tile, warps of a block at most. */
enum { HEDDLE_SCAN_REGISTERS = 32, HEDDLE_SCAN_COLUMNS = 256, HEDDLE_SCAN_WARPS = 16 };

/* Progress words of the memory form count the steps that tile row `r` has finished, plus r << 40 because the
   words are used in turn by later rows: a word only ever grows. This value in the low part means "given up"
   and releases everybody who waits. */
#define HEDDLE_ROW_SHIFT 40
#define HEDDLE_GAVE_UP ((1ull << HEDDLE_ROW_SHIFT) - 1)

/* Sweeps of an in-place stencil on a GPU: sweeps of a pass, columns of a step for a cell of that size, chunks of 32
   columns after which a row block says how far it is; and the steps that a row's columns need, with one to flush
   aligned stores. */
enum { HEDDLE_SWEEP_DEPTH = 4, HEDDLE_SWEEP_PUBLISH = 2, HEDDLE_ITEM_SHIFT = 24 };
#define HEDDLE_SWEEP_QUAD(bytes) ((bytes) <= 4 ? 4 : (bytes) <= 8 ? 2 : 1)
static inline long heddle_sweep_groups(long columns, long quad) { return (columns + quad - 1) / quad + 1; }

/* Several devices in one wavefront: what one of them needs of another. Pointers into its memory, which all reach. */
enum { HEDDLE_PEERS_MAX = 16 };
struct heddle_gpu_peer {
    void *edges; /* where it receives rows */
    uint64_t *progress, *error;
};

/* Lives in device memory; the nest's environment and the reductions' results follow it there. */
struct heddle_gpu_control {
    uint64_t ticket; /* next row block */
    uint64_t pad[HEDDLE_FLAG_WORDS - 1];
    uint64_t arrived; /* barrier schedule: blocks that have arrived, over all diagonals */
    uint64_t error;   /* 0, or 1 + the row block that waited in vain */
    uint64_t pad2[HEDDLE_FLAG_WORDS - 3];
    int64_t i0, i1, j0, j1; /* inclusive */
    int64_t row_blocks;
    int64_t ring;           /* row blocks that have an edge buffer or a progress word */
    int64_t edge_stride;    /* columns of an edge buffer */
    int64_t tile_h, tile_w; /* memory form; prefix sums: tile_h rows of a tile */
    int64_t tiles_across;   /* prefix sums: row_blocks rows of that many tiles */
    int64_t batch;          /* prefix sums: independent ones in this launch, the first is number sweep0 */
    /* Register form: row blocks are dealt in groups of `deal`, the devices taking turns; this is device `self` of them,
       and takes `tickets` blocks. One device: 1, 0, 1, row_blocks. */
    int64_t devices, self, deal, tickets;
    uint64_t timeout_ns;   /* longest wait without any progress */
    uint64_t *progress;    /* [ring * HEDDLE_FLAG_WORDS] */
    void *edges;           /* tagged words; register form: [ring][words][edge_stride] */
    uint32_t tag_base;     /* tag of row block 0; no older word in the buffers has this or more */
    const void *top_halo;  /* HOST_BORDER: edge cells of row i0 - 1, from `before` columns before j0 on; else NULL */
    const void *left_halo; /* HOST_BORDER: cells of column j0 - 1 from row i0; else NULL */
    const void
        *side_halo; /* HOST_BORDER, extended stencils: edges of columns j0 - 2 and j1 + 1, of each row from i0 on */
    void *last_row, *last_col; /* HOST_BORDER: cells to give back, else NULL */
    const void *env, *red_start;
    void *red;              /* one result per warp */
    int64_t sweep0, sweeps; /* in-place stencils: the first sweep of this launch, and how many */
    int64_t items;          /* row blocks of all passes: pass << HEDDLE_ITEM_SHIFT | block, in order */
    const uint32_t *item;   /* progress then has [pass][block] steps done */
    /* memory form: see heddle/engine/wavefront/walk.h */
    uint64_t began, ended; /* device clock: first block's start, last block's end */
    int64_t barrier;       /* nonzero: a grid barrier after each diagonal instead of flags */
    int64_t tagged;        /* nonzero: the row above comes as tagged words (`edges`), no flags */
    int64_t skew;          /* of the tiles: 0 for square ones */
    int64_t ahead;
    int64_t delay;                                 /* steps that a tile's last row is behind its first */
    int64_t behind;                                /* the same from tile to tile: 0 for square ones */
    int64_t steps;                                 /* of a tile row: columns + behind */
    int64_t tiles, lag, diagonals;                 /* of a tile row; tiles a row is behind the one above; of the nest */
    void *cells, *far;                             /* hybrid layout: carried cells, and what else each cell reads */
    int64_t scatter;                               /* conversion: 0 gathers `far`, 1 scatters `cells` */
    struct heddle_gpu_timer *timers;               /* one per block, or NULL */
    struct heddle_gpu_tile_time *tile_times;       /* bounded buffer, or NULL */
    uint64_t tile_room, tile_count;                /* count may pass room: the rest was dropped */
    struct heddle_gpu_peer peer[HEDDLE_PEERS_MAX]; /* more than one device: each of them, this one too */
};

/* The row block of a device's ticket, whose it is, and the way back. */
static inline long heddle_deal_block(const struct heddle_gpu_control *c, long ticket) {
    return (ticket / c->deal * c->devices + c->self) * c->deal + ticket % c->deal;
}
static inline long heddle_deal_owner(const struct heddle_gpu_control *c, long block) {
    return block / c->deal % c->devices;
}
static inline long heddle_deal_ticket(const struct heddle_gpu_control *c, long block) {
    return block / (c->deal * c->devices) * c->deal + block % c->deal;
}

/* Where a block's time went: cycles until the block ends, then ns. Reading the device clock (ns) takes longer than some
   of what is measured. */
struct heddle_gpu_timer {
    uint64_t begin, end;     /* device clock, ns */
    uint64_t last, start;    /* where the sums reach and where they began: cycles until the block ends, then ns */
    uint64_t busy;           /* in tiles */
    uint64_t corner, middle; /* waiting while fewer tiles than blocks can run, and otherwise */
    uint64_t sync;           /* flags and barriers themselves: nobody had to be waited for */
    uint64_t tiles, tile_begin;
    uint32_t sm, started;
};
struct heddle_gpu_tile_time {
    uint64_t begin, end; /* device clock */
    uint32_t row, tile, sm, block;
};

enum {
    HEDDLE_GPU_REGISTERS,
    HEDDLE_GPU_TILES,
    HEDDLE_GPU_HYBRID,
    HEDDLE_GPU_CONVERT,
    HEDDLE_GPU_SCAN,
    HEDDLE_GPU_SWEEPS
};
/* Threads of a block in the memory form at most (the register file holds them whatever the body needs: 255 registers
   each), and steps that a block converts at once. */
enum { HEDDLE_TILE_THREADS = 256, HEDDLE_CONVERT_STEPS = 64 };
/* Hybrid layout: steps of a group, between two block barriers, by which each further warp is later; groups that inputs
   are loaded ahead; steps whose last cells a warp keeps for the next one. Found on an H100 with bench-methods. */
enum { HEDDLE_STAGGER = 8, HEDDLE_FEED_GROUPS = 2, HEDDLE_STAGGER_RING = 32 };

struct heddle_gpu_call {
    int what; /* HEDDLE_GPU_* */
    int device;
    int teams, threads;
    int rows_per_lane;                  /* register form: 4 or 8 */
    struct heddle_gpu_control *control; /* in device memory */
};
#endif
