#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# loops_kept.sh PROGRAM TEAM: what chunks took is kept between runs and read back; a damaged file is set aside, a folder that cannot
# be written to does no harm; timelines and HEDDLE_EXPLAIN show the loop.
set -u
program=$1 team=$2
test -x "$program" || { echo "skipped: $program is not built"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
die() { cat "$tmp/err" >&2; echo "loops_kept: $*" >&2; exit 1; }
run() { HEDDLE_MODELS=$1 timeout 30 "$program" once >"$tmp/out" 2>"$tmp/err"; }
file() { ls "$tmp"/models/*.loops.csv 2>/dev/null; }
count() { grep -c "^chunk,.*loop_cases.c:[0-9]*," "$(file)"; }
run "$tmp/models" || die "first run failed"
test -s "$(file)" || die "no file of loops"
grep -q '^chunk,.*loop_cases.c:[0-9]*,OpenMP device,1000,' "$(file)" || die "no sample of a device"
first=$(count)
run "$tmp/models" || die "second run failed"
test "$(count)" -gt "$first" || die "the second run added nothing"
for k in 1 2 3 4 5 6; do run "$tmp/models" & done
wait
head -1 "$(file)" | grep -q '^# heddle models 4;' || die "several at once damaged the file"
# somebody else writes: nothing is read and replaced meanwhile, and a run that ends gives up after two seconds
cp "$(file)" "$tmp/before"
(flock 9 && HEDDLE_VERBOSE=1 run "$tmp/models" 9>&-) 9>"$(file).lock" || die "run beside somebody who holds the lock failed"
grep -q 'models are not kept: cannot lock' "$tmp/err" || die "the file was not locked"
cmp -s "$(file)" "$tmp/before" || die "the file was replaced without its lock"
echo 'nonsense' >"$(file)"
run "$tmp/models" || die "run with a damaged file failed"
grep -q 'loops was damaged; it is now .*damaged and a new one is made' "$tmp/err" || die "the damage is not said"
test -e "$(file).damaged" || die "the damaged file is not set aside"
# a file of the version before: said once, set aside as it was, a new one is made
printf '# heddle loops 1; seconds; edit or delete lines as you like\nloop,device,n,first,count,compute,move\n' >"$tmp/old"
printf '/x.c:1,A GPU,3000,0,1000,0.002,0.0005\n/x.c:1,team A GPU + A CPU,3000,0,0,0.7,0\n' >>"$tmp/old"
cp "$tmp/old" "$(file)"
run "$tmp/models" || die "run with a file of the version before failed"
test "$(grep -c 'loops was of another version; it is now .*old and a new one is made' "$tmp/err")" = 1 || die "the other version is not said once"
cmp -s "$tmp/old" "$(file).old" || die "the file of the version before is not set aside as it was"
head -1 "$(file)" | grep -q '^# heddle models 4;' && ! grep -q x.c:1 "$(file)" || die "no new file beside the one of the version before"
run "$tmp/models" && ! grep -q version "$tmp/err" || die "the new file is not read"
echo x >"$tmp/plainfile"
run "$tmp/plainfile/models" || die "run without a place for models failed"
HEDDLE_EXPLAIN=1 HEDDLE_TRACE="$tmp/trace.txt" run none || die "run with a timeline failed"
grep -q 'for, 1000 iterations, .* efficiency .* x OpenMP device' "$tmp/err" || die "HEDDLE_EXPLAIN says nothing"
teams() { cat "$tmp"/teams/*.loops.csv | grep -c '^set,.*test_team.c:[0-9]*,[a-z-]*,OpenMP device.*,200,0\.[0-9]*,[0-9.e-]*$'; }
HEDDLE_MODELS="$tmp/teams" timeout 30 "$team" again >"$tmp/out" 2>"$tmp/err" || die "four runs failed"
test "$(teams)" -gt 0 || die "no time of those who took part"
first=$(teams)
HEDDLE_MODELS="$tmp/teams" timeout 30 "$team" again >"$tmp/out" 2>"$tmp/err" || die "four more failed"
test "$(teams)" -ge "$first" || die "the times of those who took part were not read back"
# what the host took with another number of threads is another set's time
threads=$(($(getconf _NPROCESSORS_ONLN) + 1))
HEDDLE_MODELS="$tmp/teams" timeout 30 "$team" again $threads >"$tmp/out" 2>"$tmp/err" || die "four runs with $threads threads failed"
test "$(cat "$tmp"/teams/*.loops.csv | grep -c "^set,.*test_team.c:[0-9]*,shared,.*: $threads threads,[0-9]*,")" -gt 0 ||
    die "the times do not tell $threads threads from all processors"
# where a loop that does not run this time was split
printf '%s\n' 'set,/x.c:1,equal-parts,OpenMP device,1000,0.5,0' 'split,/x.c:1,equal-parts,OpenMP device,1000,1,0.4' \
    'split,/x.c:1,equal-parts,OpenMP device,1000,2,0.7' >>"$(ls "$tmp"/teams/*.loops.csv)"
HEDDLE_MODELS="$tmp/teams" timeout 30 "$team" again >"$tmp/out" 2>"$tmp/err" || die "runs with a split failed"
split=$(cat "$tmp"/teams/*.loops.csv | sed -n 's/^split,.x.c:1,equal-parts,OpenMP device,1000,[12],\([0-9.]*\)$/\1/p' | tr '\n' ' ')
test "$split" = "0.4 0.7 " || die "the split was not read back: $split"
grep -q 'loop_cases.c:[0-9]* for' "$tmp/trace.txt" && grep -q 'chunk to device' "$tmp/trace.txt" || die "no chunks on the timeline"
exit 0
