#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# widths.sh SAT: schedule flexible measures once, keeps what it measured, reads it back, survives a damaged file and a
# folder that cannot be written to, and computes the same all the while.
set -u
sat=$1
test -x "$sat" || { echo "skipped: sat is not built"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
die() { cat "$tmp/err" >&2; echo "widths: $*" >&2; exit 1; }
run() { HEDDLE_VERBOSE=1 HEDDLE_MODELS=$1 "$sat" --size=2300x2500 --schedule=flexible --device=host --threads=2 --check >"$tmp/out" 2>"$tmp/err"; }
file() { ls "$tmp"/models/*.widths.csv 2>/dev/null; }
run "$tmp/models" || die "first run failed"
grep -q 'measured now' "$tmp/err" || die "nothing was measured"
test -s "$(file)" || die "no file of widths"
run "$tmp/models" || die "second run failed"
grep -q '(known)' "$tmp/err" || die "what was kept is not used"
cp "$(file)" "$tmp/kept"
for edit in '$1 = "chunk"' '$4 = 2' '$7 = 63' '$8 = -1' '$9 = "nan"' '$10 = $10 "x"' '$10 = $10 ",1"'; do # numbers that make no sense
    awk -F, -v OFS=, "NR > 2 {$edit} {print}" "$tmp/kept" >"$(file)"
    run "$tmp/models" || die "run with $edit in the file failed"
    grep -q 'damaged' "$tmp/err" || die "$edit is not said"
    rm "$tmp"/models/*.damaged
done
echo 'nonsense' >"$(file)"
run "$tmp/models" || die "run with a damaged file failed"
grep -q 'damaged' "$tmp/err" || die "the damage is not said"
grep -q 'measured now' "$tmp/err" || die "not measured again"
ls "$tmp"/models/*.damaged >/dev/null || die "the damaged file is not set aside"
printf '# heddle tile widths 1; times in nanoseconds; edit or delete lines as you like\nnest,device,layout\nx,y,1,1,1,1,1,1,1\n' >"$(file)"
run "$tmp/models" || die "run with a file of the version before failed"
test "$(grep -c 'tile widths was of another version' "$tmp/err")" = 1 || die "the other version is not said once"
ls "$tmp"/models/*.old >/dev/null || die "the file of the version before is not set aside"
echo x >"$tmp/plainfile"
run "$tmp/plainfile/models" || die "run without a place for models failed"
grep -q 'models are not kept' "$tmp/err" || die "it is not said that nothing is kept"
exit 0
