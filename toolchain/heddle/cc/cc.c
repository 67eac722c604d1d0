/* SPDX-License-Identifier: Apache-2.0 */
/* cc.c - `heddle cc`: a drop-in clang. Each C input that holds a heddle directive is translated to
 * a file of the same name in a private temporary folder, and that file is compiled in its place: so
 * clang derives the same output names, and only quoted includes (-iquote) and dependency files
 * (rewritten afterwards) need care. Without such an input this is clang with a few more flags. */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    struct args args;
    struct list compiler; /* the words that start the compiler: "clang-19", "ccache clang-19" */
    struct compiler clang;
    struct targets targets;
    struct list flags; /* ours, for every stage */
    char **translated; /* for each input: the file compiled in its place, or NULL */
};

/* ---- launcher: heddle cc clang-19 ... -------------------------------------------------------- */

/* Takes the compiler's words off the front of the arguments; returns how many it took. */
static int take_compiler(struct job *j, int argc, char **argv) {
    const int n = compiler_words(argc, argv);
    if (!n || !strcmp(base_of(argv[n - 1]), "heddle-cc")) /* a project whose compiler is heddle already */
        return n;
    for (int i = 0; i < n; i++)
        list_add(&j->compiler, argv[i]);
    j->clang.path = argv[n - 1];
    describe_compiler(&j->clang);
    return n;
}

static void choose_compiler(struct job *j) {
    if (j->compiler.count)
        return;
    if (!find_compiler(&j->clang))
        fail("no clang of LLVM %d or later (tried '%s', version %d); apt-get install %s, or set HEDDLE_CC", llvm.oldest,
             j->clang.path, j->clang.major, llvm.packages);
    list_add(&j->compiler, j->clang.path);
}

/* ---- translation -------------------------------------------------------------------------------
 */

static char *folder_of(const char *path) {
    char *dir = dir_of(path);
    size_t n = strlen(dir);
    if (n > 1)
        dir[n - 1] = 0; /* the slash, unless it is all there is */
    return n ? dir : format(".");
}

/* Runs the translator; output NULL means standard output. */
static int translate(const struct job *j, const struct input *in, const char *output) {
    const struct home *h = find_home();
    if (!h->translate)
        fail("%s needs heddle-translate, which is missing beside %s/heddle; `heddle doctor`", in->path, h->bin);
    struct list argv = {0};
    list_add(&argv, h->translate);
    if (output) {
        list_add(&argv, "-o");
        list_add(&argv, output);
    }
    if (j->args.verify) {
        list_add(&argv, "--verify");
        list_add(&argv, "--unproven=warn"); /* it is what the check is for */
    }
    if (!j->targets.x86_64 && !j->targets.sm_count && !j->targets.gfx_count && !j->args.own_targets && !j->args.verify)
        list_add(&argv, "--host"); /* and what devices lack is no matter */
    list_add(&argv, in->path);
    list_add(&argv, "--");
    list_add(&argv, "-fopenmp");
    if (h->include)
        list_add(&argv, format("-I%s", h->include));
    if (in->cplusplus && in->language)
        list_add(&argv, "-xc++");
    list_add_all(&argv, &j->args.preprocess);
    return run_child(&argv);
}

/* The file of the same name in a folder of its own. */
static char *temp_for(const struct input *in, size_t number, const char *suffix) {
    char *dir = format("%s/%zu", temp_dir(), number);
    if (make_dirs(dir) != 0)
        fail("cannot make %s: %s", dir, strerror(errno));
    return format("%s/%s%s", dir, base_of(in->path), suffix);
}

/* Before C99 a declaration in a loop's head has the scope of the block around it: what is made of such files is C11
   that forgives what C99 took away, as the translator reads it. */
static void compile_old_c(struct list *words) {
    static const char *const old[] = {"-ansi", "-std=c89", "-std=c90", "-std=gnu89", "-std=gnu90", "-std=iso9899:1990"};
    static const char *const now[] = {"-std=gnu11",
                                      "-fgnu89-inline",
                                      "-Wno-error=implicit-int",
                                      "-Wno-error=implicit-function-declaration",
                                      "-Wno-error=int-conversion",
                                      "-Wno-error=return-type",
                                      "-Wno-error=incompatible-function-pointer-types"};
    bool is_old = false; /* by the last one of them */
    for (size_t i = 0; i < words->count; i++) {
        is_old &= strncmp(words->at[i], "-std=", 5) != 0;
        for (size_t k = 0; k < sizeof old / sizeof *old; k++)
            is_old |= strcmp(words->at[i], old[k]) == 0;
    }
    for (size_t k = 0; is_old && k < sizeof now / sizeof *now; k++)
        list_add(words, now[k]);
}

static int translate_all(struct job *j) {
    struct args *a = &j->args;
    bool any = false;
    j->translated = calloc(a->input_count + 1, sizeof *j->translated);
    if (!j->translated)
        fail("out of memory");
    if (a->deps_only || a->dry) /* the user's files are what is asked about */
        return 0;
    for (size_t i = 0; i < a->input_count; i++) {
        if (!to_translate(&a->inputs[i], &a->preprocess))
            continue;
        char *file = temp_for(&a->inputs[i], i, "");
        int status = translate(j, &a->inputs[i], file);
        if (status != 0)
            return status;
        j->translated[i] = file;
        any = true;
    }
    if (any)
        compile_old_c(&a->rest);
    return 0;
}

static int emit_c(const struct job *j) {
    const struct args *a = &j->args;
    int worst = a->input_count ? 0 : 1;
    if (!a->input_count)
        complain("--emit-c needs a .c file");
    if (a->output && a->input_count > 1)
        fail("--emit-c: -o %s can hold one translation, not %zu", a->output, a->input_count);
    for (size_t i = 0; i < a->input_count; i++) {
        if (!a->inputs[i].c_source) {
            complain("%s is neither C nor C++: nothing to translate", a->inputs[i].path);
            worst = 1;
            continue;
        }
        int status = translate(j, &a->inputs[i], a->output);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* ---- clang
 * ---------------------------------------------------------------------------------------- */

/* What is named in one call of clang. */
struct call {
    const struct job *job;
    size_t only;          /* the one input to name; ALL for all */
    char *const *instead; /* for each input, a file in its place, or NULL */
    bool link, quiet;
    const char *output;
    const struct list *more; /* further flags, or NULL */
};
enum { ALL = -1 };

static void add_inputs_and_rest(struct list *argv, const struct call *c) {
    const struct args *a = &c->job->args;
    const char *language = NULL; /* in force on the line so far */
    size_t next = 0;
    for (size_t i = 0; i < a->rest.count; i++) {
        if (next >= a->input_count || a->inputs[next].position != i) {
            list_add(argv, a->rest.at[i]);
            continue;
        }
        const struct input *in = &a->inputs[next];
        const char *file = c->instead && c->instead[next] ? c->instead[next] : in->path;
        bool wanted = c->only == (size_t)ALL || c->only == next;
        const char *l = ends_with(file, ".o") ? NULL : in->language;
        next++;
        if (!wanted)
            continue;
        if (l != language && (!l || !language || strcmp(l, language) != 0)) {
            list_add(argv, "-x");
            list_add(argv, l ? l : "none");
            language = l;
        }
        list_add(argv, file);
    }
}

static void add_link_flags(struct list *argv, const struct job *j) {
    const struct home *h = find_home();
    bool cplusplus = false;
    for (size_t i = 0; i < j->args.input_count; i++)
        cplusplus |= j->args.inputs[i].cplusplus;
    list_add(argv, "--start-no-unused-arguments");
    if (cplusplus) { /* as clang++ does */
        list_add(argv, "-lstdc++");
        list_add(argv, "-lm");
    }
    if (h->lib && !j->args.relocatable) {
        list_add(argv, format("-L%s", h->lib));
        list_add(argv, "-Wl,--push-state,--no-as-needed");
        if (j->args.verify)
            list_add(argv, "-lheddle-verify");
        list_add(argv, "-lheddle");
        if (j->clang.lib) {
            list_add(argv, format("-L%s", j->clang.lib));
            list_add(argv, "-lomptarget");
        }
        list_add(argv, "-Wl,--pop-state");
        if (!j->args.no_rpath)
            list_add(argv, format("-Wl,-rpath,%s", h->lib));
    }
    if (j->clang.lib && !j->args.relocatable && !j->args.no_rpath)
        list_add(argv, format("-Wl,-rpath,%s", j->clang.lib));
    list_add(argv, "--end-no-unused-arguments");
}

static int call_clang(const struct call *c) {
    const struct job *j = c->job;
    struct list argv = {0};
    list_add_all(&argv, &j->compiler);
    if (c->quiet)
        list_add(&argv, "-Qunused-arguments");
    list_add_all(&argv, &j->flags);
    /* the user's own -iquote folders come after the folder of the file, as they always do */
    for (size_t i = 0; i < j->args.input_count; i++)
        if (j->translated[i] && (c->only == (size_t)ALL || c->only == i)) {
            char *dir = folder_of(j->args.inputs[i].path);
            setenv("TMPDIR", temp_dir(), 1); /* clang leaves its own behind when a signal ends it */
            list_add(&argv, format("-iquote%s", dir));
            list_add(&argv, format("-ffile-prefix-map=%s=%s", folder_of(j->translated[i]), dir));
            add_translated_flags(&argv, &j->targets);
        }
    /* Else ld reads all that libomptarget needs, libLLVM above all, which takes a third of a small program's time. */
    if (c->link && !j->args.relocatable && j->clang.lib) {
        list_add(&argv, "--start-no-unused-arguments");
        list_add(&argv, "-Wl,--allow-shlib-undefined");
        list_add(&argv, "--end-no-unused-arguments");
    }
    if (c->more)
        list_add_all(&argv, c->more);
    add_inputs_and_rest(&argv, c);
    if (j->args.verify)
        add_verify_flags(&argv);
    if (c->output) {
        list_add(&argv, "-o");
        list_add(&argv, c->output);
    }
    if (c->link)
        add_link_flags(&argv, j);
    return run_child(&argv);
}

/* One input, or several of which none was translated: one call does it. */
static int compile_at_once(const struct job *j) {
    const struct args *a = &j->args;
    struct call c = {
        .job = j, .only = (size_t)ALL, .instead = j->translated, .link = a->stage == STAGE_LINK, .output = a->output};
    int status = call_clang(&c);
    if (a->deps && status == 0)
        for (size_t i = 0; i < a->input_count; i++)
            if (j->translated[i])
                mend_dep_file(dep_file_of(a, &a->inputs[i]), j->translated[i], a->inputs[i].path);
    return status;
}

/* Several sources: each has its own folder for quoted includes, so each gets its own call. */
static int compile_one(const struct job *j, size_t i, const char *object) {
    const struct args *a = &j->args;
    const struct input *in = &a->inputs[i];
    struct list more = {0};
    char *dep = dep_file_of(a, in);
    if (object) {
        list_add(&more, "-c");
        if (a->deps && !a->dep_file) { /* else they would go beside the temporary object */
            dep = replace_suffix(base_of(in->path), ".d");
            list_add(&more, format("-MF%s", dep));
        }
        if (a->deps && !a->dep_target)
            list_add(&more, format("-MT%s", replace_suffix(base_of(in->path), ".o")));
    }
    struct call c = {
        .job = j, .only = i, .instead = j->translated, .quiet = object != NULL, .output = object, .more = &more};
    int status = call_clang(&c);
    if (status == 0 && a->deps && j->translated[i])
        mend_dep_file(dep, j->translated[i], in->path);
    return status;
}

static int compile_each(const struct job *j) {
    const struct args *a = &j->args;
    bool link = a->stage == STAGE_LINK;
    char **objects = calloc(a->input_count, sizeof *objects);
    int worst = 0;
    if (!objects)
        fail("out of memory");
    for (size_t i = 0; i < a->input_count; i++) {
        if (!is_source(&a->inputs[i]))
            continue;
        objects[i] = link ? temp_for(&a->inputs[i], i, ".o") : NULL;
        int status = compile_one(j, i, objects[i]);
        worst = status > worst ? status : worst;
    }
    if (worst || !link)
        return worst;
    struct job plain = *j;
    plain.translated = calloc(a->input_count, sizeof *objects);
    if (!plain.translated)
        fail("out of memory");
    struct call c = {.job = &plain,
                     .only = (size_t)ALL,
                     .instead = objects,
                     .link = true,
                     .quiet = true,
                     .output = a->output ? a->output : "a.out"};
    return call_clang(&c);
}

/* ---- flags
 * ----------------------------------------------------------------------------------------- */

/* Fits the targets to what is installed. An explicit wish that cannot be met is an error; for the
 * GPUs that happen to be present a program for the CPU is better than none. */
static void choose_targets(struct job *j, struct cuda *cuda) {
    const struct args *a = &j->args;
    const char *env = getenv("HEDDLE_TARGETS");
    const char *wish = a->verify ? "host" : a->targets ? a->targets : env && *env ? env : "native";
    if (a->own_targets && !a->targets)
        wish = "host"; /* clang's own flags say it all */
    if (parse_targets(wish, &j->clang, &j->targets) != 0)
        exit(1);
    if (j->targets.sm_count == 0)
        return;
    find_cuda(cuda, a->cuda_path);
    if (cuda->path)
        return;
    const char *fetch = find_home()->share ? find_home()->share : "toolchain";
    const char *why = cuda->unfit ? format(" (%s: %s)", cuda->unfit, cuda->why) : "";
    if (strstr(wish, "sm_"))
        fail("no CUDA tools that fit%s; %s/fetch-cuda gets them, `heddle doctor` tells more", why, fetch);
    complain("GPU sm_%d: no CUDA tools that fit%s, so compiled for the CPU only; %s/fetch-cuda "
             "gets them",
             j->targets.sm[0], why, fetch);
    j->targets.sm_count = 0;
}

static bool compiles_something(const struct args *a) {
    for (size_t i = 0; i < a->input_count; i++)
        if (!ends_with(a->inputs[i].path, ".s") && !ends_with(a->inputs[i].path, ".S"))
            return true;
    return a->stage == STAGE_LINK;
}

static void collect_flags(struct job *j) {
    struct cuda cuda = {0};
    const struct home *h = find_home();
    choose_targets(j, &cuda);
    list_add(&j->flags, "--start-no-unused-arguments");
    list_add(&j->flags, "-fopenmp");
    list_add(&j->flags, "-Wunknown-pragmas"); /* directives where nobody translates them: in headers, in _Pragma */
    if (compiles_something(&j->args))
        add_target_flags(&j->flags, &j->targets, &j->clang, &cuda);
    add_register_limit(&j->flags, j->args.gpu_registers, &cuda);
    if (j->args.own_targets && j->clang.lib)
        list_add(&j->flags, format("--libomptarget-nvptx-bc-path=%s", j->clang.lib));
    if (h->include)
        list_add(&j->flags, format("-I%s", h->include));
    list_add(&j->flags, "--end-no-unused-arguments");
}

/* ---- other compilers and plain questions --------------------------------------------------------
 */

static int pass_through(const struct job *j, int argc, char **argv) {
    struct list l = {0};
    list_add_all(&l, &j->compiler);
    for (int i = 0; i < argc; i++)
        list_add(&l, argv[i]);
    return run_child(&l);
}

/* gcc cannot offload through LLVM's run time; without its pragmas the program is right, but serial.
 */
static int other_compiler(const struct job *j, int argc, char **argv) {
    for (size_t i = 0; i < j->args.input_count; i++)
        if (to_translate(&j->args.inputs[i], &j->args.preprocess))
            complain("%s: '%s' is not clang %d or later: compiled as the serial program, directives ignored",
                     j->args.inputs[i].path, j->clang.path, llvm.oldest);
    return pass_through(j, argc, argv);
}

static int count_sources(const struct job *j, bool *any_translated) {
    int n = 0;
    *any_translated = false;
    for (size_t i = 0; i < j->args.input_count; i++) {
        n += is_source(&j->args.inputs[i]);
        *any_translated |= j->translated[i] != NULL;
    }
    return n;
}

/* clang's own message does not say what to install. */
static int with_reason(const struct job *j, int status) {
    const bool offloads = j->targets.x86_64 || j->targets.sm_count || j->targets.gfx_count || j->args.own_targets;
    const struct offload_tool *tool = status && offloads ? missing_offload_tool(&j->clang) : NULL;
    if (tool)
        complain("%s has no %s, which code for devices needs: apt-get install %s-%d, or --targets=host", j->clang.path,
                 tool->name, tool->package, j->clang.major);
    return status;
}

/* clang empties its output before it fails, and would write over a source whose object has its name. */
static void check_outputs(const struct args *a) {
    const char *outputs[] = {a->output, a->dep_file};
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        for (size_t i = 0; outputs[k] && i < a->input_count; i++)
            if (same_file(outputs[k], a->inputs[i].path))
                fail("%s is read, and %s would write over it: give another file", a->inputs[i].path, k ? "-MF" : "-o");
    if (a->output && a->dep_file && same_file(a->output, a->dep_file))
        fail("-o and -MF are one file, %s", a->output);
}

/* heddle's own options may stand before the compiler's name: a launcher's line begins with them. */
static int own_options(int argc, char **argv) {
    int n = 0;
    while (n < argc && is_heddle_option(argv[n]))
        n++;
    return n;
}

static int run(int argc, char **argv) {
    struct job j = {0};
    int own = own_options(argc - 1, argv + 1);
    int taken = take_compiler(&j, argc - 1 - own, argv + 1 + own);
    for (int i = own; i > 0; i--) /* the compiler's words go, heddle's options stay */
        argv[i + taken] = argv[i];
    argc -= 1 + taken;
    argv += 1 + taken;
    parse_args(argc, argv, &j.args);
    verbose = j.args.verbose;
    check_outputs(&j.args);
    choose_compiler(&j);
    if (j.args.emit_c)
        return emit_c(&j);
    if (j.clang.major < llvm.oldest)
        return other_compiler(&j, argc, argv);
    if (!j.args.input_count || (argc && starts_with(argv[0], "-cc1")))
        return pass_through(&j, argc, argv);
    if (j.args.is_static && j.args.stage == STAGE_LINK)
        fail("-static: libheddle and LLVM's offload libraries are shared ones; leave it out");
    collect_flags(&j);
    if (j.args.sanitize && j.targets.x86_64 && j.args.stage == STAGE_LINK) /* ld would say so in a thousand lines */
        fail("-fsanitize: images for x86_64 \"devices\" cannot hold a sanitizer; compile and link with --targets=host");
    int status = translate_all(&j);
    if (status != 0)
        return status;
    bool any;
    int sources = count_sources(&j, &any);
    bool one_output = j.args.output && j.args.stage != STAGE_LINK; /* clang says that this cannot be */
    return with_reason(&j, sources > 1 && any && !one_output ? compile_each(&j) : compile_at_once(&j));
}

const struct command command_cc = {
    .name = "cc",
    .summary = "compile: a drop-in clang that translates #pragma heddle and adds OpenMP offload",
    .usage = "usage: heddle cc [heddle's options] [COMPILER] clang-arguments...\n"
             "\n"
             "Takes every argument that clang takes. C inputs that hold #pragma heddle are translated\n"
             "first; OpenMP, offload targets, and heddle's include and library folders are added.\n"
             "\n"
             "  --targets=LIST     host, native, sm_NN (such as sm_90), gfxNNN (gfx90a), x86_64, joined by commas;\n"
             "                     default: $HEDDLE_TARGETS, else native (the GPUs present, else host)\n"
             "  --gpu-registers=N  a GPU's threads get no more registers (more of them then run at once)\n"
             "  --verify           a program that runs serially, looks at every access and says at its end which ones\n"
             "                     the directives do not allow; compile and link with it (exit status 1 on a finding)\n"
             "  --emit-c           print the translation instead of compiling it\n"
             "  --heddle-verbose   print the commands that are run (-v does too)\n"
             "  --no-rpath         do not write the places of libheddle and libomptarget into the "
             "program\n"
             "  --cuda-path=DIR    CUDA tools 11.8 to 12.x: ptxas, nvlink, libdevice\n"
             "\n"
             "As a CMake compiler:   -DCMAKE_C_COMPILER=heddle-cc\n"
             "As a CMake launcher:   -DCMAKE_C_COMPILER=clang-N "
             "-DCMAKE_C_COMPILER_LAUNCHER='heddle;cc'\n"
             "                       -DCMAKE_C_LINKER_LAUNCHER='heddle;cc'\n"
             "                       (find_package(heddle) does this for targets that link "
             "heddle::heddle)\n"
             "\n"
             "Environment: HEDDLE_CC (the clang to use), HEDDLE_TARGETS, HEDDLE_CUDA (folder of CUDA\n"
             "tools), HEDDLE_TRANSLATE (the translator).\n",
    .run = run,
};
