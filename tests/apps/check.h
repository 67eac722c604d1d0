/* SPDX-License-Identifier: Apache-2.0 */
/* The includes that CMocka wants in this order. */
#ifndef HEDDLE_TESTS_CHECK_H
#define HEDDLE_TESTS_CHECK_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#endif
