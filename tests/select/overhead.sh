# SPDX-License-Identifier: Apache-2.0
# Microseconds per region under each policy and under plain libomptarget, for people to read: times are not judged in
# tests, only that every policy gets through.
. "$(dirname "$0")/lib.sh"
need_devices
rounds=${ROUNDS:-50}
printf "%-18s %s\n" "" "empty, 64 B map, in target data; us per region"
plain=$(timeout 100 "$OVERHEAD" "$rounds")
printf "%-18s %s\n" plain "$plain"
for p in $policies; do
    took=$(HEDDLE_PLACES=0 run_selected "$p" "$OVERHEAD" "$rounds") || fail "policy $p"
    printf "%-18s %s\n" "$p" "$took"
done
[ $failures = 0 ]
