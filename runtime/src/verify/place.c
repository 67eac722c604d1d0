/* SPDX-License-Identifier: Apache-2.0 */
/* Files and lines of places in the code, from llvm-symbolizer or addr2line; without them the program's name and an
 * offset. */
#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct module {
    char path[512];
    uintptr_t bias;
};
struct lookup {
    uint32_t pc;
    struct module module;
    uintptr_t address; /* 0: not found */
};

/* Only the low half of addresses is recorded: which module's code ends in these bits? */
static int find_module(struct dl_phdr_info *m, size_t size, void *data) {
    struct lookup *l = data;
    (void)size;
    for (int i = 0; i < m->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &m->dlpi_phdr[i];
        const uintptr_t begin = m->dlpi_addr + h->p_vaddr;
        uintptr_t full = (begin & ~(uintptr_t)UINT32_MAX) | l->pc;
        full += full < begin ? (uintptr_t)1 << 32 : 0;
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X) || full >= begin + h->p_memsz)
            continue;
        l->address = full;
        l->module.bias = m->dlpi_addr;
        if (m->dlpi_name && *m->dlpi_name) {
            snprintf(l->module.path, sizeof l->module.path, "%s", m->dlpi_name);
        } else {
            const ssize_t n = readlink("/proc/self/exe", l->module.path, sizeof l->module.path - 1);
            l->module.path[n > 0 ? n : 0] = 0;
        }
        return 1;
    }
    return 0;
}

/* What the program prints for an address, without its debuggee's environment getting in the way. */
static bool ask(const char *const argv[], char *out, size_t size) {
    int pipes[2], status;
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const bool started = posix_spawnp(&child, argv[0], &actions, NULL, (char *const *)argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(pipes[1]);
    size_t used = 0;
    for (ssize_t n; started && used + 1 < size; used += (size_t)n) {
        n = read(pipes[0], out + used, size - 1 - used);
        if (n < 0 && errno == EINTR)
            n = 0;
        else if (n <= 0)
            break;
    }
    out[used] = 0;
    close(pipes[0]);
    while (started && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return started && WIFEXITED(status) && WEXITSTATUS(status) == 0 && used;
}

/* "file:line:column" or "file:line (discriminator 2)" */
static bool parse(char *text, struct place *out) {
    text[strcspn(text, "\n")] = 0;
    char *end = strstr(text, " (");
    if (end)
        *end = 0;
    int number[2] = {0, 0}, n = 0;
    for (char *colon;
         n < 2 && (colon = strrchr(text, ':')) && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
         n++) {
        number[1] = number[0];
        number[0] = atoi(colon + 1);
        *colon = 0;
    }
    if (!n || !number[0] || !strcmp(text, "??"))
        return false;
    char here[512];
    const size_t prefix = getcwd(here, sizeof here) ? strlen(here) : 0;
    const bool below = prefix && !strncmp(text, here, prefix) && text[prefix] == '/';
    const char *file = below ? text + prefix + 1 : text;
    while (!strncmp(file, "./", 2))
        file += 2;
    snprintf(out->file, sizeof out->file, "%s", file);
    out->line = number[0];
    out->column = number[1];
    return true;
}

static void find_one(uint32_t pc, struct place *out) {
    static const char *const tools[] = {VERIFY_SYMBOLIZER, "llvm-symbolizer", "addr2line"};
    struct lookup l = {.pc = pc};
    char text[4096], address[32], module[600];
    memset(out, 0, sizeof *out);
    dl_iterate_phdr(find_module, &l);
    if (!l.address)
        return;
    snprintf(address, sizeof address, "0x%lx",
             (unsigned long)(l.address - l.module.bias - 1)); /* the call, not behind it */
    snprintf(module, sizeof module, "--obj=%s", l.module.path);
    for (int i = 0; i < 3; i++) {
        const char *const llvm[] = {tools[i], module, "--functions=none", "--no-inlines", address, NULL};
        const char *const gnu[] = {tools[i], "-e", l.module.path, address, NULL};
        if (ask(i < 2 ? llvm : gnu, text, sizeof text) && parse(text, out))
            return;
    }
    snprintf(out->file, sizeof out->file, "%.200s+%s", l.module.path, address);
}

void place_find(const uint32_t *pc, size_t count, struct place *out) {
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && pc[before] != pc[i])
            before++;
        if (before < i)
            out[i] = out[before];
        else
            find_one(pc[i], &out[i]);
    }
}
