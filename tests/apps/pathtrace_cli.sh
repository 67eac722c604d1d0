# SPDX-License-Identifier: Apache-2.0
# pathtrace from the command line: schedules, sizes and devices against the serial program, OBJ and MTL files, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$PATHTRACE" --check --json "$@"
    grep -q '"check": "ok"' out || bad "pathtrace $*: $(cat out)"
}
sum() { sed 's/.*"checksum": \("[^"]*"\).*/\1/' out; }
for size in 1x1 1x37 53x1 47x35; do
    checked --size=$size --triangles=2000 --samples=2
    checked --size=$size --triangles=2000 --samples=3 --depth=0
done
checked --triangles=5000 --size=40x30 --samples=2 --depth=50 --warm=1 --repeat=2
# the same picture from every device and by every schedule
expect 0 "" "$PATHTRACE" --size=45x31 --triangles=3000 --samples=2 --json --device=host
right=$(sum)
everywhere() { # OPTIONS...
    expect 0 "" "$PATHTRACE_DEVICES" --size=45x31 --triangles=3000 --samples=2 --json "$@"
    same "$*" "$(sum)" "$right"
}
devices="0 3" # where OpenMP has devices on the processor: a sanitizer leaves the host alone
"$PATHTRACE_DEVICES" --size=8 --triangles=10 --device=3 >out 2>err
grep -q "there is no device 3" err && devices=
for device in host $devices auto all; do
    everywhere --device=$device
done
for policy in lp lp_steal steal,30 lau10 tan09,1000 hpccd; do
    everywhere --device=all --resident --cut=9 --schedule=$policy
done
everywhere --device=all --cut=1
everywhere --device=all --resident --repeat=2
for fault in ${devices:+launch:5 copy:7}; do # batches that fail
    export HEDDLE_FAULT=$fault
    everywhere --device=0,2
    unset HEDDLE_FAULT
    grep -q "failed (" err || bad "$fault: no message: $(cat err)"
done
everywhere --device=host --progress
grep -q 'hierarchy of' err || bad "no progress: $(cat err)"

mkdir in
cat >in/two.mtl <<'END'
newmtl floor
Kd 0.8 0.7 0.6
newmtl lamp
Kd 0 0 0
Ke 8 8 8
END
cat >in/box.obj <<'END'
mtllib two.mtl
v -3 0 -3
v 3 0 -3
v 3 0 3
v -3 0 3
v -1 2 -1
v 1 2 -1
v 0 2 1
usemtl floor
f 4 3 2 1
usemtl lamp
f 5 6 7
END
checked in/box.obj --size=40x30 --samples=4 --out=one.png --hdr=one.pfm
grep -q '"lights": 1' out || bad "the light of the MTL file: $(cat out)"
expect 0 "no camera given" "$PATHTRACE" in/box.obj --size=40x30 --samples=4 --out=two.ppm
python3 - <<'END' || bad "pfm and ppm differ"
import struct
b = open("one.pfm", "rb").read()
head = b"PF\n40 30\n-1.0\n"
assert b.startswith(head), b[:20]
light = struct.unpack("<3600f", b[len(head):])
p = open("two.ppm", "rb").read()
assert p.startswith(b"P6\n40 30\n255\n"), p[:20]
for y in range(30):
    for i in range(120):
        x = light[(29 - y) * 120 + i]
        s = 12.92 * x if x < 0.0031308 else 1.055 * min(x, 1) ** (1 / 2.4) - 0.055
        assert abs(s * 255 - p[13 + y * 120 + i]) <= 0.51, (x, y, i)
END
sed 's/two.mtl/none.mtl/' in/box.obj >in/bare.obj
expect 0 "'none.mtl' is not there: grey takes its place" "$PATHTRACE" in/bare.obj --size=8 --samples=1
expect 0 "neither camera nor light" "$PATHTRACE" in/bare.obj --size=8 --samples=1
expect 0 "" "$PATHTRACE" in/bare.obj --size=8 --samples=1 --sky=1,0.5,0 --from=0,5,9 --at=0,0,0 --fov=30
expect 0 "" sh -c '"$0" - --size=8 --samples=1 <in/bare.obj' "$PATHTRACE"
printf 'newmtl a\nKd x 0 0\n' >in/bad.mtl
sed 's/two.mtl/bad.mtl/' in/box.obj >in/bad.obj
expect 2 "in/bad.mtl:2: Kd: 'x' is no number" "$PATHTRACE" in/bad.obj
# triangles without an area are met by nothing; without a triangle there is nothing to see
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 1\n' >flat.obj
checked flat.obj --size=20x20 --samples=2
grep -q '"mean": 1,' out || bad "flat: $(cat out)"
# one edge with three faces, a face twice, a point of no face
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 9 9 9\nf 1 2 3\nf 1 2 4\nf 1 2 5\nf 1 2 5\n' >fan.obj
checked fan.obj --size=20x20 --samples=2
# the same triangles as PLY
python3 - <<'END'
import struct
rows = [line.split() for line in open("fan.obj")]
points = [list(map(float, r[1:])) for r in rows if r[0] == "v"]
faces = [[int(x) - 1 for x in r[1:]] for r in rows if r[0] == "f"]
head = (f"element vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
with open("text.ply", "w") as out:
    out.write("ply\nformat ascii 1.0\n" + head + "".join("{} {} {}\n".format(*p) for p in points) + "".join("3 {} {} {}\n".format(*f) for f in faces))
with open("little.ply", "wb") as out:
    out.write(b"ply\nformat binary_little_endian 1.0\n" + head.encode() + b"".join(struct.pack("<fff", *p) for p in points)
              + b"".join(struct.pack("<Biii", 3, *f) for f in faces))
END
fan=$(sum)
for form in text little; do
    checked $form.ply --size=20x20 --samples=2
    same "$form.ply" "$(sum)" "$fan"
done
expect 0 "" sh -c '"$0" - --size=20x20 --samples=2 <little.ply' "$PATHTRACE"
head -c 200 little.ply >short.ply
expect 2 "short.ply: the file ends too early" "$PATHTRACE" short.ply
: >empty.obj
expect 2 "empty.obj: the file has no faces" "$PATHTRACE" empty.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 nan\nf 1 2 3\n' >nan.obj
expect 2 "nan.obj:3: v: nan is out of range" "$PATHTRACE" nan.obj
printf 'v 0 0 0\nv 1 0 0\n' >none.obj
expect 2 "none.obj: the file has no faces" "$PATHTRACE" none.obj
printf 'v 0 0 0\nf 1 2 3\n' >far.obj
expect 2 "far.obj:2: f: point 2 does not exist" "$PATHTRACE" far.obj
expect 2 "No such file" "$PATHTRACE" nowhere.obj
expect 2 "there is no device 99" "$PATHTRACE_DEVICES" --size=8 --triangles=10 --device=99
expect 2 "for runs without a file" "$PATHTRACE" in/box.obj --triangles=5
expect 2 "at most 1000" "$PATHTRACE" --depth=1001
expect 2 "at most 2147483647" "$PATHTRACE" --cut=3000000000
expect 2 "must be at least 1" "$PATHTRACE" --samples=0
expect 2 "at most 100000000" "$PATHTRACE" --triangles=100000001
expect 2 "expected 0.1 to 170" "$PATHTRACE" --fov=180
expect 2 "expected a number above 0" "$PATHTRACE" --exposure=0
expect 2 "belong together" "$PATHTRACE" --from=0,0,0
expect 2 "the same place" "$PATHTRACE" --triangles=10 --from=0,0,0 --at=0,0,0
for three in 1,2 1,2,3,4 x,1,2 nan,0,0 -1,0,0 1e7,0,0; do
    expect 2 "expected three numbers from 0 to" "$PATHTRACE" --triangles=10 --sky=$three
done
expect 2 "must end in .png or .ppm" "$PATHTRACE" --out=x.jpg
expect 2 "must end in .pfm" "$PATHTRACE" --hdr=x.png
expect 2 "No such file" "$PATHTRACE" --size=8 --triangles=10 --out=nowhere/x.png
expect 2 "more than" "$PATHTRACE" --size=100000x100000
expect 2 "" "$PATHTRACE" --size=8 --triangles=10 --out=same.png --hdr=same.png
expect 0 "" "$PATHTRACE" --help
finish
