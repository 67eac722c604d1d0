# SPDX-License-Identifier: Apache-2.0
# Each case in a process of its own, under every policy.
. "$(dirname "$0")/lib.sh"
need_devices
cases="list structures mappers strided named-devices obeyed two-devices default-device
associated told-addresses present static-pointers attached own-attached nesting native-threads shared-environment coming-and-going update-nowait fork"
for c in attached own-attached; do
    run_selected "$AWAY" "$CASES" "$c" || fail "case $c, away from the default device"
done
for c in $cases; do
    "$CASES" "$c" || fail "plain OpenMP: case $c"
    for p in $policies; do
        run_selected "$p" "$CASES" "$c" >"$work/out" 2>&1 || {
            fail "case $c, policy $p"
            head -3 "$work/out"
        }
    done
done

"$STATE" || fail "plain OpenMP: variables on the device"
for p in $policies; do
    run_selected "$p" "$STATE" || fail "variables on the device, policy $p"
done

"$UNWIND" || fail "plain OpenMP: device code with exceptions"
HEDDLE_EXPLAIN=1 run_selected round-robin "$UNWIND" 2>"$work/out" || fail "device code with exceptions"
grep -q -- '-> device 1' "$work/out" || { fail "regions with exceptions do not move"; head -3 "$work/out"; }

"$VERSIONS" || fail "plain OpenMP: records of other versions"
for p in $policies; do
    run_selected "$p" "$VERSIONS" || fail "records of other versions, policy $p"
done
HEDDLE_EXPLAIN=1 run_selected round-robin "$VERSIONS" 2>"$work/out" || fail "records of other versions, explained"
[ "$(grep -c 'kernel arguments of version 4, heddle knows 3' "$work/out")" = 1 ] || fail "other versions are not said once"
[ "$(grep -c 'kernel arguments of version' "$work/out")" = 1 ] || fail "other versions are said several times"
[ "$(grep -c -- '-> device' "$work/out")" -le 40 ] && grep -q -- '-> device 2' "$work/out" || fail "records of other versions were placed"
# LLVM 23's layout, from compiler to libomptarget, with heddle between them
[ "${LINKED:-}" ] || for p in $policies; do
    NEXT_LAYOUT=1 HEDDLE_POLICY=$p LD_PRELOAD="$PRELOAD:$NEXT_LAYOUT_TAKER" timeout 60 "$VERSIONS" >"$work/out" 2>&1 ||
        { fail "records of the next layout, policy $p"; head -3 "$work/out"; }
    [ "$(wc -l <"$work/out")" = 1 ] && grep -q 'kernel arguments of version 4' "$work/out" || fail "the next layout is not said once, policy $p"
done

"$MEMORY" || fail "plain OpenMP: memory calls"
for p in $policies; do
    run_selected "$p" "$MEMORY" || fail "memory calls, policy $p"
done
HEDDLE_EXPLAIN=1 run_selected round-robin "$MEMORY" 2>"$work/out" || fail "memory calls, explained"
[ "$(grep -c 'a device pointer of the program' "$work/out")" -ge 30 ] || fail "a device pointer was not known"
[ $failures = 0 ]
