/* SPDX-License-Identifier: Apache-2.0 */
/* How the operators of reductions join two values, and what a worker's own value starts from. */
#ifndef HEDDLE_REDUCTION_H
#define HEDDLE_REDUCTION_H

#define HEDDLE_JOIN_ADD(a, b) ((a) + (b))
#define HEDDLE_JOIN_MUL(a, b) ((a) * (b))
#define HEDDLE_JOIN_MAX(a, b) ((a) > (b) ? (a) : (b))
#define HEDDLE_JOIN_MIN(a, b) ((a) < (b) ? (a) : (b))
#define HEDDLE_JOIN_AND(a, b) ((a) & (b))
#define HEDDLE_JOIN_OR(a, b) ((a) | (b))
#define HEDDLE_JOIN_XOR(a, b) ((a) ^ (b))
#define HEDDLE_JOIN_LAND(a, b) ((a) && (b))
#define HEDDLE_JOIN_LOR(a, b) ((a) || (b))
/* A worker starts from the user's value where joining it twice does no harm, else from the neutral element. */
#define HEDDLE_START_ADD(a) 0
#define HEDDLE_START_MUL(a) 1
#define HEDDLE_START_XOR(a) 0
#define HEDDLE_START_MAX(a) (a)
#define HEDDLE_START_MIN(a) (a)
#define HEDDLE_START_AND(a) (a)
#define HEDDLE_START_OR(a) (a)
#define HEDDLE_START_LAND(a) (a)
#define HEDDLE_START_LOR(a) (a)

#endif
