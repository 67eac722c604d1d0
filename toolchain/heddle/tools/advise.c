/* SPDX-License-Identifier: Apache-2.0 */
/* advise.c - `heddle advise`: which directive fits which loop. heddle-translate tries them (pragmas/advise); here are
 * the command line, and with --profile a program whose loops measure themselves. */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct args args; /* the compiler's, and the files */
    bool apply, asserted, all, profile;
    const char *arguments; /* of the program */
};

/* What a program that measures itself is linked with; it writes the file that HEDDLE_ADVISE_TIMES names. */
static const char timers[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n"
    "double heddle_advise_now(void);\n"
    "void heddle_advise_add(const char *file, int loop, double seconds);\n"
    "struct cell { const char *file; int loop; long runs, nanoseconds; };\n"
    "enum { CELLS = 1 << 16 };\n"
    "static struct cell cells[CELLS];\n"
    "static char lock;\n"
    "double heddle_advise_now(void) {\n"
    "    struct timespec t;\n"
    "    clock_gettime(CLOCK_MONOTONIC, &t);\n"
    "    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n"
    "}\n"
    "static struct cell *find(const char *file, int loop) {\n"
    "    unsigned h = ((unsigned)(unsigned long)file * 31u + (unsigned)loop) * 2654435761u >> 16;\n"
    "    while (cells[h].file && !(cells[h].file == file && cells[h].loop == loop)) h = (h + 1) % CELLS;\n"
    "    return &cells[h];\n"
    "}\n"
    "void heddle_advise_add(const char *file, int loop, double seconds) {\n"
    "    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) ;\n"
    "    struct cell *c = find(file, loop);\n"
    "    c->file = file; c->loop = loop; c->runs++; c->nanoseconds += (long)(1e9 * seconds);\n"
    "    __atomic_clear(&lock, __ATOMIC_RELEASE);\n"
    "}\n"
    "__attribute__((destructor)) static void write_times(void) {\n"
    "    const char *path = getenv(\"HEDDLE_ADVISE_TIMES\");\n"
    "    FILE *f = path ? fopen(path, \"w\") : NULL;\n"
    "    for (int i = 0; f && i < CELLS; i++)\n"
    "        if (cells[i].file)\n"
    "            fprintf(f, \"%s\\t%d\\t%ld\\t%.9f\\n\", cells[i].file, cells[i].loop, cells[i].runs,\n"
    "                    1e-9 * (double)cells[i].nanoseconds);\n"
    "    if (f) fclose(f);\n"
    "}\n";

/* way: --advise=WAY; NULL: none besides those of the request. */
static int ask(const struct request *r, const struct input *in, const char *way) {
    const struct home *h = find_home();
    struct list argv = {0};
    if (!h->translate)
        fail("heddle-translate is missing beside %s/heddle; `heddle doctor`", h->bin);
    list_add(&argv, h->translate);
    list_add(&argv, "--advise");
    if (way)
        list_add(&argv, format("--advise=%s", way));
    if (r->all)
        list_add(&argv, "--advise=all");
    if (r->apply)
        list_add(&argv, "--advise=apply");
    if (r->asserted)
        list_add(&argv, "--advise=asserted");
    list_add(&argv, in->path);
    list_add(&argv, "--");
    list_add(&argv, "-fopenmp");
    if (h->include)
        list_add(&argv, format("-I%s", h->include));
    list_add_all(&argv, &r->args.preprocess);
    return run_child(&argv);
}

static bool is_optimised(const struct args *a) {
    for (size_t i = 0; i < a->rest.count; i++)
        if (starts_with(a->rest.at[i], "-O"))
            return true;
    return false;
}

static int build(const struct request *r, const char *program) {
    const struct args *a = &r->args;
    struct compiler clang = {0};
    struct list argv = {0};
    const char *runtime = format("%s/timers.c", temp_dir());
    FILE *f = fopen(runtime, "w");
    if (!f || fputs(timers, f) < 0 || fclose(f) != 0)
        fail("cannot write %s: %s", runtime, strerror(errno));
    if (!find_compiler(&clang))
        fail("no clang of LLVM %d or later; apt-get install %s", llvm.oldest, llvm.packages);
    list_add(&argv, clang.path);
    if (!is_optimised(a))
        list_add(&argv, "-O2");
    list_add(&argv, "-fopenmp");
    list_add(&argv, "-Wno-unknown-pragmas");
    if (find_home()->include)
        list_add(&argv, format("-I%s", find_home()->include));
    for (size_t i = 0, next = 0; i < a->rest.count; i++) {
        if (next >= a->input_count || a->inputs[next].position != i) {
            list_add(&argv, a->rest.at[i]);
            continue;
        }
        const struct input *in = &a->inputs[next];
        const char *dir = dir_of(in->path);
        if (in->c_source)
            list_add(&argv, format("-iquote%s", *dir ? dir : "."));
        list_add(&argv, in->c_source ? format("%s/%zu.c", temp_dir(), next) : in->path);
        next++;
    }
    list_add(&argv, runtime);
    list_add(&argv, "-o");
    list_add(&argv, program);
    if (clang.lib)
        list_add(&argv, format("-Wl,-rpath,%s", clang.lib));
    return run_child(&argv);
}

/* The file of times; NULL after a message. */
static const char *profile(const struct request *r) {
    const char *program = format("%s/program", temp_dir()), *times = format("%s/times", temp_dir());
    for (size_t i = 0; i < r->args.input_count; i++)
        if (r->args.inputs[i].c_source && ask(r, &r->args.inputs[i], format("timers=%s/%zu.c", temp_dir(), i)) != 0)
            return NULL;
    if (build(r, program) != 0) {
        complain("advise: the program that measures its loops was not built: give --profile all files and libraries");
        return NULL;
    }
    struct list argv = {0};
    list_add(&argv, "/bin/sh");
    list_add(&argv, "-c");
    list_add(&argv, format("exec %s %s", program, r->arguments));
    setenv("HEDDLE_ADVISE_TIMES", times, 1);
    const int status = run_child(&argv);
    if (!is_file(times)) {
        complain("advise: the program ended with status %d and left no times; it has to reach exit()", status);
        return NULL;
    }
    if (status != 0)
        complain("advise: the program ended with status %d", status);
    return times;
}

/* What is neither ours nor the compiler's would change nothing, without a word; the compiler says which. */
static bool are_options(const struct args *a) {
    struct compiler clang = {0};
    struct list argv = {0};
    bool any = false;
    for (size_t i = 0; i < a->rest.count; i++)
        any |= a->rest.at[i][0] == '-';
    if (!any || !find_compiler(&clang))
        return true;
    list_add(&argv, clang.path);
    list_add(&argv, "-fdriver-only");
    list_add(&argv, "-fsyntax-only");
    list_add(&argv, "-w");
    list_add_all(&argv, &a->rest);
    if (run_child(&argv) == 0)
        return true;
    complain("advise: the compiler takes no such command line either; `heddle advise --help`");
    return false;
}

/* Folders, and what the compiler would make nothing of. */
static bool are_inputs(const struct args *a) {
    bool ok = true;
    for (size_t i = 0; i < a->input_count; i++) {
        const char *path = a->inputs[i].path;
        if (is_dir(path))
            complain("advise: %s is a folder; name its files", path);
        else if (is_source(&a->inputs[i]) && !is_file(path))
            complain("advise: %s: no such file", path);
        else
            continue;
        ok = false;
    }
    return ok;
}

static bool wants_help(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

static int read_request(int argc, char **argv, struct request *r) {
    struct list rest = {0};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--apply"))
            r->apply = true;
        else if (!strcmp(argv[i], "--asserted"))
            r->asserted = true;
        else if (!strcmp(argv[i], "--all"))
            r->all = true;
        else if (!strcmp(argv[i], "--profile") || starts_with(argv[i], "--profile="))
            r->profile = true, r->arguments = argv[i][9] ? argv[i] + 10 : "";
        else
            list_add(&rest, argv[i]);
    parse_args((int)rest.count, rest.at, &r->args);
    if (!are_inputs(&r->args) || !are_options(&r->args))
        return 2;
    for (size_t i = 0; i < r->args.input_count; i++)
        if (r->args.inputs[i].c_source)
            return 0;
    complain("advise: which file of C or C++? `heddle advise --help`");
    return 2;
}

static int run(int argc, char **argv) {
    struct request r = {.arguments = ""};
    if (wants_help(argc, argv)) {
        fputs(command_advise.usage, stdout);
        return 0;
    }
    int worst = read_request(argc, argv, &r);
    if (worst)
        return worst;
    const char *times = r.profile ? profile(&r) : NULL;
    if (r.profile && !times)
        return 1;
    for (size_t i = 0; i < r.args.input_count; i++) {
        if (!r.args.inputs[i].c_source)
            continue;
        const int status = ask(&r, &r.args.inputs[i], times ? format("times=%s", times) : NULL);
        worst = status > worst ? status : worst;
    }
    return worst;
}

const struct command command_advise = {
    .name = "advise",
    .summary = "say which directive fits which loop of a program, and why none does",
    .usage =
        "usage: heddle advise [--apply] [--asserted] [--all] [--profile[=ARGUMENTS]] FILE.c… [options of the "
        "compiler]\n"
        "\n"
        "Reads C without directives, or with OpenMP's. It puts directives before each loop, outer loops first, and\n"
        "asks the translator: a directive that it names is accepted by `heddle cc` as it stands, and the reasons\n"
        "why none fits are the translator's own. What only you can assert is never taken by itself: `independent`\n"
        "is not advised, and a line with `private(x)` is named beside what you would assert by it.\n"
        "\n"
        "From the text it also estimates what one run of a loop takes on one core. No line is written for a `for`\n"
        "below 20 us, and for a wavefront below 100 us: \"too little work: about N us a run\". The estimate is rough;\n"
        "--profile measures instead.\n"
        "\n"
        "  --apply    write the directives into the files (those of short loops and unfinished ones are left out)\n"
        "  --asserted take lines that assert something, too; then `heddle cc --verify` checks a run\n"
        "  --all      also tell of inner loops that take no directive\n"
        "  --profile[=ARGUMENTS]  build the program with clang, run it, and order loops by their time. Give all\n"
        "             files of the program and its libraries: heddle advise --profile='-n 100' main.c sum.c -lm\n",
    .run = run,
};
