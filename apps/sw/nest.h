/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop nests of sw, and the tables through which the rest of the app calls them. Each
 * nest file is compiled twice: by heddle, and with -DSW_SERIAL by a plain compiler that ignores the
 * pragmas; the second one is the reference of --check and does the small jobs on the host.
 * Rows (i) run over sequence a, columns (j) over b; every array is owned and initialised by the
 * caller. */
#ifndef SW_NEST_H
#define SW_NEST_H

enum { SW_CODES = 32 }; /* residue codes are 0..31 */

/* Costs are positive: a gap of k residues costs open + (k - 1) * extend. Linear when both are
 * equal. */
struct sw_scheme {
    int match, mismatch; /* scores added where matrix is NULL; mismatch is normally negative */
    int open, extend;
    const int (*matrix)[SW_CODES]; /* score of code pairs [a][b], or NULL */
};

/* Many sequences, one after the other, as rows against one sequence as columns. */
struct sw_batch {
    int n, m;
    const signed char *a; /* [n] codes */
    const int *cont;      /* [n] 0 in the first row of a sequence, all ones (-1) in the others */
    const signed char *b; /* [m] */
    int *rolling;         /* [2 * (m + 1)] zeros: two rows of H */
    int *down;            /* [m + 1] zeros: best score that ends in a gap in b (affine only) */
    int *right;           /* [n + 1] zeros: best score that ends in a gap in a (affine only) */
    int *best;            /* [n + 1] zeros; result: best score of each row */
    int *end;             /* [n + 1] zeros; result: first column (from 1) that has it, 0 if none */
};

/* One sequence as rows against many as columns, each a problem of its own; only scores are found. Scores of 32767 less
 * the largest entry of the matrix and more may be wrong. */
struct sw_scores {
    int n, count;
    const signed char *a; /* [n] codes */
    const signed char *b; /* [residues] of all columns' sequences */
    long residues;
    const long *first;               /* [count] where sequence p begins in b */
    const int *length;               /* [count] */
    const short (*matrix)[SW_CODES]; /* the scheme's matrix in 16 bits, [a][b], or NULL */
    short *score;                    /* [count] result */
};

/* As above with the scores known and with rows of each problem's own; found are the first row and the first column of
 * cells with the score, from 1. Lengths are below 32767. */
struct sw_ends {
    int n, count; /* n: of a, and rows at most */
    const signed char *a, *b;
    long residues;
    const int *rows; /* [count] */
    const long *first;
    const int *length;
    const short (*matrix)[SW_CODES];
    const short *score;  /* [count] */
    short *row, *column; /* [count] results */
};

/* Pairs of two sequences, each a problem of its own; rows are those of a, best the longer ones. Letters are compared;
 * scores as above. */
struct sw_pairs {
    int count;
    const signed char *a, *b; /* [a_residues], [b_residues] codes of all sequences */
    long a_residues, b_residues;
    const long *a_first, *b_first;  /* [count] where a problem's sequences begin */
    const int *a_length, *b_length; /* [count] */
    short *score;                   /* [count] result */
};

/* Global alignment rows, anchored in the top left corner: column 1 is the boundary. */
struct sw_extend {
    int n, m;             /* m counts the boundary column */
    const signed char *a; /* [n] */
    const signed char *b; /* [m], b[0] unused */
    const int *edge;      /* [n] score of the boundary column */
    int *rolling;         /* [2 * (m + 1)]: row 0 given, last row (n & 1) returned */
    int *down;            /* [m + 1]: given for row 0, returned for the last row */
    int *right;           /* [n + 1] all "minus infinity" */
    int *best, *end;      /* [n + 1] as above, best starts at "minus infinity" */
};

struct sw_nests {
    int (*score_linear)(int n, int m, const signed char *a, const signed char *b, int match, int mismatch, int gap,
                        int *rolling);
    int (*score_affine)(int n, int m, const signed char *a, const signed char *b, int match, int mismatch, int open,
                        int extend, int *rolling, int *down, int *right);
    void (*batch_equal_linear)(const struct sw_batch *work, const struct sw_scheme *scheme);
    void (*batch_equal_affine)(const struct sw_batch *work, const struct sw_scheme *scheme);
    void (*batch_matrix_linear)(const struct sw_batch *work, const struct sw_scheme *scheme);
    void (*batch_matrix_affine)(const struct sw_batch *work, const struct sw_scheme *scheme);
    void (*scores_equal)(const struct sw_scores *work, const struct sw_scheme *scheme);
    void (*scores_matrix)(const struct sw_scores *work, const struct sw_scheme *scheme);
    void (*ends_matrix)(const struct sw_ends *work, const struct sw_scheme *scheme);
    void (*pairs_equal)(const struct sw_pairs *work, const struct sw_scheme *scheme);
    void (*extend)(const struct sw_extend *work, const struct sw_scheme *scheme);
};

extern const struct sw_nests sw_nests_heddle, sw_nests_serial;

#ifdef SW_SERIAL
#define SW_NEST(name) sw_serial_##name
#else
#define SW_NEST(name) sw_heddle_##name
#endif

int SW_NEST(score_linear)(int n, int m, const signed char *a, const signed char *b, int match, int mismatch, int gap,
                          int *rolling);
int SW_NEST(score_affine)(int n, int m, const signed char *a, const signed char *b, int match, int mismatch, int open,
                          int extend, int *rolling, int *down, int *right);
void SW_NEST(batch_equal_linear)(const struct sw_batch *work, const struct sw_scheme *scheme);
void SW_NEST(batch_equal_affine)(const struct sw_batch *work, const struct sw_scheme *scheme);
void SW_NEST(batch_matrix_linear)(const struct sw_batch *work, const struct sw_scheme *scheme);
void SW_NEST(batch_matrix_affine)(const struct sw_batch *work, const struct sw_scheme *scheme);
void SW_NEST(scores_equal)(const struct sw_scores *work, const struct sw_scheme *scheme);
void SW_NEST(scores_matrix)(const struct sw_scores *work, const struct sw_scheme *scheme);
void SW_NEST(ends_matrix)(const struct sw_ends *work, const struct sw_scheme *scheme);
void SW_NEST(pairs_equal)(const struct sw_pairs *work, const struct sw_scheme *scheme);
void SW_NEST(extend)(const struct sw_extend *work, const struct sw_scheme *scheme);

#endif
