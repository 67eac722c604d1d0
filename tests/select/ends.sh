# SPDX-License-Identifier: Apache-2.0
# The program's own end and message stay, whatever it does in the middle; nothing hangs.
. "$(dirname "$0")/lib.sh"
need_devices

# end NAME STATUS [ARGUMENT]
end()
{
    for p in $policies; do
        run_selected "$p" "$ENDS" "$1" ${3:+"$3"} >"$work/out" 2>&1
        status=$?
        [ $status = "$2" ] || { fail "$1, policy $p: status $status instead of $2"; head -3 "$work/out"; }
        cp "$work/out" "$work/$1.$p"
    done
} 2>/dev/null
end abort-in-region 134
end exit-in-region 5
end exit-beside-regions 3
end exit-beside-tasks 4
end fork-after-start 0
end second-library 0 "$SECOND_LIBRARY"
end out-of-range "$({ "$ENDS" out-of-range >"$work/plain"; } >/dev/null 2>&1; echo $?)"
"$ENDS" out-of-range >"$work/plain" 2>&1
for p in $policies; do
    grep -q "this region cannot go on with 10" "$work/abort-in-region.$p" || fail "a region's own message is lost, policy $p"
    grep -q "$(grep -o 'Device number.*' "$work/plain")" "$work/out-of-range.$p" || fail "out of range, policy $p: another message"
done
[ $failures = 0 ]
