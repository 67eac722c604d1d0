/* SPDX-License-Identifier: Apache-2.0 */
/* What a test's calls write to stderr, as text. Not nested. */
#ifndef HEDDLE_TEST_CAPTURE_H
#define HEDDLE_TEST_CAPTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int saved_stderr, capture_file;
static inline void capture_start(void) {
    char name[] = "/tmp/heddle-stderr-XXXXXX";
    fflush(stderr);
    capture_file = mkstemp(name);
    assert_true(capture_file >= 0);
    unlink(name);
    saved_stderr = dup(2);
    dup2(capture_file, 2);
}
static inline const char *capture_end(void) {
    static char text[8192];
    fflush(stderr);
    dup2(saved_stderr, 2);
    const ssize_t n = pread(capture_file, text, sizeof text - 1, 0);
    text[n < 0 ? 0 : n] = 0;
    close(saved_stderr);
    close(capture_file);
    return text;
}
static inline int lines(const char *text) {
    int n = 0;
    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

#endif
