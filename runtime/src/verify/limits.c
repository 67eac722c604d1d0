/* SPDX-License-Identifier: Apache-2.0 */
/* The limits, from the environment. */
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes, with K, M, G or T; a message and the default for anything else. */
static size_t bytes_of(const char *name, size_t fallback) {
    const char *text = getenv(name), *units = "KMGT", *unit;
    char *end;
    if (!text || !*text || !strcmp(text, "0"))
        return fallback;
    unsigned long value = strtoul(text, &end, 10);
    if (*end && (unit = strchr(units, *end)) && !end[1])
        value <<= 10 * (unit - units + 1), end++;
    if (*end || text[0] == '-' || !value) {
        fprintf(stderr, "heddle verify: %s='%s' is not a number; taken: the default\n", name, text);
        return fallback;
    }
    return value;
}

size_t limit_memory(void) {
    static size_t limit;
    if (!limit) {
        const size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
        limit = bytes_of("HEDDLE_VERIFY_MEMORY", all / 4 > (256u << 20) ? all / 4 : 256u << 20);
    }
    return limit;
}

size_t limit_findings(void) {
    static size_t limit;
    if (!limit)
        limit = bytes_of("HEDDLE_VERIFY_FINDINGS", 100);
    return limit;
}
