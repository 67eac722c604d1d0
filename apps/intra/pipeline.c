/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline.h"

#include "app.h"
#include "resident.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* One batch is read, one coded, one fetched from the device, one turned into bits and written. */
enum { BATCHES = 4 };

enum stage { EMPTY, FILLED, CODED, FETCHED };

struct coded_frame {
    bool done;
    struct bits bits;
    double error[3];
    long macroblocks4;
};

struct batch {
    enum stage stage;
    int frames;
    int device, ran_on; /* where its memory is kept, where its tasks ran; RESIDENT_NOWHERE: the host */
    uint8_t *source, *recon;
    struct mb_record *records;
    struct coded_frame *coded;
};

/* The lock guards stages, counters and `done`; what a batch holds belongs to whom its stage says. */
struct run {
    struct pipeline *p;
    struct batch *batch; /* a ring of BATCHES */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long read, coded, fetched, written; /* batches; the frames of batch `entropy` are being taken */
    long entropy;
    int next_frame; /* of that batch */
    bool last_read; /* no batch comes after the ones read */
    bool stop;
};

static void finish(struct run *run, const char *message) {
    pthread_mutex_lock(&run->lock);
    if (!run->stop && message)
        snprintf(run->p->message, sizeof run->p->message, "%s", message);
    run->stop = true;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

static size_t source_bytes(const struct pipeline *p, int frames) { return frame_bytes(p->setup) * (size_t)frames; }

static size_t record_bytes(const struct pipeline *p, int frames) {
    return frame_records(p->setup) * (size_t)frames * sizeof(struct mb_record);
}

/* ---- reading */

/* Batches are hundreds of MB: in huge pages they are there and page-locked several times as soon. Not cleared. */
static void *batch_memory(size_t bytes) {
    enum { HUGE_PAGE = 2 << 20 };
    void *memory = NULL;
    if (bytes < HUGE_PAGE || posix_memalign(&memory, HUGE_PAGE, bytes))
        return app_alloc(bytes, 1);
    madvise(memory, bytes, MADV_HUGEPAGE); /* no matter if there are none */
    return memory;
}

/* Where the batch before ran, this one's memory is kept from now on. */
static void settle(const struct pipeline *p, struct batch *b, int device) {
    if (b->device == device)
        return;
    resident_keep(b->source, source_bytes(p, p->batch), device, true);
    resident_keep(b->recon, source_bytes(p, p->batch), device, p->recon || p->check);
    resident_keep(b->records, record_bytes(p, p->batch), device, true);
    b->device = device;
}

static int fill(struct run *run, struct batch *b, long before) {
    struct pipeline *p = run->p;
    const struct intra_setup *s = p->setup;
    const long most = p->frames_most && p->frames_most - before < p->batch ? p->frames_most - before : p->batch;
    b->frames = video_ahead(p->video, (int)most, frame_bytes(s), b->source);
    while (b->frames < p->batch && (!p->frames_most || before + b->frames < p->frames_most)) {
        const int status =
            video_next(p->video, s->mb_width, s->mb_height, b->source + (size_t)b->frames * frame_bytes(s));
        if (status <= 0)
            return status;
        b->frames++;
    }
    return b->frames == p->batch;
}

static void *read_batches(void *context) {
    struct run *run = context;
    long before = 0;
    for (int status = 1; status > 0;) {
        struct batch *b = &run->batch[run->read % BATCHES];
        pthread_mutex_lock(&run->lock);
        while (b->stage != EMPTY && !run->stop)
            pthread_cond_wait(&run->changed, &run->lock);
        const bool stop = run->stop;
        const int device = run->p->device;
        pthread_mutex_unlock(&run->lock);
        if (stop)
            return NULL;
        const double start = app_seconds();
        status = fill(run, b, before);
        before += b->frames;
        const double filled = app_seconds();
        settle(run->p, b, device);
        resident_upload(b->source, source_bytes(run->p, b->frames), device);
        run->p->read_seconds += filled - start;
        run->p->upload_seconds += app_seconds() - filled;
        pthread_mutex_lock(&run->lock);
        run->p->input_failed = status < 0;
        if (b->frames) {
            b->stage = FILLED;
            run->read++;
        }
        run->last_read = status <= 0;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
    return NULL;
}

/* ---- macroblocks */

static bool same_as_serial(const struct pipeline *p, const struct batch *b) {
    const struct intra_setup *s = p->setup;
    const size_t bytes = frame_bytes(s) * (size_t)b->frames, count = frame_records(s) * (size_t)b->frames;
    uint8_t *recon = app_alloc(bytes, 1);
    struct mb_record *records = app_alloc(count, sizeof *records);
    intra_encode_serial(s, b->frames, b->source, recon, records);
    const bool same = !memcmp(recon, b->recon, bytes) && !memcmp(records, b->records, count * sizeof *records);
    free(recon);
    free(records);
    return same;
}

static void code_batches(struct run *run) {
    struct pipeline *p = run->p;
    for (;;) {
        struct batch *b = &run->batch[run->coded % BATCHES];
        pthread_mutex_lock(&run->lock);
        while (!run->stop && run->coded == run->read && !run->last_read)
            pthread_cond_wait(&run->changed, &run->lock);
        const bool end = run->stop || run->coded == run->read;
        pthread_mutex_unlock(&run->lock);
        if (end)
            return;
        const double start = app_seconds();
        intra_encode_heddle(p->setup, b->frames, b->source, b->recon, b->records);
        p->core_seconds += app_seconds() - start;
        b->ran_on = app_device();
        pthread_mutex_lock(&run->lock);
        if (b->device == RESIDENT_NOWHERE)
            p->device = b->ran_on;
        b->stage = CODED;
        run->coded++;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
}

/* What is kept on a device comes back by this thread; the rest is there already. */
static void *fetch_batches(void *context) {
    struct run *run = context;
    struct pipeline *p = run->p;
    for (;;) {
        struct batch *b = &run->batch[run->fetched % BATCHES];
        pthread_mutex_lock(&run->lock);
        while (!run->stop && run->fetched == run->coded && !(run->last_read && run->coded == run->read))
            pthread_cond_wait(&run->changed, &run->lock);
        const bool end = run->stop || run->fetched == run->coded;
        pthread_mutex_unlock(&run->lock);
        if (end)
            return NULL;
        const double start = app_seconds();
        if (b->device >= 0 && b->ran_on == b->device) {
            resident_download(b->records, record_bytes(p, b->frames), b->device);
            if (p->recon || p->check)
                resident_download(b->recon, source_bytes(p, b->frames), b->device);
        }
        p->fetch_seconds += app_seconds() - start;
        p->differs |= p->check && !same_as_serial(p, b);
        for (int f = 0; f < b->frames; f++)
            b->coded[f].done = false;
        pthread_mutex_lock(&run->lock);
        b->stage = FETCHED;
        run->fetched++;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
}

/* ---- bits */

/* Takes a frame under the lock; false: there will be none. */
static bool take_frame(struct run *run, long *batch, int *frame) {
    while (!run->stop && run->entropy == run->fetched && !(run->last_read && run->fetched == run->read))
        pthread_cond_wait(&run->changed, &run->lock);
    if (run->stop || run->entropy == run->fetched)
        return false;
    *batch = run->entropy;
    *frame = run->next_frame++;
    if (run->next_frame == run->batch[*batch % BATCHES].frames) {
        run->next_frame = 0;
        run->entropy++;
    }
    return true;
}

static void count(struct coded_frame *c, const struct mb_record *records, size_t macroblocks) {
    c->error[0] = c->error[1] = c->error[2] = 0;
    c->macroblocks4 = 0;
    for (size_t k = 0; k < macroblocks; k++) {
        for (int plane = 0; plane < 3; plane++)
            c->error[plane] += records[k].error[plane];
        c->macroblocks4 += records[k].kind == KIND_I4;
    }
}

static void *code_bits(void *context) {
    struct run *run = context;
    const struct intra_setup *s = run->p->setup;
    struct bits scratch = {0};
    long batch;
    int frame;
    pthread_mutex_lock(&run->lock);
    while (take_frame(run, &batch, &frame)) {
        pthread_mutex_unlock(&run->lock);
        struct batch *b = &run->batch[batch % BATCHES];
        struct coded_frame *c = &b->coded[frame];
        const struct mb_record *records = b->records + (size_t)frame * frame_records(s);
        const double start = app_seconds();
        c->bits.count = 0;
        if (!stream_picture(&c->bits, &scratch, s, records, batch * run->p->batch + frame))
            finish(run, "out of memory for the coded stream");
        count(c, records, frame_records(s));
        const double end = app_seconds();
        pthread_mutex_lock(&run->lock);
        run->p->bits_seconds += end - start;
        c->done = true;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
    bits_free(&scratch);
    return NULL;
}

/* ---- writing */

static bool write_recon(const struct intra_setup *s, const uint8_t *planes, FILE *file) {
    for (int plane = 0; plane < 3; plane++) {
        const int shift = plane > 0, stride = s->mb_width * 16 >> shift, rows = s->mb_height * 16 >> shift;
        const size_t width = (size_t)(s->width >> shift);
        for (int r = 0; r < s->height >> shift; r++)
            if (fwrite(planes + (size_t)r * (size_t)stride, 1, width, file) != width)
                return false;
        planes += (size_t)stride * (size_t)rows;
    }
    return true;
}

static bool write_frame(struct run *run, const struct batch *b, int frame) {
    struct pipeline *p = run->p;
    const struct coded_frame *c = &b->coded[frame];
    const struct bits *bits = &c->bits;
    if (p->out && fwrite(bits->bytes, 1, bits->count, p->out) != bits->count) {
        finish(run, strerror(errno));
        return false;
    }
    if (p->recon && !write_recon(p->setup, b->recon + (size_t)frame * frame_bytes(p->setup), p->recon)) {
        finish(run, strerror(errno));
        return false;
    }
    for (int plane = 0; plane < 3; plane++)
        p->error[plane] += c->error[plane];
    p->macroblocks4 += c->macroblocks4;
    p->bytes += bits->count;
    p->checksum = app_hash(p->checksum, bits->bytes, bits->count);
    p->frames++;
    if (p->tell)
        p->tell(p->context, p->frames);
    return true;
}

static bool write_head(struct run *run) {
    struct pipeline *p = run->p;
    struct bits head = {0}, scratch = {0};
    bool good = stream_head(&head, &scratch, p->setup, &p->format);
    if (good && p->out && fwrite(head.bytes, 1, head.count, p->out) != head.count)
        good = false;
    if (good)
        p->checksum = app_hash(p->checksum, head.bytes, head.count);
    p->bytes += head.count;
    bits_free(&head);
    bits_free(&scratch);
    if (!good)
        finish(run, strerror(errno));
    return good;
}

static void *write_frames(void *context) {
    struct run *run = context;
    if (!write_head(run))
        return NULL;
    for (;;) {
        struct batch *b = &run->batch[run->written % BATCHES];
        pthread_mutex_lock(&run->lock);
        while (!run->stop && run->written == run->fetched && !(run->last_read && run->fetched == run->read))
            pthread_cond_wait(&run->changed, &run->lock);
        const bool end = run->stop || run->written == run->fetched;
        pthread_mutex_unlock(&run->lock);
        if (end)
            return NULL;
        for (int frame = 0; frame < b->frames; frame++) {
            pthread_mutex_lock(&run->lock);
            while (!run->stop && !b->coded[frame].done)
                pthread_cond_wait(&run->changed, &run->lock);
            const bool stop = run->stop;
            pthread_mutex_unlock(&run->lock);
            const double start = app_seconds();
            if (stop || !write_frame(run, b, frame))
                return NULL;
            run->p->write_seconds += app_seconds() - start;
        }
        pthread_mutex_lock(&run->lock);
        b->stage = EMPTY;
        run->written++;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
}

/* ---- all of it */

double pipeline_memory(const struct pipeline *p) {
    const double frame =
        2.0 * (double)source_bytes(p, 1) + (double)record_bytes(p, 1) + (double)frame_records(p->setup) * 200;
    return frame * p->batch * (BATCHES + p->check);
}

void pipeline_open(struct pipeline *p) {
    const size_t frames = (size_t)p->batch;
    p->batches = app_alloc(BATCHES, sizeof *p->batches);
    p->device = RESIDENT_NOWHERE;
    for (int k = 0; k < BATCHES; k++) {
        struct batch *b = &p->batches[k];
        b->device = RESIDENT_NOWHERE;
        b->source = batch_memory(source_bytes(p, p->batch));
        b->recon = batch_memory(source_bytes(p, p->batch));
        b->records = batch_memory(record_bytes(p, p->batch));
        b->coded = app_alloc(frames, sizeof *b->coded);
    }
}

void pipeline_close(struct pipeline *p) {
    for (int k = 0; p->batches && k < BATCHES; k++) {
        struct batch *b = &p->batches[k];
        resident_drop(b->source, source_bytes(p, p->batch), b->device);
        resident_drop(b->recon, source_bytes(p, p->batch), b->device);
        resident_drop(b->records, record_bytes(p, p->batch), b->device);
        for (int f = 0; f < p->batch; f++)
            bits_free(&b->coded[f].bits);
        free(b->source);
        free(b->recon);
        free(b->records);
        free(b->coded);
    }
    free(p->batches);
    p->batches = NULL;
}

static void start(struct run *run, pthread_t *threads, int count, int *started) {
    static void *(*const work[])(void *) = {read_batches, fetch_batches, write_frames};
    const int kinds = sizeof work / sizeof *work;
    for (*started = 0; *started < count; ++*started)
        if (pthread_create(&threads[*started], NULL, *started < kinds ? work[*started] : code_bits, run))
            break;
    if (*started < count)
        finish(run, "cannot start a thread");
}

bool pipeline_run(struct pipeline *p) {
    struct run run = {.p = p, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    const int count = p->threads + 3;
    pthread_t *threads = app_alloc((size_t)count, sizeof *threads);
    int started;
    p->frames = p->macroblocks4 = 0;
    p->bytes = 0;
    p->checksum = APP_HASH_START;
    p->error[0] = p->error[1] = p->error[2] = 0;
    p->core_seconds = p->read_seconds = p->upload_seconds = p->fetch_seconds = p->bits_seconds = p->write_seconds = 0;
    p->input_failed = p->differs = false;
    p->message[0] = 0;
    run.batch = p->batches;
    for (int k = 0; k < BATCHES; k++)
        run.batch[k].stage = EMPTY;
    start(&run, threads, count, &started);
    code_batches(&run);
    for (int k = 0; k < started; k++)
        pthread_join(threads[k], NULL);
    free(threads);
    return !p->message[0];
}
