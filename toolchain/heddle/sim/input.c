/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - words of a command line and files that they name. */
#include "driver.h"
#include "command.h"

#include <errno.h>
#include <string.h>

const char *sim_value(const char *word, const char *key) {
    const size_t n = strlen(key);
    return !strncmp(word, key, n) && word[n] == '=' ? word + n + 1 : NULL;
}

char *sim_text(const char *path) {
    size_t size;
    char *text = read_file(path, &size);
    if (!text)
        fail("sim: cannot read %s: %s", path, strerror(errno));
    if (strlen(text) != size)
        fail("sim: %s: not a text file", path);
    return text;
}
