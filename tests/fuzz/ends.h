/* SPDX-License-Identifier: Apache-2.0 */
/* ends.c: the tools' fail() ends the program; of a fuzz target it ends the input. */
#ifndef TESTS_FUZZ_ENDS_H
#define TESTS_FUZZ_ENDS_H

#include <setjmp.h>

extern jmp_buf fuzz_end;
extern char fuzz_said[1024]; /* the last complaint; FUZZ_RUN empties it */

/* True: it ran to its end; false: fail() was called, and said something. */
#define FUZZ_RUN(statement) (fuzz_begin(), setjmp(fuzz_end) ? fuzz_failed() : ((statement), 1))
void fuzz_begin(void);
int fuzz_failed(void);

#endif
