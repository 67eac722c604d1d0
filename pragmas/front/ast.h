/* SPDX-License-Identifier: Apache-2.0 */
/* ast.c: a tree of cursors with parents and file offsets */
#ifndef HEDDLE_FRONT_AST_H
#define HEDDLE_FRONT_AST_H

#include "front/unit.h"

struct node {
    CXCursor c;
    enum CXCursorKind kind;
    struct node *up, *first, *last, *next;
    size_t b, e;
};
bool ast_span(struct unit *u, CXCursor c, struct span *out); /* false when not in the main file */
struct node *ast_tree(struct unit *u, CXCursor c);
struct node *ast_strip(struct node *n); /* through parentheses and implicit casts */
struct node *ast_child(struct node *n, int index);
int ast_children(const struct node *n);
bool ast_contains(const struct node *outer, const struct node *inner);
bool ast_constant(struct node *n, long *value);
const char *ast_name(CXCursor c);
const char *ast_spelling(CXType t);
enum CXBinaryOperatorKind ast_binary(const struct node *n);
enum CXUnaryOperatorKind ast_unary(const struct node *n);
bool ast_is_assignment(const struct node *n); /* = and the compound ones */
bool ast_is_array(CXType canonical);
bool ast_is_integer(CXType t);             /* of any size; bool and enums too */
CXType ast_type(const struct node *n);     /* canonical */
CXType ast_pointee(CXType t);              /* canonical; of an array: its elements */
bool ast_is_openmp(const struct node *n);  /* an OpenMP directive with its statement */
bool ast_has_openmp(const struct node *n); /* n is one, or has one in it */
struct span ast_openmp_statement(const struct unit *u, const struct node *n);
/* the end with its ';', of a statement whose text begins at `begin` */
size_t ast_statement_end(struct unit *u, struct node *n, size_t begin);
bool ast_function_at(struct unit *u, size_t offset, CXCursor *found); /* whose definition holds the offset */
/* No calls and no changes are in them, and both have one value where nothing stands between them. */
bool ast_same_value(struct node *a, struct node *b);
int ast_mentions(const struct node *n, CXCursor decl);                      /* how often */
struct node *ast_declaration(struct node *n, CXCursor decl);                /* inside n; or NULL */
bool ast_hides(const struct node *n, CXCursor decl);                        /* n declares another one of its name */
bool ast_hides_any(const struct node *n, struct node *value);               /* ... of a name in the expression */
struct node *ast_at(struct node *n, enum CXCursorKind kind, size_t offset); /* inside n, beginning there; or NULL */
size_t ast_loop_body(struct unit *u, struct node *loop);

#endif
