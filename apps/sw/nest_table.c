/* SPDX-License-Identifier: Apache-2.0 */
/* The table of nests of one compilation; compiled twice like the nests themselves. */
#include "nest.h"

#ifdef SW_SERIAL
const struct sw_nests sw_nests_serial = {
#else
const struct sw_nests sw_nests_heddle = {
#endif
    .score_linear = SW_NEST(score_linear),
    .score_affine = SW_NEST(score_affine),
    .batch_equal_linear = SW_NEST(batch_equal_linear),
    .batch_equal_affine = SW_NEST(batch_equal_affine),
    .batch_matrix_linear = SW_NEST(batch_matrix_linear),
    .batch_matrix_affine = SW_NEST(batch_matrix_affine),
    .scores_equal = SW_NEST(scores_equal),
    .scores_matrix = SW_NEST(scores_matrix),
    .ends_matrix = SW_NEST(ends_matrix),
    .pairs_equal = SW_NEST(pairs_equal),
    .extend = SW_NEST(extend),
};
