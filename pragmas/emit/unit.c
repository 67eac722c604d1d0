/* SPDX-License-Identifier: Apache-2.0 */
/* From a file's text to its edits: clang reads it, its directives are found, each translates itself. */
#include "front/macros.h"
#include "analysis/capture.h"
#include "unit.h"
#include "analysis/normal.h"
#include "analysis/prepare.h"
#include "verify.h"

#include <string.h>

/* clang's own errors; those in the input file get their line and caret like ours. */
static void show_clang(struct unit *u, CXDiagnostic d) {
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(d), &file, NULL, NULL, &offset);
    bool ours = file && u->file && clang_File_isEqual(file, u->file);
    CXString s =
        ours ? clang_getDiagnosticSpelling(d) : clang_formatDiagnostic(d, clang_defaultDiagnosticDisplayOptions());
    if (ours)
        diag_error(u, offset, "%s", clang_getCString(s));
    else
        fprintf(stderr, "%s\n", clang_getCString(s));
    u->errors += !ours;
    clang_disposeString(s);
}

bool unit_parse(struct unit *u, CXIndex index, const struct unit_arguments *a) {
    const char *path = u->src.path;
    struct CXUnsavedFile shown = {path, u->view ? u->view : u->src.text, u->src.size};
    enum CXErrorCode code = clang_parseTranslationUnit2(index, path, a->at, a->n, &shown,
                                                        a->edited || u->view || u->src.original || u->src.pieces.n,
                                                        CXTranslationUnit_DetailedPreprocessingRecord, &u->tu);
    if (code != CXError_Success) {
        fprintf(stderr, "%s: error: libclang cannot parse the file (code %d); are the arguments after -- clang's?\n",
                path, code);
        return false;
    }
    const unsigned before = u->errors;
    u->file = clang_getFile(u->tu, path);
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->tu); i++) {
        CXDiagnostic d = clang_getDiagnostic(u->tu, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error)
            show_clang(u, d);
        clang_disposeDiagnostic(d);
    }
    if (u->errors != before)
        diag_summary(u);
    return u->errors == before;
}

static void forget(struct unit *u) {
    u->unread = false;
    u->pragmas = NULL;
    u->macros.n = u->defined.n = u->expansions.n = 0;
    functions_forget();
}

/* Again where macros hide what is behind them. `quiet`: what is wrong with directives is said another time. */
static bool read_file(struct unit *u, CXIndex index, const struct unit_arguments *a, pragma_list *pragmas, bool quiet) {
    FILE *err = u->err;
    u->view = NULL;
    u->look_again = false;
    u->edits = u->verify_edits = (edit_list){0}; /* the old ones may be wanted again */
    u->macros.n = u->defined.n = u->expansions.n = pragmas->n = 0;
    view_make(u);
    if (!unit_parse(u, index, a))
        return false;
    u->err = quiet ? NULL : err;
    scan_pragmas(u, pragmas);
    u->pragmas = pragmas;
    if (u->look_again) {
        clang_disposeTranslationUnit(u->tu);
        u->tu = NULL;
        if (!unit_parse(u, index, a))
            return false;
    }
    expansion_gather(u);
    if (pragmas->n)
        macros_gather(u);
    u->err = err;
    return true;
}

/* Headers with directives are put into the text first. */
static bool read_joined(struct unit *u, CXIndex index, const struct unit_arguments *a, pragma_list *pragmas) {
    if (!read_file(u, index, a, pragmas, true))
        return false;
    const unsigned wrong = u->errors;
    if (a->edited || !join_headers(u))
        return u->errors == wrong || (diag_summary(u), false);
    forget(u);
    u->errors = 0;
    clang_disposeTranslationUnit(u->tu);
    u->tu = NULL;
    return read_file(u, index, a, pragmas, true);
}

/* What a directive's loop has for itself is declared inside it: then the file is read again. */
static bool read_prepared(struct unit *u, CXIndex index, const struct unit_arguments *a, pragma_list *pragmas) {
    enum { MOST = 32 };
    bool again = true;
    unsigned said = 0; /* errors about the text as it was */
    if (!read_joined(u, index, a, pragmas))
        return false;
    for (int k = 0; again && k < MOST; k++) {
        edit_list edits = {0};
        const unsigned before = u->errors;
        again = k + 1 < MOST;
        const bool wrong = before != 0, changed = pragmas->n && prepare_file(u, &edits, &again);
        said += u->errors - before;
        if (!wrong && !changed)
            break;
        forget(u);
        u->errors = 0;
        if (changed)
            source_rewrite(&u->src, &edits);
        clang_disposeTranslationUnit(u->tu);
        u->tu = NULL;
        again &= changed && !wrong;
        if (!read_file(u, index, a, pragmas, again))
            return false;
        u->errors += said;
        said = 0;
    }
    return true;
}

/* The text with the edits, parsed; false: it is no C, which is as if nothing had been done. */
static bool take(struct unit *u, CXIndex index, const struct unit_arguments *a, const edit_list *edits,
                 pragma_list *pragmas) {
    const struct unit before = *u;
    pragma_list found = {0};
    struct diag_held held;
    source_rewrite(&u->src, edits);
    u->tu = NULL;
    diag_hold(u, &held);
    const bool ok = read_file(u, index, a, &found, false) && u->errors == before.errors;
    diag_release(u, &held, false);
    if (ok) {
        functions_forget();
        clang_disposeTranslationUnit(before.tu);
        *pragmas = found;
        u->pragmas = pragmas;
        return true;
    }
    if (u->tu)
        clang_disposeTranslationUnit(u->tu);
    *u = before;
    return false;
}

/* Nests in the form that analysis takes, step by step (analysis/normal.h). */
static void normalise(struct unit *u, CXIndex index, const struct unit_arguments *a, pragma_list *pragmas) {
    enum { MOST = 24 };
    for (int k = 0; k < MOST && !u->errors && !u->unread && strlen(u->src.text) == u->src.size; k++) {
        edit_list edits = {0};
        const size_t clipped = u->clipped.n;
        if (!normal_round(u, pragmas, &edits))
            return;
        if (!take(u, index, a, &edits, pragmas)) {
            u->clipped.n = clipped;
            return;
        }
    }
}

/* libclang shows nothing of a statement behind an OpenMP directive: a directive about these looks at the file once
   more, as a compiler without OpenMP sees it, but for what the preprocessor leaves of it. */
static bool parse_serial(struct unit *u, CXIndex index, const struct unit_arguments *a) {
    static const char *const more[] = {"-fno-openmp", "-D_OPENMP=202011", "-Wno-builtin-macro-redefined"};
    enum { MORE = sizeof more / sizeof *more };
    struct CXUnsavedFile text = {u->src.path, u->src.text, u->src.size};
    const char **at = mem_alloc(((size_t)a->n + MORE) * sizeof *at);
    memcpy(at, a->at, (size_t)a->n * sizeof *at);
    memcpy(at + a->n, more, sizeof more);
    struct unit *s = mem_alloc(sizeof *s);
    *s = *u;
    s->expansions.at = NULL;
    s->expansions.n = s->expansions.cap = 0;
    s->tu = NULL;
    if (clang_parseTranslationUnit2(index, u->src.path, at, a->n + MORE, &text, 1,
                                    CXTranslationUnit_DetailedPreprocessingRecord, &s->tu) != CXError_Success)
        return false;
    s->file = clang_getFile(s->tu, u->src.path);
    expansion_gather(s);
    u->serial = s;
    return true;
}

static bool wants_serial(const pragma_list *pragmas) {
    for (size_t i = 0; i < pragmas->n; i++)
        if (pragmas->at[i].directive->bit == DIRECTIVE_GRAPH)
            return true;
    return false;
}

static void translate_each(struct unit *u, const pragma_list *pragmas, unit_outcome outcome, void *of) {
    for (size_t i = 0; i < pragmas->n; i++) {
        const struct pragma *p = &pragmas->at[i];
        /* a variant's loop may be the unread one */
        const bool skip = p->bad || (u->unread && p->directive->bit == DIRECTIVE_VARIANT);
        const bool translated = !skip && p->directive->translate(u, p);
        if (outcome)
            outcome(of, u, p, translated);
    }
}

static bool is_cplusplus(const char *path, const struct unit_arguments *a) {
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".CPP"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; i < a->n; i++)
        if (strcmp(a->at[i], "-xc++") == 0)
            return true;
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

bool unit_translate(struct unit *u, CXIndex index, const struct unit_arguments *a, unit_outcome outcome, void *of) {
    pragma_list *pragmas = mem_alloc(sizeof *pragmas);
    u->cplusplus = is_cplusplus(u->src.path, a);
    if (!read_prepared(u, index, a, pragmas) || (u->proposes && u->errors)) /* else others would be judged unprepared */
        return false;
    normalise(u, index, a, pragmas);
    if (wants_serial(pragmas) && !parse_serial(u, index, a))
        return false;
    for (size_t i = 0; i < pragmas->n; i++)
        u->unread |= pragmas->at[i].bad = !names_check(u, &pragmas->at[i]);
    for (size_t i = 0; u->cplusplus && i < pragmas->n; i++)
        if (!pragmas->at[i].bad && !cplusplus_check(u, &pragmas->at[i]))
            u->unread = pragmas->at[i].bad = true;
    translate_each(u, pragmas, outcome, of);
    diag_summary(u);
    if (u->errors == 0 && u->verify)
        verify_finish(u);
    if (u->serial)
        clang_disposeTranslationUnit(u->serial->tu);
    u->serial = NULL;
    return u->errors == 0;
}
