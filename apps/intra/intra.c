/* SPDX-License-Identifier: Apache-2.0 */
/* intra: an H.264 encoder for intra pictures. See README.md. */
#include "app.h"
#include "cavlc.h"
#include "create.h"
#include "pipeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct intra {
    struct app app;
    const char *out, *recon;
    long qp, slices, frames, batch, seed;

    struct video video;
    struct intra_setup setup;
    struct pipeline pipeline;
};

static void tell(void *context, long frames) { app_progress(context, "frame %ld", frames); }

static int open_video(struct intra *x) {
    if (x->app.input_count) {
        const int width = x->app.sized ? (int)x->app.rows : 0, height = x->app.sized ? (int)x->app.cols : 0;
        if (!video_open(&x->video, x->app.input[0], width, height))
            return app_fail(&x->app, "%s", x->video.message);
        if (x->video.interlaced)
            fprintf(stderr, "%s: note: %s is interlaced; its frames are coded whole, as progressive ones\n",
                    x->app.name, x->app.input[0]);
        return -1;
    }
    if (x->app.rows > VIDEO_SIDE_MOST || x->app.cols > VIDEO_SIDE_MOST)
        return app_fail(&x->app, "--size=%ldx%ld: sides above %d are not supported", x->app.rows, x->app.cols,
                        VIDEO_SIDE_MOST);
    if (x->app.rows & 1 || x->app.cols & 1)
        return app_fail(&x->app, "--size=%ldx%ld: 4:2:0 video has even sides", x->app.rows, x->app.cols);
    video_open_synthetic(&x->video, (int)x->app.rows, (int)x->app.cols, (uint64_t)x->seed);
    if (!x->frames)
        x->frames = 30;
    return -1;
}

static int configure(struct intra *x) {
    const struct video *v = &x->video;
    struct pipeline *p = &x->pipeline;
    const int rows = (v->height + 15) / 16;
    if (x->slices > rows)
        return app_fail(&x->app, "--slices=%ld: a slice has whole rows of macroblocks, and there are %d", x->slices,
                        rows);
    intra_prepare(&x->setup, v->width, v->height, (int)x->qp, (int)x->slices);
    cavlc_prepare();
    p->setup = &x->setup;
    p->video = &x->video;
    p->format = (struct stream_format){v->rate, v->rate_scale, v->aspect, v->aspect_scale};
    p->frames_most = x->frames;
    p->threads = (int)(x->app.threads ? x->app.threads : sysconf(_SC_NPROCESSORS_ONLN));
    p->tell = tell;
    p->context = &x->app;
    p->check = x->app.check;
    if (!stream_level(&x->setup, &p->format))
        return app_fail(&x->app,
                        "%dx%d, %g frames a second, is larger than the largest level of H.264 (139264 macroblocks, "
                        "16711680 a second)",
                        v->width, v->height, v->rate ? (double)v->rate / v->rate_scale : 25);
    /* enough macroblocks to fill a GPU, but not more frames than there are */
    const long macroblocks = (long)frame_records(&x->setup);
    p->batch = (int)(x->batch ? x->batch : 300000 / macroblocks < 4 ? 4 : 300000 / macroblocks);
    if (!x->batch && p->batch > 64)
        p->batch = 64;
    if (x->frames && p->batch > x->frames)
        p->batch = (int)x->frames;
    return app_memory_fits(&x->app, pipeline_memory(p), "a batch of this size");
}

static int open_output(struct intra *x, const char *path, FILE **file) {
    *file = NULL;
    if (!path)
        return -1;
    *file = app_create(path);
    return *file ? -1 : app_fail(&x->app, "%s: %s", path, strerror(errno));
}

/* Also writes what is still buffered, which can fail as any write can. */
static int close_output(struct intra *x, const char *path, FILE *file, int status) {
    if (!file)
        return status;
    const bool bad = !app_finish(file, status < 0);
    return bad && status < 0 ? app_fail(&x->app, "%s: %s", path, strerror(errno)) : status;
}

static int run_once(struct intra *x) {
    struct pipeline *p = &x->pipeline;
    int status = open_output(x, x->out, &p->out);
    if (status < 0)
        status = open_output(x, x->recon, &p->recon);
    if (status < 0 && !pipeline_run(p))
        status = app_fail(&x->app, "writing: %s", p->message);
    status = close_output(x, x->out, p->out, status);
    status = close_output(x, x->recon, p->recon, status);
    p->out = p->recon = NULL;
    if (status < 0 && p->input_failed)
        status = app_fail(&x->app, "%s: %s; the %ld frames before it are coded", x->app.input[0], x->video.message,
                          p->frames);
    if (status < 0 && !p->frames)
        status = app_fail(&x->app, "%s: no frames", x->app.input_count ? x->app.input[0] : "synthetic video");
    return status;
}

static double psnr(const struct intra *x, int plane) {
    const double pixels = (double)x->video.width * x->video.height * (double)x->pipeline.frames / (plane ? 4 : 1);
    return 10 * log10(255.0 * 255.0 * pixels / x->pipeline.error[plane]);
}

static int report(const struct intra *x, double seconds, double core_seconds) {
    const struct pipeline *p = &x->pipeline;
    const double frames = (double)p->frames;
    const double rate = x->video.rate_scale ? (double)x->video.rate / x->video.rate_scale : 25;
    const struct app_value values[] = {{"frames", frames},
                                       {"bytes", (double)p->bytes},
                                       {"kbit/s", (double)p->bytes * 8 / frames * rate / 1000},
                                       {"psnr_y", psnr(x, 0)},
                                       {"psnr_u", psnr(x, 1)},
                                       {"psnr_v", psnr(x, 2)},
                                       {"core_fps", frames / core_seconds},
                                       {"intra4", (double)p->macroblocks4 / frames / (double)frame_records(&x->setup)},
                                       {"read_s", p->read_seconds},
                                       {"upload_s", p->upload_seconds},
                                       {"fetch_s", p->fetch_seconds},
                                       {"bits_s", p->bits_seconds},
                                       {"write_s", p->write_seconds},
                                       {NULL, 0}};
    const struct app_result result = {.rows = x->video.width,
                                      .cols = x->video.height,
                                      .seconds = seconds,
                                      .work = frames * 1e9,
                                      .unit = "fps",
                                      .checksum = p->checksum,
                                      .check = !p->check    ? APP_NOT_CHECKED
                                               : p->differs ? APP_CHECK_BAD
                                                            : APP_CHECK_OK};
    const bool taken = (x->out && !strcmp(x->out, "-")) || (x->recon && !strcmp(x->recon, "-"));
    if (p->differs)
        app_fail(&x->app, "check: records or pixels differ from the serial program's");
    return app_report_values(&x->app, &result, taken ? stderr : stdout, values);
}

/* The serial program is part of the last run only, which is then not timed. */
static int run(struct intra *x) {
    const long repeat = x->app.repeat, runs = repeat + x->app.check;
    pipeline_open(&x->pipeline);
    double *seconds = app_alloc((size_t)repeat, sizeof *seconds), *core = app_alloc((size_t)repeat, sizeof *core);
    int status = -1;
    for (long k = 0; k < runs && status < 0; k++) {
        if (k && !video_rewind(&x->video)) {
            status = app_fail(&x->app, "%s: --repeat and --check read the input again, so it must be a file",
                              x->app.input[0]);
            break;
        }
        x->pipeline.check = x->app.check && k == repeat;
        const double start = app_seconds();
        status = run_once(x);
        if (k < repeat) {
            seconds[k] = app_seconds() - start;
            core[k] = x->pipeline.core_seconds;
        }
    }
    app_progress_end(&x->app);
    pipeline_close(&x->pipeline);
    if (status < 0)
        status = report(x, app_median(seconds, (int)repeat), app_median(core, (int)repeat));
    free(seconds);
    free(core);
    return status;
}

int main(int argc, char **argv) {
    struct intra x = {.qp = 28,
                      .slices = 1,
                      .seed = 1,
                      .app = {.name = "intra",
                              .summary = "H.264 encoder for intra pictures",
                              .inputs = "[VIDEO]   (Y4M or raw 4:2:0, - is stdin)",
                              .inputs_max = 1,
                              .two_sizes = true,
                              .size_help = "width and height of raw or synthetic video (1280x720)",
                              .pools = true,
                              .rows = 1280,
                              .cols = 720}};
    const struct app_option options[] = {
        {"out", "FILE", "the stream, Annex B; - is stdout", APP_OUTPUT, &x.out, 0},
        {"qp", "N", "quantisation parameter, 0 to 51 (28)", APP_LONG, &x.qp, 0},
        {"slices", "N", "slices per picture (1)", APP_LONG, &x.slices, 1},
        {"recon", "FILE", "the decoded pictures, raw 4:2:0", APP_OUTPUT, &x.recon, 0},
        {"frames", "N", "at most so many frames (all; 30 of the synthetic video)", APP_LONG, &x.frames, 1},
        {"batch", "N", "frames in flight at once (as many as fill a GPU)", APP_LONG, &x.batch, 1},
        {"seed", "N", "of the synthetic video (1)", APP_LONG, &x.seed, 0},
        {0}};
    x.app.options = options;
    int status = app_parse(&x.app, argc, argv);
    if (status < 0 && x.qp > 51)
        status = app_fail(&x.app, "--qp=%ld: from 0 to 51", x.qp);
    if (status < 0)
        status = open_video(&x);
    if (status < 0)
        status = configure(&x);
    if (status < 0)
        status = run(&x);
    video_close(&x.video);
    return status;
}
