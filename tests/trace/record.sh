#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# HEDDLE_TRACE in a running program: every form, the bound on events, places that cannot be written.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sw=$HEDDLE_BUILD/bin/sw heddle=$HEDDLE_BUILD/bin/heddle
[ -x "$sw" ] || { echo "skipped: sw is not built"; exit 77; }
fail() { echo "FAIL: $*"; exit 1; }

run() { "$sw" --size=3000 --threads=2 --device=host "$@" >"$work/out" 2>"$work/err"; }

run --trace="$work/a.trace" || fail "sw --trace: $(cat "$work/err")"
spans=$(grep -c '^e' "$work/a.trace")
[ "$spans" -gt 5 ] || fail "only $spans spans"
"$heddle" trace "$work/a.trace" >"$work/sums" || fail "heddle trace"
grep -q 'row block' "$work/sums" && grep -q 'nest_score.c.*wavefront' "$work/sums" || fail "sums: $(cat "$work/sums")"

for form in html svg json paje; do
    HEDDLE_TRACE=$work/b.$form run || fail "HEDDLE_TRACE=b.$form"
    [ -s "$work/b.$form" ] || fail "no b.$form"
    "$heddle" trace "$work/a.trace" -o "$work/a.$form" || fail "heddle trace -o a.$form"
done
python3 - "$work" "$spans" <<'PY' || fail "forms"
import json, sys, xml.etree.ElementTree as tree
work, spans = sys.argv[1], int(sys.argv[2])
events = json.load(open(work + "/a.json"))["traceEvents"]
assert sum(e["ph"] == "X" for e in events) == spans, "json"
json.load(open(work + "/b.json"))
picture = tree.parse(work + "/a.svg")
legend = [t.text for t in picture.iter("{http://www.w3.org/2000/svg}text") if t.text and "registers" in t.text]
assert legend, "no name beside its colour"
PY

HEDDLE_TRACE_EVENTS=1 run --trace="$work/few.trace" --repeat=400 --size=2500 || fail "few events"
grep -q 'did not fit' "$work/err" || fail "nothing said of events that did not fit: $(cat "$work/err")"
[ "$(awk '/^dropped/ {print $2}' "$work/few.trace")" -gt 0 ] || fail "dropped events are not counted"

# tasks: on host threads, and out of a device's own buffer
synth=$HEDDLE_BUILD/bin/synth
if [ -x "$synth" ]; then
    HEDDLE_TRACE=$work/synth.trace "$synth" --size=10x12 --device=host --threads=2 >/dev/null || fail "synth"
    tasks=$("$heddle" trace "$work/synth.trace" | awk '/task 0/ {print $2}')
    [ "${tasks:-0}" -ge 120 ] && [ $((tasks % 120)) = 0 ] || fail "synth: $tasks spans of tasks are not runs of 120"
fi
source=$HEDDLE_SOURCE/tests/pragmas
if "$heddle" cc --targets=x86_64 -I"$source/run" -I"$source/tasks" "$source/tasks/depend.c" -o "$work/depend" -lm 2>"$work/err"; then
    HEDDLE_DEVICE=1 "$work/depend" >"$work/without" || fail "depend"
    HEDDLE_DEVICE=1 HEDDLE_TRACE=$work/depend.trace "$work/depend" >"$work/with" || fail "depend with a trace"
    cmp -s "$work/without" "$work/with" || fail "a trace changes what tasks compute"
    grep -q '^track.device 1.SM 0 worker 0$' "$work/depend.trace" || fail "no tasks of the device: $(grep ^track "$work/depend.trace")"
else
    echo "no x86_64 offload here: $(head -n 1 "$work/err")"
fi

run --trace="$work/nowhere/a.html" || fail "a trace that cannot be written must not fail the program"
grep -q 'no trace written' "$work/err" || fail "nothing said of a trace that cannot be written"
"$heddle" trace "$work/out" 2>"$work/err" && fail "took a file that is no trace"
grep -q 'not a heddle trace' "$work/err" || fail "message: $(cat "$work/err")"
ln -s /dev/full "$work/full.html"
"$heddle" trace "$work/a.trace" -o "$work/full.html" 2>/dev/null && fail "wrote to a full disk"
"$heddle" trace "$work/a.trace" -o "$work/a.pdf" 2>"$work/err" && fail "wrote a form that there is not"
grep -q "must end in .html" "$work/err" || fail "a form that there is not: $(cat "$work/err")"
"$heddle" trace "$work" 2>"$work/err" && fail "read a folder"
grep -q "Is a directory" "$work/err" || fail "a folder: $(cat "$work/err")"
exit 0
