/* SPDX-License-Identifier: Apache-2.0 */
/* util.c - strings, lists, files and child processes of the driver.
 * Children inherit the terminal. While one runs, a signal that would end the driver is passed on to
 * it, so that temporary files are removed in every case but SIGKILL. */
#include "driver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
bool verbose;

static void *must(void *p) {
    if (!p) {
        fputs("heddle: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

void list_add(struct list *l, const char *s) {
    if (l->count + 2 > l->room) {
        l->room = l->room ? 2 * l->room : 32;
        l->at = must(realloc(l->at, l->room * sizeof *l->at));
    }
    l->at[l->count++] = must(strdup(s));
    l->at[l->count] = NULL;
}

void list_add_all(struct list *l, const struct list *more) {
    for (size_t i = 0; i < more->count; i++)
        list_add(l, more->at[i]);
}

char *format(const char *fmt, ...) {
    char *s = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&s, fmt, ap);
    va_end(ap);
    return must(n < 0 ? NULL : s);
}

bool whole_number(const char *text, long least, long most, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && !*end && !errno && *value >= least && *value <= most;
}

bool real_number(const char *text, double least, double most, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= least && *value <= most;
}

bool starts_with(const char *s, const char *prefix) { return strncmp(s, prefix, strlen(prefix)) == 0; }

bool ends_with(const char *s, const char *suffix) {
    size_t n = strlen(s), m = strlen(suffix);
    return n >= m && !strcmp(s + n - m, suffix);
}

static bool has_mode(const char *path, mode_t type) {
    struct stat st;
    return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

bool is_file(const char *path) { return has_mode(path, S_IFREG); }

bool is_dir(const char *path) { return has_mode(path, S_IFDIR); }

bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && (S_ISREG(x.st_mode) || S_ISBLK(x.st_mode)) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool is_program(const char *path) { return is_file(path) && access(path, X_OK) == 0; }

const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *dir_of(const char *path) { return format("%.*s", (int)(base_of(path) - path), path); }

char *absolute(const char *path) {
    char *real = realpath(path, NULL);
    return real ? real : must(strdup(path));
}

char *find_in_path(const char *name) {
    if (strchr(name, '/'))
        return is_program(name) ? must(strdup(name)) : NULL;
    const char *path = secure_getenv("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        char *file = n ? format("%.*s/%s", (int)n, p, name) : format("./%s", name);
        if (is_program(file))
            return file;
        free(file);
        p += n + (p[n] == ':');
    }
    return NULL;
}

/* No file that is read here is larger; /dev/zero is. */
static const size_t MOST = (size_t)1 << 32;

char *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = NULL;
    size_t n = 0, room = 0, got;
    do {
        if (room - n < 4096 || !text)
            text = must(realloc(text, room = 2 * room + 65536));
        got = fread(text + n, 1, room - n - 1, f);
        n += got;
    } while (got > 0 && n <= MOST);
    bool bad = ferror(f) || n > MOST;
    fclose(f);
    if (bad) {
        free(text);
        return NULL;
    }
    text[n] = 0;
    if (size)
        *size = n;
    return text;
}

char *take_line(char **text, int *number) {
    char *line = *text;
    if (!line || !*line)
        return NULL;
    *text = strchr(line, '\n');
    if (*text)
        *(*text)++ = 0;
    ++*number;
    return line;
}

int make_dirs(const char *path) {
    char *p = format("%s/", path);
    for (char *s = p + 1; *s; s++)
        if (*s == '/') {
            *s = 0;
            if (mkdir(p, 0777) != 0 && errno != EEXIST)
                return -1;
            *s = '/';
        }
    free(p);
    return 0;
}

static void vcomplain(const char *fmt, va_list ap) {
    fputs("heddle: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

void complain(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vcomplain(fmt, ap);
    va_end(ap);
}

void fail(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vcomplain(fmt, ap);
    va_end(ap);
    exit(1);
}

/* ---- child processes ---- */

static volatile sig_atomic_t child_id, caught;

static void pass_on(int sig) {
    caught = sig;
    if (child_id > 0)
        kill((pid_t)child_id, sig);
}

static void watch_signals(void) {
    static bool watching;
    if (watching)
        return;
    watching = true;
    const int watched[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        struct sigaction old, act = {.sa_handler = pass_on};
        sigaction(watched[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup must stay in force */
            sigaction(watched[i], &act, NULL);
    }
}

/* Prints the command so that a shell can run it again. */
static void print_command(const struct list *argv) {
    for (size_t i = 0; i < argv->count; i++) {
        const char *s = argv->at[i];
        bool plain = *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                       "-_=+./,:@%")] == 0;
        fputs(i ? " " : "", stderr);
        if (plain) {
            fputs(s, stderr);
            continue;
        }
        fputc('\'', stderr);
        for (; *s; s++)
            if (*s == '\'')
                fputs("'\\''", stderr);
            else
                fputc(*s, stderr);
        fputc('\'', stderr);
    }
    fputc('\n', stderr);
}

static int wait_for(pid_t pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    child_id = 0;
    if (caught)
        exit(128 + caught); /* the folder of temporary files goes with atexit */
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_child(const struct list *argv) {
    if (verbose)
        print_command(argv);
    watch_signals();
    pid_t pid;
    int error = posix_spawnp(&pid, argv->at[0], NULL, NULL, argv->at, environ);
    if (error) {
        complain("cannot run %s: %s", argv->at[0], strerror(error));
        return 127;
    }
    child_id = pid;
    return wait_for(pid);
}

char *output_of(const struct list *argv) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_t acts;
    posix_spawn_file_actions_init(&acts);
    posix_spawn_file_actions_adddup2(&acts, ends[1], 1);
    posix_spawn_file_actions_addopen(&acts, 2, "/dev/null", O_WRONLY, 0);
    watch_signals();
    pid_t pid;
    int error = posix_spawnp(&pid, argv->at[0], &acts, NULL, argv->at, environ);
    posix_spawn_file_actions_destroy(&acts);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        return NULL;
    }
    child_id = pid;
    char text[8192];
    size_t n = 0;
    for (;;) { /* reads on after the buffer is full, so that the child never blocks */
        char rest[4096];
        ssize_t got =
            n < sizeof text - 1 ? read(ends[0], text + n, sizeof text - 1 - n) : read(ends[0], rest, sizeof rest);
        if (got <= 0)
            break;
        if (n < sizeof text - 1)
            n += (size_t)got;
    }
    close(ends[0]);
    if (wait_for(pid) != 0)
        return NULL;
    text[n] = 0;
    return format("%s", text);
}

/* ---- the folder of temporary files ---- */

static char *temp;

static void remove_tree(const char *path) {
    DIR *d = opendir(path);
    if (d) {
        for (struct dirent *e; (e = readdir(d));)
            if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
                char *p = format("%s/%s", path, e->d_name);
                if (unlink(p) != 0)
                    remove_tree(p);
                free(p);
            }
        closedir(d);
    }
    rmdir(path);
}

static void remove_temp(void) {
    if (temp)
        remove_tree(temp);
}

char *temp_dir(void) {
    if (!temp) {
        const char *base = secure_getenv("TMPDIR");
        char *dir = format("%s/heddle-XXXXXX", base && *base ? base : "/tmp");
        if (!mkdtemp(dir))
            fail("cannot make a folder for temporary files (%s): %s", dir, strerror(errno));
        temp = dir;
        atexit(remove_temp);
    }
    return temp;
}
