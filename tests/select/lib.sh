# SPDX-License-Identifier: Apache-2.0
# What the scripts here share. $PRELOAD: libheddle.so; $LLVM: folder of libomptarget.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
export HEDDLE_MODELS=none
export LD_LIBRARY_PATH="$LLVM${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
policies=$("$(dirname "$0")/../words" HEDDLE_POLICIES) || exit 1

fail()
{
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# run_selected POLICY COMMAND...: preloaded; plainly where the program is linked with libheddle ($LINKED is set)
run_selected()
{
    selected_policy=$1
    shift
    if [ "${LINKED:-}" ]; then
        HEDDLE_POLICY=$selected_policy timeout 240 "$@"
    else
        HEDDLE_POLICY=$selected_policy LD_PRELOAD=$PRELOAD timeout 240 "$@"
    fi
}

# Offload programs that do not start here (no libomptarget) are a skip; programs that are not there are not.
need_devices()
{
    [ -x "$RANDOM_PROGRAM" ] || { echo "not built: $RANDOM_PROGRAM"; exit 1; }
    "$RANDOM_PROGRAM" --count=0 >/dev/null 2>&1 || { echo "skipped: offload programs do not start here"; exit 77; }
}
