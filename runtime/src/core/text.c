/* SPDX-License-Identifier: Apache-2.0 */
/* Names in documents: as plain text, XML and JSON. */
#include "text.h"
#include <stdbool.h>
#include <stdint.h>

/* Bytes of the UTF-8 sequence that begins there, of a character that XML and JSON can hold; 0: there is none. */
static int sequence(const unsigned char *s) {
    const int more = *s < 0x80                 ? 0
                     : *s >= 0xc2 && *s < 0xe0 ? 1
                     : *s >= 0xe0 && *s < 0xf0 ? 2
                     : *s >= 0xf0 && *s < 0xf5 ? 3
                                               : -1;
    uint32_t c = more <= 0 ? *s : *s & (0x3fu >> more);
    for (int k = 1; k <= more; k++) {
        if ((s[k] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[k] & 0x3f);
    }
    static const uint32_t least[] = {0x20, 0x80, 0x800, 0x10000};
    const bool good = more >= 0 && c >= least[more] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) && c != 0x7f &&
                      c != 0xfffe && c != 0xffff;
    return good || c == '\t' ? more + 1 : 0;
}

/* Prints the character that begins there; returns where the next one does. */
static const char *print_character(FILE *out, const char *text, void (*letter)(FILE *out, char c)) {
    const int n = sequence((const unsigned char *)text);
    if (n == 1)
        letter(out, *text);
    else if (n)
        fwrite(text, 1, (size_t)n, out);
    else
        fputs("\xef\xbf\xbd", out); /* U+FFFD stands for what is no character */
    return text + (n ? n : 1);
}

void heddle__print_text(FILE *out, const char *text, void (*letter)(FILE *out, char c)) {
    while (*text)
        text = print_character(out, text, letter);
}

static void escape(FILE *out, char c) {
    switch (c) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    default:
        fputc(c, out);
    }
}

void heddle__print_xml(FILE *out, const char *text) { heddle__print_text(out, text, escape); }

static void escape_json(FILE *out, char c) {
    if (c == '"' || c == '\\')
        fprintf(out, "\\%c", c);
    else if ((unsigned char)c < 0x20 || c == '<') /* "</script>" would end a page's script */
        fprintf(out, "\\u%04x", (unsigned)c);
    else
        fputc(c, out);
}

void heddle__print_json(FILE *out, const char *text) {
    fputc('"', out);
    while (*text)
        if ((unsigned char)*text < 0x20)
            escape_json(out, *text++);
        else
            text = print_character(out, text, escape_json);
    fputc('"', out);
}
