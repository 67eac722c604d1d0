# SPDX-License-Identifier: Apache-2.0
# raytrace from the command line: schedules, sizes and devices against the serial program, scene and OBJ files, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$RAYTRACE" --check --json "$@"
    grep -q '"check": "ok"' out || bad "raytrace $*: $(cat out)"
}
sum() { sed 's/.*"checksum": \("[^"]*"\).*/\1/' out; }
for size in 1x1 1x37 53x1 67x45; do
    checked --size=$size --triangles=2000
    checked --size=$size --triangles=2000 --samples=3 --depth=0
done
checked --scene=landscape --triangles=5000 --size=64x48 --depth=15 --warm=1 --repeat=2
# the same picture from every device and by every schedule
expect 0 "" "$RAYTRACE" --size=83x61 --triangles=3000 --json --device=host
right=$(sum)
everywhere() { # OPTIONS...
    expect 0 "" "$RAYTRACE_DEVICES" --size=83x61 --triangles=3000 --json "$@"
    same "$*" "$(sum)" "$right"
}
devices="0 3" # where OpenMP has devices on the processor: a sanitizer leaves the host alone
"$RAYTRACE_DEVICES" --size=8 --triangles=10 --device=3 >out 2>err
grep -q "there is no device 3" err && devices=
for device in host $devices auto all; do
    everywhere --device=$device
done
for schedule in $("$tests/../words" HEDDLE_LOOP_SCHEDULES || echo none) chunk,256; do
    everywhere --device=all --schedule=$schedule --repeat=2
done
everywhere --device=all --resident --repeat=2
expect 0 "" "$RAYTRACE_DEVICES" --size=64x48 --device=all --schedule=gss --scene=landscape --triangles=9000 --samples=3 --check --json
grep -q '"check": "ok"' out || bad "landscape everywhere: $(cat out)"

cat >small.scene <<'END'
# a pane and a ball
camera from 0 1 5  at 0 0.5 0  fov 45
background 1 1 1 to 0.2 0.4 0.8
light 3 5 4 colour 0.9 0.9 0.8 radius 0.4
material glass transmit 0.9 index 1.3 diffuse 0.1
material "dark red" colour 0.5 0 0 reflect 0.2
sphere 0 0.5 -1 0.5 material "dark red"
plane 0 1 0 0
mesh "a pane.obj" scale 0.5 rotate 0 20 0 move 0.3 0.6 0.5 material glass
END
printf 'v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n' >"a pane.obj"
checked small.scene --size=80x60 --samples=2 --out=one.png
first=$(sum)
mkdir in && mv small.scene "a pane.obj" in
checked in/small.scene --size=80x60 --samples=2 --out=two.png
same "a scene from another folder" "$(sum)" "$first"
cmp -s one.png two.png || bad "two equal pictures, two files"
expect 0 "" "$RAYTRACE" in/small.scene --size=80x60 --samples=2 --out=three.ppm
same "ppm" "$(head -c 15 three.ppm | tr '\n' ' ')" "P6 80 60 255 $(tail -c +14 three.ppm | head -c 2)"
python3 - <<'END' || bad "png and ppm differ"
import struct, zlib
b = open("one.png", "rb").read()
assert b[:8] == b"\x89PNG\r\n\x1a\n"
at, z = 8, b""
while at < len(b):
    n, kind = struct.unpack(">I4s", b[at:at + 8])
    if kind == b"IDAT":
        z += b[at + 8:at + 8 + n]
    at += n + 12
raw, w, h, rows = zlib.decompress(z), 80, 60, []
for y in range(h):
    f, line = raw[y * (3 * w + 1)], bytearray(raw[y * (3 * w + 1) + 1:(y + 1) * (3 * w + 1)])
    up = rows[-1] if rows else bytes(3 * w)
    for i in range(3 * w):
        a, u, c = line[i - 3] if i > 2 else 0, up[i], up[i - 3] if i > 2 else 0
        p = a + u - c
        near = min((abs(p - v), k, v) for k, v in enumerate((a, u, c)))[2]
        line[i] = (line[i] + (0, a, u, (a + u) // 2, near)[f]) & 255
    rows.append(line)
assert b"".join(rows) == open("three.ppm", "rb").read()[13:]
END
expect 0 "neither camera nor light" sh -c 'echo sphere 0 0 0 1 | "$0" - --size=8' "$RAYTRACE"
expect 2 "nothing to see" "$RAYTRACE" - --size=8
sed '/^camera/d' in/small.scene >in/blind.scene
expect 0 "no camera given" "$RAYTRACE" in/blind.scene --size=8
sed '/^light/d' in/small.scene >in/night.scene
expect 0 "no light given" "$RAYTRACE" in/night.scene --size=8

expect 0 "materials of OBJ files are left out (1 lines)" sh -c 'printf "mtllib x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" >tri.obj; "$0" tri.obj --size=20 --check' "$RAYTRACE"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 nan\nf 1 2 3\n' >nan.obj
expect 2 "nan.obj:3: v: nan is out of range" "$RAYTRACE" nan.obj
printf 'v 0 0 0\nv 1 0 0\n' >none.obj
expect 2 "none.obj: the file has no faces" "$RAYTRACE" none.obj
printf 'v 0 0 0\nf 1 2 3\n' >far.obj
expect 2 "far.obj:2: f: point 2 does not exist" "$RAYTRACE" far.obj
for corners in 100000 100001; do # a face may have a hundred thousand
    awk -v n=$corners 'BEGIN {print "v 0 0 0\nv 1 0 0\nv 0 1 0"; printf "f"; for (k = 0; k < n; k++) printf " %d", k % 3 + 1; print ""}' >$corners.obj
done
expect 0 "" "$RAYTRACE" 100000.obj --size=8
expect 2 "100001.obj:4: f: more than 100000 corners" "$RAYTRACE" 100001.obj
printf 'sphere 0 0 0 1\nmesh far.obj\n' >far.scene
expect 2 "far.obj:2: f: point 2 does not exist" "$RAYTRACE" far.scene
printf 'shape knot 60\nshape knot 99999999\nshape knot 99999999\nshape knot 99999999\n' >large.scene
expect 2 "" sh -c 'ulimit -v 4000000; "$0" large.scene' "$RAYTRACE"
grep -qE 'shape: (more than 200000000 triangles|[0-9]+ triangles more need [0-9.]+ GB)|out of memory' err || bad "large scene: $(cat err)"
printf 'mesh nowhere.obj\n' >lost.scene
expect 2 "nowhere.obj: No such file or directory (the mesh of lost.scene:" "$RAYTRACE" lost.scene
expect 2 "there is no device 99" "$RAYTRACE_DEVICES" --size=8 --triangles=10 --device=99
expect 2 "expected auto, host, all or numbers" "$RAYTRACE" --size=8 --triangles=10 --device=0,,1
expect 2 "at most 4096" "$RAYTRACE" --size=8 --triangles=10 --threads=4097
for wrong in foo dynamic gss,0 gss,x gss, ,4; do
    expect 2 "expected auto, static" "$RAYTRACE" --size=8 --triangles=10 --schedule=$wrong
done
expect 2 "No such file" "$RAYTRACE" nowhere.scene
expect 2 "" "$RAYTRACE" .
head -c 3000 /dev/urandom >noise.scene
expect 2 "noise.scene:" "$RAYTRACE" noise.scene
expect 2 "expected table or landscape" "$RAYTRACE" --scene=moon
expect 2 "for runs without a file" "$RAYTRACE" in/small.scene --triangles=5
expect 2 "at most 15" "$RAYTRACE" --depth=16
expect 2 "must be at least 1" "$RAYTRACE" --samples=0
expect 2 "must end in .png or .ppm" "$RAYTRACE" --out=x.jpg
expect 2 "No such file" "$RAYTRACE" --size=8 --triangles=10 --out=nowhere/x.png
expect 2 "more than" "$RAYTRACE" --size=100000x100000
expect 0 "" "$RAYTRACE" --help
if [ -w /dev/full ]; then # a full disk, and what never ends
    ln -s /dev/full full.png
    ln -s /dev/full full.ppm
    expect 2 "full.png: cannot write: No space left" "$RAYTRACE" --size=16x16 --triangles=10 --out=full.png
    expect 2 "full.ppm: cannot write: No space left" "$RAYTRACE" --size=1x1 --triangles=10 --out=full.ppm
    "$RAYTRACE" --size=8 --triangles=10 --json >/dev/full 2>err
    grep -q 'the result cannot be written: No space left' err || bad "a full disk is not noticed: $(cat err)"
    ln -s /dev/zero zero.obj
    expect 2 "zero.obj: not a text" "$RAYTRACE" zero.obj
    expect 2 "/dev/zero: not a text" "$RAYTRACE" /dev/zero
fi
finish
