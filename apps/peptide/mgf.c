/* SPDX-License-Identifier: Apache-2.0 */
/* Mascot generic format: BEGIN IONS, KEY=value lines, lines of m/z and intensity, END IONS. The records are found first
 * and then read by all threads. The text ends with a zero byte, so that looking one byte ahead is always allowed. */
#include "spectra.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mgf {
    const char *name, *text, *end;
    const char **record; /* after "BEGIN IONS" */
    const char **stop;   /* at "END IONS" */
    long records, room;
    unsigned charges; /* of the lines before the first record */
};

static long line_of(const struct mgf *m, const char *at) {
    long line = 1;
    for (const char *p = m->text; p < at && (p = memchr(p, '\n', (size_t)(at - p))); p++)
        line++;
    return line;
}

static bool fail_at(const struct mgf *m, const char *at, struct note *note, const char *what) {
    int length = 0;
    while (at + length < m->end && at[length] != '\n' && at[length] != '\r' && length < 60)
        length++;
    return note_fail(note, "%s:%ld: %s: '%.*s'", m->name, line_of(m, at), what, length, at);
}

static bool starts(const char *at, const char *word) { return !strncmp(at, word, strlen(word)); }

static const char *next_line(const struct mgf *m, const char *at) {
    const char *end = memchr(at, '\n', (size_t)(m->end - at));
    return end ? end + 1 : m->end;
}

/* Plain decimals exactly: up to 15 digits and 22 places have no rounding but the division's. */
static const char *read_number(const char *at, double *value) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits = 0;
    int count = 0, places = 0;
    const char *p = at;
    for (; *p >= '0' && *p <= '9' && count < 16; p++, count++)
        digits = digits * 10 + (uint64_t)(*p - '0');
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9' && count < 16; p++, count++, places++)
            digits = digits * 10 + (uint64_t)(*p - '0');
    if (count && count < 16 && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r' || !*p)) {
        *value = (double)digits / tens[places];
        return p;
    }
    if (*at == '\n' || *at == '\r' || !*at) /* strtod would go on in the next line */
        return at;
    char *end;
    *value = strtod(at, &end);
    return end;
}

/* Behind a number: a blank or the line's end. */
static bool ends_here(const char *at) { return *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || !*at; }

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* "2+", "2", "+2", "2+ and 3+", "2+,3+". */
static bool read_charges(const char *at, unsigned *charges) {
    *charges = 0;
    while (*at && *at != '\n' && *at != '\r') {
        if (*at >= '0' && *at <= '9') {
            char *end;
            const long z = strtol(at, &end, 10);
            if (z > CHARGE_MOST)
                return false;
            *charges |= z ? 1u << z : 0;
            at = end;
        } else if (starts(at, "and")) {
            at += 3;
        } else if (!strchr("+,;& \t", *at++)) {
            return false;
        }
    }
    return true;
}

static bool read_key(const struct mgf *m, const char *at, struct raw *raw, struct note *note) {
    double value;
    const char *end;
    if (starts(at, "PEPMASS=")) {
        end = read_number(skip_blanks(at + 8), &raw->about.mz);
        if (end == skip_blanks(at + 8) || !ends_here(end) || !(raw->about.mz > 0 && raw->about.mz <= MZ_MOST))
            return fail_at(m, at, note, "no m/z of a precursor");
    } else if (starts(at, "CHARGE=")) {
        if (!read_charges(at + 7, &raw->about.charges))
            return fail_at(m, at, note, "expected charges from 1 to 9");
    } else if (starts(at, "SCANS=")) {
        char *last;
        raw->about.scan = strtol(at + 6, &last, 10);
        if (last == at + 6 || (!ends_here(last) && *last != '-' && *last != ',')) /* a range: its first */
            return fail_at(m, at, note, "no number of a scan");
    } else if (starts(at, "RTINSECONDS=")) {
        end = read_number(skip_blanks(at + 12), &value);
        const bool known =
            end > at + 12 && (ends_here(end) || *end == '-' || *end == ',') && isfinite(value) && value >= 0;
        raw->about.seconds = known ? value : -1;
    }
    return true;
}

static bool read_peak(const struct mgf *m, const char *at, struct raw *raw, struct note *note) {
    double mz, intensity;
    const char *end = read_number(at, &mz);
    const char *second = skip_blanks(end);
    if (end == at)
        return fail_at(m, at, note, "expected KEY=value, or m/z and intensity");
    const bool apart = second > end;
    end = read_number(second, &intensity);
    if (end == second)
        return fail_at(m, at, note, "a peak without intensity");
    if (!apart || !ends_here(end))
        return fail_at(m, at, note, "these are no two numbers");
    raw_add(raw, mz, intensity);
    struct note bad = {""};
    return raw_check(raw, raw->count - 1, "", &bad) || fail_at(m, at, note, "not an m/z up to 20000 and an intensity");
}

static bool make_raw(const void *context, long k, struct raw *raw, struct note *note) {
    const struct mgf *m = context;
    raw->about.scan = k + 1;
    raw->about.charges = m->charges;
    for (const char *at = m->record[k]; at < m->stop[k]; at = next_line(m, at)) {
        at = skip_blanks(at);
        bool good = true;
        if (*at >= 'A' && *at <= 'Z')
            good = read_key(m, at, raw, note);
        else if (*at && !strchr("\r\n#;!/", *at))
            good = read_peak(m, at, raw, note);
        if (!good)
            return false;
    }
    if (!(raw->about.mz > 0))
        return note_fail(note, "%s:%ld: spectrum %ld has no PEPMASS", m->name, line_of(m, m->stop[k]), k + 1);
    return true;
}

static bool find_records(struct mgf *m, struct note *note) {
    const char *open = NULL;
    for (const char *at = m->text; at < m->end; at = next_line(m, at)) {
        const char *line = skip_blanks(at);
        if (starts(line, "BEGIN IONS")) {
            if (open)
                return fail_at(m, open, note, "this spectrum has no END IONS");
            open = at;
            if (m->records == m->room) {
                m->room = m->room ? 2 * m->room : 1024;
                m->record = app_resize(m->record, (size_t)m->room, sizeof *m->record);
                m->stop = app_resize(m->stop, (size_t)m->room, sizeof *m->stop);
            }
            m->record[m->records] = next_line(m, at);
        } else if (starts(line, "END IONS")) {
            if (!open)
                return fail_at(m, at, note, "END IONS without BEGIN IONS");
            open = NULL;
            m->stop[m->records++] = at;
        } else if (!open && starts(line, "CHARGE=") && !read_charges(line + 7, &m->charges)) {
            return fail_at(m, at, note, "expected charges from 1 to 9");
        }
    }
    return open ? fail_at(m, open, note, "the file ends inside this spectrum") : true;
}

bool mgf_parse(struct spectra *s, const char *name, const char *text, size_t length, struct note *note) {
    struct mgf m = {.name = name, .text = text, .end = text + length};
    bool good = find_records(&m, note);
    if (good && !m.records)
        good = note_fail(note, "%s: neither mzML nor MGF: no BEGIN IONS in this file", name);
    good = good && spectra_take(s, m.records, make_raw, &m, note);
    free(m.record);
    free(m.stop);
    return good;
}
