/* SPDX-License-Identifier: Apache-2.0 */
/* The stub has no devices; emitted code takes the definition away again. */
#pragma push_macro("HEDDLE_LAUNCH")
