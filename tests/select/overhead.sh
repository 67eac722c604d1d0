# SPDX-License-Identifier: Apache-2.0
# Microseconds per region under each policy and under plain libomptarget, for people to read: times are not judged in
# tests, only that every policy gets through.
. "$(dirname "$0")/lib.sh"
need_devices
rounds=${ROUNDS:-50}
show() { sed 's/.*"empty_us": \([0-9.]*\), "mapped_us": \([0-9.]*\), "resident_us": \([0-9.]*\).*/\1 \2 \3/'; }
printf "%-18s %s\n" "" "empty, 64 B map, in target data; us per region"
plain=$(timeout 100 "$OVERHEAD" --repeat="$rounds") || fail "plain OpenMP"
printf "%-18s %s\n" plain "$(echo "$plain" | show)"
for p in $policies; do
    took=$(HEDDLE_PLACES=0 run_selected "$p" "$OVERHEAD" --repeat="$rounds") || fail "policy $p"
    printf "%-18s %s\n" "$p" "$(echo "$took" | show)"
done
[ $failures = 0 ]
