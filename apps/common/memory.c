/* SPDX-License-Identifier: Apache-2.0 */
/* What memory is left, by Linux' own estimate and by the limit of the control group (containers).
 */
#include "app.h"

#include <string.h>

static double first_number(const char *path, const char *key) {
    char line[256];
    double value = -1;
    FILE *file = fopen(path, "r");
    while (file && value < 0 && fgets(line, sizeof line, file)) {
        size_t length = strlen(key);
        if (!strncmp(line, key, length) && sscanf(line + length, "%lf", &value) != 1)
            value = -1;
    }
    if (file)
        fclose(file);
    return value;
}

double app_memory_free(void) {
    double machine = first_number("/proc/meminfo", "MemAvailable:") * 1024;
    double limit = first_number("/sys/fs/cgroup/memory.max", "");
    double used = first_number("/sys/fs/cgroup/memory.current", "");
    double cache = first_number("/sys/fs/cgroup/memory.stat", "inactive_file ");
    if (limit < 0 || used < 0)
        return machine;
    double group = limit - used + (cache > 0 ? cache : 0);
    return machine < 0 || group < machine ? group : machine;
}

int app_memory_fits(const struct app *app, double bytes, const char *what) {
    double room = app_memory_free();
    if (room < 0 || bytes <= room)
        return -1;
    return app_fail(app, "%s needs %.3g GB of memory; %.3g GB are free", what, bytes * 1e-9, room * 1e-9);
}
