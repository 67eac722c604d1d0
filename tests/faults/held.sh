# SPDX-License-Identifier: Apache-2.0
# held.sh STEP: a fork while another thread holds a lock of libheddle, for each STEP-th place that takes one, on the host and on devices.
set -u
bad=0 tried=0 out=$(mktemp)
trap 'rm -f "$out"' EXIT
for device in host auto; do
    for ((k = 1; ; k += $1)); do
        HEDDLE_WAVEFRONT=registers HEDDLE_DEVICE=$device HELD=$k LD_PRELOAD=$HELD_LOCK timeout 300 "$FORKED" 1 >"$out" 2>&1
        status=$?
        [ $status = 77 ] && break
        tried=$((tried + 1))
        grep -q '^held: ' "$out" || { bad=$((bad + 1)) && echo "place $k: nothing was held"; }
        [ $status = 0 ] || { bad=$((bad + 1)) && echo "place $k: status $status" && cat "$out"; }
    done
done
echo "$tried places, $bad bad"
[ $tried -gt 3 ] && [ $bad = 0 ]
