/* SPDX-License-Identifier: Apache-2.0 */
/* Rows behind pointers against all pairs, on tables at random; and tables as programs make them. */
#include "core/internal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROWS = 12, COLUMNS = 9, REFERENCES = 5, TURNS = 60000 };

static int said;
void heddle__warn(const struct heddle_site *site, const char *format, ...) { (void)site, (void)format, said++; }

static const struct heddle_site site = {.file = "x.c", .line = 1};

static bool apart(const struct heddle_rows *rows, int n, struct heddle_map *maps, int nmaps) {
    int once = 0;
    const int before = said;
    const bool first = heddle__rows_apart(&site, rows, n, maps, nmaps, &once),
               second = heddle__rows_apart(&site, rows, n, maps, nmaps, &once);
    assert_int_equal(first, second);
    assert_int_equal(said - before, !first); /* once a loop */
    return first;
}

/* ---- by all pairs of elements ---- */

struct touched {
    char *at;
    long row; /* which one it is, by variable; -1: of a table or an array */
    bool written;
};

static int touch(const struct heddle_rows *r, long lo, long hi, struct touched *out) {
    int n = 0;
    char **table = (char **)(uintptr_t)r->table;
    for (long i = lo; i <= hi; i++)
        for (size_t b = 0; b < sizeof *table; b++)
            out[n++] = (struct touched){(char *)&table[i] + b, -1, false};
    for (long i = r->lo[0]; i <= r->hi[0]; i += r->pace[0])
        for (long j = r->lo[1]; j <= r->hi[1]; j++)
            out[n++] = (struct touched){table[i] + j, r->variable * 1000 + i, r->written};
    return n;
}

static bool all_pairs(const struct heddle_rows *rows, int n, const struct heddle_map *map) {
    static struct touched all[REFERENCES * ROWS * (COLUMNS + 8) + 2000];
    struct heddle_rows r[REFERENCES];
    memcpy(r, rows, (size_t)n * sizeof *r);
    long lo[REFERENCES], hi[REFERENCES];
    int count = 0;
    for (int a = 0; a < n; a++)
        lo[a] = r[a].lo[0], hi[a] = r[a].hi[0];
    for (int a = 0; a < n; a++) /* as long as the longest, and written if one is */
        for (int b = 0; b < n; b++)
            if (r[a].variable == rows[b].variable && rows[b].lo[0] <= rows[b].hi[0] && rows[b].lo[1] <= rows[b].hi[1]) {
                r[a].written |= rows[b].written;
                lo[a] = lo[a] < rows[b].lo[0] ? lo[a] : rows[b].lo[0];
                hi[a] = hi[a] > rows[b].hi[0] ? hi[a] : rows[b].hi[0];
                if (r[a].lo[1] <= r[a].hi[1] && r[a].lo[0] <= r[a].hi[0]) {
                    r[a].lo[1] = r[a].lo[1] < rows[b].lo[1] ? r[a].lo[1] : rows[b].lo[1];
                    r[a].hi[1] = r[a].hi[1] > rows[b].hi[1] ? r[a].hi[1] : rows[b].hi[1];
                }
            }
    for (int k = 0; k < n; k++)
        if (r[k].lo[1] <= r[k].hi[1])
            count += touch(&r[k], lo[k], hi[k], all + count);
    for (size_t b = 0; b < map->bytes; b++)
        all[count++] = (struct touched){(char *)map->base + b, -2, map->kind & HEDDLE_MAP_W};
    for (int x = 0; x < count; x++)
        for (int y = x + 1; y < count; y++)
            if (all[x].at == all[y].at && all[x].row != all[y].row && (all[x].written || all[y].written))
                return false;
    return true;
}

static void as_all_pairs(void **state) {
    static char memory[4000], *tables[3][ROWS];
    int found = 0;
    (void)state;
    srandom(7);
    for (int turn = 0; turn < TURNS; turn++) {
        struct heddle_rows r[REFERENCES];
        const int n = 1 + (int)(random() % REFERENCES), reach = turn % 4 ? 3900 : 300;
        for (int t = 0; t < 3; t++)
            for (int i = 0; i < ROWS; i++)
                tables[t][i] = turn % 3 ? memory + (t * ROWS + i) * 40 + random() % 33 : memory + random() % reach;
        for (int k = 0; k < n; k++) {
            const int v = (int)(random() % 3);
            r[k] = (struct heddle_rows){.name = &"abc"[v], .table = tables[v], .variable = v, .depth = 2, .bytes = 1};
            r[k].written = random() % 3 == 0;
            r[k].lo[0] = random() % ROWS, r[k].hi[0] = r[k].lo[0] + random() % (ROWS - r[k].lo[0]);
            r[k].lo[1] = random() % COLUMNS, r[k].hi[1] = r[k].lo[1] + random() % (COLUMNS - r[k].lo[1]) - !(turn % 9);
            r[k].pace[0] = 1 + random() % 2, r[k].pace[1] = 1;
        }
        struct heddle_map map = {.name = "m",
                                 .kind = random() % 2 ? HEDDLE_MAP_TO : HEDDLE_MAP_TOFROM | HEDDLE_MAP_W,
                                 .base =
                                     random() % 8 ? memory + 1500 + random() % 2000 : (char *)&tables[random() % 3][5],
                                 .bytes = (size_t)(random() % 60)};
        const bool is = apart(r, n, &map, 1);
        assert_int_equal(is, all_pairs(r, n, &map));
        found += is;
    }
    assert_true(found > TURNS / 20 && found < TURNS - TURNS / 20); /* both are met often */
}

/* ---- three subscripts ---- */

static void deep(void **state) {
    enum { N = 5, M = 4 };
    static double rows[2][N][M][7];
    double *second[2][N][M], **first[2][N];
    struct heddle_rows r[4];
    (void)state;
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < N; i++) {
            first[v][i] = second[v][i];
            for (int j = 0; j < M; j++)
                second[v][i][j] = rows[v][i][j];
        }
    second[1][0][0] = NULL; /* corners that no reference comes to */
    first[0][N - 1] = NULL;
    for (int k = 0; k < 4; k++)
        r[k] =
            (struct heddle_rows){&"ab"[k == 0], first[k == 0], k == 0, 3, k == 0, sizeof(double), {0}, {0}, {1, 1, 1}};
    for (int k = 0; k < 4; k++)
        r[k].lo[0] = 1, r[k].hi[0] = N - 2, r[k].hi[1] = M - 1, r[k].hi[2] = 6;
    r[1].lo[0]--, r[1].hi[0]--;
    assert_true(apart(r, 4, NULL, 0));
    second[0][2][1] = rows[1][3][2] + 6;
    assert_false(apart(r, 4, NULL, 0));
    second[0][2][1] = rows[0][2][1];
    first[1][2] = first[1][1]; /* the same rows twice */
    assert_false(apart(r, 4, NULL, 0));
    r[0].pace[0] = 2; /* but not touched */
    assert_true(apart(r, 4, NULL, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_all_pairs), cmocka_unit_test(deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
