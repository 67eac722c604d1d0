/* SPDX-License-Identifier: Apache-2.0 */
/* What both formats share: filtering of peaks, by all threads, and storage. */
#include "spectra.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void raw_reserve(struct raw *raw, int count) {
    if (count <= raw->room)
        return;
    raw->room = count > 2 * raw->room ? count : 2 * raw->room;
    raw->mz = app_resize(raw->mz, (size_t)raw->room, sizeof *raw->mz);
    raw->intensity = app_resize(raw->intensity, (size_t)raw->room, sizeof *raw->intensity);
}

void raw_add(struct raw *raw, double mz, double intensity) {
    raw_reserve(raw, raw->count + 1);
    raw->mz[raw->count] = mz;
    raw->intensity[raw->count++] = intensity;
}

bool raw_check(const struct raw *raw, int k, const char *where, struct note *note) {
    if (!(raw->mz[k] >= 0 && raw->mz[k] <= MZ_MOST))
        return note_fail(note, "%s: peak %d: m/z %g is not from 0 to %d", where, k + 1, raw->mz[k], MZ_MOST);
    if (!(raw->intensity[k] >= 0 && raw->intensity[k] <= 1e30))
        return note_fail(note, "%s: peak %d: intensity %g is no intensity", where, k + 1, raw->intensity[k]);
    return true;
}

struct peak {
    double mz, intensity;
};

static int compare_peaks(const void *left, const void *right) {
    const struct peak *a = left, *b = right;
    if (a->intensity != b->intensity)
        return a->intensity > b->intensity ? -1 : 1;
    return (a->mz > b->mz) - (a->mz < b->mz);
}

/* One item's outcome. */
struct taken {
    struct spectrum about;
    double *mz;
    bool survey, profile, poor;
    char *message;
};

/* A spectrum without a charge that has next to nothing above its precursor has charge 1. */
static unsigned guess_charges(const struct raw *raw, double total) {
    double below = 0;
    for (int k = 0; k < raw->count; k++)
        below += raw->mz[k] < raw->about.mz + 2 ? raw->intensity[k] : 0;
    return below > 0.95 * total ? 2u : 0;
}

static void filter(const struct peak_filter *f, const struct raw *raw, struct taken *out) {
    struct peak *peaks = app_resize(NULL, (size_t)raw->count, sizeof *peaks);
    double total = 0, sum = 0;
    int n = 0, kept = 0;
    for (int k = 0; k < raw->count; k++)
        if (raw->intensity[k] > 0)
            peaks[n++] = (struct peak){raw->mz[k], raw->intensity[k]};
    qsort(peaks, (size_t)n, sizeof *peaks, compare_peaks);
    for (int k = 0; k < n; k++)
        total += peaks[k].intensity;
    while (kept < n && kept < f->most && (kept == 0 || sum < f->tic * total))
        sum += peaks[kept++].intensity;
    kept -= kept % ((1 << f->classes) - 1);
    out->poor = n < f->least || !kept;
    if (!out->poor) {
        if (!out->about.charges)
            out->about.charges = guess_charges(raw, total);
        out->about.peaks = kept;
        out->mz = app_resize(NULL, (size_t)kept, sizeof *out->mz);
        for (int k = 0; k < kept; k++)
            out->mz[k] = peaks[k].mz;
    }
    free(peaks);
}

static void take_one(const struct spectra *s, long k, raw_maker *make, const void *context, struct raw *raw,
                     struct taken *out) {
    struct note note = {""};
    raw->about = (struct spectrum){.seconds = -1};
    raw->survey = raw->profile = false;
    raw->count = 0;
    if (!make(context, k, raw, &note)) {
        out->message = strdup(note.text);
        return;
    }
    out->about = raw->about;
    out->survey = raw->survey;
    out->profile = raw->profile && !raw->survey;
    if (!raw->survey)
        filter(&s->filter, raw, out);
}

static void store(struct spectra *s, struct taken *t) {
    s->read++;
    s->profiles += t->profile;
    if (t->survey || t->poor) {
        s->surveys += t->survey;
        s->poor += t->poor;
        return;
    }
    if (s->count == s->room)
        s->at = app_resize(s->at, (size_t)(s->room = s->room ? 2 * s->room : 1024), sizeof *s->at);
    while (s->peaks + (size_t)t->about.peaks > s->peaks_room)
        s->mz = app_resize(s->mz, s->peaks_room = s->peaks_room ? 2 * s->peaks_room : 1 << 16, sizeof *s->mz);
    t->about.first = s->peaks;
    t->about.file = s->files;
    s->at[s->count++] = t->about;
    memcpy(s->mz + s->peaks, t->mz, (size_t)t->about.peaks * sizeof *t->mz);
    s->peaks += (size_t)t->about.peaks;
}

bool spectra_take(struct spectra *s, long items, raw_maker *make, const void *context, struct note *note) {
    struct taken *taken = app_alloc((size_t)items, sizeof *taken);
#pragma omp parallel
    {
        struct raw raw = {0};
#pragma omp for schedule(dynamic, 8)
        for (long k = 0; k < items; k++)
            take_one(s, k, make, context, &raw, &taken[k]);
        free(raw.mz);
        free(raw.intensity);
    }
    for (long k = 0; k < items; k++) {
        if (taken[k].message)
            note_fail(note, "%s", taken[k].message); /* the file's first one stays */
        else if (!note->text[0])
            store(s, &taken[k]);
        free(taken[k].message);
        free(taken[k].mz);
    }
    free(taken);
    return !note->text[0];
}

static bool is_mzml(const char *text, size_t length) {
    size_t k = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (k < length && (text[k] == ' ' || text[k] == '\t' || text[k] == '\r' || text[k] == '\n'))
        k++;
    return k < length && text[k] == '<';
}

bool spectra_parse(struct spectra *s, const char *name, const char *text, size_t length, struct note *note) {
    if (!is_mzml(text, length))
        return mgf_parse(s, name, text, length, note);
    struct mzml *m = mzml_open(s, name);
    const bool good = mzml_feed(m, text, length, true, note);
    mzml_close(m);
    return good;
}

/* mzML is parsed while it is read; MGF has no use for that. */
static bool read_mzml(struct spectra *s, struct input *input, char *block, size_t room, long count, struct note *note) {
    struct mzml *m = mzml_open(s, input_name(input));
    bool good = true;
    while (good && count > 0) {
        good = mzml_feed(m, block, (size_t)count, false, note);
        count = good ? input_read(input, block, room, note) : 0;
    }
    good = good && count == 0 && mzml_feed(m, "", 0, true, note);
    mzml_close(m);
    return good;
}

bool spectra_read(struct spectra *s, const char *path, struct note *note) {
    const size_t room = 1 << 20;
    struct input *input = input_open(path, note);
    if (!input)
        return false;
    char *text = app_resize(NULL, room, 1);
    long count = input_read(input, text, room - 1, note);
    bool good = count > 0;
    if (!count)
        note_fail(note, "%s: empty file", path);
    if (good && is_mzml(text, (size_t)count)) {
        good = read_mzml(s, input, text, room, count, note);
    } else if (good) {
        size_t used = (size_t)count, size = 2 * room;
        text = app_resize(text, size, 1);
        while ((count = input_read(input, text + used, size - used - 1, note)) > 0) {
            used += (size_t)count;
            if (size - used < size / 4)
                text = app_resize(text, size *= 2, 1);
        }
        text[used] = 0;
        good = count == 0 && mgf_parse(s, input_name(input), text, used, note);
    }
    free(text);
    input_close(input);
    s->files++;
    return good;
}

void spectra_free(struct spectra *s) {
    free(s->at);
    free(s->mz);
    s->at = NULL;
    s->mz = NULL;
    s->count = s->room = 0;
    s->peaks = s->peaks_room = 0;
}
