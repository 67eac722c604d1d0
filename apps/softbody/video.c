/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures through a pipe to ffmpeg, which makes of them what the name's end says. */
#include "softbody.h"

#include "app.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct video {
    FILE *pipe;
    pid_t child;
    size_t bytes;
};

struct video *video_open(const char *path, int size, int rate, char *message, size_t room) {
    char sides[32], frames[16], target[4096];
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    snprintf(sides, sizeof sides, "%dx%d", size, size);
    snprintf(frames, sizeof frames, "%d", rate);
    /* "file:" so that no name is taken for an option or a protocol */
    if ((size_t)snprintf(target, sizeof target, "file:%s", path) >= sizeof target || pipe(ends)) {
        snprintf(message, room, "%s: %s", path, "the name is too long, or there are no pipes");
        return NULL;
    }
    char *words[] = {"ffmpeg", "-loglevel", "error", "-y", "-f",     "rawvideo", "-pix_fmt", "rgb24", "-s",
                     sides,    "-r",        frames,  "-i", "pipe:0", "-pix_fmt", "yuv420p",  target,  NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawnp(&child, "ffmpeg", &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (failed) {
        close(ends[1]);
        snprintf(message, room, "--video needs the program ffmpeg: %s", strerror(failed));
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN); /* where ffmpeg ends early, writing fails instead */
    struct video *video = app_alloc(1, sizeof *video);
    *video = (struct video){fdopen(ends[1], "wb"), child, 3 * (size_t)size * (size_t)size};
    return video;
}

bool video_frame(struct video *video, const uint8_t *rgb) {
    return video->pipe && fwrite(rgb, video->bytes, 1, video->pipe) == 1;
}

bool video_close(struct video *video) {
    int status = 1;
    const bool written = video->pipe && !fclose(video->pipe);
    while (waitpid(video->child, &status, 0) < 0 && errno == EINTR)
        continue;
    free(video);
    return written && !status;
}
