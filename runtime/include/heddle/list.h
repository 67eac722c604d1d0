/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heddle/list.h - growing lists in plain C, for programs whose work appears while they run
 * =========================================================================================
 *
 *     struct pairs HEDDLE_LIST(struct pair);              struct pairs { long count, room; struct pair *at; };
 *
 *     struct pairs todo = {0};
 *     heddle_list_append(&todo, (struct pair){0, 1});     todo.at[todo.count++] = …, and the list grows
 *     for (long k = 0; k < todo.count; k++) … todo.at[k]  sees what its own body appends
 *     heddle_list_clear(&todo);                           empty; its memory stays
 *     heddle_list_free(&todo);
 *
 * Any C99 compiler will do, and no library is needed. A structure of your own with the same three members first works
 * as well. An append may move the list: copy a record before you append to the list that holds it.
 *
 * In `#pragma heddle jobs` each thread and device appends to a list of its own. The elements of a list are then a set:
 * their order is not that of the serial program.
 */
#ifndef HEDDLE_LIST_H
#define HEDDLE_LIST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_LIST(T)                                                                                                 \
    {                                                                                                                  \
        long count, room;                                                                                              \
        T *at;                                                                                                         \
    }

#define heddle_list_clear(list) ((void)((list)->count = 0))
#define heddle_list_free(list)                                                                                         \
    do {                                                                                                               \
        free((list)->at);                                                                                              \
        (list)->at = NULL;                                                                                             \
        (list)->count = (list)->room = 0;                                                                              \
    } while (0)

#ifdef HEDDLE_TRANSLATES /* heddle-translate reads a call that changes nothing: whose list it is it knows by itself */
__attribute__((const)) int heddle_list_appended(const void *list, ...);
#define heddle_list_append(list, ...) ((void)heddle_list_appended((list), (__VA_ARGS__)))
#else

/* The list is evaluated several times, the value once, and only where there is room. */
#define heddle_list_append(list, ...)                                                                                  \
    do {                                                                                                               \
        const long heddle_place =                                                                                      \
            heddle_list_claim(&(list)->count, &(list)->room, (void *)&(list)->at, sizeof *(list)->at);                 \
        if (heddle_place >= 0)                                                                                         \
            (list)->at[heddle_place] = (__VA_ARGS__);                                                                  \
    } while (0)

/* The index of one more element; below 0: there is none for it. `at`: where the pointer to the elements is. */
static inline long heddle_list_claim(long *count, long *room, void *at, size_t size);

#if defined(__NVPTX__) || defined(__AMDGCN__)
#define HEDDLE_LIST_ON_GPU 1
#else
#define HEDDLE_LIST_ON_GPU 0
#endif

#if !HEDDLE_LIST_ON_GPU
static inline void heddle_list_grow(long *room, void *at, size_t size) {
    const long more = *room < 8 ? 16 : *room * 2;
    void *old, *larger = NULL;
    memcpy(&old, at, sizeof old);
    if ((size_t)more < (size_t)-1 / 2 / size)
        larger = realloc(old, (size_t)more * size);
    if (!larger) {
        fprintf(stderr, "heddle/list.h: no memory for a list of %ld elements of %lu bytes\n", more,
                (unsigned long)size);
        abort();
    }
    memcpy(at, &larger, sizeof larger);
    *room = more;
}
#endif

#if defined(__NVPTX__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
/* One atomic for all lanes of a warp that append to the same list at once. */
static inline long heddle_list_count(long *count) {
    const unsigned here = __nvvm_activemask(), lane = (unsigned)__nvvm_read_ptx_sreg_laneid(),
                   lanes = (unsigned)__nvvm_match_any_sync_i64(here, (long long)(size_t)count),
                   first = (unsigned)__builtin_ctz(lanes);
    long long place = 0;
    if (lane == first)
        place = __atomic_fetch_add(count, (long)__builtin_popcount(lanes), __ATOMIC_RELAXED);
    const unsigned low = (unsigned)__nvvm_shfl_sync_idx_i32(lanes, (int)place, (int)first, 31),
                   high = (unsigned)__nvvm_shfl_sync_idx_i32(lanes, (int)(place >> 32), (int)first, 31);
    place = (long long)((unsigned long long)high << 32 | low);
    return (long)place + __builtin_popcount(lanes & ((1u << lane) - 1));
}
#elif defined(__GNUC__)
static inline long heddle_list_count(long *count) { return __atomic_fetch_add(count, 1, __ATOMIC_RELAXED); }
#endif

static inline long heddle_list_claim(long *count, long *room, void *at, size_t size) {
#ifdef __GNUC__
    /* Room below 0: a device's threads share the list, and have room for -1 - room elements. What does not fit is
       counted. */
    if (HEDDLE_LIST_ON_GPU || *room < 0) {
        const long place = heddle_list_count(count);
        return place < -1 - *room ? place : -1;
    }
#endif
#if !HEDDLE_LIST_ON_GPU
    if (*count >= *room)
        heddle_list_grow(room, at, size);
#else
    (void)at, (void)size;
#endif
    return (*count)++;
}
#endif
#endif
