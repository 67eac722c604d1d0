#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What HEDDLE_GRAPH_RECORD writes of a program is a scene and a machine that `heddle sim graph` runs under every policy.
set -u
here=$(cd "$(dirname "$0")" && pwd)
heddle=${HEDDLE_BUILD:?}/bin/heddle
test -x "$heddle" || { echo "skipped: this build has no heddle command"; exit 77; }
test -e "$HEDDLE_BUILD/lib/libheddle.so" || { echo "skipped: this build has no libheddle"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
die() { cat "$tmp/err" >&2; echo "recorded: $*" >&2; exit 1; }
export HEDDLE_MODELS=none HEDDLE_THREADS=4
"$heddle" cc --targets=x86_64 -O1 "$here/../pragmas/graph/device.c" -o "$tmp/program" -lm 2>"$tmp/err" || die "heddle cc failed"
HEDDLE_DEVICE=host "$tmp/program" >"$tmp/expected" || die "fails"
for device in host 0,2,host all; do
    HEDDLE_DEVICE=$device HEDDLE_GRAPH=round_robin HEDDLE_GRAPH_RECORD="$tmp/scene" "$tmp/program" >"$tmp/got" 2>"$tmp/err" || die "$device: fails"
    cmp -s "$tmp/expected" "$tmp/got" || die "$device: differs while it is recorded"
    test -s "$tmp/err" && die "$device: unexpected messages"
    # 18 steps of its first block, which becomes another graph now and then
    steps=$(awk '$1 == "graph" { n += $2; graphs++ } END { print n, (graphs > 3) }' "$tmp/scene")
    test "$steps" = "18 1" || die "$device: steps and whether there are several graphs: $steps"
    grep -q '^task line20 1024 0 .*class[01]=' "$tmp/scene" || die "$device: no time of a task"
    "$heddle" sim graph --scene="$tmp/scene" --machine="$tmp/scene.machine" >"$tmp/out" 2>"$tmp/err" || die "$device: not run by the simulator"
    for policy in $("$here/../words" HEDDLE_GRAPH_POLICIES || echo none); do
        grep -q "^$policy " "$tmp/out" || die "$device: no line for $policy"
    done
done
HEDDLE_GRAPH_RECORD="$tmp/none/scene" "$tmp/program" >"$tmp/got" 2>"$tmp/err" || die "fails where it cannot write"
cmp -s "$tmp/expected" "$tmp/got" || die "differs where it cannot write"
grep -q "HEDDLE_GRAPH_RECORD=.*/none/scene: cannot be written: No such file" "$tmp/err" || die "not said that it cannot write"
exit 0
