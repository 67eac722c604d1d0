# SPDX-License-Identifier: Apache-2.0
# memory_limit.sh PROGRAM: the program under limits from hardly anything to enough. Each engine says at most one line, and the first limit
# makes each say one.
set -u
program=$1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAIL: $*"; cat "$work/said"; failed=1; }
for megabytes in 1 8 30 60 120 200 400 700 1000 1500; do
    for warm in "" warm; do
        HEDDLE_THREADS=2 HEDDLE_MODELS=none timeout 120 "$program" $megabytes $warm >"$work/out" 2>"$work/said"
        code=$?
        [ $code = 77 ] && cat "$work/out" && exit 77
        [ $code = 0 ] && [ ! -s "$work/out" ] || fail "$megabytes MB $warm: exit $code, $(cat "$work/out")"
        grep -vq '^heddle: .*memory_limit.c:[0-9]*: ' "$work/said" && fail "$megabytes MB $warm: a line of somebody else"
        [ "$(wc -l <"$work/said")" = "$(cut -d: -f3 "$work/said" | sort -u | wc -l)" ] || fail "$megabytes MB $warm: more than one line of an engine"
        [ "$megabytes$warm" != 1 ] || [ "$(wc -l <"$work/said")" = 3 ] || fail "$megabytes MB: not all three say that they run on the host"
    done
done
exit $failed
