#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# generated.sh: docs/reference/ and the manual pages hold what the tables of directives, clauses, options, schedules and
# policies and the public headers say.
set -u
test -x "${HEDDLE_BUILD:?}/bin/heddle" && test -x "$HEDDLE_BUILD/bin/heddle-translate" && test -e "$HEDDLE_BUILD/lib/libheddle.so" ||
    { echo "skipped: this build has no heddle command, translator or library"; exit 77; }
reference=${HEDDLE_SOURCE:?}/docs/reference
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$reference/generate" "$HEDDLE_BUILD" "$tmp" || { echo "generated: docs/reference/generate failed" >&2; exit 1; }
status=0
for page in directives environment schedules c-api; do
    test "$(wc -l <"$tmp/$page.md")" -gt 25 || { echo "generated: $page.md is nearly empty" >&2; status=1; }
    diff -u "$reference/$page.md" "$tmp/$page.md" ||
        { echo "generated: docs/reference/$page.md is old; write it with: cmake --build $HEDDLE_BUILD --target docs" >&2; status=1; }
done
# The manual pages are made of the same tables when they are built.
for page in "$HEDDLE_SOURCE"/docs/man/*.1.in; do
    name=$(basename "$page" .in)
    sh "$HEDDLE_SOURCE/docs/man/make-page" "$HEDDLE_BUILD/bin/heddle" "$HEDDLE_BUILD/bin/heddle-translate" "$page" 1 >"$tmp/$name" ||
        { echo "generated: $name: make-page failed" >&2; status=1; }
    grep -n '@[A-Z]*@' "$tmp/$name" && { echo "generated: $name: nothing stands for that word" >&2; status=1; }
done
sed -n 's/^## \([a-z]*\)$/#pragma heddle \1/p' "$tmp/directives.md" >"$tmp/names"
while read -r line; do
    grep -qx "$line" "$tmp/heddle.1" || { echo "generated: heddle.1 does not tell of $line" >&2; status=1; }
done <"$tmp/names"
for word in HEDDLE_DEVICE HEDDLE_CC; do
    grep -q "^  $word=" "$tmp/heddle-options.1" || { echo "generated: heddle-options.1 does not tell of $word" >&2; status=1; }
done
grep -q "^  gss  *[a-z]" "$tmp/heddle-sim.1" || { echo "generated: heddle-sim.1 lists no schedules" >&2; status=1; }
exit $status
