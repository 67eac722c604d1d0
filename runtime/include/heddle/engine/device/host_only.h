/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In front of wavefront.h or pool/engine.h: the nest or pool stays on the host, where its cells or tasks call what
 * devices do not have, so no code for devices may come out of it. Its call names the host, so nobody launches anything.
 * Behind it `#pragma pop_macro("HEDDLE_LAUNCH")`; no include guard.
 */
#include <heddle/engine/device/launch.h>
#pragma push_macro("HEDDLE_LAUNCH")
#undef HEDDLE_LAUNCH
#define HEDDLE_LAUNCH(call, kernel, elsewhere) ((void)(call))
