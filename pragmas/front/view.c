/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text as libclang is shown it. Behind an OpenMP directive libclang shows no statement, so `omp simd` is hidden:
 * its loop runs inside an iteration or a cell as it is written. `omp parallel for` at a loop of heddle's is for builds
 * without heddle: it is hidden, and goes. Offsets stay as they are.
 */
#include "front/unit.h"

#include <string.h>

static void blank(char *text, struct span s) {
    for (size_t i = s.b; i < s.e; i++)
        if (text[i] != '\n' && text[i] != '\r')
            text[i] = ' ';
}

void view_hide(struct unit *u, struct span s) {
    if (!u->view)
        u->view = mem_strndup(u->src.text, u->src.size);
    blank(u->view, s);
}

void view_remove(struct unit *u, struct span s) {
    struct buf lines = {0};
    buf_add(&lines, "", 0);
    for (size_t i = s.b; i < s.e; i++)
        if (u->src.text[i] == '\n')
            buf_puts(&lines, "\n");
    vec_push(&u->edits, (struct edit){s.b, s.e, lines.s});
    vec_push(&u->verify_edits, (struct edit){s.b, s.e, lines.s});
}

/* ---- directives ---- */

bool view_is_parallel(const char *directive) {
    static const char *const around[] = {"omp", "target", "teams", "distribute"};
    struct lexer lx;
    lexer_init(&lx, directive, 0, strlen(directive));
    for (size_t k = 0; k < sizeof around / sizeof *around; k++)
        if (lexer_is_word(&lx, around[k]))
            lexer_next(&lx);
    const bool parallel = lexer_is_word(&lx, "parallel");
    lexer_next(&lx);
    return parallel && (lexer_is_word(&lx, "for") || lexer_is_word(&lx, "loop"));
}

struct line { /* a directive */
    struct span s;
    const char *text; /* behind #pragma; NULL: #if and the like */
};

static bool is_heddle_loop(const char *text) {
    struct lexer lx;
    lexer_init(&lx, text, 0, strlen(text));
    if (!lexer_is_word(&lx, "heddle"))
        return false;
    lexer_next(&lx);
    return lexer_is_word(&lx, "for") || lexer_is_word(&lx, "wavefront") || lexer_is_word(&lx, "taskloop") ||
           lexer_is_word(&lx, "lanes");
}

static bool is_simd(const char *text) {
    struct lexer lx;
    lexer_init(&lx, text, 0, strlen(text));
    if (!lexer_is_word(&lx, "omp"))
        return false;
    lexer_next(&lx);
    return lexer_is_word(&lx, "simd");
}

/* Directives with nothing between them. */
static void group(struct unit *u, const struct line *line, size_t n) {
    bool heddle = false;
    for (size_t i = 0; i < n; i++)
        heddle |= line[i].text && is_heddle_loop(line[i].text);
    for (size_t i = 0; i < n; i++) {
        if (line[i].text && (is_simd(line[i].text) || (heddle && view_is_parallel(line[i].text))))
            view_hide(u, line[i].s);
        if (line[i].text && heddle && view_is_parallel(line[i].text))
            view_remove(u, line[i].s);
    }
}

void view_make(struct unit *u) {
    VEC(struct line) lines = {0};
    struct lexer lx;
    const char *text = u->src.text;
    if (!strstr(text, "omp"))
        return;
    for (lexer_init(&lx, text, 0, u->src.size); lx.tok.kind != TOKEN_END; lexer_next(&lx)) {
        if (!lexer_is(&lx, '#')) {
            if (lines.n)
                group(u, lines.at, lines.n);
            lines.n = 0;
            continue;
        }
        const struct span s = {lx.tok.b, scan_directive_end(&u->src, lx.tok.b)};
        lexer_next(&lx);
        const bool pragma = lexer_is_word(&lx, "pragma");
        if (pragma)
            lexer_next(&lx);
        vec_push(&lines, (struct line){s, pragma && lx.tok.b < s.e ? source_flat(&u->src, (struct span){lx.tok.b, s.e})
                                                                   : NULL});
        lx.pos = s.e;
    }
    group(u, lines.at, lines.n);
}
