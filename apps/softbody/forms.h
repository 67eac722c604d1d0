/* SPDX-License-Identifier: Apache-2.0 */
/* The host has each task in three forms: the same source for vectors of 4, 8 and 16. A task's settings are called o. */
#ifndef SOFTBODY_FORMS_H
#define SOFTBODY_FORMS_H

#define PARENS(...) __VA_ARGS__
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define FORMS(name, parameters, arguments)                                                                             \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma,bmi,bmi2"), noinline)) static void name##_16(        \
        PARENS parameters) {                                                                                           \
        name##_any arguments;                                                                                          \
    }                                                                                                                  \
    __attribute__((target("avx2,fma,bmi,bmi2"), noinline)) static void name##_8(PARENS parameters) {                   \
        name##_any arguments;                                                                                          \
    }                                                                                                                  \
    __attribute__((noinline)) static void name##_4(PARENS parameters) { name##_any arguments; }                        \
    static void name(PARENS parameters) {                                                                              \
        if (o->wide == 2)                                                                                              \
            name##_16 arguments;                                                                                       \
        else if (o->wide == 1)                                                                                         \
            name##_8 arguments;                                                                                        \
        else                                                                                                           \
            name##_4 arguments;                                                                                        \
    }
#else
#define FORMS(name, parameters, arguments)                                                                             \
    static void name(PARENS parameters) { name##_any arguments; }
#endif

#endif
