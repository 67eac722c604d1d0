/* SPDX-License-Identifier: Apache-2.0 */
#include "double_buffer.h"
#include <string.h>

static int copy_bytes(const struct heddle__double_buffer *b, bool to_host, char *host, char *there, size_t bytes) {
    return to_host ? heddle__device_copy_out(b->device, host, there, bytes)
                   : heddle__device_copy_in(b->device, there, host, bytes);
}

/* The device's own copy, done when it returns. */
static int copy_plainly(const struct heddle__double_buffer *b, const struct heddle__block *block) {
    int error = HEDDLE_OK;
    if (block->host)
        return copy_bytes(b, block->to_host, block->host, block->there, block->bytes);
    for (int k = 0; k < block->segments && !error; k++) {
        const struct heddle__segment *s = &block->segment[k];
        size_t low, high;
        if (!s->direct && heddle__segment_within(s, block->at, block->bytes, &low, &high))
            error =
                copy_bytes(b, block->to_host, s->host + (low - s->at), block->there + (low - block->at), high - low);
    }
    return error;
}

static void copy_on_host(const struct heddle__block *block, char *pinned, bool in) {
    if (block->host)
        memcpy(in ? pinned : block->host, in ? block->host : pinned, block->bytes);
    else
        heddle__segments_gather(block->segment, block->segments, pinned, block->at, block->bytes, in);
}

static int start(struct heddle__double_buffer *b, const struct heddle__block_source *source, int k, bool to_host) {
    struct heddle__block *block = &b->block[k];
    struct heddle__channel *c = b->channel;
    int other;
    block->travels = block->direct = true;
    block->to_host = to_host;
    block->waits = c;
    const char *near = source->nearby ? source->nearby(source->with, block, &other) : NULL;
    if (near && !(c ? heddle__channel_across(b->device, c, block->there, other, near, block->bytes)
                    : heddle__device_copy_across(b->device, block->there, other, near, block->bytes)))
        return c ? heddle__channel_record(b->device, c, k) : HEDDLE_OK;
    block->waits = c && c->pinned[k];
    if (!block->waits)
        return copy_plainly(b, block);
    block->direct = block->host && heddle__device_locked(b->device, block->host, block->bytes);
    char *here = block->direct ? block->host : c->pinned[k];
    if (!to_host && !block->direct)
        copy_on_host(block, here, true);
    const int error = to_host ? heddle__channel_out(b->device, c, here, block->there, block->bytes)
                              : heddle__channel_in(b->device, c, block->there, here, block->bytes);
    return error ? error : heddle__channel_record(b->device, c, k);
}

static int finish(struct heddle__double_buffer *b, const struct heddle__block_source *source, int k, int error) {
    struct heddle__block *block = &b->block[k];
    if (!block->travels)
        return HEDDLE_OK;
    if (!error && block->waits)
        error = heddle__channel_wait(b->device, b->channel, k, b->timeout);
    if (!error && block->to_host && !block->direct)
        copy_on_host(block, b->channel->pinned[k], false);
    block->travels = false;
    source->ended(source->with, block, error);
    return error;
}

/* A device that has not answered in time is not waited for again. */
int heddle__double_buffer_run(struct heddle__double_buffer *b, const struct heddle__block_source *source, bool to_host,
                              bool wait) {
    int failed = HEDDLE_OK;
    for (int k = 0;; k ^= 1) {
        const bool idle = !b->block[k ^ 1].travels;
        int error = finish(b, source, k, failed == HEDDLE_ETIMEDOUT ? failed : HEDDLE_OK);
        failed = failed ? failed : error;
        if (source->take(source->with, &b->block[k], idle)) {
            error = start(b, source, k, to_host);
            if (error)
                finish(b, source, k, error);
            failed = failed ? failed : error;
        } else if (idle || !wait) {
            return failed;
        }
    }
}
