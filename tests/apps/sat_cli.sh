# SPDX-License-Identifier: Apache-2.0
# sat from the command line: every schedule, type and size against the serial program, box sums, blur, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$SAT" --check --json "$@"
    grep -q '"check": "ok"' out || bad "sat $*: $(cat out)"
}
for schedule in registers scan peer barrier peer,3,5 serial auto; do
    for size in 1x1 1x97 89x1 7x13 67x129; do
        checked --schedule=$schedule --size=$size
    done
    for type in int32 int64 float double; do
        checked --schedule=$schedule --size=131x257 --type=$type --threads=3 --repeat=2
    done
done
checked --size=500x700 --resident

printf 'P2 3 2 255\n1 2 3\n4 5 6\n' >six.pgm
expect 0 "" "$SAT" six.pgm --query=0,0,2,1:1,0,1,1:2,1,2,1 --out=six.bin
same "box sums" "$(cut -f5,6 out | tr '\t\n' '  ')" "sum mean 21 3.5 7 3.5 6 6 "
PYTHONPATH=$tests python3 -c 'import grids; t = grids.table("six.bin"); assert t == [[[0, 0, 0, 0], [0, 1, 3, 6], [0, 5, 12, 21]]], t' || bad "table of six"
expect 0 "" "$SAT" six.pgm --query=0,0,0,0 --check
grep -q "check     ok" err || bad "report beside a query"

PYTHONPATH=$tests python3 -c 'import grids, random
random.seed(4)
p = [[random.randrange(65536) for x in range(83)] for y in range(61)]
grids.save_png("wide.png", p, 16)
grids.save_pgm("grey.pgm", [[v >> 8 for v in r] for r in p])
grids.save_png("alpha.png", [[s for v in r for s in (v >> 8, 255)] for r in p], 8, 4, 2)
grids.save_png("colour.png", [[s for v in r for s in (v >> 8,) * 3] for r in p], 8, 2, 3)'
for type in int32 int64 float double; do
    for name in wide.png grey.pgm alpha.png colour.png; do
        expect 0 "" "$SAT" $name --type=$type --out=$name.$type.bin --schedule=registers --json --check
    done
done
for name in grey.pgm wide.png; do
    expect 0 "" "$SAT" $name --blur=3 --out=$name.blur.pgm --json
done
expect 0 "" "$SAT" grey.pgm --blur=0 --out=same.pgm --json
cmp -s same.pgm grey.pgm || bad "a window of one pixel"
expect 0 "" "$SAT" grey.pgm --blur=1000000000 --out=even.png --json
expect 0 "" "$SAT" grey.pgm --out=table.pgm --json
PYTHONPATH=$tests python3 - <<'EOF' || bad "tables against brute force"
import grids
for name in ("grey.pgm", "wide.png"):
    w, most = grids.pgm("grey.pgm")
    if name == "wide.png":
        import random
        random.seed(4)
        w, most = [[random.randrange(65536) for x in range(83)] for y in range(61)], 65535
    s = [[0] * 84]
    for row in w:
        line, total = [0], 0
        for j, v in enumerate(row):
            total += v
            line.append(total + s[-1][j + 1])
        s.append(line)
    for kind in ("int32", "int64", "double"):
        assert grids.table("%s.%s.bin" % (name, kind))[0] == s, (name, kind)
    f = grids.table(name + ".float.bin")[0]
    bound = 4 * 61 * 83 * 2.0 ** -24 * s[-1][-1]
    assert max(abs(a - b) for x, y in zip(f, s) for a, b in zip(x, y)) <= bound
    blur, white = grids.pgm(name + ".blur.pgm")
    assert white == most
    for y in range(61):
        for x in range(83):
            box = [v for r in w[max(0, y - 3):y + 4] for v in r[max(0, x - 3):x + 4]]
            assert abs(blur[y][x] - sum(box) / len(box)) <= 0.5 + 1e-6, (name, y, x)
for name in ("alpha.png", "colour.png"):
    assert grids.table(name + ".int32.bin") == grids.table("grey.pgm.int32.bin"), name
p, most = grids.pgm("table.pgm")
assert most == 65535 and p[60][82] == 65535 and p[0][0] < 100
EOF
expect 0 "" "$SAT" --size=20x30 --type=double --query=0,0,29,19
[ "$(wc -l <out)" = 2 ] || bad "query of a seeded matrix"

expect 2 "--type=short: expected int32, int64, float or double" "$SAT" --type=short
for query in 1 1,2,3 a,b,c,d 1,2,3,4, 0,0,1,1: 0,0,1,1.5 99999999999,0,0,0; do
    expect 2 "expected x0,y0,x1,y1" "$SAT" --query=$query six.pgm
done
for query in 0,0,3,0 0,0,0,2 -1,0,0,0 2,0,1,0; do
    expect 2 "is not inside 0,0,2,1" "$SAT" --query=$query six.pgm
done
expect 2 "leave out --json" "$SAT" --query=0,0,0,0 --json
expect 2 "--blur needs --out" "$SAT" --blur=2
expect 2 "--blur needs --out" "$SAT" --blur=2 --out=x.bin
expect 2 "--blur=-1: must be at least 0" "$SAT" --blur=-1 --out=x.png
expect 2 "--out=x.gif: the name must end in" "$SAT" --out=x.gif
expect 2 "no/x.bin: No such file" "$SAT" --size=9 --out=no/x.bin
expect 0 "HEDDLE_WAVEFRNT is not an option, HEDDLE_WAVEFRONT is" env HEDDLE_WAVEFRNT=peer "$SAT" --size=9
expect 0 "HEDDLE_SPREAD is not an option, HEDDLE_TUNE=spread=" env HEDDLE_SPREAD=8 "$SAT" --size=9
expect 0 "HEDDLE_TUNE: 'wraps=3' sets no key of it" env HEDDLE_TUNE=warps=4,wraps=3,pool-tile=4,8 "$SAT" --size=9
[ "$(grep -c HEDDLE_ err)" = 1 ] || bad "keys that are right are complained of: $(cat err)"
for bad in LAYOUT=diagonal TUNE=sweeps=two TUNE=cpu-form=wide TUNE=rows-per-lane=3 SLOW=0:x SLOW=2 SLOW=gpu:2 TUNE=pool-tile=4 TUNE=deal=-1 TIMERS=x \
    TUNE=workers=-1 TUNE=warps=65 TRACE_EVENTS=0 MEMORY_LIMIT=5Q TIMEOUT=0 THREADS=4097; do
    expect 0 "HEDDLE_$bad is not " env HEDDLE_$bad "$SAT" --size=9
    [ "$(grep -c HEDDLE_ err)" = 1 ] || bad "HEDDLE_$bad: said more than once: $(cat err)"
done
expect 0 "" env HEDDLE_SLOW=0:2,host:1.5 HEDDLE_TUNE=pool-tile=4,8 HEDDLE_MEMORY_LIMIT=2.5G HEDDLE_OTHER=1 HEDDLE_CC=x "$SAT" --size=9
[ ! -s err ] || bad "good values: $(cat err)"
expect 2 "use --type=int64" "$SAT" --size=60000
expect 2 "of memory" "$SAT" --size=1000000 --type=int64
expect 2 "--size is for runs without a picture" "$SAT" --size=9 six.pgm
expect 2 "nofile: No such file" "$SAT" nofile
: >empty.pgm
expect 2 "empty.pgm: empty file" "$SAT" empty.pgm
head -c 100 wide.png >cut.png
expect 2 "cut.png: PNG: " "$SAT" cut.png
PYTHONPATH=$tests python3 -c 'import grids; grids.save_pgm("sum.pgm", [[65535] * 200] * 200, 65535)'
expect 2 "the sum of all pixels, 2621400000, exceeds 32 bits" "$SAT" sum.pgm
expect 0 "" "$SAT" --type=int64 sum.pgm
grep -q "^total     2621400000" out || bad "64 bits"
finish
