# SPDX-License-Identifier: Apache-2.0
# Seeded random programs under every policy. $COUNT per policy, from seed $FIRST on. Each process must have given back all
# device memory: its own, the program's and libomptarget's.
. "$(dirname "$0")/lib.sh"
need_devices
count=${COUNT:-100}
export HEDDLE_EXPLAIN=summary

# nothing_left WHAT: the counts in $work/out
nothing_left()
{
    grep -q "allocations, .* freed, 0 left" "$work/out" || fail "$1: no counts of allocations"
    grep "allocations," "$work/out" | grep -v "freed, 0 left" && fail "$1: device memory was not given back"
}

run_selected earliest-finish "$MEMORY" leak 2>"$work/out" || fail "the leak"
grep -q "freed, 1 left" "$work/out" || fail "an allocation that is not given back is not counted"
"$RANDOM_PROGRAM" --first="${FIRST:-1}" --count="$count" || fail "plain OpenMP: the test's own model is wrong"
for p in $policies; do
    run_selected "$p" "$RANDOM_PROGRAM" --first="${FIRST:-1}" --count="$count" >"$work/out" 2>&1 || {
        fail "policy $p"
        head -5 "$work/out"
    }
    nothing_left "policy $p"
done
HEDDLE_CANDIDATES=0,host run_selected round-robin "$RANDOM_PROGRAM" --count="$count" >"$work/out" 2>&1 || fail "round-robin over device 0 and host"
nothing_left "round-robin over device 0 and host"
HEDDLE_CANDIDATES=1,2 run_selected lp "$RANDOM_PROGRAM" --count="$count" >"$work/out" 2>&1 || fail "lp over devices 1 and 2"
nothing_left "lp over devices 1 and 2"
[ $failures = 0 ]
