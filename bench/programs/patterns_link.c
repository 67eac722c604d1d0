/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the link to a GPU is at best: so many bytes in and so many out at once, between device
 * memory and page-locked host memory, on a stream for each way. */
#include "patterns.h"

#include <heddle/gpu.h>

enum { CHUNK = 64 << 20 };

static struct way {
    void *host, *device, *stream;
} ways[2]; /* in, out; made by the first call */

static int make(int device) {
    if (heddle_gpu_enter(device))
        return -1;
    for (int k = 0; k < 2; k++) {
        ways[k].host = app_alloc(CHUNK, 1);
        if (heddle_gpu_alloc(&ways[k].device, CHUNK) || heddle_gpu_lock(ways[k].host, CHUNK) ||
            heddle_gpu_stream(&ways[k].stream))
            return -1;
    }
    return 0;
}

static int copy(int k, size_t bytes) {
    const size_t now = bytes < CHUNK ? bytes : CHUNK;
    if (!now)
        return 0;
    return k ? heddle_gpu_copy_out(ways[k].host, ways[k].device, now, ways[k].stream)
             : heddle_gpu_copy_in(ways[k].device, ways[k].host, now, ways[k].stream);
}

int bench_link(int device, size_t in, size_t out) {
    int error = ways[1].stream ? 0 : make(device);
    for (size_t at = 0; !error && (at < in || at < out); at += CHUNK)
        error = copy(0, at < in ? in - at : 0) || copy(1, at < out ? out - at : 0);
    for (int k = 0; k < 2 && !error; k++)
        error = heddle_gpu_synchronize(ways[k].stream);
    return error;
}
