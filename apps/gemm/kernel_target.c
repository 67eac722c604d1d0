/* SPDX-License-Identifier: Apache-2.0 */
/* The product on an OpenMP device, where there is no library: x86_64 devices, GPUs without cuBLAS. A thread computes a
 * block of 4 x 4 elements in registers; neighbouring threads read neighbouring columns of b. */
#include "port.h"

#define CAT2(x, y) x##y
#define CAT(x, y) CAT2(x, y)
#define REAL float
#define PRODUCT target_float
#include "kernel_real.h"
#define REAL double
#define PRODUCT target_double
#include "kernel_real.h"

int product_target(int device, const struct product *p) {
    if (p->is_double)
        target_double(device, p);
    else
        target_float(device, p);
    return 0;
}
