/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LOCAL_H
#define LOCAL_H
#define LOCAL 1
static inline void by_macro(int n, int *x);
#endif
