/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, the clock, error texts and the record of a thread's last directive. */
#include "internal.h"
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *heddle_version(void) { return HEDDLE_VERSION_STRING; }

const char *heddle_strerror(int error) {
    switch (error) {
#define HEDDLE_X(name, value, text)                                                                                    \
    case value:                                                                                                        \
        return text;
        HEDDLE_ERROR_MAP(HEDDLE_X)
#undef HEDDLE_X
    }
    return "unknown error";
}

/* "heddle: file:line: text". One write per line, so that lines of several threads do not mix. */
static void line(const struct heddle_site *site, const char *format, va_list arguments) {
    char text[1024];
    int n = site ? snprintf(text, sizeof text, "heddle: %s:%d: ", site->file, site->line)
                 : snprintf(text, sizeof text, "heddle: ");
    if (n < (int)sizeof text)
        n += vsnprintf(text + n, sizeof text - (size_t)n, format, arguments);
    if (n > (int)sizeof text - 2)
        n = (int)sizeof text - 2;
    text[n] = '\n';
    text[n + 1] = 0;
    fputs(text, stderr);
}

#define LINE(site, format)                                                                                             \
    do {                                                                                                               \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        line(site, format, arguments);                                                                                 \
        va_end(arguments);                                                                                             \
    } while (0)

void heddle__warn(const struct heddle_site *site, const char *format, ...) { LINE(site, format); }

bool heddle__said(const struct heddle_site *site, unsigned what) {
    enum { PLACES = 1024 }; /* what does not fit is said each time */
    static uint64_t said[PLACES];
    const uint64_t place = (uintptr_t)site + heddle__decision_mark() * UINT64_C(0xbf58476d1ce4e5b9);
    const uint64_t key = (place * UINT64_C(0x9e3779b97f4a7c15) + what) | UINT64_C(1) << 63;
    for (uint64_t i = 0; i < PLACES; i++) {
        uint64_t there = 0;
        if (__atomic_compare_exchange_n(&said[(key + i) % PLACES], &there, key, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return false;
        if (there == key)
            return true;
    }
    return false;
}

void heddle__fatal(const struct heddle_site *site, const char *format, ...) {
    LINE(site, format);
    exit(EXIT_FAILURE);
}

/* As where libomptarget ends it, a program that catches SIGABRT can save what it has. */
static void tell_program(void) {
    struct sigaction action;
    if (!sigaction(SIGABRT, NULL, &action) && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
        raise(SIGABRT);
}

void heddle__lost(const struct heddle_site *site, const char *format, ...) {
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    static _Thread_local bool here;
    while (!here && atomic_flag_test_and_set(&ending))
        pause(); /* another thread ends the program */
    here = true;
    LINE(site, format);
    fflush(NULL);
    tell_program();
    _exit(EXIT_FAILURE);
}

void heddle__verbose(const char *format, ...) {
    char value[HEDDLE__OPTION_MAX];
    heddle__option_read("verbose", value, sizeof value);
    if (strcmp(value, "0"))
        LINE(NULL, format);
}

double heddle__now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct heddle_report *heddle__report(void) {
    static _Thread_local struct heddle_report report;
    return &report;
}

void heddle_last_report(struct heddle_report *report) { *report = *heddle__report(); }
