/* SPDX-License-Identifier: Apache-2.0 */
/* args.c - the clang command line, as far as the driver must understand it: which words are inputs,
 * what is produced, and what the translator must know. Every word that is not heddle's own is kept
 * for clang. A word's kind comes from one table; an option that is not in it stands alone. */
#include "driver.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Options that take the next word as their argument when nothing is joined to them. */
enum kind { OTHER, PREPROCESS };

static const struct {
    const char *name;
    enum kind kind;
} separate[] = {
    {"-D", PREPROCESS},
    {"-U", PREPROCESS},
    {"-I", PREPROCESS},
    {"-F", PREPROCESS},
    {"-include", PREPROCESS},
    {"-imacros", PREPROCESS},
    {"-isystem", PREPROCESS},
    {"-iquote", PREPROCESS},
    {"-idirafter", PREPROCESS},
    {"-isysroot", PREPROCESS},
    {"-iprefix", PREPROCESS},
    {"-iwithprefix", PREPROCESS},
    {"-iwithprefixbefore", PREPROCESS},
    {"-cxx-isystem", PREPROCESS},
    {"-ivfsoverlay", PREPROCESS},
    {"-include-pch", PREPROCESS},
    {"-target", PREPROCESS},
    {"--sysroot", PREPROCESS},
    {"-resource-dir", PREPROCESS},
    {"-Xpreprocessor", OTHER},
    {"-Xclang", OTHER},
    {"-Xlinker", OTHER},
    {"-Xassembler", OTHER},
    {"-Xopenmp-target", OTHER},
    {"-Xoffload-linker", OTHER},
    {"-Xarch_host", OTHER},
    {"-Xarch_device", OTHER},
    {"-Xcuda-fatbinary", OTHER},
    {"-Xcuda-ptxas", OTHER},
    {"-mllvm", OTHER},
    {"-o", OTHER},
    {"-x", OTHER},
    {"-L", OTHER},
    {"-l", OTHER},
    {"-T", OTHER},
    {"-u", OTHER},
    {"-z", OTHER},
    {"-e", OTHER},
    {"-A", OTHER},
    {"-B", OTHER},
    {"-G", OTHER},
    {"-MF", OTHER},
    {"-MT", OTHER},
    {"-MQ", OTHER},
    {"-MJ", OTHER},
    {"-arch", OTHER},
    {"-rpath", OTHER},
    {"--param", OTHER},
    {"-dumpdir", OTHER},
    {"-dumpbase", OTHER},
    {"-serialize-diagnostics", OTHER},
    {"--serialize-diagnostics", OTHER},
    {"-working-directory", OTHER},
    {"--config", OTHER},
    {"-install_name", OTHER},
    {"-gcc-toolchain", OTHER},
    {"-framework", OTHER},
    {"-Tbss", OTHER},
    {"-Tdata", OTHER},
    {"-Ttext", OTHER},
    {"-aux-info", OTHER},
    {"--output", OTHER},
    {"-specs", OTHER},
};

/* Joined options that change what the preprocessor or the parser sees. -f and -m are all passed on
 * but for the ones below, which make outputs or load code. */
static const char *const preprocess_prefixes[] = {
    "-D",
    "-U",
    "-I",
    "-F",
    "-std=",
    "-ansi",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-isysroot",
    "--sysroot=",
    "--target=",
    "-nostdinc",
    "-nobuiltininc",
    "-pthread",
    "-O",
    "-m",
    "-f",
    "--gcc-toolchain=",
    "--gcc-install-dir=",
    "-resource-dir=",
    "-stdlib=",
    "-undef",
    "-trigraphs",
    "-w",
    "-Wno-", /* what C99 made an error */
    "--define-macro=",
    "--include-directory=",
};
static const char *const never_for_translator[] = {
    "-fopenmp-targets=",
    "-foffload",
    "-fsyntax-only",
    "-fplugin",
    "-fpass-plugin",
    "-fprofile",
    "-fcoverage",
    "-fsanitize",
    "-fuse-ld",
    "-flto",
    "-fno-lto",
    "-ftime-",
    "-fcrash",
    "-fsave",
    "-fembed",
    "-fdebug-",
    "-ffile-",
    "-fmacro-",
    "-fdiagnostics-format",
    "-fno-sanitize",
    "-mllvm",
    "-fthinlto",
    "-fxray",
    "-fstack-usage",
    "-fproc-stat-report",
};

static bool has_prefix(const char *word, const char *const *table, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (starts_with(word, table[i]))
            return true;
    return false;
}
#define HAS_PREFIX(word, table) has_prefix(word, table, sizeof(table) / sizeof *(table))

/* ---- response files ---- */

/* With its quotes and backslashes, from its first letter on. */
static size_t word_length(const char *word) {
    const char *s = word;
    char quote = 0;
    for (; *s && (quote || !isspace((unsigned char)*s)); s++)
        if (*s == '\\' && s[1] && quote != '\'')
            s++;
        else if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? 0 : *s;
    return (size_t)(s - word);
}

/* One word of a response file as GNU tools quote it: blanks separate, quotes and backslashes
 * protect. */
static char *next_word(const char **text) {
    const char *s = *text;
    while (isspace((unsigned char)*s))
        s++;
    if (!*s)
        return NULL;
    char *word = malloc(word_length(s) + 1), *out = word, quote = 0;
    if (!word)
        fail("out of memory");
    for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
        if (*s == '\\' && s[1] && quote != '\'')
            *out++ = *++s;
        else if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? 0 : *s;
        else
            *out++ = *s;
    }
    *out = 0;
    *text = s;
    return word;
}

enum { DEPTH_MOST = 20, WORDS_MOST = 1000000 };

static void expand(struct list *words, const char *word, int depth) {
    size_t size;
    char *text = word[0] == '@' ? read_file(word + 1, &size) : NULL;
    if (!text) { /* not an @file, or one that is not there: clang says what is wrong */
        list_add(words, word);
        if (words->count > WORDS_MOST)
            fail("more than %d arguments in response files", WORDS_MOST);
        return;
    }
    if (depth == DEPTH_MOST)
        fail("%s: response files name each other, more than %d deep", word, DEPTH_MOST);
    if (strlen(text) != size)
        fail("%s: a response file is text: this one has a byte 0", word);
    const char *at = text;
    for (char *w; (w = next_word(&at));) {
        expand(words, w, depth + 1);
        free(w);
    }
    free(text);
}

/* ---- words ---- */

static bool is_cplusplus(const char *path, const char *language) {
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".CPP"};
    if (language)
        return !strcmp(language, "c++");
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (ends_with(path, suffixes[i]))
            return true;
    return false;
}

static bool is_c(const char *path, const char *language) {
    if (language)
        return !strcmp(language, "c");
    return ends_with(path, ".c");
}

static void add_input(struct args *a, const char *path, const char *language) {
    a->inputs = realloc(a->inputs, (a->input_count + 1) * sizeof *a->inputs);
    if (!a->inputs)
        fail("out of memory");
    char *name = format("%s%s", path[0] == '-' && path[1] ? "./" : "",
                        path); /* behind "--"; no option to whom it is handed on */
    a->inputs[a->input_count++] = (struct input){
        .path = name,
        .language = language ? format("%s", language) : NULL,
        .position = a->rest.count,
        .c_source = is_c(path, language) || is_cplusplus(path, language),
        .cplusplus = is_cplusplus(path, language),
    };
    list_add(&a->rest, name);
}

/* The stage that produces the earliest kind of output wins, as in clang. */
static void set_stage(struct args *a, enum stage stage) {
    if (stage > a->stage)
        a->stage = stage;
}

static const char *value_of(const char *word, const char *option) {
    return starts_with(word, option) ? word + strlen(option) : NULL;
}

static bool heddle_option(struct args *a, const char *word) {
    const char *v;
    if ((v = value_of(word, "--targets=")))
        a->targets = format("%s", v);
    else if ((v = value_of(word, "--gpu-registers=")))
        a->gpu_registers = format("%s", v);
    else if (!strcmp(word, "--emit-c"))
        a->emit_c = true;
    else if (!strcmp(word, "--verify"))
        a->verify = true;
    else if (!strcmp(word, "--no-rpath"))
        a->no_rpath = true;
    else if (!strcmp(word, "--heddle-verbose"))
        a->verbose = true;
    else
        return false;
    return true;
}

bool is_heddle_option(const char *word) {
    struct args ignored;
    return heddle_option(&ignored, word);
}

/* What a word on its own tells. */
static void note_word(struct args *a, const char *w) {
    const char *v;
    if (!strcmp(w, "-c"))
        set_stage(a, STAGE_COMPILE);
    else if (!strcmp(w, "-S"))
        set_stage(a, STAGE_ASSEMBLY);
    else if (!strcmp(w, "-fsyntax-only"))
        set_stage(a, STAGE_SYNTAX);
    else if (!strcmp(w, "-E"))
        set_stage(a, STAGE_PREPROCESS);
    else if (!strcmp(w, "-M") || !strcmp(w, "-MM"))
        a->deps_only = true;
    else if (!strcmp(w, "-MD") || !strcmp(w, "-MMD"))
        a->deps = true;
    else if (!strcmp(w, "-v"))
        a->verbose = true;
    else if (!strcmp(w, "-###"))
        a->dry = true;
    else if (!strcmp(w, "-r") || !strcmp(w, "-nostdlib") || !strcmp(w, "-nodefaultlibs"))
        a->relocatable = true;
    else if (!strcmp(w, "-static") || !strcmp(w, "--static") || !strcmp(w, "-static-pie"))
        a->is_static = true;
    else if (starts_with(w, "-fsanitize="))
        a->sanitize = true;
    else if (!strcmp(w, "-fno-sanitize=all"))
        a->sanitize = false;
    else if (starts_with(w, "--offload-arch=") || starts_with(w, "-fopenmp-targets="))
        a->own_targets = true;
    else if ((v = value_of(w, "--cuda-path=")))
        a->cuda_path = format("%s", v);
    else if ((v = value_of(w, "-MF")) && *v)
        a->dep_file = format("%s", v);
    else if (((v = value_of(w, "-MT")) || (v = value_of(w, "-MQ"))) && *v)
        a->dep_target = format("%s", v);
}

/* Sanitizers that are features, which sources ask for; control flow integrity wants -flto, and is nobody's question. */
static bool sets_features(const char *w) {
    return (starts_with(w, "-fsanitize=") || starts_with(w, "-fno-sanitize=")) && !strstr(w, "cfi");
}

static void take_option(struct args *a, const char *w) {
    note_word(a, w);
    list_add(&a->rest, w);
    if (sets_features(w) || (HAS_PREFIX(w, preprocess_prefixes) && !HAS_PREFIX(w, never_for_translator)))
        list_add(&a->preprocess, w);
}

/* An option whose argument is the next word. */
static void take_pair(struct args *a, const char *w, const char *v, enum kind kind) {
    if (!strcmp(w, "-MF"))
        a->dep_file = format("%s", v);
    else if (!strcmp(w, "-MT") || !strcmp(w, "-MQ"))
        a->dep_target = format("%s", v);
    list_add(&a->rest, w);
    list_add(&a->rest, v);
    if (kind == PREPROCESS) {
        list_add(&a->preprocess, w);
        list_add(&a->preprocess, v);
    }
}

static int find_separate(const char *w) {
    if (starts_with(w, "-Xopenmp-target=") || starts_with(w, "-Xarch_"))
        w = "-Xopenmp-target";
    for (size_t i = 0; i < sizeof separate / sizeof *separate; i++)
        if (!strcmp(w, separate[i].name))
            return (int)i;
    return -1;
}

void parse_args(int argc, char **argv, struct args *a) {
    struct list words = {0};
    const char *language = NULL;
    memset(a, 0, sizeof *a);
    for (int i = 0; i < argc; i++)
        expand(&words, argv[i], 0);
    bool only_inputs = false;
    for (size_t i = 0; i < words.count; i++) {
        const char *w = words.at[i], *next = i + 1 < words.count ? words.at[i + 1] : NULL;
        int at;
        if (only_inputs || w[0] != '-' || !w[1]) {
            add_input(a, w, language);
        } else if (!strcmp(w, "--")) {
            only_inputs = true;
        } else if (heddle_option(a, w)) {
            continue;
        } else if ((!strcmp(w, "-o") || !strcmp(w, "--output")) && next) {
            a->output = words.at[++i];
        } else if (w[1] == 'o' && w[2] && strncmp(w, "-object", 7) != 0) {
            a->output = format("%s", w + 2);
        } else if (w[1] == 'x') { /* "-x c" and "-xc" */
            const char *l = w[2] ? w + 2 : next ? words.at[++i] : "none";
            language = strcmp(l, "none") ? l : NULL;
        } else if ((at = find_separate(w)) >= 0 && next) {
            take_pair(a, w, words.at[++i], separate[at].kind);
        } else {
            take_option(a, w);
        }
    }
}
