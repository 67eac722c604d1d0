#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# start.sh LIBHEDDLE MARK PROGRAM: libomptarget gets a program's device code when main asks for devices, not before,
# never where nothing does, and once; the program's results are those of plain OpenMP.
set -u
heddle=$1 mark=$2 program=$3
failed=0
check() { # WAY WANTED [VARIABLE=VALUE]
    got=$(env ${3:-A=a} LD_PRELOAD="$heddle:$mark" timeout 60 "$program" "$1" 2>&1 >/dev/null) || { echo "$1 ${3:-}: exit $?"; failed=1; }
    got=$(echo "$got" | tr '\n' ' ' | sed 's/__tgt_//g; s/_lib//g')
    [ "$got" = "$2 " ] || { echo "$1 ${3:-}: '$got' instead of '$2 '"; failed=1; }
}
check none "main"
check fork "main register register unregister"
for way in count region threads memory data; do
    check $way "main register unregister"
done
check none "main" HEDDLE_POLICY=fixed
check region "main register unregister" HEDDLE_POLICY=fixed
if [ "${HEDDLE_LLVM:-19}" -lt 22 ]; then
    check none "main" HEDDLE_POLICY=earliest-finish
    check region "main register unregister" HEDDLE_POLICY=earliest-finish
else # they start before main there, as they did with every libomptarget (docs/lab/2026-11-23-processes.md)
    check none "register main unregister" HEDDLE_POLICY=earliest-finish
    check region "register main unregister" HEDDLE_POLICY=earliest-finish
fi
exit $failed
