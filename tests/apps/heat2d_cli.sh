# SPDX-License-Identifier: Apache-2.0
# heat2d from the command line: every schedule and size against the serial program, known values, pictures, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$HEAT2D" --check --json "$@"
    grep -q '"check": "ok"' out || bad "heat2d $*: $(cat out)"
}
for schedule in registers peer barrier peer,3,5 serial auto; do
    for size in 1x1 1x97 89x1 7x13 67x129; do
        checked --schedule=$schedule --size=$size --sweeps=3 --every=2
    done
    checked --schedule=$schedule --size=131x257 --sweeps=4 --every=3 --precision=double --threads=3
done
checked --size=400x300 --sweeps=20 --repeat=2

expect 0 "" "$HEAT2D" --size=31 --precision=double --tolerance=1e-11 --sweeps=100000 --json --out=h.bin --residuals=r.tsv
PYTHONPATH=$tests python3 - <<'EOF' || bad "a plate in its final state"
import json, grids
r = json.load(open("out"))
assert abs(r["centre"] - 25) < 1e-8 and r["change"] <= 1e-11 and r["sweeps"] % 10 == 0, r
last = open("r.tsv").read().split("\n")[-2].split("\t")
assert int(last[0]) == r["sweeps"] and float(last[1]) <= 1e-11, last
a = grids.table("h.bin")[0]
assert len(a) == 33 and len(a[0]) == 33 and a[0] == [100] * 33 and a[32] == [0] * 33
for i in range(1, 32):
    for j in range(1, 32):
        assert abs(a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1] - 4 * a[i][j]) < 1e-9
        assert abs(a[i][j] - a[i][32 - j]) < 1e-8
EOF
# one sweep by another program, in the same precision
expect 0 "" "$HEAT2D" --size=40x50 --precision=double --sweeps=1 --out=one.bin --schedule=registers
expect 0 "" "$HEAT2D" --size=40x50 --precision=double --sweeps=2 --out=two.bin --schedule=registers
PYTHONPATH=$tests python3 - <<'EOF' || bad "a sweep by Python"
import grids
a, b = grids.table("one.bin")[0], grids.table("two.bin")[0]
for i in range(1, 41):
    for j in range(1, 51):
        a[i][j] = (a[i-1][j] + a[i][j-1] + a[i+1][j] + a[i][j+1]) / 4
assert a == b
EOF
# pictures: an even plate stays, black is cold, grey comes out as it went in
PYTHONPATH=$tests python3 -c 'import grids
grids.save_pgm("flat.pgm", [[255] * 9] * 4)
grids.save_png("step.png", [[0, 255, 0, 255] * 4] * 3)'
expect 0 "" "$HEAT2D" flat.pgm --top=5 --bottom=5 --left=5 --right=5 --json --check --tolerance=1e-6 --out=flat.png
python3 -c 'import json; r = json.load(open("out")); assert r["change"] == 0 and r["centre"] == 5 and r["sweeps"] == 10 and r["size"] == "4x9", r' || bad "an even plate"
expect 0 "" "$HEAT2D" step.png --json --sweeps=1 --check --out=step.pgm
PYTHONPATH=$tests python3 -c 'import grids; p, most = grids.pgm("step.pgm"); assert most == 255 and len(p) == 3 and len(p[0]) == 16 and max(map(max, p)) == 255 and min(map(min, p)) == 0' || bad "picture out"
expect 0 "" "$HEAT2D" --size=5 --start=3 --sweeps=1
grep -q "^check     none" out || bad "text output"

expect 2 "--precision=half: expected float or double" "$HEAT2D" --precision=half
expect 2 "--tolerance=-1: must not be negative" "$HEAT2D" --tolerance=-1
expect 2 "--tolerance=nan: not a number" "$HEAT2D" --tolerance=nan
expect 2 "--top=inf: not a number" "$HEAT2D" --top=inf
expect 2 "must lie within 1e30" "$HEAT2D" --left=1e31
expect 2 "--start=nan: not a number" "$HEAT2D" --start=nan
expect 2 "--start=3x: not a number" "$HEAT2D" --start=3x
expect 2 "--sweeps=0: must be at least 1" "$HEAT2D" --sweeps=0
expect 2 "--out=x.jpg: the name must end in" "$HEAT2D" --out=x.jpg
expect 2 "no/r.tsv: No such file" "$HEAT2D" --size=9 --residuals=no/r.tsv
expect 2 "no/x.png: No such file" "$HEAT2D" --size=9 --out=no/x.png
expect 2 "of memory" "$HEAT2D" --size=2000000
expect 2 "--size=0" "$HEAT2D" --size=0
expect 2 "--size and --start are for runs without a picture" "$HEAT2D" --size=9 flat.pgm
expect 2 "nofile.png: No such file" "$HEAT2D" nofile.png
printf 'P5 9 9 255\nabc' >cut.pgm
expect 2 "cut.pgm: truncated: 3 bytes of pixels" "$HEAT2D" cut.pgm
expect 2 "too many inputs" "$HEAT2D" flat.pgm flat.pgm
expect 2 "unknown option --what" "$HEAT2D" --what
expect 0 "" "$HEAT2D" --help
[ -c /dev/full ] && expect 2 "cannot write" "$HEAT2D" --size=9 --residuals=/dev/full
finish
