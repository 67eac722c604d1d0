/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - names in documents: they come from file names, devices and traces that others wrote, and may hold any bytes.
 * Characters beyond ASCII are copied; what is no character that a document can hold, such as control characters and
 * bytes that are not UTF-8, becomes U+FFFD.
 */
#ifndef HEDDLE_CORE_TEXT_H
#define HEDDLE_CORE_TEXT_H

#include <stdio.h>

#define TEXT_HIDDEN __attribute__((visibility("hidden")))
/* `letter` prints each single byte. */
TEXT_HIDDEN void heddle__print_text(FILE *out, const char *text, void (*letter)(FILE *out, char c));
TEXT_HIDDEN void heddle__print_xml(FILE *out, const char *text); /* with &, <, > and " replaced */
TEXT_HIDDEN void heddle__print_json(FILE *out,
                                    const char *text); /* a string, with quotes, also inside a page's script */

#endif
