/* SPDX-License-Identifier: Apache-2.0 */
/* front/main.c - the `heddle` command: picks the command named first from one table.
 * A new command is a file with a `struct command` and one line in the table below.
 * Called as `heddle-cc` (a link to the same program) it is `heddle cc`, for build systems that want
 * the compiler to be one word. */
#include "driver.h"

#include <stdio.h>
#include <string.h>

#ifndef HEDDLE_VERSION
#define HEDDLE_VERSION "unknown"
#endif

/* Memory is not freed on purpose (driver.h), so a sanitizer build must not call that an error. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif
#endif

static const struct command *const commands[] = {
    &command_cc,  &command_advise, &command_doctor, &command_models,
    &command_run, &command_sim,    &command_trace,  &command_options,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *to) {
    fputs("usage: heddle COMMAND [arguments]\n\n"
          "Plain C loops annotated with #pragma heddle, for CPUs and GPUs.\n\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n`heddle COMMAND --help` tells more. `heddle --version` prints the version.\n", to);
}

static int run_command(const struct command *c, int argc, char **argv) {
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        fputs(c->usage, stdout);
        return 0;
    }
    return c->run(argc, argv);
}

int main(int argc, char **argv) {
    if (argc > 0 && !strcmp(base_of(argv[0]), "heddle-cc"))
        return run_command(&command_cc, argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        print_help(stdout);
        return 0;
    }
    if (!strcmp(name, "--version")) {
        puts("heddle " HEDDLE_VERSION);
        return 0;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(name, commands[i]->name))
            return run_command(commands[i], argc - 1, argv + 1);
    complain("no command '%s'; `heddle --help` lists them", name);
    return 2;
}
