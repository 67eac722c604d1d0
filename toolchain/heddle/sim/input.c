/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - words of a command line and files that they name. */
#include "command.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static const char *value_of(const char *word, const char *key) {
    const size_t n = strlen(key);
    return !strncmp(word, key, n) && word[n] == '=' ? word + n + 1 : NULL;
}

static bool take(const struct sim_option *o, const char *word) {
    const char *v = value_of(word, o->key);
    if (o->flag)
        return !strcmp(word, o->key) && (*o->flag = true);
    if (!v)
        return false;
    if (o->text)
        return *(*o->text = v);
    if (o->whole)
        return whole_number(v, (long)o->least, (long)o->most, o->whole);
    if (o->real)
        return real_number(v, o->least, o->most, o->real);
    return sim_seconds(v, o->seconds) && *o->seconds >= o->least;
}

int sim_cannot_use(const char *word) {
    complain("sim: cannot use '%s'; `heddle sim --help` lists the options and their values", word);
    return 2;
}

int sim_options(const struct sim_option *known, int argc, char **argv) {
    for (int k = 1; k < argc; k++) {
        const struct sim_option *o = known;
        while (o->key && !take(o, argv[k]))
            o++;
        if (!o->key)
            return sim_cannot_use(argv[k]);
    }
    return 0;
}

int sim_spare(const char *key, const char *output, const char *const input[2]) {
    for (int k = 0; output && k < 2; k++)
        if (input[k] && same_file(input[k], output)) {
            complain("sim: %s is read, and %s would write over it: give another file", input[k], key);
            return 2;
        }
    return 0;
}

int sim_read_machine(struct sim_machine *m, const char *words, const char *path) {
    char message[SIM_MESSAGE];
    if (path && !sim_machine_lines(m, sim_text(path), message))
        fail("sim: %s: %s", path, message);
    if (path || sim_machine_words(m, words, message))
        return 0;
    complain("sim: --devices: %s", message);
    return 2;
}

char *sim_text(const char *path) {
    size_t size;
    char *text = read_file(path, &size);
    if (!text)
        fail("sim: cannot read %s: %s", path, strerror(errno));
    if (strlen(text) != size)
        fail("sim: %s: not a text file", path);
    return text;
}

int sim_names(const char *key, const char *names, int most, char **name) {
    char *save = NULL;
    int count = 0;
    for (char *word = strtok_r(format("%s", names), ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        if (count == most)
            fail("sim: %s names more than %d", key, most);
        name[count++] = word;
    }
    if (!count)
        fail("sim: %s names none", key);
    return count;
}

const void *sim_load(const char *key, const char *path, const char *symbol) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const void *p = library ? dlsym(library, symbol) : NULL;
    if (!p)
        fail("sim: %s=%s: %s", key, path, library ? format("it has no symbol %s", symbol) : dlerror());
    return p;
}

char *sim_joined(const struct list *l) {
    char *all = format("%s", l->count ? l->at[0] : "");
    for (size_t k = 1; k < l->count; k++)
        all = format("%s, %s", all, l->at[k]);
    return all;
}

void sim_unknown(const char *what, const char *name, const struct list *known) {
    fail("sim: no %s '%s'; there are all, %s or ./mine.so", what, name, sim_joined(known));
}
