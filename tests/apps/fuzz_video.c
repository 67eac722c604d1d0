/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the reader of videos: it must end, stay in bounds and keep its promises. Built for
 * libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_video_main.c runs the same function on fixed inputs in ctest. */
#include "video.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

static void read_all(struct video *video) {
    const int mb_width = (video->width + 15) / 16, mb_height = (video->height + 15) / 16;
    uint8_t *planes = malloc((size_t)mb_width * (size_t)mb_height * 384);
    promise(planes);
    int status;
    long frames = 0;
    while ((status = video_next(video, mb_width, mb_height, planes)) > 0)
        promise(video->frames == ++frames);
    promise(status == 0 || video->message[0]);
    promise(video_next(video, mb_width, mb_height, planes) == status);
    free(planes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int raw = 0; raw < 2; raw++) {
        struct video video;
        FILE *file = size ? fmemopen((void *)data, size, "rb") : fopen("/dev/null", "rb");
        promise(file);
        if (video_open_file(&video, file, "input", raw ? 6 : 0, raw ? 4 : 0)) {
            promise(video.width >= 2 && video.height >= 2 && !(video.width & 1) && !(video.height & 1));
            promise(video.width <= VIDEO_SIDE_MOST && video.height <= VIDEO_SIDE_MOST);
            if ((long)video.width * video.height < 1000000)
                read_all(&video);
        } else {
            promise(video.message[0]);
        }
        video_close(&video);
    }
    return 0;
}
