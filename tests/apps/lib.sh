# SPDX-License-Identifier: Apache-2.0
# What the scripts share: a scratch folder, expectations, the test data. Reads the programs' paths ($SW, $DTW, ...) and
# $HEDDLE_SOURCE. $tests is the folder of the scripts.
set -u
export LC_ALL=C
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
here=$(pwd)
tests=$(cd "$(dirname "$0")" && pwd)
export PYTHONDONTWRITEBYTECODE=1
cd "$scratch" || exit 1
failures=0

bad() { # MESSAGE...: counts a failure and goes on
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

expect() { # STATUS TEXT COMMAND...: exit status, and TEXT somewhere in stderr (empty: anything)
    want=$1 text=$2
    shift 2
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || bad "$*: exit $got, expected $want: $(head -3 err)"
    [ -z "$text" ] || grep -qF -e "$text" err || bad "$*: no '$text' in: $(head -3 err)"
}

same() { # WHAT GOT EXPECTED
    [ "$2" = "$3" ] || bad "$1: got '$2', expected '$3'"
}

data() { # FILE under the test data, status 1 where it is not there: see no_data
    for folder in "${HEDDLE_DATA:-}" "${HEDDLE_SOURCE:-$here}/../shared/data"; do
        [ -n "$folder" ] && [ -e "$folder/$1" ] && { echo "$folder/$1"; return; }
    done
    return 1
}

no_data() { # WHAT: skips the test
    echo "skipped: no $1 in a folder of test data (HEDDLE_DATA=DIR, or ../shared/data beside the sources)"
    exit 77
}

finish() {
    [ "$failures" = 0 ] && echo "ok" && exit 0
    echo "$failures failures" >&2
    exit 1
}
