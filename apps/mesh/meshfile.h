/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files, OBJ or PLY by content, told to whoever reads them. */
#ifndef HEDDLE_MESH_MESHFILE_H
#define HEDDLE_MESH_MESHFILE_H

#include "obj.h"

/* A whole file with a 0 behind it, or up to its first byte 0 where it is no PLY; NULL: the complaint is set. "-" is
   standard input. */
char *meshfile_load(const char *path, size_t *size, struct complaint *c);
/* rounded: coordinates that are no floats; may be NULL. False: the complaint says where and why. */
bool meshfile_scan(const struct obj_sink *sink, const char *bytes, size_t size, const char *name, uint32_t *rounded,
                   struct complaint *c);
/* ply.c; the bytes have a 0 behind them. */
bool ply_scan(const struct obj_sink *sink, const char *bytes, size_t size, const char *name, uint32_t *rounded,
              struct complaint *c);

#endif
