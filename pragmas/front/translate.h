/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The translator's one internal header, a section per source file in pipeline order:
 * main -> source -> scan -> clause -> ast -> nest -> capture -> refs -> affine -> dep -> sweeps ->
 * map -> prefix -> emit. Model: one input file, one translation unit, everything keyed by byte offsets into that
 * file. Memory comes from one arena that main() releases; nothing is freed piecemeal.
 */
#ifndef HEDDLE_TRANSLATE_H
#define HEDDLE_TRANSLATE_H

#include <heddle/words.h>
#include <clang-c/Index.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define MAX_DIMS 4
#define MAX_LOOPS 3 /* that one directive runs in parallel */
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

struct unit;
struct pragma;
struct node;

/* ---- memory.c: arena, growable arrays, text buffers ---- */
void *mem_alloc(size_t size); /* zeroed; never NULL: the process ends when memory does */
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *format, ...) PRINTF_LIKE(1, 2);
char *mem_vprintf(const char *format, va_list args);
void mem_release(void);
void *mem_grow(void *old, size_t n, size_t *cap, size_t size);

#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        size_t n, cap;                                                                                                 \
    }
#define vec_push(v, ...)                                                                                               \
    ((v)->at = mem_grow((v)->at, (v)->n, &(v)->cap, sizeof *(v)->at), (v)->at[(v)->n] = (__VA_ARGS__),                 \
     &(v)->at[(v)->n++])

struct buf {
    char *s; /* always NUL-terminated once something was added */
    size_t n, cap;
    const char *prefix; /* stands for `$` in the formats of buf_printf */
};
void buf_add(struct buf *b, const char *s, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_pad(struct buf *b, size_t spaces);
void buf_printf(struct buf *b, const char *format, ...) PRINTF_LIKE(2, 3);

/* ---- source.c: the input text, positions in it, edits to it ---- */
struct span {
    size_t b, e; /* byte offsets, e is one past the end */
};
struct edit {
    size_t b, e;
    const char *text;
};
typedef VEC(struct edit) edit_list;

struct source {
    const char *path; /* as given on the command line */
    const char *text; /* NUL-terminated */
    size_t size;
    VEC(size_t) lines;     /* offset of the first byte of every line */
    VEC(struct span) more; /* text behind `size`, of directives out of macros: where each begins, and its place */
    const struct source *original; /* as it was written, where it was changed before it was analysed */
    edit_list changes;             /* to that, in their order; lines are the same */
};
/* Puts text behind the file's; `place`: what stands for it in messages. Where it begins. */
size_t source_more(struct source *src, const char *text, size_t place);
size_t source_place(const struct source *src, size_t offset); /* in the file */
int source_read(struct source *src, const char *path);        /* 0, or -1 with errno set */
void source_index(struct source *src);                        /* fills lines from text */
void source_rewrite(struct source *src, const edit_list *edits);
unsigned source_line(const struct source *src, size_t offset);
unsigned source_column(const struct source *src, size_t offset); /* as it was written */
size_t source_origin(const struct source *src, size_t offset);   /* likewise */
/* the text of a span with line continuations and comments flattened to blanks */
const char *source_flat(const struct source *src, struct span s);
/* a span with edits applied; an edit inside another one's span is dropped */
const char *source_edited(const struct source *src, struct span s, const edit_list *edits);
void source_line_marker(const struct source *src, struct buf *out, unsigned line);

/* ---- diag.c: messages in clang's form ---- */
void diag_error(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_warning(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_note(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_summary(struct unit *u);
/* Messages from here to diag_release are kept back, then shown or forgotten with their number. */
struct message {
    size_t offset; /* in the file as it was written */
    const char *severity, *text;
};
typedef void (*diag_listener)(void *of, size_t offset, const char *severity, const char *text);
struct diag_held {
    diag_listener listener;
    void *listens;
    unsigned errors;
    VEC(struct message) kept;
};
void diag_hold(struct unit *u, struct diag_held *h);
void diag_release(struct unit *u, struct diag_held *h, bool show);
/* A message that was kept, as a note with a text before it. */
void diag_note_kept(struct unit *u, const struct message *m, const char *before);

/* ---- lex.c: C tokens of one directive line ---- */
enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_LITERAL, TOKEN_PUNCT };
struct token {
    enum token_kind kind;
    size_t b, e;
};
struct lexer {
    const char *text;
    size_t pos, end;
    struct token tok; /* the current token */
};
void lexer_init(struct lexer *lx, const char *text, size_t begin, size_t end);
void lexer_next(struct lexer *lx);
bool lexer_is(const struct lexer *lx, char punct);
bool lexer_is_word(const struct lexer *lx, const char *word);
size_t lexer_skip_blank(const char *text, size_t pos, size_t end); /* blanks, comments, \-newline */

/* ---- clause.c: the clause grammar ---- */
#define WORD(name, text) SCHEDULE_##name,
enum nest_schedule { HEDDLE_WAVEFRONT_SCHEDULES(WORD) };
#undef WORD
#define WORD(name, text) LAYOUT_##name,
enum nest_layout { HEDDLE_LAYOUTS(WORD) };
#undef WORD
#define WORD(name, text) KIND_##name,
enum device_kind { HEDDLE_DEVICE_KINDS(WORD) KINDS };
#undef WORD
enum map_kind { MAP_TO, MAP_FROM, MAP_TOFROM, MAP_ALLOC };
enum keep_mode { KEEP_ALL, KEEP_LAST, KEEP_NONE };
enum red_op { RED_ADD, RED_MUL, RED_MAX, RED_MIN, RED_AND, RED_OR, RED_XOR, RED_LAND, RED_LOR, RED_USER };
enum clause_id {
    CLAUSE_SCHEDULE,
    CLAUSE_KEEP,
    CLAUSE_SINK,
    CLAUSE_REDUCTION,
    CLAUSE_MAP,
    CLAUSE_DEVICE,
    CLAUSE_WORKERS,
    CLAUSE_MEMORY,
    CLAUSE_IDLE,
    CLAUSE_DEPEND,
    CLAUSE_PRIORITY,
    CLAUSE_COLLAPSE,
    CLAUSE_SWEEPS,
    CLAUSE_BATCH,
    CLAUSE_LAYOUT,
    CLAUSE_FIRSTPRIVATE,
    CLAUSE_PRIVATE,
    CLAUSE_LASTPRIVATE,
    CLAUSE_INDEPENDENT,
    CLAUSE_KIND,
    CLAUSE_APPEND
};

struct section { /* one [first : count] of an array section; empty spans where left out */
    struct span first, count;
};
struct item { /* a name in a clause's list, with what may follow it */
    struct span name;
    int nsections;
    struct section section[MAX_DIMS];
    long offset;        /* sink: the constant beside the loop variable */
    struct span member; /* map of a `for`: ".x.y" behind the name; else empty */
};
struct clause {
    enum clause_id id;
    struct span name;
    int kind; /* enum nest_schedule, enum keep_mode, enum red_op or enum map_kind */
    int nargs;
    struct span arg[2]; /* schedule: tile height and width; device: the expression; reduction: the operator */
    VEC(struct item) items;
};
typedef VEC(struct clause) clause_list;

/* parses what follows the directive's name; false after an error was reported */
bool clause_parse(struct unit *u, unsigned directive, struct lexer *lx, clause_list *out);
const struct clause *clause_find(const struct pragma *p, enum clause_id id); /* the first; NULL: none */
const char *clause_op_name(enum red_op op);                                  /* "max" */
const char *clause_op_constant(enum red_op op);                              /* "MAX" */
const char *clause_map_constant(enum map_kind kind);
const char *clause_schedule_constant(int kind);
const char *clause_pool_constant(const struct clause *c); /* of schedule, workers and depend */
const char *clause_worker_constant(int kind);
const char *clause_layout_constant(int kind);
const char *clause_loop_schedule(int kind); /* of a `for`: the schedule's name */
const char *clause_jobs_schedule(int kind); /* of jobs */
const char *clause_graph_schedule(int kind);
const char *clause_loop_device(int kind); /* ... NULL: an expression */
/* The i-th row of the clause table as people read it; false behind the last one. */
struct clause_help {
    const char *form, *help;
    unsigned directives;
    bool repeats;
};
bool clause_help(int i, struct clause_help *out);

/* ---- directive.c: the table of directives ---- */
enum {
    DIRECTIVE_WAVEFRONT = 1u << 0,
    DIRECTIVE_POOL = 1u << 1,
    DIRECTIVE_TASK = 1u << 2,
    DIRECTIVE_TASKLOOP = 1u << 3,
    DIRECTIVE_TASKWAIT = 1u << 4,
    DIRECTIVE_LANES = 1u << 5,
    DIRECTIVE_FOR = 1u << 6,
    DIRECTIVE_VARIANT = 1u << 7,
    DIRECTIVE_JOBS = 1u << 8,
    DIRECTIVE_GRAPH = 1u << 9,
    DIRECTIVES_OF_POOLS = DIRECTIVE_POOL | DIRECTIVE_TASK | DIRECTIVE_TASKLOOP | DIRECTIVE_TASKWAIT | DIRECTIVE_LANES
};
struct directive {
    const char *name;
    unsigned bit; /* which clauses it takes: see the clause table */
    bool (*translate)(struct unit *u, const struct pragma *p);
    const char *before, *help; /* what it stands before, what it does: docs/reference/directives.md */
};
const struct directive *directive_find(const char *name, size_t n);
const char *directive_names(void);
const struct directive *directive_at(int i); /* NULL behind the last one */

/* ---- reference.c: both tables, for people ---- */
void reference_print(bool markdown);

/* ---- scan.c: pragmas in the token stream ---- */
struct pragma {
    const struct directive *directive;
    size_t b, e; /* from '#' to the end of the (continued) line */
    size_t next; /* first token after it */
    struct span name;
    clause_list clauses;
    bool bad; /* names something that is not declared */
};
typedef VEC(struct pragma) pragma_list;
bool pragma_parse(struct unit *u, size_t begin, size_t end, struct pragma *out);
size_t scan_directive_end(const struct source *src, size_t pos);
void scan_pragmas(struct unit *u, pragma_list *out);

/* ---- operator.c: directives in _Pragma, and in macros that lead to one ---- */
struct operator_use {
    struct span s;
    VEC(const char *) directives, openmp; /* heddle's, OpenMP's; others are dropped */
    bool more;                            /* it holds more than directives */
};
void operator_gather(struct unit *u);
bool operator_begins(const char *name, size_t n);
void operator_read(const struct unit *u, size_t at, struct operator_use *out);

/* ---- view.c: the text that libclang is shown ---- */
bool view_is_parallel(const char *directive);  /* "omp parallel for …": it may stand at a loop of heddle's, and goes */
void view_hide(struct unit *u, struct span s); /* a directive, from libclang */
void view_remove(struct unit *u, struct span s); /* ... and from the output */
void view_make(struct unit *u);                  /* of the text, before it is parsed */

struct macro {
    const char *name;
    CXCursor c;
};
struct expansion { /* a use of a macro in the file */
    struct span s;
    size_t outer; /* the one around it, or itself, that is in no other: its number */
};
struct clipped {             /* a nest whose rows have columns of their own (analysis/normal_rows.c) */
    size_t number;           /* of the pragma in the file */
    const char *first, *end; /* columns of a row, as C text; end: one further */
    bool tiles;              /* cells are tiles of steps by rows (analysis/normal_time.c): their order is proven */
};
struct row_scalar { /* a scalar that rows carry: now an array over rows (analysis/normal_carried.c) */
    const char *array, *name;
};
struct unit {
    const char *tag; /* of this file in all generated names; may be empty */
    struct source src;
    char *view;      /* of the same size: without OpenMP's directives that hide what is behind them; NULL: the text */
    bool look_again; /* the view changed behind the parser's back */
    FILE *err;       /* where messages go, unless somebody listens */
    diag_listener listener;
    void *listens;
    unsigned errors;
    bool host; /* the build is for the host alone */
    bool cplusplus;
    bool unread;         /* a directive was not understood, which was said */
    bool unproven_warns; /* loops that nothing proves and nobody asserts are translated, with a warning */
    CXTranslationUnit tu;
    CXFile file;
    edit_list edits; /* to the whole file */
    bool verify;     /* these are made instead: emit/verify.c */
    edit_list verify_edits;
    VEC(const char *) macros;  /* of the user: macros.c */
    VEC(struct macro) defined; /* all of them */
    VEC(struct expansion) expansions;
    VEC(struct clipped) clipped;
    VEC(struct row_scalar) row_scalars;
    int nests; /* numbers the emitted names */
    const pragma_list *pragmas;
    struct unit *serial;  /* the file as a compiler without OpenMP sees it; NULL: no directive needs that */
    bool pools_done;      /* the pool directives are translated together */
    size_t jobs_done;     /* every loop before this offset belongs to jobs that were met */
    size_t variants_done; /* every variant before this offset belongs to a loop that was met */
};

/* ---- macros.c ---- */
void macros_gather(struct unit *u);
const struct macro *macros_find(const struct unit *u, const char *name, size_t n); /* its last definition; NULL: none */
const char *macros_body(const struct unit *u, const char *name, size_t n);         /* its text; NULL: no macro */
const char *macros_guard(const struct unit *u,
                         struct span s); /* its text, in parentheses where it is a macro's name: 1 << k */
/* Identifiers of the expression that name no members, and those of the macros among them, until one visit is true. */
typedef bool (*macros_visit)(const char *name, size_t n, void *data);
bool macros_each_name(const struct unit *u, const char *text, struct span s, int depth, macros_visit visit, void *data);
bool macros_name(const struct unit *u, struct span s, const char *name); /* is it an identifier of the expression? */
/* Lines that include headers of heddle's, which the user's macros do not rewrite. */
void macros_include(const struct unit *u, struct buf *out, const char *lines);

/* ---- expansion.c ---- */
void expansion_gather(struct unit *u);
bool expansion_begins(const struct unit *u,
                      const struct node *n); /* with a macro: its first token is not in the text */
/* with all of a use that begins or ends in it; `ends_in_body`: its end is where such a use begins */
struct span expansion_cover(const struct unit *u, struct span s, bool ends_in_body);

/* ---- ast.c: a tree of cursors with parents and file offsets ---- */
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
bool ast_is_integer(CXType t);            /* of any size; bool and enums too */
CXType ast_type(const struct node *n);    /* canonical */
CXType ast_pointee(CXType t);             /* canonical; of an array: its elements */
bool ast_is_openmp(const struct node *n); /* an OpenMP directive with its statement */
struct span ast_openmp_statement(const struct unit *u, const struct node *n);
/* the end with its ';', of a statement whose text begins at `begin` */
size_t ast_statement_end(struct unit *u, struct node *n, size_t begin);
bool ast_function_at(struct unit *u, size_t offset, CXCursor *found);       /* whose definition holds the offset */
struct node *ast_at(struct node *n, enum CXCursorKind kind, size_t offset); /* inside n, beginning there; or NULL */
size_t ast_loop_body(struct unit *u, struct node *loop);

/* ---- analysis/capture.c: variables of the nest ---- */
enum var_kind { VAR_LOOP, VAR_SCALAR, VAR_POINTER, VAR_ARRAY };
enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_ADDRESS = 4, ACCESS_UNEVALUATED = 8 };

enum field_kind { FIELD_NONE, FIELD_FULL, FIELD_ROLLING, FIELD_COLLAPSED_I, FIELD_COLLAPSED_J };

struct var {
    CXCursor decl;
    const char *name;
    enum var_kind kind;
    const char *type;       /* C type of a scalar or plain pointer as written */
    const char *elem;       /* arrays: ultimate element type with its qualifiers */
    const char *elem_plain; /* ... and without */
    CXType elem_type;
    int ndims;
    long dim[MAX_DIMS]; /* extents; 0: not constant (dim[0] of a pointer: unknown) */
    bool sized;         /* sizeof gives the whole array */
    long rows;          /* a parameter with its first extent: double A[100][n]; 0: none, or not constant */
    struct span extent; /* ... double A[n][n]; else empty */
    size_t use;         /* offset of the first use, for messages */

    bool sweep; /* the variable of the loop over sweeps */
    bool local; /* an array that each problem of a batch declares itself */
    bool own;   /* a scalar or pointer that it does */
    bool reduced;
    bool joined;  /* an array whose elements are reduced */
    bool private; /* firstprivate: an iteration may change its copy */
    enum red_op op;
    const struct declared *user; /* ... of RED_USER */
    bool in_place;               /* ... whose copy the body is just emitted to change where it lies */
    size_t bare;                 /* offset of a use other than by full subscripts, plus 1 */

    /* carried arrays (wavefront/dep.c) */
    enum field_kind field;
    struct ref *write; /* the representative write */
    int rolling;       /* rows of a rolling array */
    bool unit_stride;  /* neighbours in j are neighbours in memory */
    enum keep_mode keep;
    bool upwards;              /* later rows come before earlier ones in memory */
    bool preload;              /* the cell's old value is needed */
    const struct early *old;   /* ... and may be fetched ahead of time */
    bool edge, left, diagonal; /* read from the row above, from the left, from (1,1) */
    bool ahead, behind;        /* read from (1,-1), from (1,2) */
    bool guard_top, guard_left;
    const struct item *map_item; /* its section in a map clause */
    enum map_kind map_kind;
    const char *map_first, *map_count;   /* set: it gets a map entry */
    const char *kept_first, *kept_count; /* set: it stays on the host, and these are its elements */
    const char *map_slope;               /* elements from row to row of the nest; NULL: not known */
    long map_reach;                      /* rows above and below that references under a condition may want besides */
    const char *map_row; /* the element that the nest's first cell is stored to; NULL: rows are not contiguous */
};

struct use { /* one mention of a captured variable in the loop nest */
    struct var *v;
    struct node *n;
    size_t offset;
};

/* ---- analysis/names.c: names in the expressions of clauses ---- */
/* the variable, parameter or constant of that name that a directive at `offset` sees inside the function; NULL: none */
struct node *names_local(struct node *tree, const char *name, size_t n, size_t offset);
bool names_check(struct unit *u, const struct pragma *p); /* false: one is not declared, and that was said */

/* ---- analysis/affine.c: polynomials over loop variables and invariants ---- */
#define MAX_TERMS 24
#define MAX_DEGREE 4
struct term {
    long k;
    int n;
    const char *atom[MAX_DEGREE]; /* sorted; ATOM_I, ATOM_J, ATOM_ROLL or a C expression */
};
struct poly {
    bool ok; /* false: not affine */
    int n;
    struct term t[MAX_TERMS];
    long roll_offset, roll_size; /* of ATOM_ROLL: (i + offset) mod size */
};
extern const char ATOM_I[], ATOM_J[], ATOM_ROLL[];

/* ---- analysis/refs.c: array references ---- */
enum role {
    ROLE_MEMORY,
    ROLE_OWN,
    ROLE_LEFT,
    ROLE_TOP,
    ROLE_TOP_LEFT,
    ROLE_ROW,
    ROLE_COL,
    ROLE_TOP_RIGHT,
    ROLE_FAR_TOP_LEFT
};
struct hoist { /* a read-only reference that depends on one loop variable only */
    const char *name, *key, *type;
    struct ref *ref;
};
struct ref {
    struct var *v;
    struct node *n; /* the outermost subscript */
    size_t b, e;
    int nsubs;
    struct node *sub[MAX_DIMS];
    struct poly poly[MAX_DIMS];
    unsigned access;
    bool conditional;
    bool macro; /* comes out of a macro's body: its text is not in the file */
    enum role role;
    const struct hoist *hoist;
    const struct early *early;
    const char *look; /* member that holds it where tables are looked up before a cell: batches on CPUs */
    const char *far;  /* member that holds it where such reads are gathered before the nest */
    long di, dj;
    int sign; /* wavefront/prefix.c: of a carried element in the sum */
};

/* ---- wavefront/stream.c: reads that may be done ahead of time ---- */
struct stream { /* the rows and columns of an array that cells read, relative to `base` */
    const struct var *v;
    const struct ref *base;
    long row_first, row_last, col_first, col_last;
};
struct early { /* one value */
    const char *name;
    const struct stream *stream;
    long di, dj;
};

/* ---- analysis/nest.c: canonical loop nests ---- */
struct loop {
    struct node *stmt;
    CXCursor var;
    const char *name, *type;
    struct span lo, hi;
    struct node *first, *bound; /* the expressions there */
    bool open;                  /* '<': the last value is hi - 1 */
    struct node *step;          /* of a `for` loop; NULL: 1 */
    bool down;                  /* ... and it counts down */
};
struct vector {
    long di, dj;
    bool anti;
    const struct ref *ref;
};
struct batch; /* analysis/batch.h */
struct nest {
    struct unit *u;
    const struct pragma *p;
    int id;
    struct batch *batch; /* batch(p) around problems that have statements of their own before the nest; else NULL */
    CXCursor function;
    const char *function_name;
    size_t function_begin;
    struct node *root, *body;
    size_t root_end, body_begin, body_end;
    bool swept;   /* sweeps(t) or batch(b): a loop over sweeps is around the two */
    bool batched; /* ... whose turns have nothing to do with each other */
    struct loop sweep;
    struct loop loop[2];

    VEC(struct var *) vars; /* in order of first use; loop variables first */
    VEC(struct use) uses;
    VEC(struct ref *) refs;
    VEC(struct hoist *) rows;
    VEC(struct hoist *) cols;
    VEC(struct hoist *) fars;
    VEC(struct vector) vectors;
    VEC(struct stream *) streams;
    VEC(struct early *) early;

    VEC(struct macro) defines; /* inside the function, which the loop uses */
    size_t continue_at;        /* offset of the first 'continue' of the inner loop, or SIZE_MAX */
    bool registers, memory, host_border, pure;
    const struct clipped *clip; /* NULL: all rows have all columns */
    bool ordered;        /* dependences are not uniform, but rows behind each other keep them: wavefront/ordered.c */
    bool extended;       /* registers, with dependences on (1,-1) or (1,2) */
    struct node *impure; /* the first thing in the body that is not pure; NULL: none */
    bool early_pure;     /* pure, if what may be read ahead of time (wavefront/stream.c) was */
    bool in_place, in_place_pure; /* swept: see wavefront/sweeps.c */
    long skew, ahead, depth;
    int prefix; /* PREFIX_*, 0: not a prefix sum */
    const struct var *prefix_var;
};
bool wavefront_analyse(struct unit *u, const struct pragma *p, struct nest *w); /* wavefront.c: all steps */
bool nest_find(struct unit *u, const struct pragma *p, struct nest *out);
bool nest_find_two(struct nest *w, struct node *outer); /* the two loops of the nest, from the first one on */
bool nest_find_root(struct unit *u, const struct pragma *p, struct nest *w); /* function and outermost loop */
bool nest_loop_init(struct nest *w, struct node *init, struct loop *l);
bool nest_is_variable(struct node *n, CXCursor var);
/* the loop variable and the bound, or the step, beside it: both in one macro's use cannot be told apart */
bool nest_check_apart(struct nest *w, const struct node *variable, const struct node *n, const char *what);
bool nest_check_jumps(struct nest *w);
bool nest_check_macros(struct nest *w);                            /* those defined inside the function: w->defines */
bool nest_loop(struct nest *w, struct node *stmt, struct loop *l); /* one canonical loop */
bool nest_is_mentioned(struct node *n, CXCursor var);
bool nest_sweep_chooses(const struct nest *w, const struct ref *r); /* its subscripts hold the number of the sweep */
const struct clause *nest_clause(const struct nest *w, enum clause_id id);

const char *nest_word(const struct nest *w); /* what the directive stands before, in messages; capture.c */
bool capture_variables(struct nest *w);
bool capture_body(struct nest *w);
bool capture_more(struct nest *w, struct node *n, CXCursor except); /* mentions outside the nest */
bool capture_check_name(struct nest *w, const struct var *v, size_t offset);
struct var *capture_lookup(struct nest *w, CXCursor decl);
bool capture_is_inside(const struct nest *w, CXCursor decl);
struct var *capture_named(struct nest *w, struct span name);
unsigned capture_access(struct node *n);
unsigned capture_access_through(struct node *n);        /* what happens to the memory behind a pointer */
struct var *capture_var(struct nest *w, CXCursor decl); /* analysis/types.c: classifies a declaration */
bool capture_type_is_local(CXType t);
bool type_holds_pointer(CXType t); /* it is one, or has one in it */

/* analysis/reduction.c: the reduction clause, and scalars written without one */
bool reduction_apply(struct nest *w);
bool reduction_check(struct nest *w);
/* Would all uses of the array be right if it were reduced, and by which operator? */
bool reduction_would_fit(struct nest *w, struct var *v, enum red_op *op);

/* ---- analysis/declare.c: users' own operators ---- */
struct declared { /* #pragma omp declare reduction */
    size_t at;
    struct span combiner, initializer; /* the latter may be empty */
};
/* The last one of that name and type before an offset; NULL: none. other: there is one for other types. */
const struct declared *declared_find(const struct unit *u, const char *name, size_t before, CXType type, bool *other);

bool refs_collect(struct nest *w);
size_t refs_first_continue(const struct node *n);
bool refs_subscripts(const struct var *v, struct node *n, struct ref *r); /* all of them above a mention */
bool refs_is_array_itself(const struct node *n);                          /* of an array: under sizeof, typeof or & */
bool refs_only_shown(struct node *n); /* &x, or an array in x, as an argument for a pointer to const */
bool refs_member_array(const struct node *n);
#define REFS_MEMBER_WRITTEN                                                                                            \
    "is a structure, and an array in it is written; point a variable at that array before the nest, "                  \
    "such as T (*A)[columns] = p->A, and use the variable"
struct ref *refs_at(const struct nest *w, const struct node *n);
bool refs_conditional(const struct nest *w, const struct node *n);
bool refs_after_condition(const struct nest *w, const struct node *n); /* ... where loops that count have some turn */
bool refs_is_whole_text(const struct unit *u, const struct node *n, const char *name);
const char *refs_text(const struct nest *w, const struct ref *r);
void refs_hoist(struct nest *w);
void refs_gather(struct nest *w);
size_t refs_defined_at(struct nest *w, const struct var *v); /* wavefront/cover.c; 0: not on every path */
bool refs_pure(struct nest *w);                              /* analysis/pure.c */
bool refs_early_pure(struct nest *w);                        /* the same where what comes early is no access */
bool refs_in_place_pure(struct nest *w);                     /* the same of an in-place stencil's body */

void affine_constant(struct poly *p, long k);
void affine_atom(struct poly *p, const char *text);
void affine_of(struct nest *w, struct node *n, struct poly *out);
void affine_add(struct poly *a, const struct poly *b, long k); /* a += k * b */
/* p = coef * atom + rest; false if atom occurs in a higher power */
bool affine_split(const struct poly *p, const char *atom, struct poly *coef, struct poly *rest);
bool affine_is_constant(const struct poly *p, long *value);
bool affine_equal(const struct poly *a, const struct poly *b);
int affine_sign(const struct poly *p); /* of all coefficients; 2 when mixed */
void affine_multiply(const struct poly *a, const struct poly *b, struct poly *out);
void affine_combine(enum CXBinaryOperatorKind op, const struct poly *a, const struct poly *b,
                    struct poly *out); /* +, -, *; else not ok */
bool affine_is_integer(CXType t);      /* of 4 bytes and more: taken not to wrap */
/* What the parts of an expression stand for, besides constants, sums, products and conversions. */
struct affine_names {
    void *of;
    void (*leaf)(void *of, struct node *n, struct poly *out); /* `out` comes not ok, and stays so where nobody knows */
    bool (*ring)(void *of, const struct poly *row, long size, struct poly *out); /* row mod size; NULL: none is known */
    bool (*other_row)(const struct poly *row, struct poly *out); /* 1 - row, where row is 0 or 1; false: it is not */
};
void affine_read(const struct affine_names *names, struct node *n, struct poly *out);
struct poly section_poly(const struct unit *u, struct span s); /* analysis/section.c: of a clause; nothing: 0 */
const char *affine_long(const char *text);
const char *affine_span(const struct unit *u, struct span s); /* the same of an expression in the file */
const char *affine_text(const struct poly *p, const char *i, const char *j);

bool dep_classify(struct nest *w);
bool dep_prepare(struct nest *w);                   /* what is asked of every nest, however its dependences are found */
bool dep_references(struct nest *w, struct var *v); /* of a written array: all of them can be seen */
bool dep_legal(struct nest *w);
bool dep_find(struct nest *w); /* wavefront/ordered.c: by one of the two */
/* how far below and to the right of `base` the element of the same array is that r names; false when not at a
   constant distance, or when an array's rows are not contiguous */
bool dep_offset(const struct ref *base, const struct ref *r, long *di, long *dj);
void stream_collect(struct nest *w);

/* wavefront/sweeps.c: nests with a loop over sweeps around them */
bool sweeps_check(struct nest *w);
enum { SIDE_TOP = 1, SIDE_BOTTOM = 2, SIDE_LEFT = 4, SIDE_RIGHT = 8 };
int sweeps_side(const struct ref *r);                        /* SIDE_* of a carried neighbour, 0 for the cell itself */
int sweeps_sides(const struct nest *w, const struct var *v); /* of all that are read of v */

bool map_apply(struct nest *w);
bool map_section(struct nest *w, struct var *v, const struct item *item);
bool map_infer(struct nest *w, struct var *v); /* by subscripts, or of an array whose size is known */
void map_rows(struct nest *w, struct var *v);  /* by how much its references move from row to row */
const char *map_rows_declared(const struct nest *w, const struct var *v); /* NULL: not known (analysis/rows.c) */
const char *map_row_factor(const struct var *v);                          /* elements of a row, as a factor: " * …" */
void map_whole(struct var *v);
bool map_one_structure(struct nest *w, struct var *v); /* a pointer to one: then it is mapped */

/* wavefront/prefix.c: the values are HEDDLE_PREFIX_* of the emitted code */
enum { PREFIX_ROW = 1, PREFIX_COLUMN = 2, PREFIX_GUARD_I = 4, PREFIX_GUARD_J = 8, PREFIX_INT = 16, PREFIX_UNIT = 32 };
void prefix_recognise(struct nest *w);
bool prefix_check(const struct nest *w); /* of schedule(scan) */

/* emit/translate.c, loop/variant.c */
bool wavefront_translate(struct unit *u, const struct pragma *p);
bool pool_translate(struct unit *u, const struct pragma *p);
bool for_translate(struct unit *u, const struct pragma *p);
bool jobs_translate(struct unit *u, const struct pragma *p);
bool variant_translate(struct unit *u, const struct pragma *p);
bool graph_translate(struct unit *u, const struct pragma *p);

#endif
