/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uses of macros in the file. What comes out of a macro's body has the place of the use, all of it; libclang's extents,
 * however, begin or end inside of it where a token of the body comes from an argument, here or of another macro's use.
 */
#include "front/macros.h"
#include "front/ast.h"

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct unit *u = data;
    unsigned b = 0, e = 0;
    CXFile file = NULL;
    if (clang_getCursorKind(c) != CXCursor_MacroExpansion)
        return CXChildVisit_Continue;
    clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(c)), &file, NULL, NULL, &b);
    clang_getFileLocation(clang_getRangeEnd(clang_getCursorExtent(c)), NULL, NULL, NULL, &e);
    if (!file || !clang_File_isEqual(file, u->file))
        return CXChildVisit_Continue;
    struct expansion x = {{b, e}, u->expansions.n};
    const size_t last = x.outer ? u->expansions.at[x.outer - 1].outer : 0;
    if (x.outer && b < u->expansions.at[last].s.e)
        x.outer = last;
    vec_push(&u->expansions, x);
    return CXChildVisit_Continue;
}

void expansion_gather(struct unit *u) { clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, u); }

/* The first of them that may hold the offset: uses are in the order of the file, and those in arguments follow the one
 * around. */
static size_t from(const struct unit *u, size_t offset) {
    size_t lo = 0, hi = u->expansions.n;
    while (hi - lo > 1) {
        const size_t mid = (lo + hi) / 2;
        if (u->expansions.at[mid].s.b <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return u->expansions.n ? u->expansions.at[lo].outer : 0;
}

struct span expansion_cover(const struct unit *u, struct span s, bool ends_in_body) {
    if (!u->expansions.n)
        return s;
    const struct expansion *x = u->expansions.at, *end = x + u->expansions.n;
    for (const struct expansion *k = x + from(u, s.e); ends_in_body && k < end && k->s.b <= s.e; k++)
        if (k->s.b == s.e) {
            s.e = k->s.e;
            break;
        }
    for (const struct expansion *k = x + from(u, s.b); k < end && k->s.b < s.b; k++)
        if (s.b < k->s.e && s.e >= k->s.e) {
            s.b = k->s.b;
            break;
        }
    for (const struct expansion *k = x + from(u, s.e); k < end && k->s.b < s.e; k++)
        if (s.e < k->s.e && s.b <= k->s.b) {
            s.e = k->s.e;
            break;
        }
    return s;
}

/* libclang's spelling locations do not tell: they are the macro's use as well. Arguments have places of their own. */
bool expansion_begins(const struct unit *u, const struct node *n) {
    for (size_t i = from(u, n->b); i < u->expansions.n && u->expansions.at[i].s.b <= n->b; i++)
        if (u->expansions.at[i].s.b == n->b)
            return true;
    return false;
}
