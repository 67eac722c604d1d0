/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models on disk: one CSV file per program, readable and editable. Every process reads it at its first region and
 * merges what it measured at its end: under a lock, into a new file that takes the old one's place at once. A file
 * that cannot be read is set aside, a folder that cannot be written to is left alone; the run goes on.
 */
#include "selector.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "# heddle models 3; times in microseconds; edit or delete lines as you like"
#define COLUMNS                                                                                                        \
    "region,where,device,host_ok,code,n,bytes,to_bytes,runs,median_us,spread_us,error_percent,setup_us,per_item_ns,"   \
    "per_byte_ns"
static char path[4096]; /* empty: models are not kept */

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* Splits a line at its commas; names hold none (commas in them are written as ';'). */
static int split(char *line, char **field, int room) {
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *p = line; n < room; p++) {
        field[n++] = p;
        p = strchr(p, ',');
        if (!p)
            break;
        *p = 0;
    }
    return n;
}

static bool number(const char *text, double *v) {
    char *end;
    *v = strtod(text, &end);
    return end != text && !*end && *v >= 0 && *v < 1e18;
}

/* As if the last runs had all been the median: new runs outvote it soon. */
static void fill(struct cell *c, double runs, double median, double spread, double error) {
    c->median = c->usual = median;
    c->spread = spread;
    c->error = error;
    c->runs = (unsigned)runs;
    c->filled = runs < 5 ? (unsigned)runs : 5;
    c->next = c->filled;
    c->alone = c->filled;
    for (unsigned k = 0; k < c->filled; k++)
        c->ring[k] = (float)median;
}

/* What this process measured itself stays; only the count of runs on disk is taken over then. */
static bool read_line(char *line) {
    char *f[16];
    struct size size;
    double host_ok, runs, median, spread, error;
    if (split(line, f, 16) != 15 || !number(f[3], &host_ok) || !number(f[5], &size.n) || !number(f[6], &size.bytes) ||
        !number(f[7], &size.to) || !number(f[8], &runs) || !number(f[9], &median) || !number(f[10], &spread) ||
        !number(f[11], &error) || host_ok > 2 || runs > UINT_MAX)
        return false;
    const int class = heddle__class_named(f[2]);
    struct region *r = heddle__region_by_key(f[0]);
    if (class < 0 || !r || median <= 0)
        return true;
    if (runs < 1) { /* a first run that nobody repeated */
        heddle__first_run(r, class, median * 1e-6);
        return true;
    }
    r->stored_ok = (int)host_ok;
    r->stored_code = strtoull(f[4], NULL, 16);
    if (!r->where && *f[1])
        r->where = strdup(f[1]);
    struct cell *c = heddle__cell(r, class, &size, true);
    if (c && !c->own)
        fill(c, runs, median * 1e-6, spread * 1e-6, error / 100);
    else if (c)
        c->runs = c->own + (unsigned)runs;
    return true;
}

/* 0: read; 1: there is none; -1: damaged. */
static int read_file(void) {
    char line[8192];
    FILE *f = heddle__store_open(path);
    if (!f)
        return 1;
    bool good = fgets(line, sizeof line, f) && !strncmp(line, HEADER, strlen("# heddle models 3;")) &&
                fgets(line, sizeof line, f) && !strncmp(line, COLUMNS, strlen(COLUMNS));
    while (good && fgets(line, sizeof line, f))
        good = line[0] == '\n' || line[0] == '#' || (strchr(line, '\n') && read_line(line));
    good = good && !ferror(f);
    fclose(f);
    return good ? 0 : -1;
}

static void set_aside(void) {
    char bad[sizeof path + 8];
    snprintf(bad, sizeof bad, "%s.damaged", path);
    if (!rename(path, bad))
        heddle__warn(NULL, "the model file was damaged or of another version; it is now %s and a new one is made", bad);
}

void heddle__models_load(void) {
    if (!heddle__store_path(path, sizeof path, ".csv"))
        *path = 0;
    if (*path && read_file() < 0)
        set_aside();
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

static void print_name(FILE *f, const char *s) {
    for (; s && *s; s++)
        fputc(*s == ',' || *s == '\n' ? ';' : *s, f);
    fputc(',', f);
}

static void print_cell(FILE *f, const struct region *r, int class, const struct cell *c, const struct model *m) {
    /* slow of late: what it usually takes stays, but counts for less from process to process */
    const bool wronged = heddle__cell_wronged(c);
    const unsigned runs = wronged ? (c->runs + 7) / 8 : c->runs;
    print_name(f, r->key);
    print_name(f, r->where);
    print_name(f, heddle__class_name(class));
    int ok = r->host_no ? 2 : r->host_ok;
    if (!ok && (!r->code || r->code == r->stored_code)) /* not found out here: what was known stays */
        ok = r->stored_ok;
    fprintf(f, "%d,%016llx,%.0f,%.0f,%.0f,%u,%.3f,%.3f,%.1f,%.3f,%.6g,%.6g\n", ok,
            (unsigned long long)(r->code ? r->code : r->stored_code), c->n, c->bytes, c->to, runs,
            (wronged ? c->usual : c->median) * 1e6, c->spread * 1e6, 100 * heddle__cell_error(c), m->setup * 1e6,
            m->per_item * 1e9, 1e9 * heddle__per_byte(m, &(struct size){c->n, c->bytes, c->to}));
}

static bool write_all(FILE *f) {
    fprintf(f, "%s\n%s\n", HEADER, COLUMNS);
    for (struct region *r = heddle__regions(); r; r = r->next)
        for (int class = 0; class < CLASSES; class ++) {
            struct model *m = r->model[class];
            if (m)
                heddle__model_fit(r, class);
            int lines = 0;
            for (int k = 0; m && k < m->count; k++)
                if (m->cells[k].runs) {
                    print_cell(f, r, class, &m->cells[k], m);
                    lines++;
                }
            if (m && !lines && m->first > 0)
                print_cell(f, r, class, &(struct cell){.median = m->first}, m);
        }
    return !ferror(f);
}

static bool anything_new(void) {
    for (struct region *r = heddle__regions(); r; r = r->next)
        for (int class = 0; class < CLASSES; class ++)
            for (int k = 0; r->model[class] && k < r->model[class]->count; k++)
                if (r->model[class]->cells[k].own)
                    return true;
    return false;
}

/* What other processes found out meanwhile. */
static bool merge(void *with) {
    (void)with;
    if (read_file() < 0)
        set_aside();
    return true;
}

static bool write_file(FILE *f, void *with) {
    (void)with;
    return write_all(f);
}

void heddle__models_save(void) {
    if (*path && anything_new())
        heddle__store_replace(path, merge, write_file, NULL);
}
