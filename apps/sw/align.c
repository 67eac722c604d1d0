/* SPDX-License-Identifier: Apache-2.0 */
/* Traceback in linear space: Hirschberg 1975, with affine gaps by Myers and Miller 1988.
 * Names: open = cost of the first residue of a gap, extend = of each further one. A vertical gap
 * (residues of a only, "I") that crosses the border of a sub-problem pays `first` = open - extend
 * once: tb and te are that charge at the top and bottom border, 0 where the neighbour has paid it.
 */
#include "align.h"

#include "app.h"
#include "grid.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef SW_DIRECT_CELLS
#define SW_DIRECT_CELLS (1 << 22) /* tests build with few, so that short sequences divide too */
#endif

enum {
    DIRECT_CELLS = SW_DIRECT_CELLS, /* solved on the host, traced with one byte per cell */
    DEEPEST = 1000000000,           /* scores must stay above -DEEPEST */
};

struct tracer {
    struct sw_scheme scheme;
    int first; /* open - extend */
    char *operations;
    size_t used, room;
};

/* Everything that the extend nest needs; one allocation. */
struct sheet {
    struct sw_extend work;
    int *memory;
    signed char *codes;
};

static struct sheet new_sheet(int n, int m) {
    size_t rows = (size_t)n + 1, cols = (size_t)m + 2;
    struct sheet sheet = {.memory = app_resize(NULL, 4 * rows + 3 * cols, sizeof(int)),
                          .codes = app_alloc(rows + cols, 1)};
    int *at = sheet.memory;
    sheet.work = (struct sw_extend){.n = n,
                                    .m = m + 1,
                                    .a = sheet.codes,
                                    .b = sheet.codes + rows,
                                    .edge = at,
                                    .right = at + rows,
                                    .best = at + 2 * rows,
                                    .end = at + 3 * rows,
                                    .rolling = at + 4 * rows,
                                    .down = at + 4 * rows + 2 * cols};
    return sheet;
}

static void free_sheet(struct sheet *sheet) {
    free(sheet->memory);
    free(sheet->codes);
}

/* Copies the two sequences (backwards if asked) and sets the boundaries; top: charge of a vertical
 * gap that starts at the top border. */
static void fill_sheet(struct sheet *sheet, const struct tracer *t, const signed char *a, const signed char *b, int top,
                       bool backwards) {
    struct sw_extend *w = &sheet->work;
    int n = w->n, m = w->m - 1, open = t->scheme.open, extend = t->scheme.extend;
    signed char *rows = sheet->codes, *cols = sheet->codes + (size_t)n + 1;
    int *edge = sheet->memory, *row = w->rolling, *next = w->rolling + w->m + 1;
    for (int i = 0; i < n; i++) {
        rows[i] = backwards ? a[n - 1 - i] : a[i];
        edge[i] = -top - (i + 1) * extend;
    }
    for (int i = 0; i <= n; i++) {
        w->right[i] = w->best[i] = SW_LOWEST;
        w->end[i] = 0;
    }
    row[0] = next[0] = w->down[0] = w->down[1] = SW_LOWEST;
    row[1] = 0;
    for (int j = 0; j < m; j++) {
        cols[j + 1] = backwards ? b[m - 1 - j] : b[j];
        row[j + 2] = -open - j * extend;
        w->down[j + 2] = SW_LOWEST;
    }
}

/* One large sheet at a time: it takes all cores, and hits are aligned by many threads. */
static void run_sheet(const struct sheet *sheet, const struct tracer *t) {
    static pthread_mutex_t all_cores = PTHREAD_MUTEX_INITIALIZER;
    const struct sw_extend *w = &sheet->work;
    if ((double)w->n * w->m <= DIRECT_CELLS) { /* a launch costs more than it saves */
        sw_nests_serial.extend(w, &t->scheme);
        return;
    }
    pthread_mutex_lock(&all_cores);
    sw_nests_heddle.extend(w, &t->scheme);
    pthread_mutex_unlock(&all_cores);
}

static void emit(struct tracer *t, char operation, int count) {
    if (t->used + (size_t)count > t->room) {
        t->room = (t->used + (size_t)count) * 2;
        t->operations = app_resize(t->operations, t->room, 1);
    }
    memset(t->operations + t->used, operation, (size_t)count);
    t->used += (size_t)count;
}

/* --- a small rectangle, all directions kept --------------------------------------------------- */

/* Walks back from the bottom right corner; the operations come out backwards and are turned round.
 */
static void walk_back(struct tracer *t, const struct sw_grid *g, int te) {
    int i = g->n, j = g->m, state = SW_CORNER;
    size_t first = t->used;
    if (!te && g->F[g->m] + t->first > g->H[g->m])
        state = SW_FROM_F; /* the gap goes on below, its opening is paid there */
    while (i || j) {
        int flags = sw_grid_from(g, i, j);
        if (state == SW_CORNER)
            state = flags & SW_FROM;
        if (state == SW_CORNER) {
            emit(t, 'M', 1);
            i--, j--;
        } else if (state == SW_FROM_E) {
            emit(t, 'D', 1);
            state = flags & SW_E_GOES_ON ? SW_FROM_E : SW_CORNER;
            j--;
        } else {
            emit(t, 'I', 1);
            state = flags & SW_F_GOES_ON ? SW_FROM_F : SW_CORNER;
            i--;
        }
    }
    for (size_t x = first, y = t->used; x + 1 < y; x++) {
        char swap = t->operations[x];
        t->operations[x] = t->operations[--y];
        t->operations[y] = swap;
    }
}

static void trace_direct(struct tracer *t, const signed char *a, int n, const signed char *b, int m, int tb, int te,
                         long reach) {
    struct sw_grid grid = {
        .n = n, .m = m, .reach = reach, .top = tb, .a = a, .b = b, .scheme = &t->scheme, .traced = true};
    sw_grid_start(&grid);
    for (int i = 1; i <= n; i++)
        sw_grid_row(&grid, i);
    walk_back(t, &grid, te);
    sw_grid_free(&grid);
}

/* --- divide and conquer ----------------------------------------------------------------------- */

struct crossing {
    int column;
    bool in_gap;
};

/* Where the best path crosses row n / 2, and whether it does so inside a vertical gap. */
static struct crossing find_crossing(struct tracer *t, const signed char *a, int n, const signed char *b, int m, int tb,
                                     int te) {
    int middle = n / 2, best = INT_MIN;
    struct crossing crossing = {0, false};
    struct sheet upper = new_sheet(middle, m), lower = new_sheet(n - middle, m);
    fill_sheet(&upper, t, a, b, tb, false);
    fill_sheet(&lower, t, a + middle, b, te, true);
    run_sheet(&upper, t);
    run_sheet(&lower, t);
    const int *H = upper.work.rolling + (size_t)(middle & 1) * ((size_t)m + 2);
    const int *R = lower.work.rolling + (size_t)((n - middle) & 1) * ((size_t)m + 2);
    for (int j = 0; j <= m; j++) {
        int met = H[j + 1] + R[m - j + 1];
        int in_gap = upper.work.down[j + 1] + lower.work.down[m - j + 1] + t->first;
        if (met > best || in_gap > best) {
            best = met > in_gap ? met : in_gap;
            crossing = (struct crossing){j, in_gap > met};
        }
    }
    free_sheet(&upper);
    free_sheet(&lower);
    return crossing;
}

static void trace(struct tracer *t, const signed char *a, int n, const signed char *b, int m, int tb, int te) {
    if (!n || !m) {
        emit(t, n ? 'I' : 'D', n + m);
        return;
    }
    if (n < 2 || ((double)n + 1) * ((double)m + 1) <= DIRECT_CELLS) {
        trace_direct(t, a, n, b, m, tb, te, (long)n + m);
        return;
    }
    struct crossing c = find_crossing(t, a, n, b, m, tb, te);
    int middle = n / 2, j = c.column;
    if (c.in_gap) {
        trace(t, a, middle - 1, b, j, tb, 0);
        emit(t, 'I', 2);
        trace(t, a + middle + 1, n - middle - 1, b + j, m - j, 0, te);
    } else {
        trace(t, a, middle, b, j, tb, t->first);
        trace(t, a + middle, n - middle, b + j, m - j, t->first, te);
    }
}

/* --- the start of a local alignment ------------------------------------------------------------
 */

/* Most gap residues that a path with at most `pairs` residue pairs can have and still reach the
 * score; so its cells are at most that far from the diagonal. */
static long most_gap(const struct sw_scoring *s, long pairs, long score) {
    long spare = pairs * s->largest - score - s->open;
    return spare < 0 ? 0 : spare / s->extend + 1;
}

static long min_long(long x, long y) { return x < y ? x : y; }

struct window {
    int rows, cols;     /* residues before the end, in query and target */
    long reach;         /* band around the diagonal */
    signed char *a, *b; /* backwards */
};

/* On the host, in the band, and only until the score is reached: for most hits next to nothing. */
static bool reach_on_host(const struct tracer *t, const struct window *w, int score, int *row, int *col) {
    struct sw_grid grid = {
        .n = w->rows, .m = w->cols, .reach = w->reach, .top = t->first, .a = w->a, .b = w->b, .scheme = &t->scheme};
    bool found = false;
    sw_grid_start(&grid);
    for (int i = 1; i <= w->rows && !found; i++) {
        sw_grid_row(&grid, i);
        int high = sw_grid_high(&grid, i);
        for (int j = sw_grid_low(&grid, i); j <= high && !found; j++)
            if (grid.H[j] == score) {
                *row = i;
                *col = j;
                found = true;
            }
    }
    sw_grid_free(&grid);
    return found;
}

static bool reach_by_nest(const struct tracer *t, const struct window *w, int score, int *row, int *col) {
    struct sheet sheet = new_sheet(w->rows, w->cols);
    fill_sheet(&sheet, t, w->a, w->b, t->first, false);
    run_sheet(&sheet, t);
    bool found = false;
    for (int i = 1; i <= w->rows && !found; i++)
        if (sheet.work.best[i] == score) {
            *row = i;
            *col = sheet.work.end[i] - 1; /* column 1 is the boundary */
            found = true;
        }
    free_sheet(&sheet);
    return found;
}

static signed char *turned_round(const signed char *codes, int length) {
    signed char *copy = app_resize(NULL, (size_t)length, 1);
    for (int k = 0; k < length; k++)
        copy[k] = codes[length - 1 - k];
    return copy;
}

/* Looks for the start within the last `rows` query residues before the end. */
static enum sw_align_status look_back(const struct tracer *t, const struct sw_scoring *s, struct sw_item query,
                                      struct sw_item target, const struct sw_best *best, long rows,
                                      struct sw_path *path) {
    long gap = most_gap(s, rows, best->score), cols = min_long(best->target_end, rows + gap);
    int row = 0, col = 0;
    if ((rows + cols + 2) * s->extend + 2 * s->open > DEEPEST)
        return SW_ALIGN_TOO_LONG;
    struct window w = {.rows = (int)rows, .cols = (int)cols, .reach = gap};
    w.a = turned_round(query.codes + best->query_end - rows, w.rows);
    w.b = turned_round(target.codes + best->target_end - cols, w.cols);
    bool small = sw_grid_cells(w.rows, w.cols, gap) <= DIRECT_CELLS;
    bool found = (small ? reach_on_host : reach_by_nest)(t, &w, best->score, &row, &col);
    path->query_start = best->query_end - row + 1;
    path->target_start = best->target_end - col + 1;
    free(w.a);
    free(w.b);
    return found ? SW_ALIGN_OK : SW_ALIGN_WRONG;
}

/* Fewer rows than score / largest cannot reach the score; a few more do for good alignments, and
 * they keep the band narrow. */
static enum sw_align_status find_start(const struct tracer *t, const struct sw_scoring *s, struct sw_item query,
                                       struct sw_item target, const struct sw_best *best, struct sw_path *path) {
    long least = (best->score + s->largest - 1) / s->largest;
    for (long more = 16;; more *= 2) {
        long rows = min_long(best->query_end, least + more);
        enum sw_align_status status = look_back(t, s, query, target, best, rows, path);
        if (status != SW_ALIGN_WRONG || rows == best->query_end)
            return status;
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Turns M into = or X and counts. */
static void finish(const struct tracer *t, struct sw_item query, struct sw_item target, struct sw_path *path) {
    int i = path->query_start - 1, j = path->target_start - 1;
    path->columns = (int)t->used;
    path->operations = t->operations;
    path->operations[t->used] = 0;
    for (char *op = path->operations; *op; op++) {
        if (*op == 'M') {
            *op = query.codes[i] == target.codes[j] ? '=' : 'X';
            path->matches += *op == '=';
        }
        path->edits += *op != '=';
        i += *op != 'D';
        j += *op != 'I';
    }
}

enum sw_align_status sw_align(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target,
                              const struct sw_best *best, struct sw_path *path) {
    struct tracer t = {.scheme = sw_scheme_matrix(scoring), .first = scoring->open - scoring->extend};
    *path = (struct sw_path){0};
    if (best->score <= 0)
        return SW_ALIGN_WRONG;
    enum sw_align_status status = find_start(&t, scoring, query, target, best, path);
    if (status != SW_ALIGN_OK)
        return status;
    const signed char *a = query.codes + path->query_start - 1;
    const signed char *b = target.codes + path->target_start - 1;
    int n = best->query_end - path->query_start + 1, m = best->target_end - path->target_start + 1;
    long gap = most_gap(scoring, min_long(n, m), best->score);
    if (sw_grid_cells(n, m, gap) <= DIRECT_CELLS)
        trace_direct(&t, a, n, b, m, t.first, t.first, gap);
    else
        trace(&t, a, n, b, m, t.first, t.first);
    emit(&t, 0, 1);
    t.used--;
    finish(&t, query, target, path);
    return sw_path_score(scoring, query, target, path) == best->score ? SW_ALIGN_OK : SW_ALIGN_WRONG;
}

long sw_path_score(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target,
                   const struct sw_path *path) {
    int i = path->query_start - 1, j = path->target_start - 1;
    long score = 0;
    char before = 0;
    for (const char *op = path->operations; *op; before = *op++) {
        if (*op == '=' || *op == 'X')
            score += scoring->matrix[query.codes[i]][target.codes[j]];
        else
            score -= *op == before ? scoring->extend : scoring->open;
        i += *op != 'D';
        j += *op != 'I';
    }
    return score;
}

char *sw_cigar(const char *operations) {
    size_t room = 64, used = 0;
    char *text = app_alloc(room, 1);
    while (*operations) {
        char op = *operations;
        long count = 0;
        while (*operations == op)
            operations++, count++;
        if (used + 32 > room)
            text = app_resize(text, room *= 2, 1);
        used += (size_t)snprintf(text + used, room - used, "%ld%c", count, op);
    }
    return text;
}
