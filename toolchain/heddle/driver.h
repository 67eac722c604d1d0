/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h - what the files of the `heddle` command share, one section per .c file in the order in
 * which a compilation passes through them.
 *
 * The process is short-lived: memory is allocated and never freed, and an allocation that fails
 * ends the program. Only temporary files are cleaned up. */
#ifndef HEDDLE_DRIVER_H
#define HEDDLE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

/* ---- front/main.c: the table of commands ------------------------------------------------------------
 */

struct command {
    const char *name;
    const char *summary;               /* one line for `heddle --help` */
    const char *usage;                 /* all of `heddle NAME --help` */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

extern const struct command command_cc, command_advise, command_doctor, command_models, command_run, command_sim,
    command_trace, command_options;

/* ---- util.c: strings, lists, files, child processes --------------------------------------------
 */

/* A growing, NULL-terminated list of strings: fit for execvp. */
struct list {
    char **at;
    size_t count, room;
};

void list_add(struct list *l, const char *s);
void list_add_all(struct list *l, const struct list *more);
char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The whole text is a number in that range; NaN is in none. */
bool whole_number(const char *text, long least, long most, long *value);
bool real_number(const char *text, double least, double most, double *value);
bool starts_with(const char *s, const char *prefix);
bool ends_with(const char *s, const char *suffix);

bool is_file(const char *path);
bool is_dir(const char *path);
bool same_file(const char *a,
               const char *b); /* also by another name or link; devices and pipes are not: nothing in them is lost */
bool is_program(const char *path);
char *dir_of(const char *path); /* "" for a bare name, so that dir + name is a path again */
const char *base_of(const char *path);
char *absolute(const char *path);                /* symbolic links resolved; a copy of path if that fails */
char *find_in_path(const char *name);            /* NULL when PATH holds no such program */
char *read_file(const char *path, size_t *size); /* NUL-terminated; NULL when it cannot be read */
char *take_line(char **text, int *number); /* the next line, its end cut off, and its number from 1; NULL: no more */
int make_dirs(const char *path);           /* like mkdir -p; 0 or -1 with errno */

void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

extern bool verbose;                      /* print each command before it runs */
int run_child(const struct list *argv);   /* exit status; 128 + n for a signal; 127 when not started */
char *output_of(const struct list *argv); /* stdout, up to 8 KB; NULL when it fails; stderr dropped */
char *temp_dir(void);                     /* one private folder per process, removed at exit */

/* ---- cc/find.c: where the parts are
 * ----------------------------------------------------------------- */

/* The folders of this installation, found from the place of the running program, so that a build
 * tree, an installed tree and a moved tree all work. A member is NULL when the part is missing. */
struct home {
    char *bin;       /* folder of this program */
    char *translate; /* heddle-translate */
    char *include;   /* folder that holds heddle.h */
    char *lib;       /* folder that holds libheddle.so */
    char *share;     /* folder of fetch-cuda and bundle */
};

/* Versions of LLVM: the oldest and newest of toolchain/llvm-versions, that of the libclang that translates, and its
 * Debian packages. */
extern const struct llvm {
    int oldest, newest, built;
    const char *packages;
} llvm;

struct compiler {
    char *path; /* the clang that compiles */
    int major;  /* its LLVM version; 0 when it is not a clang */
    char *lib;  /* folder of libomptarget.so and of the device run-time bitcode */
};

/* A folder with bin/ptxas, bin/nvlink and nvvm/libdevice/libdevice.10.bc that clang 19 can use. */
struct cuda {
    char *path;  /* for --cuda-path=; NULL when none fits */
    int version; /* 1108 for 11.8, as ptxas reports it */
    char *unfit; /* a folder that was found but does not fit, and why: for doctor */
    char *why;
};

const struct home *find_home(void);
bool find_compiler(struct compiler *c);     /* false: none fits; c->path names the last tried */
void describe_compiler(struct compiler *c); /* fills major and lib from path */
/* What clang needs to make device images, and the Debian package, without its number, that holds it. */
struct offload_tool {
    const char *name, *package;
    int from, until; /* versions */
};
const struct offload_tool *missing_offload_tool(const struct compiler *c); /* NULL: none */
void find_cuda(struct cuda *c, const char *preferred); /* preferred: the user's --cuda-path or NULL */
int ptxas_version(const char *ptxas);                  /* 1108 for 11.8; 0 when unknown */

/* ---- cc/gpu.c: the GPUs of this machine, through the driver's own library
 * --------------------------- */

enum { GPU_MAX = 64 };

struct gpus {
    int count;       /* of devices; 0 also when there is no driver */
    int sm[GPU_MAX]; /* 90 for compute capability 9.0 */
    char name[GPU_MAX][96];
    bool has_so_1, has_so; /* which names of the driver library the loader finds */
    int driver;            /* 12040 for CUDA 12.4; 0 unknown */
    char *error;           /* why count is 0 although the library is there; NULL if no error */
};

void find_gpus(struct gpus *g);

/* ---- cc/targets.c: the list of targets and the flags they need
 * --------------------------------------- */

struct targets {
    bool x86_64;
    int sm[GPU_MAX], sm_count;
    const char *gfx[GPU_MAX]; /* AMD's architectures, and where ROCm's device libraries are */
    int gfx_count;
    char *rocm;
};

/* Reads "host", "native", "sm_90", "gfx90a", "x86_64" joined by commas. 0, or -1 after a message. */
int parse_targets(const char *text, const struct compiler *c, struct targets *t);
/* Adds the flags for compiling and linking; `cuda` must fit when sm_count > 0. */
void add_target_flags(struct list *flags, const struct targets *t, const struct compiler *c, const struct cuda *cuda);
void add_translated_flags(struct list *argv, const struct targets *t);
/* --gpu-registers: kernels of this compilation get no more. Needs ptxas' word, so nothing where it is too old. */
void add_register_limit(struct list *flags, const char *limit, const struct cuda *cuda);
bool has_device_runtime(const struct compiler *c, int sm);
char *find_rocm_libraries(void); /* the folder of ocml.bc; NULL: none */

/* ---- cc/verify.c: the program that checks itself
 * ------------------------------------------------------ */

void add_verify_flags(struct list *flags); /* after the user's */

/* ---- cc/args.c: the clang command line, as far as the driver must understand it
 * ---------------------- */

enum stage { STAGE_LINK, STAGE_COMPILE, STAGE_ASSEMBLY, STAGE_PREPROCESS, STAGE_SYNTAX };

struct input {
    char *path;
    char *language;  /* of a -x before it; NULL: by suffix */
    size_t position; /* in args.rest, where the input stood */
    bool c_source;   /* read as C or C++ */
    bool cplusplus;
};

struct args {
    struct list rest; /* everything but heddle's own options; inputs hold their place */
    struct input *inputs;
    size_t input_count;
    struct list preprocess; /* the options that the translator must know too */
    enum stage stage;
    char *output;                /* -o */
    char *dep_file, *dep_target; /* -MF; -MT or -MQ */
    bool deps, deps_only;        /* -MD or -MMD; -M or -MM */
    bool dry, relocatable;       /* -###; -r */
    bool is_static;              /* -static */
    bool sanitize;               /* -fsanitize= */
    bool own_targets;            /* the user gave --offload-arch or -fopenmp-targets */
    char *cuda_path;
    /* heddle's own options */
    char *targets, *gpu_registers;
    bool emit_c, verbose, no_rpath, verify;
};

void parse_args(int argc, char **argv, struct args *a); /* expands @files */
bool is_heddle_option(const char *word);

/* ---- cc/launcher.c: heddle cc ccache clang-19 ...
 * ---------------------------------------------------------- */

int compiler_words(int argc, char **argv); /* so many words at the beginning are a compiler and its launchers */

/* ---- cc/dependencies.c
 * --------------------------------------------------------------------------- */

char *replace_suffix(const char *path, const char *suffix);
char *dep_file_of(const struct args *a, const struct input *in); /* where clang writes them, by its own rule */
/* Puts the user's file where the translated one is named. */
void mend_dep_file(const char *file, const char *translated, const char *original);

/* ---- cc/inputs.c: what the inputs are
 * ----------------------------------------------------------------- */

bool is_source(const struct input *in);
/* A C source with a directive, or with headers whose macros hold one; says so where another language has one.
   `options`: the preprocessor's. */
bool to_translate(const struct input *in, const struct list *options);

/* ---- cc/headers.c ---- */
bool holds_directive(const char *text);
bool holds_pragma_macro(const char *text);
bool headers_hold_directives(const char *path, const char *text, const struct list *options);

/* ---- cc/shared_memory.c: what libomp finds in /dev/shm when a program starts
 * -------------------------- */

#define SHARED_MEMORY "/dev/shm"

struct shared_memory {
    bool there, full;
    int leftovers; /* empty files of this user's processes that are gone: a later one with such a number is killed by
                      SIGBUS */
};

struct shared_memory find_shared_memory(void);

/* ---- cc/image.c: the offload images inside a program
 * -------------------------------------------------- */

struct image {
    char triple[64], arch[32];
    int elf_abi; /* EI_ABIVERSION of a cubin: 8 means made by CUDA 13, which LLVM 19 rejects */
};

/* How many images the file holds (at most `max` are stored); -1 when it cannot be read. */
int find_images(const char *path, struct image *images, int max);

#endif
