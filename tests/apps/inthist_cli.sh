# SPDX-License-Identifier: Apache-2.0
# inthist from the command line: every schedule and size against the serial program, histograms of boxes, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$INTHIST" --check --json "$@"
    grep -q '"check": "ok"' out || bad "inthist $*: $(cat out)"
}
for schedule in registers peer barrier peer,3,5 serial auto; do
    for size in 1x1 1x97 89x1 7x13 67x129; do
        checked --schedule=$schedule --size=$size
    done
    checked --schedule=$schedule --size=131x157 --bins=37 --threads=3 --repeat=2
done
checked --size=200x100 --bins=256 --resident

PYTHONPATH=$tests python3 -c 'import grids, random
random.seed(6)
p = [[random.randrange(65536) for x in range(43)] for y in range(31)]
grids.save_png("wide.png", p, 16)
grids.save_pgm("grey.pgm", [[v >> 8 for v in r] for r in p])
grids.save_pgm("ten.pgm", [[v % 11 for v in r] for r in p], 10)'
for name in wide.png grey.pgm ten.pgm; do
    for bins in 16 100; do
        expect 0 "" "$INTHIST" $name --bins=$bins --out=$name.$bins.bin --query=3,5,20,29:0,0,42,30 --schedule=registers
        cp out $name.$bins.tsv
    done
done
PYTHONPATH=$tests python3 - <<'EOF' || bad "histograms against brute force"
import grids, random
random.seed(6)
wide = [[random.randrange(65536) for x in range(43)] for y in range(31)]
pictures = {"wide.png": (wide, 65535), "grey.pgm": ([[v >> 8 for v in r] for r in wide], 255), "ten.pgm": ([[v % 11 for v in r] for r in wide], 10)}
for name, (w, most) in pictures.items():
    for bins in (16, 100):
        bin_of = lambda v: v * bins // (most + 1)
        planes = grids.table("%s.%d.bin" % (name, bins))
        assert len(planes) == bins and len(planes[0]) == 32 and len(planes[0][0]) == 44
        for b in range(0, bins, 7):
            for i in range(0, 32, 5):
                for j in range(0, 44, 3):
                    assert planes[b][i][j] == sum(bin_of(v) == b for r in w[:i] for v in r[:j])
        lines = [l.split("\t") for l in open("%s.%d.tsv" % (name, bins)) if l[0] != "#"]
        assert len(lines) == 2 * bins
        for k, (x0, y0, x1, y1) in enumerate(((3, 5, 20, 29), (0, 0, 42, 30))):
            box = [v for r in w[y0:y1 + 1] for v in r[x0:x1 + 1]]
            for b, first, last, count in (map(int, l) for l in lines[k * bins:(k + 1) * bins]):
                assert count == sum(first <= v <= last for v in box) == sum(bin_of(v) == b for v in box)
EOF

expect 2 "--bins=15: must be at least 16" "$INTHIST" --bins=15
expect 2 "--bins=257: must be at most 256" "$INTHIST" --bins=257
expect 2 "of memory" "$INTHIST" --size=46340 --bins=256
expect 2 "counts may exceed 32 bits" "$INTHIST" --size=50000
expect 2 "expected x0,y0,x1,y1" "$INTHIST" --query=1,2,3
expect 2 "is not inside 0,0,42,30" "$INTHIST" --query=0,0,43,0 grey.pgm
expect 2 "leave out --json" "$INTHIST" --query=0,0,0,0 --json
expect 2 "--out=x.png: the name must end in .bin" "$INTHIST" --out=x.png
expect 2 "no/x.bin: No such file" "$INTHIST" --size=9 --out=no/x.bin
expect 2 "--size is for runs without a picture" "$INTHIST" --size=9 grey.pgm
expect 2 "nofile: No such file" "$INTHIST" nofile
printf 'P6 1 1 255\nabc' >colour.ppm
expect 2 "colour.ppm: P6 is not read" "$INTHIST" colour.ppm
finish
