/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The iterations of a tile (runtime/src/pool/tile.c says which those are) in program order. Part of
 * heddle/engine/pool/worker.h.
 */
struct heddle_cursor {
    int32_t y, x, end, to; /* the two inner loops; `to`: where row y ends in the tile */
    int32_t outer, tile_x; /* the loop around them; the tile's column */
};

HEDDLE_DEVICE void heddle_cursor_row(const struct heddle_job *j, struct heddle_cursor *c) {
    const int32_t from = c->tile_x * j->tile_cols - j->skew * c->y,
                  m = (int32_t)(j->dims == 3 ? j->real[2] : j->real[1]);
    c->x = from > 0 ? from : 0;
    c->to = from + j->tile_cols < m ? from + j->tile_cols : m;
}
/* 0: there is no iteration left. */
HEDDLE_DEVICE int heddle_cursor_settle(const struct heddle_job *j, struct heddle_cursor *c, long *at) {
    while (c->y < c->end && c->x >= c->to)
        if (++c->y < c->end)
            heddle_cursor_row(j, c);
    if (c->y >= c->end)
        return 0;
    at[0] = j->dims == 3 ? c->outer : c->y;
    at[1] = j->dims == 3 ? c->y : c->x;
    at[2] = j->dims == 3 ? c->x : 0;
    return 1;
}
/* `at`: the tile; becomes its first iteration. */
HEDDLE_DEVICE int heddle_cursor_first(const struct heddle_job *j, struct heddle_cursor *c, long *at) {
    const int32_t n = (int32_t)(j->dims == 3 ? j->real[1] : j->real[0]);
    c->outer = (int32_t)at[0];
    c->y = (int32_t)(j->dims == 3 ? at[1] : at[0]) * j->tile_rows;
    c->tile_x = (int32_t)(j->dims == 3 ? at[2] : at[1]);
    c->end = c->y + j->tile_rows < n ? c->y + j->tile_rows : n;
    heddle_cursor_row(j, c);
    return heddle_cursor_settle(j, c, at);
}
HEDDLE_DEVICE int heddle_cursor_next(const struct heddle_job *j, struct heddle_cursor *c, long *at) {
    c->x++;
    return heddle_cursor_settle(j, c, at);
}
HEDDLE_DEVICE uint64_t heddle_real_number(const struct heddle_job *j, const long *at) {
    return ((uint64_t)at[0] * (uint64_t)j->real[1] + (uint64_t)at[1]) * (uint64_t)j->real[2] + (uint64_t)at[2];
}
