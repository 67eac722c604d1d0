/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures of lanes, and moving one lane out of and into them.
 *
 * Included by heddle/engine/wavefront/cpu.h once per instruction set. No include guard.
 */
#define HEDDLE_ALIGN(size) ((size) & ((size) - 1) ? 64 : (size) * HEDDLE_L)
#define HEDDLE_LANE_ARRAY(type, name, ...)                                                                             \
    __typeof__(type) name[HEDDLE_L] __attribute__((aligned(HEDDLE_ALIGN(sizeof(type)))));
#define HEDDLE_HOISTED_LANES(type, name, ...) HEDDLE_LANE_ARRAY(HEDDLE_PROMOTED(type), name)
#define HEDDLE_GET(type, name, ...) v.name = lanes->name[l];
#define HEDDLE_PUT(type, name, ...) lanes->name[l] = v.name;

/* Structure `lanes_name` has `kind` in each lane; get_NAME and put_NAME. */
#define HEDDLE_LANES_OF(lanes_name, NAME, kind, LIST, FIELD)                                                           \
    struct HEDDLE_I(lanes_name) {                                                                                      \
        LIST(FIELD)                                                                                                    \
    };                                                                                                                 \
    static HEDDLE_INLINE struct HEDDLE_N(kind) HEDDLE_I(get_##NAME)(const struct HEDDLE_I(lanes_name) *lanes, int l) { \
        struct HEDDLE_N(kind) v;                                                                                       \
        (void)lanes, (void)l;                                                                                          \
        LIST(HEDDLE_GET)                                                                                               \
        return v;                                                                                                      \
    }                                                                                                                  \
    static HEDDLE_INLINE void HEDDLE_I(put_##NAME)(struct HEDDLE_I(lanes_name) * lanes, int l,                         \
                                                   struct HEDDLE_N(kind) v) {                                          \
        (void)lanes, (void)l, (void)v;                                                                                 \
        LIST(HEDDLE_PUT)                                                                                               \
    }
#define HEDDLE_LANE_TYPE(kind, LIST, FIELD) HEDDLE_LANES_OF(kind##_lanes, kind, kind, LIST, FIELD)
HEDDLE_LANE_TYPE(cell, HEDDLE_N(CELL), HEDDLE_LANE_ARRAY)
HEDDLE_LANE_TYPE(edge, HEDDLE_N(EDGE), HEDDLE_LANE_ARRAY)
HEDDLE_LANE_TYPE(row, HEDDLE_N(ROW), HEDDLE_HOISTED_LANES)
HEDDLE_LANE_TYPE(col, HEDDLE_N(COL), HEDDLE_HOISTED_LANES)
HEDDLE_LANE_TYPE(red, HEDDLE_N(RED), HEDDLE_LANE_ARRAY)

/* Lane l takes lane l - 1's value, lane 0 takes `v`'s: one vector permutation per field. */
#define HEDDLE_SHIFT(type, name, ...)                                                                                  \
    {                                                                                                                  \
        __typeof__(lanes->name[0]) in = v.name;                                                                        \
        heddle_shift_lanes(lanes->name, &in, (int)sizeof in, HEDDLE_L);                                                \
    }
static HEDDLE_INLINE void HEDDLE_I(shift_edge)(struct HEDDLE_I(edge_lanes) *lanes, struct HEDDLE_N(edge) v) {
    (void)lanes, (void)v;
    HEDDLE_N(EDGE)(HEDDLE_SHIFT)
}
static HEDDLE_INLINE void HEDDLE_I(shift_col)(struct HEDDLE_I(col_lanes) *lanes, struct HEDDLE_N(col) v) {
    (void)lanes, (void)v;
    HEDDLE_N(COL)(HEDDLE_SHIFT)
}
