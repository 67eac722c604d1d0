/* SPDX-License-Identifier: Apache-2.0 */
/* What C and C++ say in different ways: emitted text and the engines are both. */
#ifndef HEDDLE_LANGUAGE_H
#define HEDDLE_LANGUAGE_H

#ifdef __cplusplus
struct heddle_pointer { /* becomes what is wanted, as void * does in C */
    const volatile void *at;
    template <class T> inline __attribute__((__always_inline__)) operator T *() const { return (T *)at; }
};
#define HEDDLE_PTR(p) (heddle_pointer{p})
#define HEDDLE_BOOL bool
#define HEDDLE_C extern "C"
#else
#define HEDDLE_PTR(p) (p)
#define HEDDLE_BOOL _Bool
#define HEDDLE_C extern
#endif

#endif
