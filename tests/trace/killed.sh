#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program that is killed in the middle of a pool: interrupted, its timeline is written and can be read; killed
# outright, what was in the file before is still there. Either way the next program finds the device as if nothing
# had been, on whatever the first device is.
set -u
synth=${HEDDLE_BUILD:?}/bin/synth heddle=$HEDDLE_BUILD/bin/heddle
test -x "$synth" || { echo "skipped: no synth in this build"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() { echo "killed: $*" >&2; cat "$tmp"/err* >&2; exit 1; }
device=0
"$synth" --size=4x4 --device=0 --check >/dev/null 2>"$tmp/err" || device=host
grep -q 'not there\|no code' "$tmp/err" && device=host

# Short runs of a pool, so that there is something to see whenever it is killed. A shell starts background jobs with
# SIGINT ignored, and what is ignored stays so: env undoes that.
start() {
    HEDDLE_TRACE=$1 timeout 20 env --default-signal=INT "$synth" --size=45x80 --base=20 --repeat=20000 --device=$device >/dev/null 2>"$tmp/err.$2" &
    sleep 1.5
    pid=$(pgrep -P $! -x synth) || fail "$2: it ended by itself"
}
for signal in INT TERM; do
    start "$tmp/trace.txt" $signal
    kill -$signal "$pid"
    wait $!
    status=$?
    [ $status -gt 128 ] || fail "$signal: exit status $status"
    [ -s "$tmp/trace.txt" ] || fail "$signal: no timeline"
    "$heddle" trace "$tmp/trace.txt" -o "$tmp/trace.json" >/dev/null 2>"$tmp/err" || fail "$signal: the timeline cannot be read"
    grep -q 'pool' "$tmp/trace.json" || fail "$signal: the timeline has no pool"
    rm -f "$tmp/trace.txt" "$tmp/trace.json"
done

echo before >"$tmp/kept.txt"
start "$tmp/kept.txt" KILL
kill -KILL "$pid"
wait $! 2>/dev/null
[ "$(cat "$tmp/kept.txt")" = before ] || fail "SIGKILL: the file from before is gone"
kill -0 "$pid" 2>/dev/null && fail "SIGKILL: it is still there"
"$synth" --size=23x40 --device=$device --check >/dev/null 2>"$tmp/err" || fail "the next program failed"
exit 0
