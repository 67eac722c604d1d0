#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `heddle options` shows values that are set, and refuses what it does not know.
set -u
heddle=${HEDDLE_BUILD:?}/bin/heddle
test -x "$heddle" && test -e "$HEDDLE_BUILD/lib/libheddle.so" ||
    { echo "skipped: this build has no heddle command or no libheddle"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
die() { echo "options: $*" >&2; exit 1; }
HEDDLE_THREADS=7 "$heddle" options >"$tmp/plain" || die "heddle options failed"
grep -q 'HEDDLE_THREADS=7   (default: 0)' "$tmp/plain" || die "a set value is not shown"
"$heddle" options --nonsense 2>"$tmp/err" && die "an unknown argument is taken"
grep -q nonsense "$tmp/err" || die "no message for an unknown argument"
exit 0
