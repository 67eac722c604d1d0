/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models on disk: one CSV file per program, readable and editable. Every process reads it at its first region and
 * merges what it measured at its end: under a lock, into a new file that takes the old one's place at once. A file
 * that cannot be read is set aside, a folder that cannot be written to is left alone; the run goes on.
 */
#include "select.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER "# heddle models 1; times in microseconds; edit or delete lines as you like"
#define COLUMNS "region,where,device,host_ok,n,bytes,runs,median_us,spread_us,error_percent,setup_us,per_item_ns,per_byte_ns"
static char path[4096]; /* empty: models are not kept */

static bool make_folders(char *p)
{
    for (char *s = p + 1; *s; s++)
        if (*s == '/') {
            *s = 0;
            const bool bad = mkdir(p, 0777) && errno != EEXIST;
            *s = '/';
            if (bad)
                return false;
        }
    return true;
}

/* <folder>/<program>-<hash of its full path>.csv: programs of one name do not share a file. */
static void find_path(void)
{
    char program[2048], folder[2048];
    const char *option = heddle_option_get("models"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0 || !strcmp(option, "none"))
        return;
    program[n] = 0;
    if (*option)
        snprintf(folder, sizeof folder, "%s", option);
    else if (cache && *cache)
        snprintf(folder, sizeof folder, "%s/heddle/models", cache);
    else if (home && *home)
        snprintf(folder, sizeof folder, "%s/.cache/heddle/models", home);
    else
        return;
    uint32_t hash = 2166136261u;
    for (const char *s = program; *s; s++)
        hash = (hash ^ (unsigned char)*s) * 16777619u;
    const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    snprintf(path, sizeof path, "%s/%.200s-%08x.csv", folder, name, hash);
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* Splits a line at its commas; names hold none (commas in them are written as ';'). */
static int split(char *line, char **field, int room)
{
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

static bool number(const char *text, double *v)
{
    char *end;
    *v = strtod(text, &end);
    return end != text && !*end && *v >= 0 && *v < 1e18;
}

/* As if the last runs had all been the median: new runs outvote it soon. */
static void fill(struct cell *c, double runs, double median, double spread, double error)
{
    c->median = median;
    c->spread = spread;
    c->error = error;
    c->runs = (unsigned)runs;
    c->filled = runs < 5 ? (unsigned)runs : 5;
    c->next = c->filled;
    for (unsigned k = 0; k < c->filled; k++)
        c->ring[k] = (float)median;
}

/* What this process measured itself stays; only the count of runs on disk is taken over then. */
static bool read_line(char *line)
{
    char *f[16];
    double host_ok, n, bytes, runs, median, spread, error;
    if (split(line, f, 16) != 13 || !number(f[3], &host_ok) || !number(f[4], &n) || !number(f[5], &bytes) ||
        !number(f[6], &runs) || !number(f[7], &median) || !number(f[8], &spread) || !number(f[9], &error))
        return false;
    const int class = heddle__class_named(f[2]);
    struct region *r = heddle__region_by_key(f[0]);
    if (class < 0 || !r || runs < 1 || median <= 0)
        return true;
    r->host_ok = r->host_ok || host_ok == 1;
    r->host_no = r->host_no || host_ok == 2;
    if (!r->where && *f[1])
        r->where = strdup(f[1]);
    struct cell *c = heddle__cell(r, class, n, bytes, true);
    if (c && !c->own)
        fill(c, runs, median * 1e-6, spread * 1e-6, error / 100);
    else if (c)
        c->runs = c->own + (unsigned)runs;
    return true;
}

/* 0: read; 1: there is none; -1: damaged. */
static int read_file(void)
{
    char line[8192];
    FILE *f = fopen(path, "re");
    if (!f)
        return 1;
    bool good = fgets(line, sizeof line, f) && !strncmp(line, HEADER, strlen("# heddle models 1;")) &&
                fgets(line, sizeof line, f) && !strncmp(line, COLUMNS, strlen(COLUMNS));
    while (good && fgets(line, sizeof line, f))
        good = line[0] == '\n' || line[0] == '#' || (strchr(line, '\n') && read_line(line));
    good = good && !ferror(f);
    fclose(f);
    return good ? 0 : -1;
}

static void set_aside(void)
{
    char bad[sizeof path + 8];
    snprintf(bad, sizeof bad, "%s.damaged", path);
    if (!rename(path, bad))
        heddle__warn(NULL, "the model file was damaged or of another version; it is now %s and a new one is made", bad);
}

void heddle__models_load(void)
{
    find_path();
    if (*path && read_file() < 0)
        set_aside();
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

static void print_name(FILE *f, const char *s)
{
    for (; s && *s; s++)
        fputc(*s == ',' || *s == '\n' ? ';' : *s, f);
    fputc(',', f);
}

static void print_cell(FILE *f, const struct region *r, int class, const struct cell *c, const struct model *m)
{
    print_name(f, r->key);
    print_name(f, r->where);
    print_name(f, heddle__class_name(class));
    fprintf(f, "%d,%.0f,%.0f,%u,%.3f,%.3f,%.1f,%.3f,%.6g,%.6g\n", r->host_no ? 2 : r->host_ok, c->n, c->bytes,
            c->runs, c->median * 1e6, c->spread * 1e6, 100 * heddle__cell_error(c), m->setup * 1e6,
            m->per_item * 1e9, m->per_byte * 1e9);
}

static bool write_all(FILE *f)
{
    fprintf(f, "%s\n%s\n", HEADER, COLUMNS);
    for (struct region *r = heddle__regions(); r; r = r->next)
        for (int class = 0; class < CLASSES; class++) {
            struct model *m = r->model[class];
            if (m)
                heddle__model_fit(m);
            for (int k = 0; m && k < m->count; k++)
                if (m->cells[k].runs)
                    print_cell(f, r, class, &m->cells[k], m);
        }
    return !ferror(f);
}

static bool anything_new(void)
{
    for (struct region *r = heddle__regions(); r; r = r->next)
        for (int class = 0; class < CLASSES; class++)
            for (int k = 0; r->model[class] && k < r->model[class]->count; k++)
                if (r->model[class]->cells[k].own)
                    return true;
    return false;
}

/* Held until the descriptor is closed, also when the process is killed. Others wait; a stuck one is not waited
   for long. */
static int lock_file(void)
{
    char name[sizeof path + 8];
    snprintf(name, sizeof name, "%s.lock", path);
    const int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    for (int tries = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB); tries++) {
        if (tries == 200 || errno != EWOULDBLOCK) {
            close(fd);
            return -1;
        }
        usleep(10000);
    }
    return fd;
}

void heddle__models_save(void)
{
    char fresh[sizeof path + 32];
    if (!*path || !anything_new())
        return;
    if (!make_folders(path)) {
        heddle__verbose("models are not kept: %s: %s", path, strerror(errno));
        return;
    }
    const int lock = lock_file();
    if (lock < 0) {
        heddle__verbose("models are not kept: cannot lock %s.lock: %s", path, strerror(errno));
        return;
    }
    if (read_file() < 0) /* what other processes found out meanwhile */
        set_aside();
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    FILE *f = fopen(fresh, "we");
    bool good = f && write_all(f);
    if (f && fclose(f))
        good = false;
    if (!good || rename(fresh, path)) {
        heddle__verbose("models are not kept: %s: %s", fresh, strerror(errno));
        unlink(fresh);
    }
    close(lock);
}
