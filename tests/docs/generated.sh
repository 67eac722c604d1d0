#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# generated.sh: docs/reference/ holds what the tables of directives, clauses and options and the public headers say.
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
exit $status
