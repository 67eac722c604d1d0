/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the FASTA/FASTQ reader: it must end, stay in bounds and keep its promises.
 * Built for libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_main.c runs the same function on fixed inputs in
 * ctest. */
#include "seqio.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct sw_scoring scoring;
    if (!scoring.query.name)
        sw_scoring_dna(&scoring, 2, -2);
    struct seq_reader *reader = seq_open_memory(data, size, &scoring.query);
    struct seq_record record;
    long count = 0;
    int status;
    while ((status = seq_next(reader, &record)) > 0) {
        promise(record.length > 0 && record.name[0] && record.number == ++count);
        for (int k = 0; k < record.length; k++)
            promise(record.codes[k] >= 0 && record.codes[k] <= 4 && (!record.quality || record.quality[k] > 32));
        seq_release(&record);
    }
    promise(status == 0 ? count > 0 : seq_error(reader)[0] != 0);
    seq_close(reader);
    return 0;
}
