/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of FASTA and FASTQ, plain or gzip, one record at a time, of any length. CRLF, blank lines,
 * a missing last newline, wrapped FASTQ and lower case are accepted; everything else that is odd is
 * an error which names file, line and record. After an error the reader gives no more records. */
#ifndef SW_SEQIO_H
#define SW_SEQIO_H

#include "scoring.h"

struct seq_reader;

struct seq_record {
    char *name;         /* first word of the header, "recordN" if there is none */
    signed char *codes; /* [length] */
    char *quality;      /* [length], NULL for FASTA */
    int length;
    long number; /* from 1 */
};

/* path "-" is standard input. NULL: could not be opened, message says why. */
struct seq_reader *seq_open(const char *path, const struct sw_alphabet *alphabet, char *message, size_t size);
struct seq_reader *seq_open_memory(const void *data, size_t count, const struct sw_alphabet *alphabet);
/* 1: a record, which the caller frees by seq_release(); 0: end; -1: bad input, see seq_error(). */
int seq_next(struct seq_reader *reader, struct seq_record *record);
const char *seq_error(const struct seq_reader *reader);
void seq_close(struct seq_reader *reader);
void seq_release(struct seq_record *record);

#endif
