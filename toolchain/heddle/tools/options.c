/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - `heddle options`: the environment variables of programs, from libheddle's own table, and those of
 * the compiler. docs/reference/environment.md is what it prints with --markdown. The library is opened when the command
 * runs, so that the driver itself works without it. */
#include "driver.h"

#include <dlfcn.h>
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `heddle cc` and its helpers read; the library does not know them. */
static const struct heddle_option compile_time[] = {
    {"cc", "HEDDLE_CC", "", "a path or a name",
     "The clang that `heddle cc` starts; empty: the one that heddle was built with, else the first that is new "
     "enough."},
    {"targets", "HEDDLE_TARGETS", "native", "host, native, sm_NN, gfxNNN, x86_64, joined by commas",
     "Offload targets of `heddle cc` without --targets."},
    {"cuda", "HEDDLE_CUDA", "", "a folder",
     "CUDA tools 11.8 to 12.x: ptxas, nvlink and libdevice; empty: searched for."},
    {"translate", "HEDDLE_TRANSLATE", "", "a path", "The translator; empty: the one of this installation."},
    {NULL, NULL, NULL, NULL, NULL},
};

typedef const struct heddle_option *options_function(void);
typedef const char *get_function(const char *);

static void *symbol(void *library, const char *name) {
    void *s = dlsym(library, name);
    if (!s)
        fail("libheddle has no %s: another version?", name);
    return s;
}

/* A cell of a Markdown table: "|" would end it. */
static void print_cell(const char *text) {
    fputs(" ", stdout);
    for (; *text; text++)
        printf(*text == '|' ? "\\%c" : "%c", *text);
    fputs(" |", stdout);
}

/* Keys of HEDDLE_TUNE with it. */
static char *variable(const struct heddle_option *o) {
    return format(strcmp(o->env, "HEDDLE_TUNE") ? "%s" : "%s=%s", o->env, o->name);
}

static void print_markdown(const struct heddle_option *o) {
    puts("| variable | default | values | what it does |\n|---|---|---|---|");
    for (; o->name; o++) {
        char *code = *o->fallback ? format("`%s`", o->fallback) : format(" ");
        printf("|");
        print_cell(format("`%s`", variable(o)));
        print_cell(code);
        print_cell(o->values);
        print_cell(o->help);
        puts("");
    }
}

static void print_wrapped(const char *text) {
    for (size_t column = 0; *text;) {
        size_t n = strcspn(text, " ");
        if (column && column + 1 + n > 84) {
            puts("");
            column = 0;
        }
        column += (size_t)printf("%s%.*s", column ? " " : "      ", (int)n, text);
        text += n + strspn(text + n, " ");
    }
    puts("");
}

static void print_plain(const struct heddle_option *o, get_function *get) {
    for (; o->name; o++) {
        const char *now = get ? get(o->name) : getenv(o->env);
        printf("  %s=%s", variable(o), now && *now ? now : o->fallback);
        if (now && strcmp(now, o->fallback) != 0 && *now)
            printf("   (default: %s)", *o->fallback ? o->fallback : "empty");
        printf("\n      values: %s\n", o->values);
        print_wrapped(o->help);
    }
}

static int run(int argc, char **argv) {
    const bool markdown = argc > 1 && !strcmp(argv[1], "--markdown");
    if (argc > 2 || (argc > 1 && !markdown)) {
        complain("options: unknown argument '%s'; `heddle options --help`", argv[argc - 1]);
        return 2;
    }
    const char *folder = find_home()->lib;
    if (!folder)
        fail("libheddle is missing from this installation; `heddle doctor` tells more");
    void *library = dlopen(format("%s/libheddle.so", folder), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail("cannot open libheddle: %s", dlerror());
    const struct heddle_option *table = ((options_function *)symbol(library, "heddle_options"))();
    if (markdown) {
        puts(
            "# Environment variables\n\n"
            "<!-- Written by `heddle options --markdown`, from the tables in runtime/src/core/options.c and\n"
            "     toolchain/heddle/tools/options.c. Change them, not this file; a test compares. -->\n\n"
            "## Of programs\n\n"
            "A program may set the same options with `heddle_option_set(\"name\", \"value\")`, where the name is the\n"
            "variable's without `HEDDLE_`, in small letters, with `-` for `_`. A bad value is reported once on stderr\n"
            "and the default is used. Keys of `HEDDLE_TUNE` are for measuring, joined by commas: "
            "`HEDDLE_TUNE=warps=4,sweeps=one`;\n"
            "by `heddle_option_set` they go by the key. Reported is also a variable that has an option's name but for "
            "a letter or two. A program "
            "that\n"
            "runs with more rights than who started it (setuid) takes none of them.\n\n"
            "Of OpenMP's own, libheddle sets `KMP_BLOCKTIME` to 1 (milliseconds that threads spin after a parallel "
            "region; 200 by\n"
            "LLVM) where neither it nor `OMP_WAIT_POLICY` is set and the selector is off.\n");
        print_markdown(table);
        puts("\n## Of the compiler\n");
        print_markdown(compile_time);
    } else {
        puts("Of programs:");
        print_plain(table, (get_function *)symbol(library, "heddle_option_get"));
        puts("\nOf the compiler:");
        print_plain(compile_time, NULL);
    }
    return fflush(stdout) || ferror(stdout);
}

const struct command command_options = {
    .name = "options",
    .summary = "list the environment variables, their values and meanings",
    .usage = "usage: heddle options [--markdown]\n"
             "\n"
             "Lists what programs compiled by heddle and `heddle cc` read from the environment, with the\n"
             "values now in force. --markdown prints docs/reference/environment.md.\n",
    .run = run,
};
