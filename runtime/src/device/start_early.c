/* SPDX-License-Identifier: Apache-2.0 */
/* The start of devices on a thread of its own, for a program that knows that it will want them. */
#include "device.h"
#include "resolve.h"
#include "start.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_t thread;
static pid_t owner; /* of the thread: a child that is forked has none */

static void *start_and_load(void *unused) {
    (void)unused;
    const struct heddle__wish wish = heddle__wish_read(HEDDLE_DEVICE_AUTO);
    const int device = wish.largest > 0 ? wish.largest : 0;
    if (device < heddle_device_count())
        heddle__device_load(device);
    return NULL;
}

/* Whoever ends the program waits: libomptarget and CUDA must not go away under the thread. */
static void join(void) {
    if (getpid() == owner)
        pthread_join(thread, NULL);
}

void heddle_start_devices(void) {
    static atomic_flag once = ATOMIC_FLAG_INIT;
    if (heddle__devices_wait() && strcmp(heddle_option_get("device"), "host") != 0 &&
        !atomic_flag_test_and_set(&once) && !pthread_create(&thread, NULL, start_and_load, NULL)) {
        owner = getpid();
        atexit(join);
    }
}
