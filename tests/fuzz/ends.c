/* SPDX-License-Identifier: Apache-2.0 */
#include "ends.h"

#include "driver.h"
#include "fuzz.h"

#include <stdarg.h>
#include <string.h>

jmp_buf fuzz_end;
char fuzz_said[1024];

/* The tools do not free what they have until they end (driver.h). */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) { return "detect_leaks=0"; }

void complain(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(fuzz_said, sizeof fuzz_said, fmt, ap);
    va_end(ap);
}

void fail(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(fuzz_said, sizeof fuzz_said, fmt, ap);
    va_end(ap);
    longjmp(fuzz_end, 1);
}

void fuzz_begin(void) { *fuzz_said = 0; }

int fuzz_failed(void) {
    FUZZ_PROMISE(*fuzz_said);
    return 0;
}
