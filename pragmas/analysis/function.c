/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the file: which of them hold directives, which change memory that others see, which use global
 * variables, and the closure of all that over calls.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "function.h"

#include <string.h>

static VEC(struct function *) functions;

void functions_forget(void) { functions.n = 0; }

static const char *const pure[] = {"fmax",
                                   "fmin",
                                   "fabs",
                                   "sqrt",
                                   "exp",
                                   "exp2",
                                   "log",
                                   "log2",
                                   "log10",
                                   "pow",
                                   "sin",
                                   "cos",
                                   "tan",
                                   "atan",
                                   "atan2",
                                   "floor",
                                   "ceil",
                                   "round",
                                   "trunc",
                                   "rint",
                                   "hypot",
                                   "copysign",
                                   "fma",
                                   "abs",
                                   "labs",
                                   "cbrt",
                                   "tanh",
                                   "expm1",
                                   "log1p",
                                   "fmod",
                                   "ctz",
                                   "clz",
                                   "ctzl",
                                   "clzl",
                                   "ctzll",
                                   "clzll",
                                   "popcount",
                                   "ffs",
                                   "parity",
                                   "expect",
                                   "llabs",
                                   "lround",
                                   "lrint",
                                   "memcmp",
                                   "popcountl",
                                   "bswap32",
                                   "popcountll",
                                   "ffsl",
                                   "ffsll",
                                   "bswap64",
                                   "asin",
                                   "acos",
                                   "sinh",
                                   "cosh",
                                   "nearbyint",
                                   "isnan",
                                   "unreachable",
                                   "bswap16",
                                   "assume",
                                   "constant_p",
                                   "omp_is_initial_device",
                                   "erf",
                                   "erfc",
                                   "tgamma",
                                   "lgamma",
                                   "fdim",
                                   "ldexp",
                                   "scalbn",
                                   "ilogb",
                                   "logb",
                                   "remainder",
                                   "asinh",
                                   "acosh",
                                   "atanh",
                                   "llround",
                                   "llrint",
                                   "isinf",
                                   "isfinite",
                                   "isnormal",
                                   "signbit",
                                   "nextafter",
                                   "scalbln",
                                   "exp10",
                                   "inf",
                                   "nan",
                                   "huge_val"};

static bool known_pure(const char *name) {
    /* of values or vectors, always in line */
    if (strncmp(name, "__builtin_elementwise_", 22) == 0 || strncmp(name, "__builtin_reduce_", 17) == 0)
        return true;
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++) {
        size_t n = strlen(pure[i]);
        if (strncmp(name, pure[i], n) == 0 && (name[n] == '\0' || (name[n] == 'f' && name[n + 1] == '\0')))
            return true;
    }
    return false;
}

static enum CXChildVisitResult find_const(CXCursor c, CXCursor parent, CXClientData found) {
    (void)parent;
    *(bool *)found |= clang_getCursorKind(c) == CXCursor_ConstAttr;
    return CXChildVisit_Continue;
}

bool function_is_pure(CXCursor callee) {
    bool declared = false;
    if (clang_Cursor_isNull(callee))
        return false;
    clang_visitChildren(callee, find_const, &declared);
    return declared || known_pure(ast_name(callee));
}

bool function_is_memory(const char *name) {
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    return strcmp(name, "memcpy") == 0 || strcmp(name, "memset") == 0 || strcmp(name, "memmove") == 0;
}

static bool is_among(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

bool function_is_allocation(const char *name) {
    static const char *const names[] = {"malloc", "calloc", "alloca", "__builtin_alloca", NULL};
    return is_among(name, names);
}

bool function_is_output(const char *name) {
    static const char *const names[] = {"printf", "puts",   "putchar", "fprintf",  "fputs",  "fputc", "putc",
                                        "perror", "fwrite", "vprintf", "vfprintf", "fflush", NULL};
    return is_among(name, names);
}

bool function_ends(const char *name) {
    static const char *const names[] = {"abort", "exit", "_Exit", "_exit", "__assert_fail", "__assert_perror_fail",
                                        NULL};
    return is_among(name, names);
}

CXCursor function_callee(struct node *call) {
    struct node *callee = ast_strip(call->first);
    CXCursor f =
        callee && callee->kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(callee->c) : clang_getNullCursor();
    return clang_getCursorKind(f) == CXCursor_FunctionDecl ? f : clang_getNullCursor();
}

bool function_takes_const(struct node *call, struct node *argument) {
    int index = -1;
    for (struct node *c = call->first; c && c != argument; c = c->next)
        index++;
    CXType f = clang_getCanonicalType(clang_getCursorType(call->first->c));
    if (f.kind == CXType_Pointer)
        f = clang_getPointeeType(f);
    CXType t = clang_getCanonicalType(clang_getArgType(f, (unsigned)index));
    return t.kind == CXType_Pointer && clang_isConstQualifiedType(clang_getPointeeType(t));
}

struct function *function_called(struct unit *u, struct node *call) {
    CXCursor f = function_callee(call);
    return clang_Cursor_isNull(f) ? NULL : function_of(u, f);
}

bool node_is_global(CXCursor decl) {
    if (clang_getCursorKind(decl) != CXCursor_VarDecl)
        return false;
    enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(decl));
    return parent != CXCursor_FunctionDecl || clang_Cursor_getStorageClass(decl) == CX_SC_Static ||
           clang_Cursor_getStorageClass(decl) == CX_SC_Extern;
}

bool node_is_modified(unsigned access) { return (access & (ACCESS_WRITE | ACCESS_ADDRESS)) != 0; }

int node_changes(struct node *n, CXCursor var, struct node **assignment) {
    int count = 0;
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(n->c), var)) {
        const unsigned access = capture_access(n);
        struct node *up = n->up;
        while (up && up->kind == CXCursor_ParenExpr)
            up = up->up;
        if (!node_is_modified(access) || (access == ACCESS_ADDRESS && refs_only_shown(n)))
            return 0;
        if (assignment)
            *assignment =
                access == ACCESS_WRITE && up && ast_binary(up) == CXBinaryOperator_Assign && ast_strip(up->first) == n
                    ? up
                    : NULL;
        return 1;
    }
    for (struct node *c = n->first; c; c = c->next)
        count += node_changes(c, var, assignment);
    return count;
}

bool node_is_table(CXCursor decl) {
    CXType t = clang_getCanonicalType(clang_getCursorType(decl));
    bool constant = clang_isConstQualifiedType(t); /* canonical arrays carry their elements' qualifiers */
    while (ast_is_array(t)) {
        t = clang_getCanonicalType(clang_getArrayElementType(t));
        constant |= clang_isConstQualifiedType(t);
    }
    if (t.kind == CXType_Pointer && !clang_isConstQualifiedType(clang_getPointeeType(t)))
        return false; /* what it points to may change */
    return constant;
}

/* ---- one function ---- */

static bool same(CXCursor a, CXCursor b) {
    return clang_equalCursors(clang_getCanonicalCursor(a), clang_getCanonicalCursor(b));
}

static void add_variable(struct function *f, CXCursor d) {
    /* static variables of a function are part of it on the device too when they are constant */
    bool inside = clang_getCursorKind(clang_getCursorSemanticParent(d)) == CXCursor_FunctionDecl;
    if (node_is_table(d)) {
        for (size_t i = 0; i < f->tables.n; i++)
            if (same(f->tables.at[i], d))
                return;
        if (!inside)
            vec_push(&f->tables, d);
        return;
    }
    for (size_t i = 0; i < f->globals.n; i++)
        if (same(f->globals.at[i], d))
            return;
    vec_push(&f->globals, d);
    f->uses_globals = true;
}

/* Is the lvalue a variable of the function itself, reached without a pointer? */
static bool own_variable(struct node *n) {
    for (n = ast_strip(n); n; n = ast_strip(n->first)) {
        if (n->kind == CXCursor_DeclRefExpr) {
            CXCursor d = clang_getCursorReferenced(n->c);
            /* libclang gives a parameter's array type as written although it is a pointer */
            return !node_is_global(d) && !(clang_getCursorKind(d) == CXCursor_ParmDecl &&
                                           ast_is_array(clang_getCanonicalType(clang_getCursorType(d))));
        }
        if (n->kind == CXCursor_MemberRefExpr) {
            if (!n->first || clang_getCanonicalType(clang_getCursorType(n->first->c)).kind == CXType_Pointer)
                return false;
        } else if (n->kind == CXCursor_ArraySubscriptExpr) {
            struct node *base = ast_strip(n->first);
            if (!base || !ast_is_array(clang_getCanonicalType(clang_getCursorType(base->c))))
                return false;
        } else {
            return false;
        }
    }
    return false;
}

static void call(struct unit *u, struct function *f, struct node *n) {
    CXCursor c = function_callee(n);
    if (clang_Cursor_isNull(c)) {
        f->unknown = f->unknown ? f->unknown : n;
        f->stores = true;
        return;
    }
    const char *name = ast_name(c);
    struct function *g = function_of(u, c);
    if (g) {
        for (size_t i = 0; i < f->calls.n; i++)
            if (f->calls.at[i] == g)
                return;
        vec_push(&f->calls, g);
    } else if (function_is_memory(name)) {
        f->stores = true;
    } else if (!function_is_pure(c)) {
        f->unknown = f->unknown ? f->unknown : n;
        f->stores = true;
    }
}

static void analyse(struct unit *u, struct function *f, struct node *n) {
    enum CXUnaryOperatorKind unary = ast_unary(n);
    if (n->kind == CXCursor_UnaryExpr) /* sizeof */
        return;
    if (ast_is_assignment(n) || (unary >= CXUnaryOperator_PostInc && unary <= CXUnaryOperator_PreDec))
        f->stores |= !own_variable(n->first);
    if (n->kind == CXCursor_GCCAsmStmt || n->kind == CXCursor_OMPAtomicDirective)
        f->stores = true;
    if (n->kind == CXCursor_CallExpr)
        call(u, f, n);
    if (n->kind == CXCursor_DeclRefExpr && node_is_global(clang_getCursorReferenced(n->c)))
        add_variable(f, clang_getCursorReferenced(n->c));
    for (struct node *c = n->first; c; c = c->next)
        analyse(u, f, c);
}

static struct function *function_new(struct unit *u, CXCursor definition) {
    struct function *f = mem_alloc(sizeof *f);
    struct span s = {0, 0};
    f->c = definition;
    f->name = ast_name(definition);
    f->in_file = ast_span(u, definition, &s);
    unsigned begin = 0;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(definition)), NULL, NULL, NULL, &begin);
    f->begin = begin;
    vec_push(&functions, f);
    f->tree = ast_tree(u, definition);
    f->body = f->tree->last;
    return f;
}

struct function *function_of(struct unit *u, CXCursor c) {
    CXCursor definition = clang_getCursorDefinition(c);
    if (clang_Cursor_isNull(definition))
        return NULL;
    for (size_t i = 0; i < functions.n; i++)
        if (clang_equalCursors(functions.at[i]->c, definition))
            return functions.at[i];
    return function_new(u, definition);
}

struct around {
    struct unit *u;
    size_t offset;
    CXCursor found;
    bool ok;
};

static enum CXChildVisitResult around_visit(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    struct around *a = data;
    struct span s;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c) || !ast_span(a->u, c, &s) ||
        s.b > a->offset || a->offset >= s.e)
        return CXChildVisit_Continue;
    a->found = c;
    a->ok = true;
    return CXChildVisit_Break;
}

struct function *function_around(struct unit *u, size_t offset) {
    struct around a = {.u = u, .offset = offset};
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), around_visit, &a);
    return a.ok ? function_of(u, a.found) : NULL;
}

/* Own facts first, then what is reached by calls, until nothing changes. Functions grow while this runs. */
void functions_analyse(struct unit *u) {
    for (size_t i = 0; i < functions.n; i++) {
        struct function *f = functions.at[i];
        analyse(u, f, f->body);
        for (size_t k = 0; k < f->sites.n; k++)
            f->worker = true, f->spawns |= f->sites.at[k]->p->directive->bit != DIRECTIVE_LANES;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < functions.n; i++) {
            struct function *f = functions.at[i];
            for (size_t k = 0; k < f->calls.n; k++) {
                const struct function *g = f->calls.at[k];
                bool more = (g->worker && !f->worker) || (g->spawns && !f->spawns) || (g->stores && !f->stores) ||
                            (g->uses_globals && !f->uses_globals);
                f->worker |= g->worker;
                f->spawns |= g->spawns;
                f->stores |= g->stores;
                f->uses_globals |= g->uses_globals;
                changed |= more;
            }
        }
    }
}

bool function_only_reads(struct unit *u, struct node *call) {
    const struct function *f = function_called(u, call);
    functions_analyse(u);
    return function_is_pure(function_callee(call)) || (f && !f->stores);
}

unsigned function_visit(void) {
    static unsigned visits;
    return ++visits;
}

bool function_seen(struct function *f, unsigned visit) {
    bool seen = f->visit == visit;
    f->visit = visit;
    return seen;
}

/* ---- may it run on a device? ---- */

const struct pragma *function_wavefront(struct unit *u, size_t b, size_t e) {
    for (size_t i = 0; i < u->pragmas->n; i++)
        if ((u->pragmas->at[i].directive->bit & (DIRECTIVE_WAVEFRONT | DIRECTIVE_FOR)) && u->pragmas->at[i].b >= b &&
            u->pragmas->at[i].b < e)
            return &u->pragmas->at[i];
    return NULL;
}

bool node_is_openmp(const struct node *n) {
    return ast_is_openmp(n) && n->kind != CXCursor_OMPAtomicDirective && n->kind != CXCursor_OMPSimdDirective;
}

static bool check_node(struct unit *u, struct function *f, struct node *n) {
    bool ok = true;
    if (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(n->c) == CX_SC_Static && !node_is_table(n->c)) {
        diag_error(u, n->b, "static variable '%s' in a function that tasks run in parallel; pass it as an argument",
                   ast_name(n->c));
        ok = false;
    }
    if (node_is_openmp(n)) {
        diag_error(u, n->b,
                   "'%s' is called by a task and has an OpenMP directive other than 'atomic'; use '#pragma heddle "
                   "task' or 'lanes'",
                   f->name);
        return false;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_node(u, f, c);
    return ok;
}

/* `at`: where a task of this file calls it, for functions of headers. */
bool function_check(struct unit *u, struct function *f, size_t at) {
    if (f->checked)
        return true;
    f->checked = true;
    bool ok = true;
    if (f->unknown) {
        CXCursor c = function_callee(f->unknown);
        at = f->in_file ? f->unknown->b : at;
        if (clang_Cursor_isNull(c))
            diag_error(u, at, "call through a pointer in code that tasks run; call the functions by name");
        else
            diag_error(u, at,
                       "'%s' is called by a task, but its body is not in this file, so it cannot run on a device; "
                       "define it here or in a header",
                       ast_name(c));
        ok = false;
    }
    const struct pragma *wavefront = f->in_file ? function_wavefront(u, f->body->b, f->body->e) : NULL;
    if (wavefront) {
        diag_error(u, wavefront->b,
                   "'%s' is called by a task and holds a %s, which runs on a whole device; call it "
                   "outside the pool's tasks",
                   f->name, wavefront->directive->name);
        ok = false;
    }
    if (f->in_file)
        ok &= check_node(u, f, f->body);
    for (size_t i = 0; i < f->calls.n; i++)
        ok &= function_check(u, f->calls.at[i], f->in_file ? f->calls.at[i]->begin : at);
    return ok;
}
