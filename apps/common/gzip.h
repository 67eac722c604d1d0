/* SPDX-License-Identifier: Apache-2.0 */
/* What a packed file may make us allocate: gzip can unpack a thousand times. Header only, for apps that read through
 * zlib. */
#ifndef HEDDLE_APP_GZIP_H
#define HEDDLE_APP_GZIP_H

#include <stdbool.h>
#include <zlib.h>

/* The first so many bytes may come from anything. */
enum { GZIP_CHEAP_MB = 256, GZIP_RATIO_MOST = 200 };
#define GZIP_MESSAGE                                                                                                   \
    "it unpacks to more than %d times its size (after %d MB); unpack it first: gunzip", GZIP_RATIO_MOST, GZIP_CHEAP_MB

/* Whether what came out so far is more than such a file should hold; false for files that are not packed. */
static inline bool gzip_too_large(gzFile file) {
    const z_off_t out = gztell(file), in = gzoffset(file);
    return out > (z_off_t)GZIP_CHEAP_MB << 20 && in > 0 && !gzdirect(file) && out / GZIP_RATIO_MOST > in;
}

#endif
