# SPDX-License-Identifier: Apache-2.0
# sor from the command line: every schedule and size against the serial program, known solutions, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$SOR" --check --json "$@"
    grep -q '"check": "ok"' out || bad "sor $*: $(cat out)"
}
for schedule in registers peer barrier peer,3,5 serial auto; do
    for size in 1x1 1x97 89x1 7x13 67x129; do
        checked --schedule=$schedule --size=$size --sweeps=3 --every=2 --rhs=random
    done
    for rhs in harmonic sine; do
        checked --schedule=$schedule --size=131x157 --sweeps=4 --every=3 --precision=double --threads=3 --rhs=$rhs
    done
done
for rhs in harmonic sine; do
    checked --size=100x70 --precision=double --rhs=$rhs --sweeps=5000 --every=1 --tolerance=1e-13
    python3 - <<'EOF' || bad "solution of $rhs: $(cat out)"
import json
r = json.load(open("out"))
assert r["error"] < 1e-11 and r["residual"] < 1e-12 and r["change"] <= 1e-13 and r["sweeps"] < 700, r
EOF
done
checked --size=100x70 --sweeps=3000 --tolerance=1e-6 --guess=zero
python3 -c 'import json; r = json.load(open("out")); assert r["error"] < 1e-4, r' || bad "solution in float: $(cat out)"
# the best omega takes far fewer sweeps than Gauss-Seidel
expect 0 "" "$SOR" --size=50 --precision=double --omega=1 --sweeps=100000 --every=1 --tolerance=1e-9 --json
slow=$(sed 's/.*"sweeps": \([0-9]*\).*/\1/' out)
expect 0 "" "$SOR" --size=50 --precision=double --sweeps=100000 --every=1 --tolerance=1e-9 --json
fast=$(sed 's/.*"sweeps": \([0-9]*\).*/\1/' out)
[ "$fast" -lt $((slow / 8)) ] || bad "omega: $fast sweeps against $slow"
# one sweep by another program, bit for bit
expect 0 "" "$SOR" --size=40x50 --precision=double --omega=1.5 --sweeps=1 --out=one.bin --schedule=registers
expect 0 "" "$SOR" --size=40x50 --precision=double --omega=1.5 --sweeps=2 --out=two.bin --schedule=registers
PYTHONPATH=$tests python3 - <<'EOF' || bad "a sweep by Python"
import grids
a, b = grids.table("one.bin")[0], grids.table("two.bin")[0]
keep, part = 1 - 1.5, 1.5 / 4
for i in range(1, 41):
    for j in range(1, 51):
        a[i][j] = keep * a[i][j] + part * (a[i-1][j] + a[i][j-1] + a[i+1][j] + a[i][j+1])
assert a == b
EOF
# charges from a picture: a dot gives a hill around it
PYTHONPATH=$tests python3 -c 'import grids
grids.save_pgm("dot.pgm", [[255 if (x, y) == (20, 10) else 0 for x in range(41)] for y in range(21)])'
expect 0 "" "$SOR" dot.pgm --guess=zero --sweeps=2000 --tolerance=1e-9 --json --check --out=hill.pgm --residuals=r.tsv
PYTHONPATH=$tests python3 -c 'import grids; p, most = grids.pgm("hill.pgm"); assert p[10][20] == 255 and p[0][0] < 20 and p[10][19] == p[10][21] and p[9][20] == p[11][20] < 255, p' || bad "hill"
[ -s r.tsv ] || bad "residuals"

expect 2 "--omega=2: must lie between 0 and 2" "$SOR" --omega=2
expect 2 "--omega=0: must lie between 0 and 2" "$SOR" --omega=0
expect 2 "--omega=-0.5: must lie" "$SOR" --omega=-0.5
expect 2 "--omega=nan: not a number" "$SOR" --omega=nan
expect 2 "--rhs=cosine: expected harmonic, sine or random" "$SOR" --rhs=cosine
expect 2 "--guess=1: expected random or zero" "$SOR" --guess=1
expect 2 "--precision=half: expected float or double" "$SOR" --precision=half
expect 2 "--tolerance=-1: must not be negative" "$SOR" --tolerance=-1
expect 2 "--every=0: must be at least 1" "$SOR" --every=0
expect 2 "--out=x: the name must end in" "$SOR" --out=x
expect 2 "no/r.tsv: No such file" "$SOR" --size=9 --residuals=no/r.tsv
expect 2 "no/x.bin: No such file" "$SOR" --size=9 --out=no/x.bin
expect 2 "of memory" "$SOR" --size=2000000
expect 2 "--size and --rhs are for runs without a picture" "$SOR" --rhs=sine dot.pgm
printf 'P2 2 2 255 1 2 nan 3' >bad.pgm
expect 2 "bad.pgm: pixel 2 is not a number" "$SOR" bad.pgm
finish
