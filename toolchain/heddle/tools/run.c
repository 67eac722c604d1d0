/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - `heddle run ./prog`: starts an unmodified OpenMP program with libheddle loaded before
 * libomptarget. Where the driver library exists only as libcuda.so.1, which libomptarget does not
 * look for, a private folder with a libcuda.so link goes on the library path. Missing parts are
 * said and left out: the program still runs as plain OpenMP. */
#include "driver.h"
#include <heddle/words.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void prepend(const char *variable, const char *value, char separator) {
    const char *old = getenv(variable);
    setenv(variable, old && *old ? format("%s%c%s", value, separator, old) : value, 1);
}

/* The folder must outlive this process, which turns into the program: it is kept in the user's
 * cache and used again. */
static char *link_folder(void) {
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *user = secure_getenv("HOME");
    if (cache && *cache)
        return format("%s/heddle/libcuda", cache);
    if (user && *user)
        return format("%s/.cache/heddle/libcuda", user);
    return format("/tmp/heddle-libcuda-%u", (unsigned)getuid());
}

/* libcuda.so -> libcuda.so.1: the loader finds the latter by its own rules, so the link needs its
 * full path, which the loaded library tells. */
static char *driver_path(void) {
    FILE *f = fopen("/proc/self/maps", "r");
    char line[4096], *path = NULL;
    while (f && !path && fgets(line, sizeof line, f)) {
        char *at = strchr(line, '/');
        if (at && strstr(at, "libcuda.so")) {
            at[strcspn(at, "\n")] = 0;
            path = format("%s", at);
        }
    }
    if (f)
        fclose(f);
    return path;
}

static void add_libcuda_link(void) {
    static struct gpus g;
    find_gpus(&g);
    char *library = g.has_so_1 && !g.has_so ? driver_path() : NULL;
    if (!library)
        return;
    char *dir = link_folder(), *name = format("%s/libcuda.so", dir);
    char *fresh = format("%s.%ld", name, (long)getpid());
    struct stat st;
    if (make_dirs(dir) != 0 || lstat(dir, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != getuid() ||
        symlink(library, fresh) != 0 || rename(fresh, name) != 0) {
        complain("cannot make the link %s (%s): the GPU may stay unused", name, strerror(errno));
        return;
    }
    prepend("LD_LIBRARY_PATH", dir, ':');
}

static bool is_one_of(const char *word, size_t length, const char *const *list) {
    for (; *list; list++)
        if (strlen(*list) == length && !memcmp(*list, word, length))
            return true;
    return false;
}

/* What the run time would only complain about and pass over. Whether a device is there, it knows alone. */
static bool is_good(const char *option, const char *value) {
    static const char *const policies[] = HEDDLE_WORD_ARRAY(HEDDLE_POLICIES),
                             *const explain[] = {"0", "1", "summary", NULL}, *const places[] = {"all", "host", NULL},
                             *const devices[] = {"auto", "all", "host", NULL};
    const size_t length = strlen(value), digits = strspn(value, "0123456789");
    if (!*value)
        return false;
    if (starts_with(option, "--policy"))
        return strchr(value, '/') ? is_file(value) : is_one_of(value, length, policies);
    if (starts_with(option, "--explain"))
        return is_one_of(value, length, explain);
    if (starts_with(option, "--device"))
        return digits == length || is_one_of(value, length, devices);
    while (starts_with(option, "--candidates") && *value) {
        const size_t word = strcspn(value, ",");
        if (!word || (strspn(value, "0123456789") < word && !is_one_of(value, word, places)))
            return false;
        value += word + (value[word] == ',');
    }
    return true;
}

/* Options stand for the environment variables of the selector. The number of words used; -1: not understood. */
static int read_options(int argc, char **argv) {
    static const struct {
        const char *option, *variable;
    } valued[] = {{"--policy=", "HEDDLE_POLICY"},         {"--device=", "HEDDLE_DEVICE"},
                  {"--candidates=", "HEDDLE_CANDIDATES"}, {"--models=", "HEDDLE_MODELS"},
                  {"--explain=", "HEDDLE_EXPLAIN"},       {"--trace=", "HEDDLE_TRACE"},
                  {"--record=", "HEDDLE_RECORD"}},
      plain[] = {{"--explain", "HEDDLE_EXPLAIN"}, {"--override-device", "HEDDLE_OVERRIDE_DEVICE"}};
    int k = 1;
    for (; k < argc && starts_with(argv[k], "--"); k++) {
        bool known = false;
        if (!strcmp(argv[k], "--"))
            return k + 1;
        for (size_t j = 0; j < sizeof valued / sizeof *valued; j++)
            if (starts_with(argv[k], valued[j].option)) {
                if (!is_good(argv[k], argv[k] + strlen(valued[j].option))) {
                    complain("run: cannot use '%s'; `heddle run --help` lists the values", argv[k]);
                    return -1;
                }
                setenv(valued[j].variable, argv[k] + strlen(valued[j].option), 1);
                known = true;
            }
        for (size_t j = 0; j < sizeof plain / sizeof *plain; j++)
            if (!strcmp(argv[k], plain[j].option)) {
                setenv(plain[j].variable, "1", 1);
                known = true;
            }
        if (!known) {
            bool valueless = false;
            if (starts_with(argv[k], "--schedule")) {
                complain("run: no option %s; --policy=P chooses the selector's policy", argv[k]);
                return -1;
            }
            for (size_t j = 0; j < sizeof valued / sizeof *valued; j++)
                valueless |= starts_with(valued[j].option, argv[k]) && strlen(valued[j].option) == strlen(argv[k]) + 1;
            complain(valueless ? "run: %s needs a value, as %s=…; `heddle run --help`"
                               : "run: no option %s; `heddle run --help` lists them",
                     argv[k], argv[k]);
            return -1;
        }
    }
    return k;
}

static int run(int argc, char **argv) {
    const int first = read_options(argc, argv);
    if (first < 0)
        return 2;
    if (argc <= first) {
        complain("run: name a program; `heddle run --help` tells more");
        return 2;
    }
    const char *program = find_in_path(argv[first]), *const outputs[] = {"HEDDLE_TRACE", "HEDDLE_RECORD"};
    for (int k = 0; program && k < 2; k++)
        if (getenv(outputs[k]) && same_file(getenv(outputs[k]), program)) {
            complain("run: %s would write over the program %s", outputs[k], program);
            return 2;
        }
    const struct home *h = find_home();
    struct compiler c = {0};
    if (find_compiler(&c) && c.lib) {
        const char *old = getenv("LD_LIBRARY_PATH"); /* the user's folders come first */
        setenv("LD_LIBRARY_PATH", old && *old ? format("%s:%s", old, c.lib) : c.lib, 1);
    }
    add_libcuda_link();
    setenv("HEDDLE_POLICY", "earliest-finish", 0);
    /* a `target nowait` keeps one of these until it is done, and those of several devices want to run at once. 16 is
     * libomp's most */
    if (strcmp(getenv("HEDDLE_POLICY"), "fixed") != 0)
        setenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "16", 0);
    if (h->lib)
        prepend("LD_PRELOAD", format("%s/libheddle.so", h->lib), ':');
    else
        complain("run: no libheddle.so beside %s: the program runs as plain OpenMP", h->bin);
    execvp(argv[first], argv + first);
    int error = errno;
    complain("cannot run %s: %s", argv[first], strerror(error));
    return error == ENOENT ? 127 : 126;
}

const struct command command_run = {
    .name = "run",
    .summary = "run an unmodified OpenMP program with heddle's run time loaded before libomptarget",
    .usage =
        "usage: heddle run [options] [--] PROGRAM [arguments...]\n"
        "\n"
        "Starts PROGRAM with libheddle preloaded, LLVM's offload library on the library path, and\n"
        "libcuda.so made visible where the machine has only libcuda.so.1. Each target region that\n"
        "names no device runs where it is done first; its data follows.\n"
        "\n"
        "  --policy=P          ./policy.so" HEDDLE_POLICIES(
            HEDDLE_WORD_TEXT) "\n"
                              "                      (HEDDLE_POLICY; earliest-finish unless said)\n"
                              "  --candidates=LIST   where regions may run: all, or numbers and host "
                              "(HEDDLE_CANDIDATES)\n"
                              "  --device=D          the program's default device: auto, host or a number "
                              "(HEDDLE_DEVICE)\n"
                              "  --override-device   also place regions that name a device (HEDDLE_OVERRIDE_DEVICE)\n"
                              "  --explain           a line for each region and a summary on stderr (HEDDLE_EXPLAIN)\n"
                              "  --explain=summary   only the summary: regions, bytes, errors, allocations\n"
                              "  --trace=FILE        a timeline of regions and transfers: .html, .svg, .json, .paje, "
                              "or text\n"
                              "                      for `heddle trace` (HEDDLE_TRACE)\n"
                              "  --record=FILE       a line for each region, for `heddle sim regions --recorded` "
                              "(HEDDLE_RECORD)\n"
                              "  --models=FOLDER     where measured times are kept; none: nowhere (HEDDLE_MODELS)\n",
    .run = run,
};
