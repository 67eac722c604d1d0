/* SPDX-License-Identifier: Apache-2.0 */
/* launcher.c - which words at the beginning of a command line are a compiler, with launchers such as ccache before it.
 */
#include "driver.h"

#include <string.h>

static bool is_launcher(const char *word) {
    static const char *const names[] = {"ccache", "sccache", "distcc", "icecc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(base_of(word), names[i]))
            return true;
    return false;
}

static bool is_compiler_name(const char *word) {
    static const char *const parts[] = {"clang", "gcc", "g++", "heddle-cc", NULL};
    const char *base = base_of(word);
    if (!strcmp(base, "cc") || !strcmp(base, "c++") || !strcmp(base, "c99") || !strcmp(base, "c11"))
        return true;
    for (const char *const *p = parts; *p; p++)
        if (strstr(base, *p))
            return true;
    return false;
}

/* Whether the word names a program that compiles, and not an input. */
static bool is_compiler(const char *word) {
    const char *dot = strrchr(base_of(word), '.');
    bool like_input = dot && strspn(dot + 1, "0123456789") != strlen(dot + 1); /* x.c, but not cc.2 */
    return !like_input && is_compiler_name(word) && find_in_path(word);
}

int compiler_words(int argc, char **argv) {
    int n = 0;
    while (n < argc && is_launcher(argv[n]) && n + 1 < argc && is_compiler(argv[n + 1]))
        n++;
    return n < argc && argv[n][0] != '-' && is_compiler(argv[n]) ? n + 1 : 0;
}
