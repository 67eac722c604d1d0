/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a block, and loads and stores that say which memory they mean: clang numbers a GPU's address spaces alike
 * for NVIDIA and AMD. Included by their headers.
 */
/* Elements of 1, 2, 4, 8 or 16 bytes, each at a multiple of its size; `size` is a constant. */
#define HEDDLE_SHARED_SPACE __attribute__((address_space(3)))
#define HEDDLE_GLOBAL_SPACE __attribute__((address_space(1)))
typedef HEDDLE_SHARED_SPACE char heddle_shared_char;
typedef uint32_t heddle_vector __attribute__((ext_vector_type(4)));
/* Defines a function name() that returns `bytes` of the block's memory. */
#define HEDDLE_SHARED(name, bytes)                                                                                     \
    HEDDLE_DEVICE heddle_shared_char *name(void) {                                                                     \
        static HEDDLE_SHARED_SPACE __attribute__((loader_uninitialized, aligned(128))) char memory[bytes];             \
        return memory;                                                                                                 \
    }                                                                                                                  \
    struct heddle_shared
#define HEDDLE_EACH_SIZE(X) X(1, uint8_t) X(2, uint16_t) X(4, uint32_t) X(8, uint64_t) X(16, heddle_vector)
HEDDLE_DEVICE void heddle_shared_put(heddle_shared_char *to, const char *from, int size){
#define HEDDLE_X(bytes, type)                                                                                          \
    if (size == (bytes)) {                                                                                             \
        type v;                                                                                                        \
        memcpy(&v, from, sizeof v);                                                                                    \
        *(HEDDLE_SHARED_SPACE type *)to = v;                                                                           \
    }
    HEDDLE_EACH_SIZE(HEDDLE_X)
#undef HEDDLE_X
} HEDDLE_DEVICE void heddle_shared_get(char *to, const heddle_shared_char *from, int size){
#define HEDDLE_X(bytes, type)                                                                                          \
    if (size == (bytes)) {                                                                                             \
        const type v = *(const HEDDLE_SHARED_SPACE type *)from;                                                        \
        memcpy(to, &v, sizeof v);                                                                                      \
    }
    HEDDLE_EACH_SIZE(HEDDLE_X)
#undef HEDDLE_X
} HEDDLE_DEVICE void heddle_shared_to_global(char *to, const heddle_shared_char *from, int size){
#define HEDDLE_X(bytes, type)                                                                                          \
    if (size == (bytes))                                                                                               \
        *(HEDDLE_GLOBAL_SPACE type *)to = *(const HEDDLE_SHARED_SPACE type *)from;
    HEDDLE_EACH_SIZE(HEDDLE_X)
#undef HEDDLE_X
} HEDDLE_DEVICE void heddle_shared_get_vector(heddle_vector *to, const heddle_shared_char *from) {
    *to = *(const HEDDLE_SHARED_SPACE heddle_vector *)from;
}
HEDDLE_DEVICE void heddle_global_put_vector(char *to, const heddle_vector *from) {
    *(HEDDLE_GLOBAL_SPACE heddle_vector *)to = *from;
}

/* A variable of a function that a block's threads share. It has no value at first. */
#define HEDDLE_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define HEDDLE_BLOCK_VARIABLE(declaration, name)                                                                       \
    static HEDDLE_NO_VALUE declaration;                                                                                \
    HEDDLE_PRAGMA(omp allocate(name) allocator(omp_pteam_mem_alloc)) struct heddle_shared
