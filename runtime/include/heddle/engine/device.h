/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What code inside a kernel may ask of the device: ordered loads and stores, atomics, shuffles, barriers and
 * clocks. One header per architecture holds the instructions; no other file of heddle has inline assembly.
 *
 * Memory order: clang 19's NVPTX back end drops or rejects C11's acquire and release, so the functions here
 * name the PTX instruction they need, with its scope (PTX ISA, memory consistency model). Flags that one
 * worker writes and others wait for are monotonic counters: `heddle_store_release` after the data,
 * `heddle_load_acquire` before reading it.
 */
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H
#include <heddle/engine/library.h>
#define HEDDLE_DEVICE static inline __attribute__((always_inline, unused))
#if defined(HEDDLE_DEVICE_HEADER) /* another one, such as the tests' */
#include HEDDLE_DEVICE_HEADER
#elif defined(__NVPTX__)
#include <heddle/engine/device/nvptx.h>
#elif defined(__AMDGPU__)
#include <heddle/engine/device/amdgpu.h>
#else
#include <heddle/engine/device/host.h>
#endif
#endif
