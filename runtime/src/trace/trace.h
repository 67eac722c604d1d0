/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines: what ran where and when. selector/record.c collects spans while a program runs and writes the file named
 * by HEDDLE_TRACE at exit; document.c is a finished trace in memory and the plain-text form of it; one file each draws
 * it (page.c, picture.c, chrome.c, paje.c). Everything but selector/record.c is free of the runtime, so that the
 * `heddle trace` command is built from the same files.
 */
#ifndef HEDDLE_TRACE_H
#define HEDDLE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#pragma GCC visibility push(hidden)

/* Times are nanoseconds of the host's monotonic clock; in a document they count from its first event. */
struct trace_event {
    int64_t begin, end;
    int32_t track, name; /* indices into the document's lists */
};

struct trace_track {
    char *group, *name; /* "host", "thread 3"; "device 0", "SM 17 worker 2" */
    int group_number;   /* after trace_sort: from 0, tracks of a group stand together */
};

/* Owned: events, tracks, names and what they point to. */
struct trace_document {
    char *title;
    struct trace_track *tracks;
    char **names;
    struct trace_event *events;
    size_t track_count, name_count, event_count;
    uint64_t dropped; /* events that did not fit the recorder's buffer */
};

/* Puts the tracks of a group together, by their names' numbers; sorts events by track, then begin, longest first (so
   that a span comes before those inside it); counts times from the first event; gives `depth[k]`, how many spans
   of its track enclose event k. 0 or -1: no memory. */
int trace_sort(struct trace_document *d, uint8_t **depth);
int64_t trace_length(const struct trace_document *d);
void trace_free(struct trace_document *d);

/* 0, or -1 with a message. Reading refuses what writing could not have made, and names the line. */
int trace_read(FILE *in, struct trace_document *d, char *message, size_t size);

/* Forms of a trace, picked by the ending of the file's name. */
struct trace_form {
    const char *ending, *what;
    int (*write)(FILE *out, const struct trace_document *d, const uint8_t *depth); /* nonzero: failed */
};
extern const struct trace_form trace_forms[]; /* ends with a NULL ending; the first is the plain-text form */
const struct trace_form *trace_form_of(const char *path); /* the first where no ending fits */
/* Sorts and writes; 0 or -1 with a message. The file appears whole or not at all. */
int trace_write(const char *path, struct trace_document *d, char *message, size_t size);

int trace_write_text(FILE *out, const struct trace_document *d, const uint8_t *depth);
int trace_write_page(FILE *out, const struct trace_document *d, const uint8_t *depth);
int trace_write_picture(FILE *out, const struct trace_document *d, const uint8_t *depth);
int trace_write_chrome(FILE *out, const struct trace_document *d, const uint8_t *depth);
int trace_write_paje(FILE *out, const struct trace_document *d, const uint8_t *depth);

/* A colour for a name, always the same: "#rrggbb" in `rgb`. */
void trace_colour(const char *name, char rgb[8]);

#pragma GCC visibility pop
#endif
