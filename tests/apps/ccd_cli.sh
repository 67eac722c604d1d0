# SPDX-License-Identifier: Apache-2.0
# ccd from the command line: scenes, schedules and devices against the serial program, OBJ and PLY, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$CCD" --check --json "$@"
    grep -q '"check": "ok"' out || bad "ccd $*: $(cat out)"
}
sum() { sed 's/.*"checksum": \("[^"]*"\).*/\1/' out; }
hits() { sed 's/.*"hits": \([0-9]*\).*/\1/' out; }
for scene in bodies cloth funnel; do
    for n in 1 200 5000; do
        checked --scene=$scene --size=$n
        checked --scene=$scene --size=$n --seed=2 --schedule=steal,50
    done
done
checked --scene=bodies --size=20000 --which=inter --warm=1 --repeat=2
checked --scene=cloth --size=9000 --which=self
checked --scene=cloth --size=9000 --tolerance=0 --boxes=100
# the same hits from every device and by every schedule
expect 0 "" "$CCD" --scene=bodies --size=9000 --json --device=host
right=$(sum)
everywhere() { # OPTIONS...
    expect 0 "" "$CCD_DEVICES" --scene=bodies --size=9000 --json "$@"
    same "$*" "$(sum)" "$right"
}
devices="0 3" # where OpenMP has devices on the processor: a sanitizer leaves the host alone
"$CCD_DEVICES" --size=100 --device=3 >out 2>err
grep -q "there is no device 3" err && devices=
for device in host $devices auto all; do
    everywhere --device=$device
    everywhere --device=$device --warm=1 --repeat=2
    everywhere --device=$device --schedule=lp
done
everywhere --device=all --schedule=steal
everywhere --device=all --schedule=lp_published
for boxes in 1 100 600 20000; do # tests that are not done: equal parts everywhere
    expect 0 "" "$CCD" --scene=funnel --size=6000 --seed=9 --boxes=$boxes --json --device=host --check
    grep -q '"check": "ok"' out || bad "ccd --boxes=$boxes: $(cat out)"
    part=$(sum)
    for device in $devices all; do
        expect 0 "" "$CCD_DEVICES" --scene=funnel --size=6000 --seed=9 --boxes=$boxes --json --device=$device
        same "--boxes=$boxes --device=$device" "$(sum)" "$part"
    done
done
expect 2 "expected lp, " "$CCD" --schedule=chunk
if [ -n "$devices" ]; then # what jobs append is known from one query to the next
    HEDDLE_EXPLAIN=1 "$CCD_DEVICES" --scene=bodies --size=9000 --device=3 --schedule=lp --repeat=4 >out 2>err
    same "queries whose jobs ran again" "$(grep -c ' [1-9][0-9]* run again' err)" 1
fi
for fault in ${devices:+copy:7 vanish:20}; do # batches that fail, and what a device that vanishes had
    export HEDDLE_FAULT=$fault
    everywhere --device=0,2
    everywhere --device=0,2 --schedule=lp # jobs, which say it
    unset HEDDLE_FAULT
    grep -q "failed (" err || bad "$fault: no message: $(cat err)"
done
everywhere --device=host --progress
grep -q 'step 1 of 1' err || bad "no progress: $(cat err)"

# a point that falls through a triangle, half way; edges that cross at a quarter
cat >a.obj <<'END'
v 0 0 0
v 4 0 0
v 0 0 4
v 1 1 1
v 1 3 1
v 2 3 1
f 1 2 3
f 4 5 6
END
sed 's/^v 1 1 1/v 1 -1 1/' a.obj >b.obj
checked a.obj b.obj --out=hits.tsv --mesh=hits.obj --picture=hits.png --pixels=40
grep -q "^0	vf	3	0	0.4999[0-9]*	3	0	1	2$" hits.tsv || bad "table: $(cat hits.tsv)"
same "triangles of hits.obj" "$(grep -c '^f' hits.obj)" 2
checked a.obj a.obj
same "nothing moves" "$(hits)" 0
# the same frames as PLY, ascii and binary
python3 - <<'END'
import struct
for name in "a", "b":
    rows = [line.split() for line in open(name + ".obj")]
    points = [list(map(float, r[1:])) for r in rows if r[0] == "v"]
    faces = [[int(x) - 1 for x in r[1:]] for r in rows if r[0] == "f"]
    def head(form):
        return (f"ply\nformat {form} 1.0\ncomment by hand\nelement vertex {len(points)}\nproperty double x\nproperty float y\n"
                f"property float z\nproperty uchar red\nelement face {len(faces)}\nproperty list uchar uint vertex_index\n"
                "end_header\n").encode()
    with open(name + "-text.ply", "wb") as out:
        out.write(head("ascii"))
        for p in points:
            out.write("{} {} {} 7\n".format(*p).encode())
        for f in faces:
            out.write("3 {} {} {}\n".format(*f).encode())
    for form, order in ("little", "<"), ("big", ">"):
        with open(f"{name}-{form}.ply", "wb") as out:
            out.write(head(f"binary_{form}_endian"))
            for p in points:
                out.write(struct.pack(order + "dffB", *p, 7))
            for f in faces:
                out.write(struct.pack(order + "BIII", 3, *f))
END
for form in text little big; do
    checked a-$form.ply b-$form.ply --out=other.tsv
    cmp -s hits.tsv other.tsv || bad "$form: other hits"
done
# a folder: numbers by value
mkdir frames
cp a.obj frames/f2.obj && cp b.obj frames/f10.obj && cp a.obj frames/f11.obj
checked frames --out=all.tsv
same "two steps" "$(hits)" 2
same "steps of hits" "$(cut -f1 all.tsv | tail -2 | tr '\n' ' ')" "0 1 "

# triangles without area, repeated corners, one edge with three faces, points of no face
cat >odd.obj <<'END'
v 0 0 0
v 1 0 0
v 2 0 0
v 0 1 0
v 0 0 1
v 0.5 -1 0.25
v 9 9 9
v 0.2 1 0.2
v 0.2 1 0.3
f 1 2 3
f 1 1 2
f 1 1 1
f 1 2 4
f 1 2 5
f 1 2 6
f 1 2 8
f 6 8 9
END
sed 's/^v 0.2 1 0.2/v 0.2 -1 0.2/' odd.obj >odd2.obj
expect 0 "1 points belong to no triangle" "$CCD" odd.obj odd2.obj --check
checked odd.obj odd2.obj --schedule=steal
printf 'v 0 0 0\nv 1 0 0\nv 0 1 nan\nf 1 2 3\n' >nan.obj
expect 2 "nan.obj:3: v: nan is out of range" "$CCD" nan.obj a.obj
printf 'v 0 0 0\n' >none.obj
expect 2 "none.obj: the file has no faces" "$CCD" none.obj a.obj
: >nothing.obj
expect 2 "nothing.obj: the file has no faces" "$CCD" nothing.obj nothing.obj
expect 2 "not the same mesh" "$CCD" a.obj odd.obj
sed 's/^f 4 5 6/f 4 6 5/' a.obj >turned.obj
expect 2 "triangle 1 has other corners" "$CCD" a.obj turned.obj
expect 2 "No such file" "$CCD" a.obj nowhere.obj
expect 2 "No such file" "$CCD" nowhere
expect 2 "one frame: two, or a folder, are needed" "$CCD" a.obj
mkdir empty
expect 2 "0 files end in .ply or .obj" "$CCD" empty
expect 2 "are for two frames, there are 3" "$CCD" frames --picture=x.png
head -c 300 a-little.ply >short.ply
expect 2 "the file ends too early" "$CCD" short.ply a.obj
sed 's/^3 0 1 2/3 0 1 99/' a-text.ply >far.ply
expect 2 "vertex 99 does not exist" "$CCD" far.ply a.obj
sed 's/^1.0 1.0 1.0/1.0 inf 1.0/' a-text.ply >inf.ply
expect 2 "inf is out of range" "$CCD" inf.ply a.obj
expect 2 "expected bodies, cloth or funnel" "$CCD" --scene=x
expect 2 "expected all, inter or self" "$CCD" --which=x
expect 2 "is for runs without files" "$CCD" a.obj b.obj --size=3
expect 2 "expected 0 to 1e9" "$CCD" --tolerance=-1
expect 2 "not a number" "$CCD" --tolerance=nan
expect 2 "must be at least 1" "$CCD" --boxes=0
expect 2 "must end in .obj" "$CCD" --mesh=x.ply
expect 2 "must end in .png or .ppm" "$CCD" --picture=x.jpg
expect 2 "No such file" "$CCD" --size=100 --out=nowhere/x.tsv
expect 2 "there is no device 99" "$CCD_DEVICES" --size=100 --device=99
expect 2 "" "$CCD" a.obj b.obj --out=a.obj
expect 0 "" "$CCD" --help
finish
