# SPDX-License-Identifier: Apache-2.0
# The 700 problems of MotionBenchMaker for the Panda arm: VAMP solves 699, the goal of one touches the scene.
. "$(dirname "$0")/lib.sh"
[ -x "$PLANNER" ] || { echo "skipped: planner is not built"; exit 77; }
problems=$(data panda/problems.tar.bz2) && robot=$(data panda/panda_spherized.urdf) || no_data panda
python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(".")' "$problems" || bad "cannot unpack $problems"
expect 0 "" "$PLANNER" "$robot" problems --check --json --out=o.tsv
grep -q '"check": "ok"' out || bad "$(cat out)"
for pair in solved=699 invalid=1 unsolved=0; do
    grep -q "\"${pair%=*}\": ${pair#*=}[,}]" out || bad "expected $pair: $(cat out)"
done
same "the one without a path" "$(awk -F'\t' '!/^#/ && $2 != "solved" {print $1, $2}' o.tsv)" "table_pick_panda/0041 goal_touches"
finish
