/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers of the project that hold directives, and sources that are included, take the place of their #include: what is
 * translated is one text. clang has said which file each #include reads. Line markers tell it where text comes from, so
 * that its messages, __FILE__ and what it says of headers are as before.
 */
#include "front/unit.h"

#include <stdlib.h>
#include <string.h>

struct included {
    const char *from, *path;
    size_t at; /* of the '#' */
};
struct file {
    const char *path;
    struct source src;
    bool wanted, looking; /* looking: whether it is, or it is being joined */
};
struct join {
    struct unit *u;
    VEC(struct included) all;
    VEC(struct file *) files;
    const char *folder; /* of the source */
    struct source *to;
    struct buf text;
    size_t rows; /* of the text so far */
};

/* ---- what includes what ---- */

static const char *name_of(CXFile file) {
    CXString s = clang_getFileName(file);
    const char *name = clang_getCString(s) ? clang_getCString(s) : "";
    const char *copy = mem_strndup(name, strlen(name));
    clang_disposeString(s);
    return copy;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct join *j = data;
    CXFile from = NULL, file;
    unsigned at;
    if (clang_getCursorKind(c) != CXCursor_InclusionDirective ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(c)) || !(file = clang_getIncludedFile(c)))
        return CXChildVisit_Continue;
    clang_getFileLocation(clang_getCursorLocation(c), &from, NULL, NULL, &at);
    if (from)
        vec_push(&j->all, (struct included){name_of(from), name_of(file), at});
    return CXChildVisit_Continue;
}

static const char *file_behind(const struct join *j, const char *from, size_t at) {
    for (size_t i = 0; i < j->all.n; i++)
        if (j->all.at[i].at == at && strcmp(j->all.at[i].from, from) == 0)
            return j->all.at[i].path;
    return NULL;
}

static struct file *file_of(struct join *j, const char *path) {
    for (size_t i = 0; i < j->files.n; i++)
        if (strcmp(j->files.at[i]->path, path) == 0)
            return j->files.at[i];
    struct file *f = mem_alloc(sizeof *f);
    const CXFile file = clang_getFile(j->u->tu, path);
    size_t size = 0;
    const char *text = file ? clang_getFileContents(j->u->tu, file, &size) : NULL;
    *f = (struct file){.path = path, .src = {.path = path, .text = mem_strndup(text ? text : "", size), .size = size}};
    vec_push(&j->files, f);
    return f;
}

/* ---- which files hold directives ---- */

enum kind { KIND_NONE, KIND_INCLUDE, KIND_ONCE, KIND_HEDDLE };

/* Of the directive at lx, which then stands at its end. */
static enum kind read_directive(const struct source *src, struct lexer *lx, struct span *s) {
    enum kind kind = KIND_NONE;
    *s = (struct span){lx->tok.b, scan_directive_end(src, lx->tok.b)};
    lexer_next(lx);
    if (lexer_is_word(lx, "include")) {
        kind = KIND_INCLUDE;
    } else if (lexer_is_word(lx, "pragma")) {
        lexer_next(lx);
        kind = lexer_is_word(lx, "heddle") ? KIND_HEDDLE : lexer_is_word(lx, "once") ? KIND_ONCE : KIND_NONE;
    }
    lx->pos = s->e;
    return kind;
}

static bool is_wanted(struct join *j, struct file *f) {
    struct lexer lx;
    struct span s;
    if (f->wanted || f->looking)
        return f->wanted;
    f->looking = true;
    for (lexer_init(&lx, f->src.text, 0, f->src.size); !f->wanted && lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (!lexer_is(&lx, '#')) {
            f->wanted = lx.tok.kind == TOKEN_NAME && operator_begins(f->src.text + lx.tok.b, lx.tok.e - lx.tok.b);
            continue;
        }
        const enum kind kind = read_directive(&f->src, &lx, &s);
        const char *path = kind == KIND_INCLUDE ? file_behind(j, f->path, s.b) : NULL;
        f->wanted = kind == KIND_HEDDLE || (path && is_wanted(j, file_of(j, path)));
    }
    f->looking = false;
    return f->wanted;
}

/* ---- the text ---- */

static void add(struct join *j, const char *text, size_t n) {
    buf_add(&j->text, text, n);
    for (size_t i = 0; i < n; i++)
        j->rows += text[i] == '\n';
}

/* What follows is line `line` of the file; flag 1: it begins, 2: it goes on behind another one, 0: it goes on. */
static void mark(struct join *j, const char *path, unsigned line, int flag) {
    struct buf b = {0};
    buf_printf(&b, "# %u ", line);
    source_quoted(&b, path);
    buf_printf(&b, flag ? " %d\n" : "\n", flag);
    add(j, b.s, b.n);
    vec_push(&j->to->pieces, (struct piece){j->rows, path, line});
}

static bool has_once(const struct source *src) {
    struct lexer lx;
    struct span s;
    for (lexer_init(&lx, src->text, 0, src->size); lx.tok.kind != TOKEN_END; lexer_next(&lx))
        if (lexer_is(&lx, '#') && read_directive(src, &lx, &s) == KIND_ONCE)
            return true;
    return false;
}

/* As an #include of the source has to say it. */
static const char *as_seen(const struct join *j, const char *path) {
    const size_t n = strlen(j->folder);
    if (strncmp(path, j->folder, n) == 0)
        return path + n;
    char *whole = realpath(path, NULL);
    const char *copy = whole ? mem_strndup(whole, strlen(whole)) : path;
    free(whole);
    return copy;
}

static void add_file(struct join *j, struct file *f);

/* __has_include keeps the file among the dependencies that -MD writes. */
static void put(struct join *j, struct file *f, const struct file *around, unsigned next) {
    const char *guard = NULL;
    struct buf b = {0};
    buf_puts(&b, "#if __has_include(");
    source_quoted(&b, as_seen(j, f->path));
    buf_puts(&b, ")\n#endif\n");
    if (has_once(&f->src)) {
        size_t n = 0;
        while (j->files.at[n] != f)
            n++;
        guard = mem_printf("heddle_once_%zu", n);
        buf_printf(&b, "#ifndef %s\n#define %s\n", guard, guard);
    }
    add(j, b.s, b.n);
    mark(j, f->path, 1, 1);
    f->looking = true;
    add_file(j, f);
    f->looking = false;
    add(j, "\n", 1);
    mark(j, around->path, next, 2);
    if (guard) {
        add(j, "#endif\n", strlen("#endif\n"));
        mark(j, around->path, next, 0);
    }
}

static bool is_angled(const struct source *src, struct span s) {
    struct lexer lx;
    lexer_init(&lx, src->text, s.b + 1, s.e);
    lexer_next(&lx);
    return lexer_is(&lx, '<');
}

static void add_file(struct join *j, struct file *f) {
    const struct source *src = &f->src;
    const bool outer = f == j->files.at[0];
    struct lexer lx;
    struct span s;
    size_t done = strncmp(src->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a byte order mark */
    unsigned line = 1;
    for (lexer_init(&lx, src->text, 0, src->size); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (!lexer_is(&lx, '#'))
            continue;
        const enum kind kind = read_directive(src, &lx, &s);
        const char *path = kind == KIND_INCLUDE ? file_behind(j, f->path, s.b) : NULL;
        struct file *inner = path ? file_of(j, path) : NULL;
        const bool joined = inner && inner->wanted && !inner->looking;
        const bool seen = inner && !joined && !outer && !is_angled(src, s);
        if (!joined && !seen && (outer || kind != KIND_ONCE))
            continue;
        add(j, src->text + done, s.b - done);
        for (size_t i = done; i < s.e; i++)
            line += src->text[i] == '\n';
        done = s.e;
        if (joined) {
            put(j, inner, f, line + 1);
            done += done < src->size; /* its newline */
            line++;
        } else if (seen) {
            struct buf b = {0};
            buf_puts(&b, "#include ");
            source_quoted(&b, as_seen(j, path));
            add(j, b.s, b.n);
        }
    }
    add(j, src->text + done, src->size - done);
}

static const char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return mem_strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
}

/* Those that no #include of the source brings, but the command line. */
static void refuse_others(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    struct join *j = data;
    const char *path = name_of(file);
    (void)stack;
    if (depth == 0 || clang_Location_isInSystemHeader(clang_getLocationForOffset(j->u->tu, file, 0)))
        return;
    for (size_t i = 0; i < j->all.n; i++)
        if (strcmp(j->all.at[i].path, path) == 0)
            return;
    if (is_wanted(j, file_of(j, path)))
        diag_error(j->u, 0, "'%s' holds directives of heddle's and comes by -include: include it in the source", path);
}

bool join_headers(struct unit *u) {
    static const char quiet[] = "#pragma clang diagnostic ignored \"-Wgnu-line-marker\"\n";
    struct source to = {.path = u->src.path};
    struct join j = {.u = u, .folder = folder_of(u->src.path), .to = &to};
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), visit, &j);
    struct file *source = mem_alloc(sizeof *source);
    *source =
        (struct file){.path = name_of(u->file), .src = {.path = u->src.path, .text = u->src.text, .size = u->src.size}};
    vec_push(&j.files, source);
    bool any = false;
    for (size_t i = 0; i < j.all.n; i++)
        any |= is_wanted(&j, file_of(&j, j.all.at[i].path));
    clang_getInclusions(u->tu, refuse_others, &j);
    if (!any)
        return false;
    add(&j, quiet, strlen(quiet));
    mark(&j, u->src.path, 1, 0);
    source->looking = true;
    add_file(&j, source);
    to.text = j.text.s ? j.text.s : "";
    to.size = j.text.n;
    source_index(&to);
    u->src = to;
    return true;
}
