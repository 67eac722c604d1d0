/* SPDX-License-Identifier: Apache-2.0 */
/* What intra is compared with: libx264 on the same pictures with the same tools, intra 16x16 and 4x4 prediction, CAVLC,
 * no deblocking, one QP. All pictures are in memory before the clock starts. --save writes them as Y4M, for both
 * programs. */
#include "app.h"
#include "video.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <x264.h>

struct peer {
    struct app app;
    const char *preset, *out, *save;
    long qp, frames, seed;
    bool flat; /* no 4x4 prediction */
    struct video video;
    int mb_width, mb_height;
    uint8_t *pictures; /* whole macroblocks, as video.h gives them */
    long count;
    double bytes, error[3];
};

static size_t picture_bytes(const struct peer *p) { return (size_t)p->mb_width * (size_t)p->mb_height * 384; }

static int load(struct peer *p) {
    struct video *v = &p->video;
    if (p->app.input_count && !video_open(v, p->app.input[0], p->app.sized ? (int)p->app.rows : 0, (int)p->app.cols))
        return app_fail(&p->app, "%s", v->message);
    if (!p->app.input_count)
        video_open_synthetic(v, (int)p->app.rows & ~1, (int)p->app.cols & ~1, (uint64_t)p->seed);
    p->mb_width = (v->width + 15) / 16;
    p->mb_height = (v->height + 15) / 16;
    int status = app_memory_fits(&p->app, (double)picture_bytes(p) * (double)p->frames, "the video");
    if (status >= 0)
        return status;
    p->pictures = app_alloc((size_t)p->frames, picture_bytes(p));
    while (p->count < p->frames &&
           (status = video_next(v, p->mb_width, p->mb_height, p->pictures + (size_t)p->count * picture_bytes(p))) > 0)
        p->count++;
    if (status < 0 && v->message[0])
        return app_fail(&p->app, "%s: %s", p->app.input[0], v->message);
    return p->count ? -1 : app_fail(&p->app, "no frames");
}

static int save(const struct peer *p) {
    FILE *file = p->save ? fopen(p->save, "wb") : NULL;
    if (p->save && !file)
        return app_fail(&p->app, "%s: %s", p->save, strerror(errno));
    if (!file)
        return -1;
    fprintf(file, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420jpeg\n", p->video.width, p->video.height);
    for (long f = 0; f < p->count; f++) {
        const uint8_t *plane = p->pictures + (size_t)f * picture_bytes(p);
        fputs("FRAME\n", file);
        for (int k = 0; k < 3; k++) {
            const int stride = p->mb_width * 16 >> (k > 0), rows = p->mb_height * 16 >> (k > 0);
            for (int r = 0; r < p->video.height >> (k > 0); r++)
                fwrite(plane + (size_t)r * (size_t)stride, 1, (size_t)(p->video.width >> (k > 0)), file);
            plane += (size_t)stride * (size_t)rows;
        }
    }
    return fclose(file) ? app_fail(&p->app, "%s: %s", p->save, strerror(errno)) : -1;
}

/* Below its information level x264 does not compute the PSNR. */
static void say_nothing(void *context, int level, const char *format, va_list arguments) {
    (void)context, (void)level, (void)format, (void)arguments;
}

static bool set_parameters(const struct peer *p, x264_param_t *param) {
    if (x264_param_default_preset(param, p->preset, NULL) < 0)
        return false;
    param->i_width = p->video.width;
    param->i_height = p->video.height;
    param->i_threads = (int)p->app.threads;
    param->i_keyint_max = 1;
    param->b_cabac = 0;
    param->b_deblocking_filter = 0;
    param->analyse.b_transform_8x8 = 0;
    param->analyse.intra = p->flat ? 0 : X264_ANALYSE_I4x4;
    param->analyse.b_psnr = 1;
    param->analyse.b_psy = 0;
    param->analyse.i_weighted_pred = 0;
    param->rc.i_rc_method = X264_RC_CQP;
    param->rc.i_qp_constant = (int)p->qp;
    param->rc.f_ip_factor = 1;
    param->rc.i_aq_mode = X264_AQ_NONE;
    param->rc.i_lookahead = 0;
    param->rc.b_mb_tree = 0;
    param->i_scenecut_threshold = 0;
    param->i_bframe = 0;
    param->i_log_level = X264_LOG_INFO;
    param->pf_log = say_nothing;
    return x264_param_apply_profile(param, "baseline") >= 0;
}

static void take(struct peer *p, FILE *out, const x264_nal_t *nal, int bytes, const x264_picture_t *coded) {
    if (bytes <= 0)
        return;
    if (out)
        fwrite(nal[0].p_payload, 1, (size_t)bytes, out);
    p->bytes += bytes;
    for (int k = 0; k < 3; k++)
        p->error[k] +=
            255.0 * 255 * p->video.width * p->video.height / (k ? 4 : 1) * pow(10, -coded->prop.f_psnr[k] / 10);
}

/* Seconds; negative: x264 failed. */
static double encode(struct peer *p) {
    x264_param_t param;
    x264_picture_t in, coded;
    x264_nal_t *nal;
    int count;
    FILE *out = p->out ? fopen(p->out, "wb") : NULL;
    const double start = app_seconds();
    x264_t *x = set_parameters(p, &param) ? x264_encoder_open(&param) : NULL;
    if (!x)
        return -1;
    x264_picture_init(&in);
    in.img.i_csp = X264_CSP_I420;
    in.img.i_plane = 3;
    p->bytes = p->error[0] = p->error[1] = p->error[2] = 0;
    for (long f = 0; f < p->count; f++) {
        const int stride = p->mb_width * 16, luma = stride * p->mb_height * 16;
        in.img.plane[0] = p->pictures + (size_t)f * picture_bytes(p);
        in.img.plane[1] = in.img.plane[0] + luma;
        in.img.plane[2] = in.img.plane[1] + luma / 4;
        in.img.i_stride[0] = stride;
        in.img.i_stride[1] = in.img.i_stride[2] = stride / 2;
        in.i_pts = f;
        const int bytes = x264_encoder_encode(x, &nal, &count, &in, &coded);
        take(p, out, nal, bytes, &coded);
    }
    while (x264_encoder_delayed_frames(x)) {
        const int bytes = x264_encoder_encode(x, &nal, &count, NULL, &coded);
        take(p, out, nal, bytes, &coded);
    }
    x264_encoder_close(x);
    const double seconds = app_seconds() - start;
    if (out)
        fclose(out);
    return seconds;
}

static double psnr(const struct peer *p, int plane) {
    return 10 *
           log10(255.0 * 255 * p->video.width * p->video.height * (double)p->count / (plane ? 4 : 1) / p->error[plane]);
}

static int measure(struct peer *p) {
    double *seconds = app_alloc((size_t)p->app.repeat, sizeof *seconds);
    for (long k = 0; k < p->app.repeat; k++)
        if ((seconds[k] = encode(p)) < 0)
            return app_fail(&p->app, "x264 does not take these parameters");
    const struct app_value values[] = {{"frames", (double)p->count}, {"bytes", p->bytes},    {"psnr_y", psnr(p, 0)},
                                       {"psnr_u", psnr(p, 1)},       {"psnr_v", psnr(p, 2)}, {NULL, 0}};
    const struct app_result result = {.rows = p->video.width,
                                      .cols = p->video.height,
                                      .seconds = app_median(seconds, (int)p->app.repeat),
                                      .work = (double)p->count * 1e9,
                                      .unit = "fps"};
    free(seconds);
    return app_report_values(&p->app, &result, stdout, values);
}

int main(int argc, char **argv) {
    struct peer p = {.preset = "ultrafast",
                     .qp = 28,
                     .frames = 60,
                     .seed = 1,
                     .app = {.name = "bench-x264",
                             .summary = "x264 with intra pictures only",
                             .inputs = "[VIDEO]   (Y4M or raw 4:2:0)",
                             .inputs_max = 1,
                             .two_sizes = true,
                             .rows = 1280,
                             .cols = 720}};
    const struct app_option options[] = {
        {"preset", "P", "x264's (ultrafast)", APP_TEXT, &p.preset, 0},
        {"flat", NULL, "16x16 prediction only", APP_FLAG, &p.flat, 0},
        {"qp", "N", "quantisation parameter (28)", APP_LONG, &p.qp, 0},
        {"frames", "N", "at most so many (60)", APP_LONG, &p.frames, 1},
        {"out", "FILE", "the stream", APP_TEXT, &p.out, 0},
        {"save", "FILE", "the pictures, Y4M, without coding them", APP_TEXT, &p.save, 0},
        {"seed", "N", "of the synthetic video (1)", APP_LONG, &p.seed, 0},
        {0}};
    p.app.options = options;
    int status = app_parse(&p.app, argc, argv);
    if (status < 0)
        status = load(&p);
    if (status < 0)
        status = p.save ? save(&p) < 0 ? APP_OK : APP_BAD_INPUT : measure(&p);
    video_close(&p.video);
    free(p.pictures);
    return status;
}
