/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading OMP_AVAILABLE_DEVICES:
 *     list = item {"," item}    item = ("*" | group) [subscript]    group = term {"&&" term} | term {"||" term}
 *     term = ["!"] (name "(" value ")" | "(" group ")")    subscript = "[" index "]" | "[" [lower] ":" [length] [":"
 * stride] "]"
 */
#include "available.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    const char *at;
    const struct heddle__traits *devices;
    int count;
    bool bad; /* `at` stays where it went wrong */
};

static uint64_t every(const struct reader *r) { return r->count == 64 ? ~0ull : (1ull << r->count) - 1; }

static bool take(struct reader *r, const char *what) {
    while (!r->bad && isspace((unsigned char)*r->at))
        r->at++;
    const bool there = !r->bad && !strncmp(r->at, what, strlen(what));
    r->at += there ? strlen(what) : 0;
    return there;
}

static void expect(struct reader *r, const char *what) { r->bad |= !take(r, what); }

static size_t word(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '-' || at[n] == '_' || at[n] == '.')
        n++;
    return n;
}

static bool fits(const struct heddle__traits *d, const char *name, const char *value) {
    if (!strcasecmp(name, "kind"))
        return !strcasecmp(value, "any") || !strcasecmp(value, "nohost") || !strcasecmp(value, d->kind);
    return !strcasecmp(name, "vendor") ? !strcasecmp(value, d->vendor)
           : !strcasecmp(name, "arch") ? !strcasecmp(value, d->arch)
           : !strcasecmp(name, "isa")  ? !strcasecmp(value, d->isa)
                                       : !strcmp(value, d->uid);
}

/* A word of at most `size` - 1 letters. */
static void read_word(struct reader *r, char *out, size_t size) {
    take(r, "");
    const size_t n = word(r->at);
    r->bad |= !n || n >= size;
    memcpy(out, r->at, r->bad ? 0 : n);
    out[r->bad ? 0 : n] = 0;
    r->at += r->bad ? 0 : n;
}

static uint64_t trait(struct reader *r) {
    static const char *const names[] = {"kind", "isa", "arch", "vendor", "uid"};
    const char *const begin = r->at;
    char name[16], value[64];
    uint64_t set = 0;
    bool known = false;
    read_word(r, name, sizeof name);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        known |= !strcasecmp(name, names[k]);
    if (!known && !r->bad)
        r->bad = true, r->at = begin;
    expect(r, "(");
    read_word(r, value, sizeof value);
    r->bad |= !strcasecmp(name, "kind") && !strcasecmp(value, "host"); /* the host is no device of the list */
    expect(r, ")");
    for (int d = 0; d < r->count && !r->bad; d++)
        set |= fits(&r->devices[d], name, value) ? 1ull << d : 0;
    return set;
}

static uint64_t group(struct reader *r, int depth);

static uint64_t term(struct reader *r, int depth) {
    const bool inverted = take(r, "!");
    uint64_t set = 0;
    r->bad |= depth > 20;
    if (take(r, "(")) {
        set = group(r, depth + 1);
        expect(r, ")");
    } else if (!r->bad) {
        set = trait(r);
    }
    return inverted ? every(r) & ~set : set;
}

static uint64_t group(struct reader *r, int depth) {
    uint64_t set = term(r, depth);
    const bool both = take(r, "&&");
    bool more = both || take(r, "||");
    while (more && !r->bad) {
        const uint64_t other = term(r, depth);
        set = both ? set & other : set | other;
        more = take(r, both ? "&&" : "||"); /* the other one ends the group, and then fits nowhere */
    }
    return set;
}

static long number(struct reader *r, long otherwise) {
    char *end;
    take(r, "");
    if (r->bad || !isdigit((unsigned char)*r->at))
        return otherwise;
    const long n = strtol(r->at, &end, 10);
    r->at = end;
    return n < HEDDLE__AVAILABLE_MAX ? n : HEDDLE__AVAILABLE_MAX; /* beyond the last one either way */
}

/* The chosen ones of the set's devices, by their places in it. */
static uint64_t subscript(struct reader *r, uint64_t set) {
    uint64_t chosen = 0;
    const long lower = number(r, -1);
    long length = HEDDLE__AVAILABLE_MAX, stride = 1;
    if (take(r, ":")) {
        length = number(r, length);
        stride = take(r, ":") ? number(r, 1) : 1;
    } else {
        r->bad |= lower < 0;
        length = 1;
    }
    r->bad |= stride < 1;
    expect(r, "]");
    long place = 0, next = lower < 0 ? 0 : lower;
    for (int d = 0; d < r->count && !r->bad; d++) {
        if (!(set >> d & 1))
            continue;
        if (place++ == next && length > 0)
            chosen |= 1ull << d, next += stride, length--;
    }
    return chosen;
}

int heddle__available_read(const char *text, const struct heddle__traits *devices, int count,
                           int order[HEDDLE__AVAILABLE_MAX], const char **wrong) {
    struct reader r = {text, devices, count < HEDDLE__AVAILABLE_MAX ? count : HEDDLE__AVAILABLE_MAX, false};
    uint64_t taken = 0;
    int n = 0;
    do {
        uint64_t set = take(&r, "*") ? every(&r) : group(&r, 0);
        set = take(&r, "[") ? subscript(&r, set) : set;
        for (int d = 0; d < r.count && !r.bad; d++)
            if (set & ~taken & 1ull << d)
                order[n++] = d;
        taken |= set;
    } while (take(&r, ","));
    take(&r, "");
    *wrong = r.at;
    return r.bad || *r.at ? -1 : n;
}
