#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names of libomptarget and libcuda stand in runtime/src/device, and in the selector's hooks and what is behind them.
cd "$HEDDLE_SOURCE/runtime/src" || exit 1
names='\bomp_target_|\bomp_get_mapped_ptr\b|\bcu[A-Z][A-Za-z]+|\b__tgt_'
found=$(grep -rnE "$names" --include='*.[ch]' . | grep -vE '^\./(device/|selector/(hook|real)[a-z_]*\.c:)')
grep -qE "$names" device/omptarget.c && grep -qE "$names" selector/hook.c || { echo "FAIL: nothing is found at all"; exit 1; }
[ -z "$found" ] || { echo "FAIL: names of libomptarget or a driver outside of device/:"; echo "$found"; exit 1; }
