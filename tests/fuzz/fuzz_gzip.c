/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a packed file of sequences, and the same bytes packed: the second way has to read what the plain reader
 * reads. */
#include "fuzz.h"
#include "seqio.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const struct fuzz_style fuzz_style = {FUZZ_MARKS("\037\213\010\0\1\2\4\377>@ACGT\n+I"), .changes_least = 1,
                                      .changes_most = 4, .cut = true};

static struct sw_scoring scoring;

/* What it read, as a number; the status of the last call. */
static uint64_t drain(struct seq_reader *reader, int *status) {
    struct seq_record record;
    uint64_t hash = APP_HASH_START;
    while ((*status = seq_next(reader, &record)) > 0) {
        FUZZ_PROMISE(record.length > 0);
        hash = app_hash(hash, record.name, strlen(record.name));
        hash = app_hash(hash, record.codes, (size_t)record.length);
        seq_release(&record);
    }
    FUZZ_PROMISE(*status == 0 || *seq_error(reader));
    seq_close(reader);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char message[300];
    int packed, plain;
    if (!scoring.query.name)
        sw_scoring_dna(&scoring, 2, -2);
    struct seq_reader *reader = seq_open(fuzz_file("a.fa.gz", data, size), &scoring.query, message, sizeof message);
    FUZZ_PROMISE(reader);
    drain(reader, &packed);

    uLongf room = compressBound(size) + 64;
    uint8_t *out = app_alloc(room, 1);
    z_stream z = {
        .next_in = (uint8_t *)(uintptr_t)data, .avail_in = (uInt)size, .next_out = out, .avail_out = (uInt)room};
    FUZZ_PROMISE(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
                 deflate(&z, Z_FINISH) == Z_STREAM_END);
    reader = seq_open(fuzz_file("a.fa.gz", out, z.total_out), &scoring.query, message, sizeof message);
    deflateEnd(&z);
    FUZZ_PROMISE(reader);
    const uint64_t hash = drain(reader, &packed);
    FUZZ_PROMISE(hash == drain(seq_open_memory(data, size, &scoring.query), &plain) && packed == plain);
    free(out);
    return 0;
}
