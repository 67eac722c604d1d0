/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether C is right, without computing it again:
 *
 *   Freivalds (1977): for a vector x of random signs, C x against alpha A (B x) + beta C0 x, in extended precision. The
 * cost is that of reading the matrices. A tile, a row or a part of the depth that is wrong shows in every row it
 * touches. Samples: elements at random places and in the corners, computed in extended precision. The serial program,
 * where that takes a second or two: every element.
 *
 * What may differ: an element of a product in precision u (2^-24, 2^-53) is off by at most a small multiple of
 * sqrt(k) u |a_i| |b_j| (2-norms of a row and a column) with a probability next to one, in whatever order its terms are
 * added (Higham, Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41, 2019,
 * theorem 3.1, and Cauchy-Schwarz). Random signs add up n such errors as sqrt(n) of them (Hoeffding). Hence the bounds
 *
 *   |row i of C x - (...)|   <= 8 u sqrt(k + 2) (|alpha| |a_i| |B|_F + |beta| |c0_i|)
 *   |c_ij - exact|           <= 8 u sqrt(k + 2) (|alpha| |a_i| |b_j| + |beta c0_ij|)
 *
 * With whole numbers (exact) nothing may differ at all. With seeded reals, whose mean is zero, the samples' root mean
 * square is also held to 8 u (|a_i| |b_j| ...) without the root: that tells TF32 or a product in half precision from
 * one in single, which the bounds above, made for any data, would not.
 */
#ifndef GEMM_VERIFY_H
#define GEMM_VERIFY_H

#include "problem.h"

struct check {
    const void *c0; /* C before; NULL where beta = 0 */
    bool exact;     /* whole numbers that stay exact */
    bool zero_mean; /* seeded reals */
    int trials;     /* of Freivalds */
    long samples;
    uint64_t seed;
    /* results: largest difference over its bound (over 1: wrong), root mean square over u |a| |b| */
    double freivalds, sample, precision;
    char message[200];
};
/* False: C is wrong, `message` says where. */
bool check_product(const struct gemm *g, struct check *check);
/* The same for every element against another result of the same product, which may be off as much. */
bool check_against(const struct gemm *g, const void *other, struct check *check);

#endif
