# SPDX-License-Identifier: Apache-2.0
# Microseconds per region under each policy over plain libomptarget, for people to read: times are not judged in
# tests, only that every policy gets through.
. "$(dirname "$0")/lib.sh"
need_devices
rounds=${ROUNDS:-50}
printf "%-18s %s\n" "" "added to an empty region, one with a map of 64 B, one in target data, us; and plain"
for p in "" $policies; do
    took=$(HEDDLE_CANDIDATES=0 run_selected "$p" "$OVERHEAD" --repeat="$rounds") || fail "policy $p"
    printf "%-18s %s\n" "${p:-off}" "$(echo "$took" | sed 's/.*"empty_us": \([^,]*\), "mapped_us": \([^,]*\), "resident_us": \([^,]*\), "empty_added_us": \([^,]*\), "mapped_added_us": \([^,]*\), "resident_added_us": \([^,]*\),.*/\4 \5 \6; \1 \2 \3/')"
done
[ $failures = 0 ]
