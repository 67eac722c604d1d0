/* SPDX-License-Identifier: Apache-2.0 */
/* What OMP_AVAILABLE_DEVICES says of the devices that are here; asked once. */
#include "available.h"
#include "cuda.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* From LLVM 22 on. */
__attribute__((weak)) const char *omp_get_uid_from_device(int device);

static struct {
    bool given;
    int count, order[HEDDLE__AVAILABLE_MAX];
    uint64_t set;
} available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void describe(int device, struct heddle__traits *t) {
    struct heddle__cuda_info info;
    const bool cuda = heddle__cuda_info(device, &info);
    *t = cuda ? (struct heddle__traits){.kind = "gpu", .vendor = "nvidia", .arch = "nvptx64"}
              : (struct heddle__traits){.kind = "cpu", .vendor = "", .arch = "x86_64", .isa = "x86_64"};
    if (cuda)
        snprintf(t->isa, sizeof t->isa, "sm_%d", info.capability);
    const char *uid = omp_get_uid_from_device ? omp_get_uid_from_device(device) : NULL;
    if (uid)
        snprintf(t->uid, sizeof t->uid, "%s", uid);
    else /* as libomptarget does it where a device has none of its vendor's */
        snprintf(t->uid, sizeof t->uid, "%s-%d", cuda ? "CUDA" : "x86_64", device);
}

static void read_variable(void) {
    const char *text = secure_getenv("OMP_AVAILABLE_DEVICES"), *wrong;
    struct heddle__traits traits[HEDDLE__AVAILABLE_MAX];
    if (!text || !*text)
        return;
    int count = heddle_device_count();
    count = count < HEDDLE__AVAILABLE_MAX ? count : HEDDLE__AVAILABLE_MAX;
    for (int d = 0; d < count; d++)
        describe(d, &traits[d]);
    available.count = heddle__available_read(text, traits, count, available.order, &wrong);
    if (available.count < 0) {
        heddle__warn(NULL, "OMP_AVAILABLE_DEVICES=%s: '%s' is not understood; all devices are used", text, wrong);
        return;
    }
    available.given = true;
    for (int k = 0; k < available.count; k++)
        available.set |= 1ull << available.order[k];
    if (count && !available.count)
        heddle__warn(NULL, "OMP_AVAILABLE_DEVICES=%s names none of the %d devices; running on the host", text, count);
}

bool heddle__device_available(int device) {
    pthread_once(&once, read_variable);
    return !available.given || (device >= 0 && device < HEDDLE__AVAILABLE_MAX && available.set >> device & 1);
}

bool heddle__device_refused(const struct heddle_site *site, int device) {
    if (heddle__device_available(device))
        return false;
    heddle__warn(site, "device %d is not among OMP_AVAILABLE_DEVICES; running on the host", device);
    return true;
}

int heddle__available_instead(int device, bool by_user) {
    if (heddle__device_available(device) && (by_user || !available.given))
        return device;
    return available.count ? available.order[0] : -1;
}
