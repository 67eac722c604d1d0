# SPDX-License-Identifier: Apache-2.0
# ccd on the scenes of Sample-Scalable-CCD-Data: nothing that exact arithmetic finds is missed.
. "$(dirname "$0")/lib.sh"
scenes=$(data scalable-ccd/scenes.tar.xz) || no_data scalable-ccd/scenes.tar.xz
command -v python3 >/dev/null || { echo "skipped: no python3 here"; exit 77; }
python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(".")' "$scenes" || bad "cannot unpack $scenes"
value() { sed 's/.*"'"$1"'": \([0-9]*\).*/\1/' out; }
truth() { # SCENE STEP OPTIONS...
    scene=$1 step=$2
    shift 2
    expect 0 "" "$CCD" $scene/frames --json --out=hits.tsv --device=host "$@"
    python3 "$tests/ccd_truth.py" $scene $step hits.tsv "$(value points)" "$(value edges)" || bad "$scene $*: missed"
}
truth n-body-simulation 18 --check
truth cloth-ball 92
truth cloth-ball 92 --boxes=1000
finish
