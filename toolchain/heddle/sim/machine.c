/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c - descriptions of machines: a few words on the command line, or a file with one kind of device on a line.
 */
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool wrong(char *message, int line, const char *what, const char *word) {
    if (line)
        snprintf(message, SIM_MESSAGE, "line %d: %s '%.100s'", line, what, word);
    else
        snprintf(message, SIM_MESSAGE, "%s '%.100s'", what, word);
    return false;
}

static bool number(const char *text, double *v) {
    char *end;
    *v = strtod(text, &end);
    return end != text && !*end && *v >= 0 && *v < 1e18;
}

bool sim_seconds(const char *text, double *v) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"", 1}};
    char *end;
    *v = strtod(text, &end);
    for (size_t k = 0; end != text && k < sizeof units / sizeof *units; k++)
        if (!strcmp(end, units[k].unit)) {
            *v *= units[k].seconds;
            return *v >= 0 && *v < 1e15;
        }
    return false;
}

static bool share(const char *text, double *v) /* 5% or 0.05 */
{
    char *end;
    *v = strtod(text, &end);
    if (end != text && !strcmp(end, "%"))
        *v /= 100;
    else if (end == text || *end)
        return false;
    return *v >= 0 && *v <= 10;
}

static struct sim_kind *add(struct sim_machine *m, const char *name, size_t length) {
    if (m->kinds == SIM_CLASSES || !length || length >= SIM_NAME)
        return NULL;
    struct sim_kind *k = &m->kind[m->kinds++];
    *k = (struct sim_kind){.count = 1, .speed = 1, .fail = HUGE_VAL};
    memcpy(k->name, name, length);
    k->host = !strncmp(k->name, "cpu", 3) || !strncmp(k->name, "host", 4);
    return k;
}

static bool finish(struct sim_machine *m, int most, char *message) {
    long devices = 0;
    for (int k = 0; k < m->kinds; k++)
        devices += m->kind[k].count;
    m->devices = devices <= most ? (int)devices : 0;
    if (m->devices < 1) {
        snprintf(message, SIM_MESSAGE, "%ld devices; 1 to %d can be simulated", devices, most);
        return false;
    }
    return true;
}

bool sim_machine_words(struct sim_machine *m, const char *words, char *message) {
    char copy[512];
    *m = (struct sim_machine){.ahead = 1};
    if (strlen(words) >= sizeof copy)
        return wrong(message, 0, "too long:", words);
    strcpy(copy, words);
    for (char *save = NULL, *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        char *at = strchr(word, '@');
        double speed = 1, count = 1;
        if (at)
            *at++ = 0;
        char *colon = strchr(word, ':');
        if (colon)
            *colon++ = 0;
        struct sim_kind *k = add(m, word, strlen(word));
        if (!k)
            return wrong(message, 0,
                         m->kinds == SIM_CLASSES ? "too many kinds of devices at" : "no name of a device:", word);
        if ((colon && !number(colon, &count)) || count < 1 || count > SIM_DEVICES || count != floor(count)) {
            char range[64];
            snprintf(range, sizeof range, "how many? a whole number from 1 to %d:", SIM_DEVICES);
            return wrong(message, 0, range, colon ? colon : word);
        }
        if ((at && !number(at, &speed)) || !(speed > 0))
            return wrong(message, 0, "how fast? a number above 0:", at ? at : word);
        k->count = (int)count;
        k->speed = speed;
        k->setup = k->host ? 1e-6 : 20e-6;
    }
    return finish(m, SIM_DEVICES, message);
}

/* The keys of a line: where the value goes and how it is read. */
enum form { SPEED, COUNT, TIME, SHARE, SIZE, WHOLE };
static const struct {
    const char *key;
    enum form form;
    size_t at;
} keys[] = {
    {"count", COUNT, offsetof(struct sim_kind, count)}, {"speed", SPEED, offsetof(struct sim_kind, speed)},
    {"setup", TIME, offsetof(struct sim_kind, setup)},  {"move", TIME, offsetof(struct sim_kind, move)},
    {"ready", TIME, offsetof(struct sim_kind, ready)},  {"fail", TIME, offsetof(struct sim_kind, fail)},
    {"curve", SIZE, offsetof(struct sim_kind, curve)},  {"vary", SHARE, offsetof(struct sim_kind, vary)},
    {"noise", SHARE, offsetof(struct sim_kind, noise)}, {"most", WHOLE, offsetof(struct sim_kind, most)},
};

static bool set(struct sim_kind *k, const char *key, const char *value, int line, char *message) {
    double v;
    for (size_t j = 0; j < sizeof keys / sizeof *keys; j++) {
        if (strcmp(keys[j].key, key))
            continue;
        char *at = (char *)k + keys[j].at;
        switch (keys[j].form) {
        case TIME:
            if (!sim_seconds(value, &v))
                return wrong(message, line, "not a time (20us, 1.5ms, 2s):", value);
            *(double *)at = v;
            return true;
        case SHARE:
            if (!share(value, &v))
                return wrong(message, line, "not a share (5%, 0.05):", value);
            *(double *)at = v;
            return true;
        case SPEED:
        case SIZE:
            if (!number(value, &v) || (keys[j].form == SPEED && !(v > 0)))
                return wrong(message, line, "not a number above 0:", value);
            *(double *)at = v;
            return true;
        case COUNT:
        case WHOLE:
            if (!number(value, &v) || v != floor(v) || (keys[j].form == COUNT && (v < 1 || v > SIM_DEVICES_MOST)))
                return wrong(message, line, "not a whole number:", value);
            if (keys[j].form == COUNT)
                *(int *)at = (int)v;
            else
                *(long *)at = (long)v;
            return true;
        }
    }
    return wrong(message, line, "no such key (count, speed, setup, move, ready, fail, curve, vary, noise, most):", key);
}

static bool one_line(struct sim_machine *m, char *text, int line, char *message) {
    char *save = NULL, *word = strtok_r(text, " \t\r", &save);
    double v;
    if (!word || *word == '#')
        return true;
    if (!strncmp(word, "ahead=", 6)) {
        if (!number(word + 6, &v) || v < 1 || v > 8 || v != floor(v))
            return wrong(message, line, "chunks that a device holds, 1 to 8:", word + 6);
        m->ahead = (int)v;
        return true;
    }
    if (strchr(word, '='))
        return wrong(message, line, "a line begins with the name of a device (or ahead=), not with", word);
    struct sim_kind *k = add(m, word, strlen(word));
    if (!k)
        return wrong(message, line, "one kind of device too many, or its name is too long:", word);
    while ((word = strtok_r(NULL, " \t\r", &save)) && *word != '#') {
        char *equals = strchr(word, '=');
        if (!strcmp(word, "host")) {
            k->host = true;
            continue;
        }
        if (!equals)
            return wrong(message, line, "key=value expected, not", word);
        *equals = 0;
        if (!set(k, word, equals + 1, line, message))
            return false;
    }
    return true;
}

bool sim_machine_lines(struct sim_machine *m, const char *text, char *message) {
    return sim_machine_lines_most(m, text, SIM_DEVICES, message);
}

bool sim_machine_lines_most(struct sim_machine *m, const char *text, int most, char *message) {
    *m = (struct sim_machine){.ahead = 1};
    for (int line = 1; *text; line++) {
        char copy[1024];
        const size_t length = strcspn(text, "\n");
        if (length >= sizeof copy)
            return wrong(message, line, "too long:", "line");
        memcpy(copy, text, length);
        copy[length] = 0;
        if (!one_line(m, copy, line, message))
            return false;
        text += length + (text[length] == '\n');
    }
    return finish(m, most, message);
}
