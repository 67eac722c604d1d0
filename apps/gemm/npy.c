/* SPDX-License-Identifier: Apache-2.0 */
/* The header is a Python dictionary as text: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. Keys come in
 * any order; nothing else of Python's syntax is taken. */
#include "npy.h"

#include <stdio.h>
#include <string.h>

struct text {
    const char *at, *end;
};

static void skip(struct text *t) {
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\t' || *t->at == '\r'))
        t->at++;
}

static bool take(struct text *t, char c) {
    skip(t);
    if (t->at >= t->end || *t->at != c)
        return false;
    t->at++;
    return true;
}

/* A quoted string without escapes. */
static bool take_string(struct text *t, char *to, size_t size) {
    skip(t);
    if (t->at >= t->end || (*t->at != '\'' && *t->at != '"'))
        return false;
    const char quote = *t->at++;
    size_t n = 0;
    while (t->at < t->end && *t->at != quote) {
        if (*t->at == '\\' || n + 1 >= size)
            return false;
        to[n++] = *t->at++;
    }
    to[n] = 0;
    return take(t, quote);
}

static bool take_word(struct text *t, const char *word) {
    const size_t n = strlen(word);
    skip(t);
    if ((size_t)(t->end - t->at) < n || memcmp(t->at, word, n))
        return false;
    t->at += n;
    return true;
}

static bool take_number(struct text *t, long *value) {
    skip(t);
    const char *begin = t->at;
    long v = 0;
    while (t->at < t->end && *t->at >= '0' && *t->at <= '9' && v <= NPY_SIDE_MOST)
        v = v * 10 + (*t->at++ - '0');
    *value = v;
    return t->at > begin && v <= NPY_SIDE_MOST;
}

/* (), (n,) or (n, m): how many; -1: something else. */
static int take_shape(struct text *t, long shape[2]) {
    int n = 0;
    if (!take(t, '('))
        return -1;
    while (!take(t, ')')) {
        if (n == 2 || !take_number(t, &shape[n]))
            return -1;
        n++;
        if (!take(t, ','))
            return take(t, ')') ? n : -1;
    }
    return n;
}

enum { HAS_TYPE = 1, HAS_ORDER = 2, HAS_SHAPE = 4 };

static const char *entry(struct npy *npy, struct text *t, int *seen) {
    char key[32], type[16];
    long shape[2] = {1, 1};
    if (!take_string(t, key, sizeof key) || !take(t, ':'))
        return "the header is not a dictionary as NumPy writes it";
    const int is = !strcmp(key, "descr")           ? HAS_TYPE
                   : !strcmp(key, "fortran_order") ? HAS_ORDER
                   : !strcmp(key, "shape")         ? HAS_SHAPE
                                                   : 0;
    if (*seen & is)
        return "the header has a key twice";
    *seen |= is;
    if (is == HAS_TYPE) {
        if (!take_string(t, type, sizeof type))
            return "structured types are no matrices";
        npy->is_double = !strcmp(type, "<f8");
        return npy->is_double || !strcmp(type, "<f4") ? NULL : "its type is not float32 or float64 (<f4, <f8)";
    }
    if (is == HAS_ORDER) {
        npy->fortran = take_word(t, "True");
        return npy->fortran || take_word(t, "False") ? NULL : "fortran_order is neither True nor False";
    }
    if (is == HAS_SHAPE) {
        const int n = take_shape(t, shape);
        npy->rows = shape[0];
        npy->cols = shape[1];
        return n == 1 || n == 2 ? NULL : "its shape is not that of a matrix or vector";
    }
    return "the header has a key besides descr, fortran_order and shape";
}

static const char *dictionary(struct npy *npy, struct text *t) {
    int seen = 0;
    if (!take(t, '{'))
        return "the header is not a dictionary as NumPy writes it";
    while (!take(t, '}')) {
        const char *wrong = entry(npy, t, &seen);
        if (wrong)
            return wrong;
        if (!take(t, ',')) {
            if (!take(t, '}'))
                return "the header is not a dictionary as NumPy writes it";
            break;
        }
    }
    skip(t);
    if (t->at != t->end)
        return "something follows the header's dictionary";
    return seen == (HAS_TYPE | HAS_ORDER | HAS_SHAPE) ? NULL : "the header lacks descr, fortran_order or shape";
}

static const char *parse(struct npy *npy, const unsigned char *b, size_t count) {
    if (count < 10 || memcmp(b, "\x93NUMPY", 6))
        return "not a .npy file";
    const unsigned version = b[6], fixed = version == 1 ? 10 : 12;
    if (version < 1 || version > 2)
        return "a .npy file of a version other than 1 and 2";
    if (count < fixed)
        return "the header is cut off";
    size_t length = b[8] | (size_t)b[9] << 8;
    if (version == 2)
        length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (length > count - fixed)
        return length > 100000 ? "the header is longer than that of any matrix" : "the header is cut off";
    npy->begin = fixed + length;
    struct text t = {(const char *)b + fixed, (const char *)b + npy->begin};
    return dictionary(npy, &t);
}

bool npy_parse(struct npy *npy, const unsigned char *bytes, size_t count, char *message, size_t size) {
    *npy = (struct npy){.rows = 0};
    const char *wrong = parse(npy, bytes, count);
    if (wrong)
        snprintf(message, size, "%s", wrong);
    return !wrong;
}

size_t npy_header(char *bytes, long rows, long cols, bool is_double) {
    char text[118];
    const int n = snprintf(text, sizeof text, "{'descr': '<f%d', 'fortran_order': False, 'shape': (%ld, %ld), }",
                           is_double ? 8 : 4, rows, cols);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    memset(bytes + 10, ' ', 118);
    memcpy(bytes + 10, text, (size_t)n);
    bytes[127] = '\n';
    return 128;
}
