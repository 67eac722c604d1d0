/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HEDDLE_RECORD: a line for each region that ran: who asked when, what it touched, where it was allowed to run, where
 * it ran and how long. `heddle sim regions --recorded` replays it under every policy. Each line is one write, so a
 * program that is killed leaves all but the last.
 */
#include "selector.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int file = -1;
static double began;

bool heddle__recording(void) { return file >= 0; }

void heddle__record_start(void) {
    static const char head[] =
        "# heddle regions 1; times in microseconds\n"
        "thread,asked_us,started_us,took_us,alone_us,region,where,n,bytes,data,data_bytes,home,place,class,allowed\n";
    const char *path = heddle_option_get("record");
    if (!*path)
        return;
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || write(file, head, sizeof head - 1) < 0)
        heddle__warn(NULL, "HEDDLE_RECORD=%s: cannot be written: %s; nothing is recorded", path, strerror(errno));
    began = heddle__now();
}

void heddle__record_forget(void) /* in the child of a fork */
{
    if (file >= 0)
        close(file);
    file = -1;
}

static int place_text(char *text, size_t room, int place) {
    return place == HOST ? snprintf(text, room, "host") : snprintf(text, room, "%d", place);
}

static void put(const char *line, int length) {
    if (write(file, line, (size_t)length) == length)
        return;
    heddle__warn(NULL, "HEDDLE_RECORD: the file cannot be written to any more; the rest is not recorded");
    heddle__record_forget();
}

static void clean(char *s) {
    for (; *s; s++)
        *s = *s == ',' || *s == '\n' ? ';' : *s;
}

/* Lock held. */
void heddle__record_region(const struct sample *s, double seconds) {
    static int threads;
    static _Thread_local int thread;
    char line[2048], names[2][512], default_device[16], place[16], allowed[256] = "";
    size_t at = 0;
    if (file < 0)
        return;
    thread = thread ? thread : ++threads;
    snprintf(names[0], sizeof names[0], "%s", s->region->key);
    snprintf(names[1], sizeof names[1], "%s", s->region->where ? s->region->where : "");
    clean(names[0]);
    clean(names[1]);
    place_text(default_device, sizeof default_device, s->default_device);
    place_text(place, sizeof place, s->place);
    for (place_set left = s->allowed; left && at < sizeof allowed - 8; left &= left - 1) {
        at += (size_t)snprintf(allowed + at, sizeof allowed - at, "%s", at ? ";" : "");
        at += (size_t)place_text(allowed + at, sizeof allowed - at, __builtin_ctzll(left));
    }
    const int length = snprintf(line, sizeof line, "%d,%.3f,%.3f,%.3f,%.3f,%s,%s,%.0f,%.0f,%llx,%.0f,%s,%s,%s,%s\n",
                                thread, 1e6 * (s->asked - began), 1e6 * (s->start - began), 1e6 * seconds,
                                1e6 * (s->shared ? s->alone : seconds), names[0], names[1], s->size.n, s->size.bytes,
                                (unsigned long long)s->data, (double)s->data_bytes, default_device, place,
                                heddle__class_name(heddle__class_of(s->place)), allowed);
    if (length > 0 && (size_t)length < sizeof line)
        put(line, length);
}

/* What moving data costs, as far as it is known. Lock held. */
void heddle__record_end(void) {
    char line[256];
    for (int d = 0; file >= 0 && d < heddle__sel.devices; d++) {
        const int class = heddle__class_of(d);
        bool told = false;
        for (int b = 0; b < d; b++)
            told = told || heddle__class_of(b) == class;
        const double none = heddle__predict_migration(class, 0), much = heddle__predict_migration(class, 64 << 20);
        const int length = snprintf(line, sizeof line, "link,%s,%.3f,%.6f\n", heddle__class_name(class), 1e6 * none,
                                    1e9 * (much > none ? much - none : 0) / (64 << 20));
        if (!told && length > 0 && (size_t)length < sizeof line)
            put(line, length);
    }
}
