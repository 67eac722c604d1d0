/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop nest of inthist. The nest file is compiled twice: by heddle, and with
 * -DINTHIST_SERIAL by a plain compiler that ignores the pragma; the second one is the reference of
 * --check. */
#ifndef INTHIST_NEST_H
#define INTHIST_NEST_H

/* counts[b - first][i][j] = number of pixels of bin b in codes[0 .. i-1][0 .. j-1], for bins first
 * to last - 1; counts is [last - first][n + 1][m + 1] with row 0 and column 0 of each plane zero,
 * codes is [n][m]. device: where it runs; negative: the runtime chooses. */
typedef void inthist_count(int n, int m, int first, int last, const unsigned char *codes, int *counts, int device);

extern inthist_count inthist_count_heddle, inthist_count_serial;

#ifdef INTHIST_SERIAL
#define INTHIST_NEST(name) name##_serial
#else
#define INTHIST_NEST(name) name##_heddle
#endif

#endif
