# SPDX-License-Identifier: Apache-2.0
# Dependences in bytes: what is told of them, where copies stay, and graphs that are dealt as a whole.
. "$(dirname "$0")/lib.sh"
need_devices
for c in order freed readers writer beside always hidden hidden-last several graph tiles; do
    "$DEPEND" "$c" || fail "plain OpenMP: case $c"
    case $c in order | freed) continue ;; esac
    for p in $policies; do
        run_selected "$p" "$DEPEND" "$c" >"$work/out" 2>&1 || { fail "case $c, policy $p"; head -3 "$work/out"; }
    done
done
run_selected earliest-finish "$DEPEND" order 2>"$work/out"
[ "$(grep -c 'depend.c:[0-9]*: depends on bytes that .*depend.c:[0-9]* works on' "$work/out")" = 1 ] || fail "order is not told once"
run_selected earliest-finish "$DEPEND" freed 2>"$work/out"
[ "${SANITIZED:-}" ] || # which keeps what is freed
    [ "$(grep -c 'depend.c:[0-9]*: depends on 33554432 bytes .* freed before' "$work/out")" = 1 ] || fail "freed memory is not told once"
run_selected fixed "$DEPEND" order 2>"$work/out"
[ -s "$work/out" ] && fail "policy fixed tells of order"
HEDDLE_CANDIDATES=0,1,2,3 HEDDLE_EXPLAIN=summary run_selected round-robin "$DEPEND" readers 2>"$work/out"
for d in 0 1 2 3; do # the array itself; nothing comes twice
    grep -q "device $d: .* left; 1 to device, 15.62 KiB" "$work/out" || { fail "device $d: the array was not copied once"; cat "$work/out"; }
done
run_selected round-robin "$DEPEND" writer 2>"$work/out"
[ "$(grep -c 'writes data that its task has in depend(in:)' "$work/out")" = 1 ] || fail "who writes in spite of depend(in) is not told once"
for c in hidden hidden-last several; do # bytes that are written beside a reader on another device are in all copies
    said=
    for try in $(seq 24); do # on a busy machine the first steps may meet on one device, and prove nothing
        HEDDLE_CANDIDATES=0,1,2,3 run_selected round-robin "$DEPEND" $c >"$work/out" 2>&1 || { fail "case $c, try $try"; head -3 "$work/out"; }
        grep -q 'depend.c:[0-9]*: writes data .* beside another that reads it on another device, which has it now' "$work/out" && said=yes && break
    done
    [ "$said" ] || fail "case $c: those were not at once on two devices"
done
for p in partition steal affinity; do
    HEDDLE_CANDIDATES=0,1,2,3 HEDDLE_EXPLAIN=1 run_selected "$p" "$DEPEND" graph 2>"$work/out"
    grep -q 'graph of 8 tasks in 8 partitions by .*: 1[01] iterations, [5-9][0-9] regions dealt' "$work/out" ||
        { fail "policy $p does not deal the graph"; grep "graph of" "$work/out"; }
    grep -q '(by its graph) -> device' "$work/out" || fail "policy $p: not explained"
done
for try in $(seq 10); do # the first tasks of a process are those that meet while nothing is known of others
    run_selected affinity "$DEPEND" tiles >"$work/out" 2>&1 || { fail "case tiles, policy affinity, try $try"; head -3 "$work/out"; }
done
[ $failures = 0 ]
