/* SPDX-License-Identifier: Apache-2.0 */
/* Alphabets and matrices. BLOSUM62: Henikoff and Henikoff 1992, half-bit units, as NCBI publishes
 * it. A protein letter that a matrix lacks (U, O, J and such) is scored as X, or N, if the matrix
 * has that. */
#include "scoring.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char blosum62_letters[] = "ARNDCQEGHILKMFPSTWYVBZX*";
static const signed char blosum62[24][24] = {
    {4, -1, -2, -2, 0, -1, -1, 0, -2, -1, -1, -1, -1, -2, -1, 1, 0, -3, -2, 0, -2, -1, 0, -4},
    {-1, 5, 0, -2, -3, 1, 0, -2, 0, -3, -2, 2, -1, -3, -2, -1, -1, -3, -2, -3, -1, 0, -1, -4},
    {-2, 0, 6, 1, -3, 0, 0, 0, 1, -3, -3, 0, -2, -3, -2, 1, 0, -4, -2, -3, 3, 0, -1, -4},
    {-2, -2, 1, 6, -3, 0, 2, -1, -1, -3, -4, -1, -3, -3, -1, 0, -1, -4, -3, -3, 4, 1, -1, -4},
    {0, -3, -3, -3, 9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, -3, -3, -2, -4},
    {-1, 1, 0, 0, -3, 5, 2, -2, 0, -3, -2, 1, 0, -3, -1, 0, -1, -2, -1, -2, 0, 3, -1, -4},
    {-1, 0, 0, 2, -4, 2, 5, -2, 0, -3, -3, 1, -2, -3, -1, 0, -1, -3, -2, -2, 1, 4, -1, -4},
    {0, -2, 0, -1, -3, -2, -2, 6, -2, -4, -4, -2, -3, -3, -2, 0, -2, -2, -3, -3, -1, -2, -1, -4},
    {-2, 0, 1, -1, -3, 0, 0, -2, 8, -3, -3, -1, -2, -1, -2, -1, -2, -2, 2, -3, 0, 0, -1, -4},
    {-1, -3, -3, -3, -1, -3, -3, -4, -3, 4, 2, -3, 1, 0, -3, -2, -1, -3, -1, 3, -3, -3, -1, -4},
    {-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4, -2, 2, 0, -3, -2, -1, -2, -1, 1, -4, -3, -1, -4},
    {-1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5, -1, -3, -1, 0, -1, -3, -2, -2, 0, 1, -1, -4},
    {-1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5, 0, -2, -1, -1, -1, -1, 1, -3, -1, -1, -4},
    {-2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6, -4, -2, -2, 1, 3, -1, -3, -3, -1, -4},
    {-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7, -1, -1, -4, -3, -2, -2, -1, -2, -4},
    {1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4, 1, -3, -2, -2, 0, 0, 0, -4},
    {0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5, -2, -2, 0, -1, -1, 0, -4},
    {-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11, 2, -3, -4, -3, -2, -4},
    {-2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7, -1, -3, -2, -1, -4},
    {0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4, -3, -2, -1, -4},
    {-2, -1, 3, 4, -3, 0, 1, -1, 0, -3, -4, 0, -3, -3, -2, 0, -1, -4, -3, -3, 4, 1, -1, -4},
    {-1, 0, 0, 1, -3, 3, 4, -2, 0, -3, -3, 1, -1, -3, -1, 0, -1, -3, -2, -2, 1, 4, -1, -4},
    {0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2, 0, 0, -2, -1, -1, -1, -1, -1, -4},
    {-4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, 1},
};
/* clang-format on */

enum { STAR_CODE = 26, SCORE_LIMIT = 1000 };

static void add_letter(struct sw_alphabet *alphabet, int letter, int code) {
    alphabet->code[toupper(letter)] = alphabet->code[tolower(letter)] = (signed char)code;
}

static void clear_alphabet(struct sw_alphabet *alphabet, const char *name) {
    alphabet->name = name;
    memset(alphabet->code, -1, sizeof alphabet->code);
    memset(alphabet->letter, '?', sizeof alphabet->letter);
}

static void dna_alphabet(struct sw_alphabet *alphabet, int ambiguous) {
    clear_alphabet(alphabet, "DNA");
    for (const char *c = "RYSWKMBDHVN"; *c; c++)
        add_letter(alphabet, *c, ambiguous);
    for (int k = 0; k < 4; k++)
        add_letter(alphabet, "ACGT"[k], k);
    add_letter(alphabet, 'U', 3);
    memcpy(alphabet->letter, "ACGTNN", 6);
}

static void transpose(struct sw_scoring *scoring) {
    scoring->largest = INT_MIN;
    for (int x = 0; x < SW_CODES; x++)
        for (int y = 0; y < SW_CODES; y++) {
            scoring->transposed[y][x] = scoring->matrix[x][y];
            if (scoring->matrix[x][y] > scoring->largest)
                scoring->largest = scoring->matrix[x][y];
        }
}

void sw_scoring_dna(struct sw_scoring *scoring, int match, int mismatch) {
    scoring->matrix_mode = scoring->blosum62 = false;
    scoring->match = match;
    scoring->mismatch = mismatch;
    dna_alphabet(&scoring->query, 4);
    dna_alphabet(&scoring->target, 5);
    for (int x = 0; x < SW_CODES; x++)
        for (int y = 0; y < SW_CODES; y++)
            scoring->matrix[x][y] = x == y ? match : mismatch;
    transpose(scoring);
}

static int letter_code(int letter) { return letter == '*' ? STAR_CODE : toupper(letter) - 'A'; }

/* Makes the alphabet of the letters seen in a matrix. */
static void matrix_alphabet(struct sw_alphabet *alphabet, const char *name, const char *letters) {
    clear_alphabet(alphabet, name);
    int other = strchr(letters, 'X') ? 'X' : strchr(letters, 'N') ? 'N' : 0;
    for (int c = 'A'; other && c <= 'Z'; c++)
        add_letter(alphabet, c, letter_code(other));
    for (; *letters; letters++) {
        add_letter(alphabet, *letters, letter_code(*letters));
        alphabet->letter[letter_code(*letters)] = *letters;
    }
}

void sw_scoring_blosum62(struct sw_scoring *scoring) {
    const char *letters = blosum62_letters;
    scoring->matrix_mode = scoring->blosum62 = true;
    matrix_alphabet(&scoring->query, "protein", letters);
    scoring->target = scoring->query;
    for (int x = 0; x < 24; x++)
        for (int y = 0; y < 24; y++)
            scoring->matrix[letter_code(letters[x])][letter_code(letters[y])] = blosum62[x][y];
    transpose(scoring);
}

static bool is_blosum62(const struct sw_scoring *scoring) {
    struct sw_scoring known = {0};
    sw_scoring_blosum62(&known);
    return !memcmp(known.matrix, scoring->matrix, sizeof known.matrix);
}

struct matrix_reader {
    struct sw_scoring *scoring;
    char columns[SW_CODES];
    char rows[SW_CODES];
    char *message;
    size_t size;
    const char *path;
    long line;
};

static bool matrix_error(struct matrix_reader *r, const char *what) {
    snprintf(r->message, r->size, "%s:%ld: %s", r->path, r->line, what);
    return false;
}

static bool add_unique(char *letters, int letter) {
    if ((!isalpha(letter) && letter != '*') || strchr(letters, toupper(letter)))
        return false;
    size_t length = strlen(letters);
    letters[length] = (char)toupper(letter);
    letters[length + 1] = 0;
    return true;
}

static bool read_columns(struct matrix_reader *r, char *text) {
    for (char *word = strtok(text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n"))
        if (word[1] || !add_unique(r->columns, (unsigned char)word[0]))
            return matrix_error(r, "the first line must name each column by one letter");
    return true;
}

static bool read_row(struct matrix_reader *r, char *text) {
    char *word = strtok(text, " \t\r\n");
    if (word[1] || !add_unique(r->rows, (unsigned char)word[0]))
        return matrix_error(r, "a row must start with a letter that no other row has");
    int x = letter_code((unsigned char)word[0]);
    for (const char *column = r->columns; *column; column++) {
        char *end;
        if (!(word = strtok(NULL, " \t\r\n")))
            return matrix_error(r, "too few scores in this row");
        long value = strtol(word, &end, 10);
        if (*end || end == word || value < -SCORE_LIMIT || value > SCORE_LIMIT)
            return matrix_error(r, "a score must be a whole number from -1000 to 1000");
        r->scoring->matrix[x][letter_code(*column)] = (int)value;
    }
    return strtok(NULL, " \t\r\n") ? matrix_error(r, "too many scores in this row") : true;
}

static bool read_lines(struct matrix_reader *r, FILE *file) {
    char text[1024];
    while (fgets(text, sizeof text, file)) {
        r->line++;
        if (strlen(text) == sizeof text - 1)
            return matrix_error(r, "line too long for a score matrix");
        if (text[0] == '#' || strspn(text, " \t\r\n") == strlen(text))
            continue;
        if (!(r->columns[0] ? read_row(r, text) : read_columns(r, text)))
            return false;
    }
    if (ferror(file))
        return matrix_error(r, "cannot read");
    if (!r->rows[0])
        return matrix_error(r, "no score matrix in this file");
    for (const char *c = r->columns; *c; c++)
        if (!strchr(r->rows, *c))
            return matrix_error(r, "rows and columns must have the same letters");
    return strlen(r->rows) == strlen(r->columns) ? true
                                                 : matrix_error(r, "rows and columns must have the same letters");
}

bool sw_scoring_file(struct sw_scoring *scoring, const char *path, char *message, size_t size) {
    struct matrix_reader reader = {.scoring = scoring, .message = message, .size = size, .path = path};
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(message, size, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = read_lines(&reader, file);
    fclose(file);
    if (!good)
        return false;
    scoring->matrix_mode = true;
    scoring->blosum62 = is_blosum62(scoring);
    matrix_alphabet(&scoring->query, "matrix", reader.columns);
    scoring->target = scoring->query;
    transpose(scoring);
    return true;
}

struct sw_scheme sw_scheme_of(const struct sw_scoring *scoring, bool swapped) {
    return (struct sw_scheme){
        .match = scoring->match,
        .mismatch = scoring->mismatch,
        .open = scoring->open,
        .extend = scoring->extend,
        .matrix = !scoring->matrix_mode ? NULL
                  : swapped             ? scoring->transposed
                                        : scoring->matrix,
    };
}

struct sw_scheme sw_scheme_matrix(const struct sw_scoring *scoring) {
    struct sw_scheme scheme = sw_scheme_of(scoring, false);
    scheme.matrix = scoring->matrix;
    return scheme;
}
