#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Explores the models of the task pools with spin: no error in the models, and each fault that can be built into them
# is found. Exit 77 without spin (Debian package spin).
set -u
here=$(cd "$(dirname "$0")" && pwd)
compiler=${CC:-cc}
command -v spin >/dev/null && command -v "$compiler" >/dev/null ||
    { echo "skipped: no spin, or no compiler for what it makes, here"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
wrong=0

# $kind: -DSAFETY, or -DNFAIR=N for a claim about what happens in the end, $claim, with weak fairness
explore() { # errors? model definitions...
    want=$1 model=$2
    shift 2
    spin -a "$@" "$here/$model" >spin.log 2>&1 && "$compiler" -O1 -w "$kind" -DCOLLAPSE -o pan pan.c >cc.log 2>&1 ||
        { echo "models: $model $*: not built" >&2; cat spin.log cc.log >&2; wrong=1; return; }
    if [ -z "$claim" ]; then ./pan -m200000; else ./pan -a -f -m1000000 -N "$claim"; fi >pan.log 2>&1
    errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log)
    states=$(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log)
    echo "$model ${claim:+$claim }$*: ${states:-?} states, ${errors:-?} errors"
    if grep -q "search depth too small\|out of memory" pan.log || [ "${errors:-x}" = x ]; then
        echo "models: $model $*: not explored to the end" >&2
        cat pan.log >&2
        wrong=1
    elif [ "$want" != "$([ "$errors" = 0 ] && echo sound || echo faulty)" ]; then
        echo "models: $model $*: expected to be $want" >&2
        cat pan.log >&2
        wrong=1
    fi
}

finally() { # claim errors? model definitions...
    claim=$1 kind=-DNFAIR=4
    shift
    explore "$@"
    claim='' kind=-DSAFETY
}

claim='' kind=-DSAFETY
explore sound queue.pml -DWORKERS=2 -DDEPTH=2
explore sound queue.pml -DWORKERS=3 -DDEPTH=1
explore faulty queue.pml -DWORKERS=3 -DDEPTH=1 -DBROKEN_END
explore faulty queue.pml -DWORKERS=2 -DDEPTH=3 -DBROKEN_ROOM
explore faulty queue.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_ONCE
explore sound steal.pml -DWORKERS=2 -DDEPTH=2
explore sound steal.pml -DWORKERS=3 -DDEPTH=1
explore faulty steal.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_IDLE
explore faulty steal.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_OWNER
explore faulty steal.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_SLOT
explore faulty steal.pml -DWORKERS=3 -DDEPTH=1 -DBROKEN_START
explore sound static.pml -DWORKERS=1
explore sound static.pml -DWORKERS=2
explore sound static.pml -DWORKERS=3
explore faulty static.pml -DWORKERS=2 -DBROKEN_ORDER
explore faulty static.pml -DWORKERS=3 -DBROKEN_WAIT
explore sound task_depend.pml -DWORKERS=1
explore sound task_depend.pml -DWORKERS=2
explore sound task_depend.pml -DWORKERS=3 -DTASKS=3
explore faulty task_depend.pml -DWORKERS=2 -DBROKEN_GUARD
explore faulty task_depend.pml -DWORKERS=2 -DBROKEN_CLOSE
explore faulty task_depend.pml -DWORKERS=2 -DBROKEN_HOLD
explore sound lane.pml -DWORKERS=2 -DDEPTH=2
explore sound lane.pml -DWORKERS=3 -DDEPTH=1
explore faulty lane.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_ONCE
explore faulty lane.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_PENDING
explore faulty lane.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_LAST
explore faulty lane.pml -DWORKERS=2 -DDEPTH=2 -DBROKEN_RING
explore faulty lane.pml -DWORKERS=3 -DDEPTH=1 -DBROKEN_END
explore sound lane_packs.pml -DWARPS=2
explore faulty lane_packs.pml -DWARPS=2 -DBROKEN_COUNT
finally stranger_goes_on sound resident.pml
finally other_goes_on sound resident.pml
finally sender_goes_on sound resident.pml
finally stranger_goes_on sound resident.pml -DALONE
finally nothing_left sound resident.pml -DPAUSES
finally nothing_left sound resident.pml -DPAUSES -DALONE
finally stranger_goes_on faulty resident.pml -DALONE -DBROKEN_TURN
finally other_goes_on faulty resident.pml -DBROKEN_TURN -DBROKEN_YIELD
finally sender_goes_on faulty resident.pml -DBROKEN_OWED
finally nothing_left faulty resident.pml -DALONE -DPAUSES -DBROKEN_PENDING
exit $wrong
