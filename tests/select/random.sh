# SPDX-License-Identifier: Apache-2.0
# Seeded random programs under every policy. $COUNT per policy, from seed $FIRST on.
. "$(dirname "$0")/lib.sh"
need_devices
count=${COUNT:-100}
"$RANDOM_PROGRAM" --first="${FIRST:-1}" --count="$count" || fail "plain OpenMP: the test's own model is wrong"
for p in $policies; do
    run_selected "$p" "$RANDOM_PROGRAM" --first="${FIRST:-1}" --count="$count" >"$work/out" 2>&1 || {
        fail "policy $p"
        head -5 "$work/out"
    }
done
HEDDLE_PLACES=0,host run_selected round-robin "$RANDOM_PROGRAM" --count="$count" || fail "round-robin over device 0 and host"
HEDDLE_PLACES=1,2 run_selected lp "$RANDOM_PROGRAM" --count="$count" || fail "lp over devices 1 and 2"
[ $failures = 0 ]
