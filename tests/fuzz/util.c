/* SPDX-License-Identifier: Apache-2.0 */
/* The tools' util.c, without what says that something is wrong and ends the program: see ends.c. */
#define complain util_complain
#define fail util_fail
#include "../../toolchain/heddle/util.c"
