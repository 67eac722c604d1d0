/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle-translate: C with `#pragma heddle` in, C + OpenMP out.
 * Reads the file through libclang with the user's own compiler arguments, lets each directive
 * translate itself, and writes the result only when there was no error.
 */
#include "advise/advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef HEDDLE_VERSION
#define HEDDLE_VERSION "0.1.0"
#endif

/* heddle/list.h shows appends as calls */
#define HEDDLE_TRANSLATES "HEDDLE_TRANSLATES"

struct options {
    const char *input, *output, *tag;
    bool verify, advises;
    struct advise_options advise;
    bool unproven_warns;
    bool host;
    VEC(const char *) clang;
};

static const char usage[] = "usage: heddle-translate [-o FILE] INPUT.c [-- CLANG-ARGUMENT…]\n"
                            "Translates `#pragma heddle` into C with OpenMP offload; writes to standard output without "
                            "-o.\n"
                            "  -o FILE    write FILE (only when there was no error)\n"
                            "  --tag=TAG  part of all generated names (default: from the file's name and path)\n"
                            "  --unproven=error|warn  what a loop is whose independence nothing proves and no\n"
                            "             clause asserts (default: error)\n"
                            "  --host     no devices: loops may use and call whatever the host has\n"
                            "  --verify   the serial program with marks for libheddle-verify instead\n"
                            "  --advise   which directive fits which loop, instead: see `heddle advise`\n"
                            "  --emit-c   the default; accepted for symmetry with `heddle cc`\n"
                            "  --print-reference[=markdown]  print all directives and their clauses\n"
                            "  --version  print the version\n"
                            "  --help     print this text\n";

/* Arguments that ask clang for an output or a dependency file; parsing wants none of them. */
static int output_argument(const char *arg) {
    static const char *const single[] = {"-c", "-S", "-E", "-MD", "-MMD", "-MP", "-M", "-MM", "-MG"};
    static const char *const pair[] = {"-o", "-MF", "-MT", "-MQ"};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (strcmp(arg, single[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        if (strcmp(arg, pair[i]) == 0)
            return 2;
    return 0;
}

/* Before C99 a declaration in a loop's head has the scope of the block around it, so such files are read, and what is
   made of them is compiled, as C11 that forgives what C99 took away. toolchain/heddle/cc does the same. */
static void read_old_c(struct options *o, char **argv, int argc) {
    static const char *const old[] = {"-ansi", "-std=c89", "-std=c90", "-std=gnu89", "-std=gnu90", "-std=iso9899:1990"};
    static const char *const now[] = {"-std=gnu11",
                                      "-fgnu89-inline",
                                      "-Wno-error=implicit-int",
                                      "-Wno-error=implicit-function-declaration",
                                      "-Wno-error=int-conversion",
                                      "-Wno-error=return-type",
                                      "-Wno-error=incompatible-function-pointer-types"};
    bool is_old = false; /* by the last one of them */
    for (int i = 0; i < argc; i++) {
        is_old &= strncmp(argv[i], "-std=", 5) != 0;
        for (size_t k = 0; k < sizeof old / sizeof *old; k++)
            is_old |= strcmp(argv[i], old[k]) == 0;
    }
    for (size_t k = 0; is_old && k < sizeof now / sizeof *now; k++)
        vec_push(&o->clang, now[k]);
}

/* Debian's libclang looks for clang's own headers only where Debian installs them. */
static void clang_arguments(struct options *o, int argc, char **argv) {
    if (access(HEDDLE_LLVM_RESOURCES "/include", R_OK) == 0)
        vec_push(&o->clang, "-resource-dir=" HEDDLE_LLVM_RESOURCES);
    for (int i = 0; i < argc; i += output_argument(argv[i]) ? output_argument(argv[i]) : 1)
        if (!output_argument(argv[i]))
            vec_push(&o->clang, argv[i]);
    read_old_c(o, argv, argc);
    vec_push(&o->clang, "-D" HEDDLE_TRANSLATES);
    vec_push(&o->clang, "-fopenmp");
    vec_push(&o->clang, "-Wno-unknown-pragmas");
}

/* --advise, --advise=all, apply, asserted, timers=FILE, times=FILE; may be given several times */
static bool advise_option(struct advise_options *o, const char *word) {
    o->all |= strcmp(word, "=all") == 0;
    o->apply |= strcmp(word, "=apply") == 0;
    o->asserted |= strcmp(word, "=asserted") == 0;
    if (strncmp(word, "=timers=", 8) == 0)
        o->timers = word + 8;
    else if (strncmp(word, "=times=", 7) == 0)
        o->times = word + 7;
    else
        return !*word || !strcmp(word, "=all") || !strcmp(word, "=apply") || !strcmp(word, "=asserted");
    return true;
}

static int unexpected(const char *word) {
    fprintf(stderr, "heddle-translate: unexpected argument '%s'\n%s", word, usage);
    return 2;
}

/* -1: go on; otherwise the exit status */
static int read_options(int argc, char **argv, struct options *o) {
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0)
            return fputs(usage, stdout), 0;
        if (strcmp(argv[i], "--version") == 0)
            return puts("heddle-translate " HEDDLE_VERSION), 0;
        if (strcmp(argv[i], "--print-reference") == 0 || strcmp(argv[i], "--print-reference=markdown") == 0)
            return reference_print(strchr(argv[i], '=')), ferror(stdout) != 0;
        if (strcmp(argv[i], "--emit-c") == 0)
            continue;
        if (strcmp(argv[i], "--verify") == 0) {
            o->verify = true;
        } else if (strcmp(argv[i], "--unproven=error") == 0 || strcmp(argv[i], "--unproven=warn") == 0) {
            o->unproven_warns = strcmp(argv[i], "--unproven=warn") == 0;
        } else if (strncmp(argv[i], "--advise", 8) == 0) {
            if (!advise_option(&o->advise, argv[i] + 8))
                return unexpected(argv[i]);
            o->advises = true;
        } else if (strcmp(argv[i], "--host") == 0) {
            o->host = true;
        } else if (strncmp(argv[i], "--tag=", 6) == 0) {
            o->tag = argv[i] + 6;
        } else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
            o->output = argv[++i];
        } else if (argv[i][0] == '-' || o->input) {
            return unexpected(argv[i]);
        } else {
            o->input = argv[i];
        }
    }
    if (!o->input) {
        fprintf(stderr, "heddle-translate: no input file\n%s", usage);
        return 2;
    }
    if (i < argc)
        i++;
    clang_arguments(o, argc - i, argv + i);
    return -1;
}

/* FNV-1a. */
static unsigned hash(unsigned h, const char *text) {
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

/* clang names a kernel after the function that holds it and the place of its pragma, which here is in heddle's
   headers: two files whose nests had the same prefix would silently share one kernel. So the prefix holds the
   file's name, its path and the macros it is compiled with. */
static const char *make_tag(const struct options *o) {
    const char *slash = strrchr(o->input, '/'), *stem = slash ? slash + 1 : o->input;
    char *path = realpath(o->input, NULL);
    unsigned h = hash(2166136261u, path ? path : o->input);
    free(path);
    for (size_t i = 0; i < o->clang.n; i++)
        if (strncmp(o->clang.at[i], "-D", 2) == 0 && strcmp(o->clang.at[i] + 2, HEDDLE_TRANSLATES) != 0)
            h = hash(h, o->clang.at[i]);
    char *tag = mem_printf("%.*s_%06x", (int)strcspn(stem, "."), stem, h & 0xffffff);
    for (char *c = tag; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9'))
            *c = '_';
    return tag;
}

static bool write_output(const struct options *o, const char *text) {
    FILE *f = o->output ? fopen(o->output, "wb") : stdout;
    bool ok = f && fputs(text, f) >= 0;
    if (f && (o->output ? fclose(f) : fflush(f)) != 0)
        ok = false;
    if (!ok) {
        fprintf(stderr, "heddle-translate: %s: %s\n", o->output ? o->output : "standard output", strerror(errno));
        if (f && o->output)
            remove(o->output);
    }
    return ok;
}

/* True with the output in `out` when the whole file was translated. */
static bool translate(struct unit *u, const struct options *o, struct buf *out) {
    /* A file without pragmas, or headers whose macros may hold them, is copied: no reason to parse it. */
    if (strstr(u->src.text, "heddle") || strstr(u->src.text, "HEDDLE") || strstr(u->src.text, "include")) {
        CXIndex index = clang_createIndex(0, 0);
        const struct unit_arguments a = {o->clang.at, (int)o->clang.n, false};
        const bool ok = unit_translate(u, index, &a, NULL, NULL);
        if (u->tu)
            clang_disposeTranslationUnit(u->tu);
        clang_disposeIndex(index);
        if (!ok)
            return false;
    }
    if (strncmp(u->src.text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark stands first or is no C */
        vec_push(u->verify ? &u->verify_edits : &u->edits, (struct edit){0, 3, ""});
    source_marker(&u->src, out, 0, 0);
    buf_puts(out, source_edited(&u->src, (struct span){0, u->src.size}, u->verify ? &u->verify_edits : &u->edits));
    return true;
}

int main(int argc, char **argv) {
    struct options o = {0};
    int status = read_options(argc, argv, &o);
    if (status < 0) {
        struct unit u = {.err = stderr,
                         .tag = o.tag ? o.tag : make_tag(&o),
                         .unproven_warns = o.unproven_warns,
                         .verify = o.verify,
                         .host = o.host,
                         .reassociates = fast_math_reassociates(o.clang.at, o.clang.n),
                         .types_alias = unit_types_alias(o.clang.at, o.clang.n)};
        struct buf out = {0};
        status = 1;
        if (source_read(&u.src, o.input) != 0)
            fprintf(stderr, "heddle-translate: %s: %s\n", o.input, strerror(errno));
        else if (o.advises)
            status = advise(&u, &(struct unit_arguments){o.clang.at, (int)o.clang.n, false}, &o.advise);
        else if (translate(&u, &o, &out) && write_output(&o, out.s))
            status = 0;
    }
    mem_release();
    return status;
}
