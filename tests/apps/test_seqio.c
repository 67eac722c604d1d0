/* SPDX-License-Identifier: Apache-2.0 */
/* The FASTA and FASTQ reader: what it accepts and what it says about the rest. */
#include "check.h"

#include "app.h"
#include "seqio.h"

#include <stdlib.h>
#include <string.h>

static struct sw_scoring dna, protein;

/* Reads all; returns the number of records, or -1 - number before the error, whose text goes to
 * error. */
static int read_all(const char *text, const struct sw_alphabet *alphabet, char *letters, char *error) {
    struct seq_reader *reader = seq_open_memory(text, strlen(text), alphabet);
    struct seq_record record;
    int count = 0, status;
    letters[0] = error[0] = 0;
    while ((status = seq_next(reader, &record)) > 0) {
        strcat(letters, record.name);
        strcat(letters, "=");
        for (int k = 0; k < record.length; k++)
            strncat(letters, &alphabet->letter[record.codes[k]], 1);
        strcat(letters, ";");
        assert_int_equal(record.number, ++count);
        seq_release(&record);
    }
    if (status < 0) {
        strcpy(error, seq_error(reader));
        assert_int_equal(seq_next(reader, &record), -1); /* stays failed */
    }
    seq_close(reader);
    return status < 0 ? -1 - count : count;
}

struct good {
    const char *text, *letters;
};

static void accepts(void **state) {
    (void)state;
    static const struct good cases[] = {
        {">a\nACGT\n", "a=ACGT;"},
        {">a\nACGT", "a=ACGT;"},                              /* no last newline */
        {">a x y\r\nAC\r\nGT\r\n>b\r\nG\r\n", "a=ACGT;b=G;"}, /* CRLF, wrapped */
        {"\n\n>a\n\nAC\n\n\nGT\n\n>b\nT\n\n", "a=ACGT;b=T;"}, /* blank lines */
        {"> a\nacgun\n", "a=ACGTN;"},                         /* blank after the mark, lower case, U */
        {">\nA\n>b\nC\n", "record1=A;b=C;"},                  /* no name */
        {">a\nA C\tG T \n", "a=ACGT;"},
        {"@a\nACGT\n+\nIIII\n", "a=ACGT;"},
        {"@a\nACGT\n+a\n@>+!\n@b\nA\n+\n~", "a=ACGT;b=A;"}, /* marks as qualities, no last newline */
        {"@a\nAC\nGT\n+\nII\nII\n", "a=ACGT;"},             /* wrapped */
        {"@a\r\nAC\r\n+\r\nII\r\n", "a=AC;"},
        {">a\nRYSWKMBDHVN\n", "a=NNNNNNNNNNN;"},
    };
    char letters[512], error[512];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int count = read_all(cases[k].text, &dna.query, letters, error);
        assert_string_equal(error, "");
        assert_true(count > 0);
        assert_string_equal(letters, cases[k].letters);
    }
    assert_int_equal(read_all(">p\nARNDCQEGHILKMFPSTWYVBZX*UOJ\n", &protein.query, letters, error), 1);
    assert_string_equal(letters, "p=ARNDCQEGHILKMFPSTWYVBZX*XXX;");
}

struct bad {
    const char *text, *error;
    int before; /* good records before it */
};

static void refuses(void **state) {
    (void)state;
    static const struct bad cases[] = {
        {"", "<memory>:1: no record in this file", 0},
        {" \n\n", "<memory>:3: no record in this file", 0},
        {"ACGT\n", "<memory>:1: record 1: expected '>' (FASTA) or '@' (FASTQ), found 'A'", 0},
        {">a\nA\n>b\n>c\nG\n", "<memory>:4: record 2 (b): the record has no sequence", 1},
        {">a\nA\n>b", "<memory>:3: record 2 (b): the record has no sequence", 1},
        {">a\nA\n>b\nAC5\n", "<memory>:4: record 2 (b): '5' is not a DNA residue letter", 1},
        {">a\nA-C\n", "<memory>:2: record 1 (a): '-' is not a DNA residue letter", 0},
        {">a\nA\001C\n", "<memory>:2: record 1 (a): byte 0x01 is not a DNA residue letter", 0},
        {">a\nAC>b\nAC\n", "<memory>:2: record 1 (a): '>' is not a DNA residue letter", 0},
        {"@a\n+\nI\n", "<memory>:2: record 1 (a): the record has no sequence", 0},
        {"@a\nACGT\n", "<memory>:3: record 1 (a): the record ends before its '+' line", 0},
        {"@a\nAC\n+\nI\n", "<memory>:5: record 1 (a): the quality is shorter than the sequence", 0},
        {"@a\nAC\n+\nIII\n", "<memory>:4: record 1 (a): the quality is longer than the sequence", 0},
        {"@a\nAC\n+\nI \n", "<memory>:4: record 1 (a): byte 0x20 is not a quality character", 0},
        {"@a\nAC\n+\nII\nAC\n", "<memory>:5: record 2: expected '>' (FASTA) or '@' (FASTQ), found 'A'", 1},
    };
    char letters[512], error[512];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(read_all(cases[k].text, &dna.query, letters, error), -1 - cases[k].before);
        assert_string_equal(error, cases[k].error);
    }
}

static void million_letters(void **state) {
    (void)state;
    const int length = 1000000;
    char *text = app_alloc((size_t)length + 10, 1);
    memcpy(text, ">m\n", 3);
    memset(text + 3, 'G', (size_t)length);
    struct seq_reader *reader = seq_open_memory(text, (size_t)length + 3, &dna.query);
    struct seq_record record;
    assert_int_equal(seq_next(reader, &record), 1);
    assert_int_equal(record.length, length);
    assert_int_equal(record.codes[length - 1], 2);
    seq_release(&record);
    assert_int_equal(seq_next(reader, &record), 0);
    seq_close(reader);
    free(text);
}

static void missing_file(void **state) {
    (void)state;
    char message[200];
    assert_null(seq_open("/nonexistent/x.fa", &dna.query, message, sizeof message));
    assert_string_equal(message, "/nonexistent/x.fa: No such file or directory");
}

int main(void) {
    sw_scoring_dna(&dna, 2, -2);
    sw_scoring_blosum62(&protein);
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepts), cmocka_unit_test(refuses),
                                       cmocka_unit_test(million_letters), cmocka_unit_test(missing_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
