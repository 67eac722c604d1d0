/* SPDX-License-Identifier: Apache-2.0 */
/* Spectra of fragments from mzML or MGF, plain or gzip, filtered while they are read.
 *
 * Of each spectrum the strongest peaks are kept: those that make up `tic` of the total ion current, at most `most`, and
 * a multiple of 2^classes - 1, so that class k has twice as many peaks as class k - 1 (Specmaster's rule, Weber 2012,
 * section 6.1.3). They are in order of falling intensity, so a peak's place tells its class. */
#ifndef PEPTIDE_SPECTRA_H
#define PEPTIDE_SPECTRA_H

#include "input.h"

#include <stdint.h>

enum { CHARGE_MOST = 9, CLASSES_MOST = 3 };

struct peak_filter {
    double tic;  /* fraction of the intensity that is kept, 0 ... 1 */
    long most;   /* peaks */
    long least;  /* fewer peaks before filtering: not searched */
    int classes; /* 1 ... CLASSES_MOST */
};

struct spectrum {
    long scan;        /* the file's number, or the place in the file from 1 */
    double mz;        /* of the precursor */
    double seconds;   /* retention time, negative: not known */
    unsigned charges; /* bit z: the precursor may have charge z; 0: not known */
    int peaks;
    int file;     /* 0, 1, ... in the order they were read */
    size_t first; /* of its peaks in spectra.mz */
};

struct spectra {
    struct spectrum *at;
    long count, room;
    double *mz;
    size_t peaks, peaks_room;
    struct peak_filter filter;
    int files;
    long read, surveys, poor; /* in the files; of these: MS1 or without a precursor; with too few peaks */
    long profiles;            /* not centroided: every point counts as a peak */
};

/* A spectrum as it is in the file. */
struct raw {
    struct spectrum about;
    bool survey; /* MS1, or without a precursor: not searched */
    bool profile;
    double *mz, *intensity;
    int count, room;
};

/* Adds a file's spectra; the format is seen by its first bytes. */
bool spectra_read(struct spectra *s, const char *path, struct note *note);
bool spectra_parse(struct spectra *s, const char *name, const char *text, size_t length, struct note *note);
void spectra_free(struct spectra *s);

/* For the readers: item k becomes a raw spectrum; called by several threads at once. */
typedef bool raw_maker(const void *context, long k, struct raw *raw, struct note *note);
bool spectra_take(struct spectra *s, long items, raw_maker *make, const void *context, struct note *note);
void raw_add(struct raw *raw, double mz, double intensity);
/* Room for `count` peaks. */
void raw_reserve(struct raw *raw, int count);
/* Peak k is sensible: finite, 0 <= m/z <= MZ_MOST. */
enum { MZ_MOST = 20000 };
bool raw_check(const struct raw *raw, int k, const char *where, struct note *note);

bool mgf_parse(struct spectra *s, const char *name, const char *text, size_t length, struct note *note);
struct mzml;
struct mzml *mzml_open(struct spectra *s, const char *name);
bool mzml_feed(struct mzml *m, const char *text, size_t length, bool last, struct note *note);
void mzml_close(struct mzml *m);

/* Base64, then zlib if `packed`: exactly `count` numbers of `width` bytes (4 or 8), little-endian floating point, or
 * integers if `whole`. A message without a file or scan otherwise. */
bool binary_decode(const char *text, size_t length, bool packed, bool whole, int width, long count, double *out,
                   struct note *note);

#endif
