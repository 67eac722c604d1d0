/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of generated pictures through openh264's decoder: every pixel must be the encoder's own
 * reconstruction. */
#include "check.h"

#include "app.h"
#include "cavlc.h"
#include "stream.h"
#include "video.h"

#include <stdlib.h>
#include <string.h>
#include <wels/codec_api.h>

struct coder {
    struct intra_setup setup;
    uint8_t *source, *recon;
    struct mb_record *records;
    struct bits out, scratch;
};

static void coder_open(struct coder *c, int width, int height, int qp, int slices) {
    *c = (struct coder){0};
    intra_prepare(&c->setup, width, height, qp, slices);
    c->source = app_alloc(frame_bytes(&c->setup), 1);
    c->recon = app_alloc(frame_bytes(&c->setup), 1);
    c->records = app_alloc(frame_records(&c->setup), sizeof *c->records);
    assert_true(stream_head(&c->out, &c->scratch, &c->setup, &(struct stream_format){25, 1, 1, 1}));
}

static void coder_close(struct coder *c) {
    free(c->source);
    free(c->recon);
    free(c->records);
    bits_free(&c->out);
    bits_free(&c->scratch);
}

static void same_plane(const uint8_t *ours, int our_stride, const uint8_t *theirs, int stride, int width, int height) {
    for (int r = 0; r < height; r++)
        assert_memory_equal(ours + (size_t)r * (size_t)our_stride, theirs + (size_t)r * (size_t)stride, (size_t)width);
}

static void decode_and_compare(ISVCDecoder *decoder, const struct coder *c) {
    unsigned char *planes[3] = {NULL, NULL, NULL};
    SBufferInfo info;
    memset(&info, 0, sizeof info);
    assert_int_equal((*decoder)->DecodeFrameNoDelay(decoder, c->out.bytes, (int)c->out.count, planes, &info), 0);
    assert_int_equal(info.iBufferStatus, 1);
    const SSysMEMBuffer *m = &info.UsrData.sSystemBuffer;
    const struct intra_setup *s = &c->setup;
    assert_true(m->iWidth == s->width && m->iHeight == s->height);
    const int stride = 16 * s->mb_width, luma = stride * 16 * s->mb_height;
    same_plane(c->recon, stride, planes[0], m->iStride[0], s->width, s->height);
    same_plane(c->recon + luma, stride / 2, planes[1], m->iStride[1], s->width / 2, s->height / 2);
    same_plane(c->recon + luma + luma / 4, stride / 2, planes[2], m->iStride[1], s->width / 2, s->height / 2);
}

/* noise: pictures without any pattern, for levels and codes that real ones hardly ever need */
static void code_video(int width, int height, int qp, int slices, bool noise) {
    struct coder c;
    struct video video;
    struct app_random random;
    ISVCDecoder *decoder = NULL;
    SDecodingParam parameters;
    memset(&parameters, 0, sizeof parameters);
    parameters.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
    parameters.eEcActiveIdc = ERROR_CON_DISABLE;
    assert_int_equal(WelsCreateDecoder(&decoder), 0);
    assert_int_equal((*decoder)->Initialize(decoder, &parameters), 0);
    coder_open(&c, width, height, qp, slices);
    video_open_synthetic(&video, width, height, (uint64_t)qp);
    app_seed(&random, (uint64_t)qp);
    for (long number = 0; number < 3; number++) {
        assert_int_equal(video_next(&video, c.setup.mb_width, c.setup.mb_height, c.source), 1);
        for (size_t k = 0; noise && k < frame_bytes(&c.setup); k++)
            c.source[k] = number ? (uint8_t)app_next(&random) : app_next(&random) & 1 ? 255 : 0;
        intra_encode_serial(&c.setup, 1, c.source, c.recon, c.records);
        assert_true(stream_picture(&c.out, &c.scratch, &c.setup, c.records, number));
        decode_and_compare(decoder, &c);
        c.out.count = 0;
    }
    video_close(&video);
    coder_close(&c);
    (*decoder)->Uninitialize(decoder);
    WelsDestroyDecoder(decoder);
}

static void all_qps(void **state) {
    (void)state;
    for (int qp = 0; qp <= 51; qp++)
        code_video(80, 48, qp, 1 + qp % 3, false);
}

static void noise(void **state) {
    (void)state;
    for (int qp = 4; qp <= 51; qp += 3)
        code_video(64, 48, qp, 1 + qp % 3, true);
}

static void sizes(void **state) {
    (void)state;
    static const int side[] = {16, 18, 30, 34, 46, 98};
    for (int k = 0; k < 6; k++)
        for (int l = 0; l < 6; l++)
            code_video(side[k], side[l], 20 + k, l / 2 + 1 > (side[l] + 15) / 16 ? 1 : l / 2 + 1, false);
}

static void slices(void **state) {
    (void)state;
    for (int count = 1; count <= 7; count++)
        code_video(96, 112, 26, count, false);
}

int main(void) {
    cavlc_prepare();
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_qps), cmocka_unit_test(noise), cmocka_unit_test(sizes),
                                       cmocka_unit_test(slices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
