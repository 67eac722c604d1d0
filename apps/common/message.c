/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, progress and memory. Progress is a courtesy: rare, on stderr, and never in a log file
 * unless asked for. */
#define _GNU_SOURCE 1 /* program_invocation_short_name */
#include "app.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

int app_fail(const struct app *app, const char *format, ...) {
    va_list arguments;
    app_progress_end(app);
    fprintf(stderr, "%s: ", app->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return APP_BAD_INPUT;
}

static bool line_is_open;
static double last_shown;

bool app_progress_wanted(const struct app *app) { return app->progress || isatty(STDERR_FILENO); }

void app_progress(const struct app *app, const char *format, ...) {
    bool terminal = isatty(STDERR_FILENO);
    if (!terminal && !app->progress)
        return;
    double now = app_seconds();
    if (now - last_shown < (terminal ? 0.2 : 2.0))
        return;
    last_shown = now;
    va_list arguments;
    fprintf(stderr, terminal ? "\r\033[K%s: " : "%s: ", app->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (!terminal)
        fputc('\n', stderr);
    line_is_open = terminal;
    fflush(stderr);
}

void app_progress_end(const struct app *app) {
    (void)app;
    if (line_is_open)
        fputs("\r\033[K", stderr);
    line_is_open = false;
}

static void *no_memory(size_t count, size_t size) {
    fprintf(stderr, "%s: out of memory: %zu elements of %zu bytes\n", program_invocation_short_name, count, size);
    exit(APP_BAD_INPUT);
}

/* Linux hands out memory that it does not have, and ends programs, not only this one, once it is used: an endless input
 * would do that. Small requests are not worth the look. */
static bool is_there(size_t count, size_t size, size_t had) {
    const double asked = (double)count * (double)size - (double)had, room = asked < 1e9 ? -1 : app_memory_free();
    return room < 0 || asked <= room;
}

void *app_resize(void *old, size_t count, size_t size) {
    if (!count || !size)
        count = size = 1;
    const bool good = count <= SIZE_MAX / size && is_there(count, size, old ? malloc_usable_size(old) : 0);
    void *memory = good ? realloc(old, count * size) : NULL;
    return memory ? memory : no_memory(count, size);
}

void *app_alloc(size_t count, size_t size) {
    void *memory = is_there(count, size, 0) ? calloc(count ? count : 1, size ? size : 1) : NULL;
    return memory ? memory : no_memory(count, size);
}
