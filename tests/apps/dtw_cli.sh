# SPDX-License-Identifier: Apache-2.0
# dtw from the command line: known values, forms of output, bad input.
. "$(dirname "$0")/lib.sh"
printf '0,0,1,2,1,0,1,0,0\n0 1 2 0 0 0 0 0 0\n' >k.csv
expect 0 "" "$DTW" k.csv
same "squared" "$(tail -1 out)" "$(printf '1\t2\t1.41421356237\t2')"
expect 0 "" "$DTW" --cost=abs --check k.csv
same "absolute" "$(tail -1 out)" "$(printf '1\t2\t2')"
expect 0 "" "$DTW" --matrix-out=m.tsv k.csv
same "matrix" "$(head -1 m.tsv)" "$(printf '0\t1.41421356237')"
head -1 k.csv >a.csv
expect 0 "" "$DTW" a.csv k.csv
same "two files" "$(sed -n 2p out)" "$(printf '1\t1\t0\t0')"
cp out forward
expect 0 "" "$DTW" --band=3 --check --json --size=300x280
python3 -c 'import json,sys; r = json.load(sys.stdin); assert r["check"] == "ok" and r["size"] == "300x280"' <out || bad "JSON"

# thousands of pairs, lengths from 1 on: in order, the same by chunks and in a matrix, in both precisions and turned round
python3 - <<'EOF'
import random
random.seed(5)
for name, count, most in (("many.txt", 90, 120), ("few.txt", 7, 300)):
    with open(name, "w") as file:
        for k in range(count):
            length = 1 if k % 9 == 0 else random.randint(1, most)
            print(" ".join("%.3f" % random.uniform(-5, 5) for _ in range(length)), file=file)
EOF
for precision in double single; do
    for band in "" --band=0 --band=9; do
        options="--precision=$precision $band"
        expect 0 "" "$DTW" $options --check --out=pairs.tsv many.txt
        grep -v '^#' pairs.tsv | cut -f1,2 >order
        for x in $(seq 89); do seq -f "$x	%.0f" $((x + 1)) 90; done | cmp -s - order || bad "$options: order of pairs"
        expect 0 "" "$DTW" $options --batch=1 --out=chunks.tsv many.txt
        cmp -s pairs.tsv chunks.tsv || bad "$options: chunks differ"
        expect 0 "" "$DTW" $options --check --out=a.tsv many.txt few.txt
        expect 0 "" "$DTW" $options --check --out=b.tsv few.txt many.txt
        awk -F'\t' -v OFS='\t' '!/^#/ { print $2, $1, $3, $4 }' b.tsv | sort -n -k1,1 -k2,2 >turned.tsv
        grep -v '^#' a.tsv | sort -n -k1,1 -k2,2 | cmp -s - turned.tsv || bad "$options: files turned round"
    done
done
same "pairs of two files" "$(grep -cv '^#' a.tsv)" 630
expect 0 "" "$DTW" --out=double.tsv many.txt
expect 0 "" "$DTW" --precision=single --out=single.tsv many.txt
python3 - <<'EOF' || bad "precisions differ by more than rounding"
for x, y in zip(open("double.tsv"), open("single.tsv")):
    if x[0] != "#":
        a, b = float(x.split()[3]), float(y.split()[3])
        assert x.split()[:2] == y.split()[:2] and abs(a - b) <= 2e-5 * a, (x, y)
EOF

if control=$(data dtw/synthetic_control.data); then
    head -30 "$control" >c.txt
    for cost in abs squared; do
        expect 0 "" "$DTW" --cost=$cost --check --json --matrix-out=$cost.tsv c.txt
        grep -q '"check": "ok"' out || bad "synthetic control, $cost"
        expect 0 "" "$DTW" --cost=$cost --band=0 --matrix-out=band.tsv c.txt
        python3 - $cost <<'EOF' || bad "synthetic control against Python, $cost"
import sys
cost = sys.argv[1]
x = [[float(v) for v in l.split()] for l in open("c.txt")]
m = [[float(v) for v in l.split("\t")] for l in open(cost + ".tsv")]
b = [[float(v) for v in l.split("\t")] for l in open("band.tsv")]
f = abs if cost == "abs" else lambda d: d * d
root = (lambda v: v) if cost == "abs" else (lambda v: v ** 0.5)
def dtw(p, q):
    row = [0] + [float("inf")] * len(q)
    for u in p:
        new = [float("inf")]
        for j, v in enumerate(q):
            new.append(f(u - v) + min(row[j], row[j + 1], new[j]))
        row = new
    return row[-1]
for i in range(0, 30, 3):
    for j in range(30):
        assert abs(root(dtw(x[i], x[j])) - m[i][j]) < 1e-9 * (1 + m[i][j]), (i, j)
        assert abs(root(sum(f(u - v) for u, v in zip(x[i], x[j]))) - b[i][j]) < 1e-9 * (1 + b[i][j]), (i, j)
EOF
    done
fi

printf '1 2\n3 nan\n' >b.csv
expect 2 "b.csv:2: sample 2 is not a finite number: nan" "$DTW" b.csv
for sample in 1.1e140 -1e141 1e308; do
    printf '1 2\n3 %s\n' $sample >b.csv
    expect 2 "b.csv:2: sample 2 is out of range (at most 1e+140): $sample" "$DTW" b.csv
done
for cost in abs squared; do # the largest differences there can be: no infinity, none that eats another
    printf '1e140 -1e140\n-1e140 1e140\n1e140\n' >b.csv
    expect 0 "" "$DTW" --cost=$cost --check --out=far.tsv b.csv
    grep -qiE 'inf|nan' far.tsv && bad "$cost: $(cat far.tsv)"
done
same "far pairs" "$(grep -c 'e+140' far.tsv)" 3
printf '1 2\n2e13\n' >b.csv
expect 0 "" "$DTW" b.csv
expect 2 "b.csv:2: sample 1 is out of range (at most 1e+13): 2e13" "$DTW" --precision=single b.csv
printf '1e13 -1e13\n-1e13 1e13\n' >b.csv
expect 0 "" "$DTW" --precision=single --check b.csv
grep -qiE 'inf|nan' out && bad "single: $(cat out)"
expect 2 "a zero byte: not a text file" "$DTW" /dev/zero
printf '1 2\n3,,4\n' >b.csv
expect 2 "b.csv:2: sample 2 is empty" "$DTW" b.csv
: >b.csv
expect 2 "b.csv: no series in this file" "$DTW" b.csv
expect 2 "a pair of this size needs" "$DTW" --size=2000000000
printf '1 2\n' >b.csv
expect 2 "one series only" "$DTW" b.csv
expect 2 "nofile: No such file or directory" "$DTW" nofile
expect 2 "--cost=cubed: expected abs or squared" "$DTW" --cost=cubed k.csv
expect 2 "--precision=half: expected double or single" "$DTW" --precision=half k.csv
expect 2 "--band=-1: must be at least 0" "$DTW" --band=-1 k.csv
expect 2 "too many inputs: k.csv" "$DTW" k.csv k.csv k.csv
finish
