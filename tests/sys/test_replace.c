/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that takes its place when it is complete: what is replaced and what is written as it is; and a writer that
 * is killed before each of its system calls, after which the old or the new file is there, and nothing else once the
 * next writer was there. The calls of replace.c come here first, which also plays a file system without nameless files.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static bool no_nameless;
static int kill_at; /* before this call; 0: never */
static int calls;

static void step(void) {
    if (++calls == kill_at)
        raise(SIGKILL);
}

static int step_open(const char *path, int flags, mode_t mode) {
    step();
    if (no_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return open(path, flags, mode);
}

#define OPEN(path, flags, mode, ...) step_open(path, flags, mode)
#define open(...) OPEN(__VA_ARGS__, 0, 0)
#define flock(fd, how) (step(), flock(fd, how))
#define linkat(...) (step(), linkat(__VA_ARGS__))
#define rename(from, to) (step(), rename(from, to))
#define unlink(name) (step(), unlink(name))
#define fflush(file) (step(), fflush(file))
#define fclose(file) (step(), fclose(file))
#define close(fd) (step(), close(fd))
#include "core/replace.c"
#undef open
#undef flock
#undef linkat
#undef rename
#undef unlink
#undef fflush
#undef fclose
#undef close

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

static char folder[64];

static int enter(void **state) {
    (void)state;
    strcpy(folder, "/tmp/heddle-replace-XXXXXX");
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int leave(void **state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "chmod -R u+w %s && rm -rf %s", folder, folder);
    no_nameless = false;
    return chdir("/") || system(command);
}

static void put_text(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static const char *text_of(const char *path) {
    static char text[64];
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

/* Names in the folder beside . and .. */
static int names(void) {
    int count = -2;
    DIR *d = opendir(".");
    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count;
}

static bool write_as(const char *path, const char *text, enum heddle__replace_how how) {
    struct heddle__replace r;
    return heddle__replace_begin(&r, path, how) && heddle__replace_end(&r, fputs(text, r.file) >= 0);
}

static bool write_text(const char *path, const char *text) { return write_as(path, text, HEDDLE__REPLACE_NAMED); }

/* A process that writes "new" in two pieces and is killed before its call number k; false: it was not. */
static bool killed_at(int k) {
    const pid_t child = fork();
    int status;
    if (!child) {
        struct heddle__replace r;
        calls = 0;
        kill_at = k;
        if (!heddle__replace_begin(&r, "file", HEDDLE__REPLACE_NAMED) || fputs("ne", r.file) < 0 || fflush(r.file))
            _exit(1);
        step();
        _exit(!heddle__replace_end(&r, fputs("w", r.file) >= 0));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

static void start_with(const char *old) {
    unlink("file");
    if (old)
        put_text("file", old);
}

static void kill_everywhere(const char *old) {
    int litter = 0, news = 0, k = 0;
    while (start_with(old), killed_at(++k)) {
        const char *text = text_of("file");
        const bool is_new = text && !strcmp(text, "new");
        news += is_new;
        if (!is_new)
            assert_true(old ? text && !strcmp(text, old) : !text);
        litter += names() > (text != NULL);
        assert_true(names() <= (text != NULL) + 1);
        if (!old && !no_nameless)
            assert_int_equal(names(), text != NULL);
        assert_true(write_text("file", "next"));
        assert_string_equal(text_of("file"), "next");
        assert_int_equal(names(), 1);
    }
    assert_true(k > 5 && news > 0); /* killed before as well as after its place was taken */
    if (no_nameless)
        assert_true(litter > 0); /* which the next writer removed */
    assert_string_equal(text_of("file"), "new");
    assert_int_equal(names(), 1);
}

static void killed(void **state) {
    (void)state;
    kill_everywhere(NULL);
    kill_everywhere("old");
    no_nameless = true;
    kill_everywhere(NULL);
    kill_everywhere("old");
}

/* Two that are under way at once do not take each other's names; the last one stays. */
static void two_at_once(void **state) {
    (void)state;
    for (int named = 0; named < 2; named++) {
        struct heddle__replace a, b;
        no_nameless = named;
        assert_true(heddle__replace_begin(&a, "both", HEDDLE__REPLACE_NAMED));
        assert_true(heddle__replace_begin(&b, "both", HEDDLE__REPLACE_NAMED));
        fputs("a", a.file);
        fputs("b", b.file);
        assert_true(heddle__replace_end(&b, true));
        assert_string_equal(text_of("both"), "b");
        assert_true(heddle__replace_end(&a, true));
        assert_string_equal(text_of("both"), "a");
        assert_int_equal(names(), 1);
    }
}

static void given_up(void **state) {
    (void)state;
    struct heddle__replace r;
    put_text("file", "old");
    for (int named = 0; named < 2; named++) {
        no_nameless = named;
        assert_true(heddle__replace_begin(&r, "file", HEDDLE__REPLACE_OWN));
        fputs("half", r.file);
        assert_false(heddle__replace_end(&r, false));
        assert_string_equal(text_of("file"), "old");
        assert_int_equal(names(), 1);
    }
}

/* Names that somebody planted are left alone, and what they lead to. */
static void planted(void **state) {
    (void)state;
    put_text("file", "old");
    put_text("victim", "whole");
    assert_false(symlink("victim", ".file.new-0") || mkdir(".file.new-1", 0777) || mkfifo(".file.new-2", 0666));
    for (int named = 0; named < 2; named++) {
        no_nameless = named;
        assert_true(write_text("file", "new"));
        assert_string_equal(text_of("file"), "new");
        assert_string_equal(text_of("victim"), "whole");
        assert_int_equal(names(), 5);
    }
    for (int k = 3; k < NUMBERS; k++) {
        char name[32];
        snprintf(name, sizeof name, ".file.new-%d", k);
        assert_false(symlink("victim", name));
    }
    assert_false(write_text("file", "newer"));
    assert_int_equal(errno, EBUSY);
    assert_string_equal(text_of("file"), "new");
}

static void rights(void **state) {
    (void)state;
    struct stat s;
    const mode_t mask = umask(027);
    assert_true(write_text("file", "1"));
    assert_int_equal(stat("file", &s) ? 0 : s.st_mode & 0777, 0640);
    umask(mask);
    chmod("file", 0604);
    assert_true(write_text("file", "2"));
    assert_int_equal(stat("file", &s) ? 0 : s.st_mode & 0777, 0604);
}

static void links(void **state) {
    (void)state;
    char long_name[260];
    assert_false(mkdir("deep", 0777));
    put_text("deep/real", "old");
    assert_false(symlink("deep/step", "link") || symlink("real", "deep/step") || symlink("link", "own"));
    assert_true(write_text("link", "new")); /* followed, each from its own folder */
    assert_string_equal(text_of("deep/real"), "new");
    assert_true(write_as("own", "ours", HEDDLE__REPLACE_OWN)); /* replaced */
    assert_string_equal(text_of("deep/real"), "new");
    assert_string_equal(text_of("own"), "ours");
    assert_false(symlink("round", "round"));
    assert_false(write_text("round", "x"));
    assert_int_equal(errno, ELOOP);
    memset(long_name, 'x', sizeof long_name);
    long_name[255] = 0;
    assert_true(write_text(long_name, "1") && write_text(long_name, "2"));
    long_name[255] = 'x', long_name[256] = 0;
    assert_false(write_text(long_name, "1"));
    assert_int_equal(errno, ENAMETOOLONG);
}

static void refused(void **state) {
    (void)state;
    assert_false(mkdir("sub", 0777) || mkfifo("pipe", 0666));
    static const struct {
        const char *path;
        enum heddle__replace_how how;
        int error;
    } cases[] = {
        {"sub", HEDDLE__REPLACE_NAMED, EISDIR},       {"sub", HEDDLE__REPLACE_OWN, EISDIR},
        {"pipe", HEDDLE__REPLACE_OWN, EINVAL},        {"/dev/null", HEDDLE__REPLACE_OWN, EINVAL},
        {"none/file", HEDDLE__REPLACE_NAMED, ENOENT}, {"", HEDDLE__REPLACE_NAMED, ENOENT},
        {"/dev/full", HEDDLE__REPLACE_NAMED, ENOSPC},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_false(write_as(cases[k].path, "x", cases[k].how));
        assert_int_equal(errno, cases[k].error);
    }
    assert_int_equal(names(), 2);
}

/* Pipes, devices and open files are written to; /dev/stdout is not replaced although it may be a plain file. */
static void as_they_are(void **state) {
    (void)state;
    char name[32], text[8] = "";
    assert_false(mkfifo("pipe", 0666));
    const int pipe = open("pipe", O_RDWR);
    assert_true(write_text("pipe", "through"));
    assert_int_equal(read(pipe, text, 7), 7);
    assert_string_equal(text, "through");
    close(pipe);
    assert_true(write_text("/dev/null", "x"));
    struct stat before, after;
    const int out = open("out", O_RDWR | O_CREAT, 0666);
    assert_false(fstat(out, &before));
    snprintf(name, sizeof name, "/dev/fd/%d", out);
    assert_true(write_text(name, "here"));
    assert_false(symlink(name, "indirect"));
    assert_true(write_text("indirect", "there"));
    assert_false(stat("out", &after));
    assert_int_equal(before.st_ino, after.st_ino);
    assert_string_equal(text_of("out"), "there");
    close(out);
}

/* A folder in which nothing can be made: the file itself can be written. A file that cannot is not replaced. */
static void closed_folder(void **state) {
    (void)state;
    const uid_t me = geteuid();
    assert_false(mkdir("closed", 0777) || chmod(folder, 0777));
    put_text("closed/file", "old");
    put_text("kept", "old");
    assert_false(chmod("closed/file", 0666) || chmod("kept", 0444) || chmod("closed", 0555));
    if (!me) /* whom nothing is closed to */
        assert_false(setegid(65534) || seteuid(65534));
    assert_true(write_text("closed/file", "new"));
    assert_string_equal(text_of("closed/file"), "new");
    assert_false(write_as("closed/file", "x", HEDDLE__REPLACE_OWN));
    assert_false(write_text("closed/other", "x"));
    assert_false(write_text("kept", "new"));
    assert_int_equal(errno, EACCES);
    assert_string_equal(text_of("kept"), "old");
    if (!me)
        assert_false(seteuid(0) || setegid(0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, enter, leave)
        CASE(killed), CASE(two_at_once), CASE(given_up),    CASE(planted),       CASE(rights),
        CASE(links),  CASE(refused),     CASE(as_they_are), CASE(closed_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
