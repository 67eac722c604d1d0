#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/env.md is what `heddle options --markdown` prints, and `heddle options` shows values that are set.
set -u
heddle=${HEDDLE_BUILD:?}/bin/heddle
test -x "$heddle" && test -e "$HEDDLE_BUILD/lib/libheddle.so" ||
    { echo "skipped: this build has no heddle command or no libheddle"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
die() { echo "env_doc: $*" >&2; exit 1; }
"$heddle" options --markdown >"$tmp/env.md" || die "heddle options --markdown failed"
diff -u "${HEDDLE_SOURCE:?}/docs/env.md" "$tmp/env.md" || die "docs/env.md is old; write it with: heddle options --markdown >docs/env.md"
HEDDLE_THREADS=7 "$heddle" options >"$tmp/plain" || die "heddle options failed"
grep -q 'HEDDLE_THREADS=7   (default: 0)' "$tmp/plain" || die "a set value is not shown"
"$heddle" options --nonsense 2>"$tmp/err" && die "an unknown argument is taken"
grep -q nonsense "$tmp/err" || die "no message for an unknown argument"
exit 0
