/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second form of a function that makes tasks of a graph, beside the function: the same text with a parameter more,
 * whose task constructs record. It is static whatever the function is.
 */
#include "front/macros.h"
#include "emit.h"
#include "graph.h"

#include <string.h>

static bool fail(const struct graph *f) {
    diag_error(f->u, f->function_begin,
               "'%s' makes tasks of a graph, and its head comes out of a macro; write out its name and parameters",
               f->function_name);
    return false;
}

static size_t name_of(const struct graph *f) {
    unsigned offset;
    clang_getFileLocation(clang_getCursorLocation(f->function), NULL, NULL, NULL, &offset);
    const size_t n = strlen(f->function_name);
    return offset >= f->function_begin && offset + n <= f->b && !memcmp(f->u->src.text + offset, f->function_name, n)
               ? offset
               : f->b;
}

/* `extern` and `static` go: one of them is written before. */
static void edit_storage(struct graph *f, size_t name) {
    struct lexer lx;
    for (lexer_init(&lx, f->u->src.text, f->function_begin, name); lx.tok.kind != TOKEN_END; lexer_next(&lx))
        if (lexer_is_word(&lx, "extern") || lexer_is_word(&lx, "static"))
            vec_push(f->edits, (struct edit){lx.tok.b, lx.tok.e, ""});
}

static bool edit_head(struct graph *f) {
    static const char parameter[] = "struct heddle_graph_call *heddle_g";
    const size_t name = name_of(f);
    struct lexer lx;
    struct span first;
    if (name == f->b)
        return fail(f);
    edit_storage(f, name);
    lexer_init(&lx, f->u->src.text, name + strlen(f->function_name), f->b);
    vec_push(f->edits, (struct edit){name, lx.tok.b, f->name});
    if (!lexer_is(&lx, '('))
        return fail(f);
    const size_t open = lx.tok.e;
    if (clang_Cursor_getNumArguments(f->function) > 0) {
        if (!ast_span(f->u, clang_Cursor_getArgument(f->function, 0), &first) || first.b < open || first.b >= f->b)
            return fail(f);
        vec_push(f->edits, (struct edit){open, open, mem_printf("%s, ", parameter)});
        return true;
    }
    while (lx.tok.kind != TOKEN_END && !lexer_is(&lx, ')'))
        lexer_next(&lx);
    vec_push(f->edits, (struct edit){open, lx.tok.b, parameter});
    return true;
}

bool emit_graph_function(struct graph *f) {
    struct unit *u = f->file;
    const struct source *src = &f->u->src;
    const struct nest whole = {.u = u, .p = f->p, .id = ++u->nests};
    struct buf out = {.prefix = emit_prefix(&whole)};
    bool ok = true;
    f->name = mem_printf("%s_%s", out.prefix, f->function_name);
    for (size_t i = 0; i < f->tasks.n; i++)
        f->tasks.at[i]->w.id = ++u->nests;
    if (!edit_head(f))
        return false;
    if (source_column(src, f->function_begin) > 1)
        buf_puts(&out, "\n");
    buf_printf(&out, "/* heddle: tasks of %s() for the graph at line %u */\n", f->function_name,
               source_line(src, f->p->b));
    macros_include(u, &out, "#include <heddle/engine/nest.h>\nHEDDLE_QUIET\n#include <heddle/engine/graph.h>\n");
    for (size_t i = 0; i < f->tasks.n; i++)
        ok &= emit_graph_task(f->tasks.at[i], &out);
    buf_puts(&out, "HEDDLE_LOUD\n");
    emit_graph_inside(f);
    buf_puts(&out, "static\n");
    source_marker(src, &out, f->function_begin, 0);
    buf_puts(&out, source_edited(src, (struct span){f->function_begin, f->end}, f->edits));
    buf_puts(&out, "\n");
    emit_resume(&whole, &out, f->function_begin);
    vec_push(&u->edits, (struct edit){f->function_begin, f->function_begin, out.s});
    return ok;
}
