/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros of the user in small letters, `#define rows 100`: heddle's headers are included below them and would be rewritten. They are put
 * aside around each; the few names that emitted text uses outside of headers are refused.
 */
#include "translate.h"

#include <string.h>

/* What emitted text outside of headers says, by directive. */
static const struct {
    unsigned directives;
    const char *names;
} said[] = {
    {DIRECTIVE_WAVEFRONT | DIRECTIVE_FOR | DIRECTIVE_POOL, " base bytes device env first kind maps name nmaps row schedule slope slot "},
    {DIRECTIVE_WAVEFRONT, " i0 i1 j0 j1 layout nest reach red size tile_h tile_w "},
    {DIRECTIVE_FOR, " chunk closed count file from function gpu hi host inner kernel line lo nest red sections step to type value "},
    {DIRECTIVE_POOL, " count dims idle memory type "},
};

static bool is_said(const struct unit *u, const char *name)
{
    unsigned directives = 0;
    for (size_t i = 0; i < u->pragmas->n; i++)
        directives |= u->pragmas->at[i].directive->bit;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if ((said[i].directives & directives) && strstr(said[i].names, mem_printf(" %s ", name)))
            return true;
    return false;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct unit *u = data;
    CXFile file = NULL;
    struct span place;
    const char *name = clang_getCursorKind(c) == CXCursor_MacroDefinition ? ast_name(c) : "";
    if (!(*name >= 'a' && *name <= 'z') || clang_Cursor_isMacroBuiltin(c) || clang_Cursor_isMacroFunctionLike(c) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(c)) || strncmp(name, "heddle_", 7) == 0)
        return CXChildVisit_Continue;
    clang_getFileLocation(clang_getCursorLocation(c), &file, NULL, NULL, NULL);
    if (!file) /* of the compiler itself: linux, unix */
        return CXChildVisit_Continue;
    const bool here = ast_span(u, c, &place);
    if (is_said(u, name) && (!here || place.b < u->pragmas->at[u->pragmas->n - 1].b))
        diag_error(u, here ? place.b : u->pragmas->at[0].b,
                   "macro '%s' would rewrite a name in what heddle makes of the directive; write it in capitals, or as an enum constant", name);
    vec_push(&u->macros, name);
    return CXChildVisit_Continue;
}

void macros_gather(struct unit *u) { clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, u); }

void macros_include(const struct unit *u, struct buf *out, const char *lines)
{
    for (size_t i = 0; i < u->macros.n; i++)
        buf_printf(out, "#pragma push_macro(\"%s\")\n#undef %s\n", u->macros.at[i], u->macros.at[i]);
    buf_puts(out, lines);
    for (size_t i = u->macros.n; i > 0; i--)
        buf_printf(out, "#pragma pop_macro(\"%s\")\n", u->macros.at[i - 1]);
}
