# SPDX-License-Identifier: Apache-2.0
# intra from the command line: the serial program, inputs and outputs, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$INTRA" --check --json "$@"
    grep -q '"check": "ok"' out || bad "intra $*: $(cat out)"
}
value() { sed "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/" out; } # KEY of the last run

for size in 16x16 2x2 34x98 176x144; do
    for qp in 0 28 51; do
        checked --size=$size --frames=5 --qp=$qp --threads=3
    done
done
for slices in 1 2 9; do
    checked --size=176x144 --slices=$slices --frames=3 --threads=2 --repeat=2
done

for schedule in dynamic global static barrier serial; do
    HEDDLE_POOL=$schedule checked --size=98x114 --frames=4 --threads=3 --slices=2
done

# batches that stay on a device
if "$INTRA_DEVICES" --size=16x16 --frames=1 --device=0 --json >out 2>err && grep -q '"device": "0"' out; then
    for options in --batch=1 --batch=2 "--batch=3 --device=1" "--batch=4 --repeat=2"; do
        # shellcheck disable=SC2086
        expect 0 "" "$INTRA_DEVICES" --size=98x50 --frames=9 --threads=2 --device=0 --check --json $options
        grep -q '"check": "ok"' out || bad "on a device, $options: $(cat out)"
    done
else
    echo "no x86_64 devices: $(head -1 err)"
fi

# the same stream whatever the batches and threads
expect 0 "" "$INTRA" --size=160x96 --frames=7 --json -o a.264 --recon=a.yuv
first=$(value checksum)
same "frames" "$(value frames)" 7
same "bytes" "$(value bytes)" "$(wc -c <a.264)"
same "pictures" "$(wc -c <a.yuv)" $((7 * 160 * 96 * 3 / 2))
for options in --batch=1 --batch=3 --threads=1 "--threads=5 --batch=2"; do
    # shellcheck disable=SC2086
    expect 0 "" "$INTRA" --size=160x96 --frames=7 --json --out=b.264 --recon=b.yuv $options
    same "checksum, $options" "$(value checksum)" "$first"
    cmp -s a.264 b.264 && cmp -s a.yuv b.yuv || bad "$options: another stream"
done
"$INTRA" --size=160x96 --frames=7 --out=- >c.264 2>err || bad "to stdout"
cmp -s a.264 c.264 || bad "another stream on stdout"
grep -q "^psnr_y " err || bad "the report beside a stream"

# raw and Y4M input are the same pictures; finished frames stay when the input is cut
python3 - <<'EOF'
import random
random.seed(3)
w, h = 38, 22
shade = [[(3 * x + 5 * y) & 255 for x in range(w)] for y in range(h)]
frames = []
for f in range(4):
    luma = bytes(min(255, v + random.randrange(20)) for r in shade for v in r)
    frames.append(luma + bytes(100 + f for _ in range(w * h // 4)) + bytes(140 - f for _ in range(w * h // 4)))
open("in.yuv", "wb").write(b"".join(frames))
y4m = b"YUV4MPEG2 W%d H%d F30000:1001 Ip A1:1 C420jpeg\n" % (w, h) + b"".join(b"FRAME\n" + f for f in frames)
open("in.y4m", "wb").write(y4m)
open("cut.y4m", "wb").write(y4m[:-100])
open("late.y4m", "wb").write(y4m + b"FR")
open("junk.y4m", "wb").write(y4m + b"FRAMES\n")
open("cut.yuv", "wb").write(b"".join(frames)[:-100])
open("c444.y4m", "wb").write(y4m.replace(b"C420jpeg", b"C444"))
# frames that can be read out of order, and the same with a frame that says more about itself or is none
w, h = 32, 20
frames = [bytes(random.randrange(256) for _ in range(w * h * 3 // 2)) for _ in range(11)]
for name, marks in ("long", {}), ("tag", {6: b"FRAME Ip\n"}), ("wrong", {6: b"FRAMES"}):
    open(name + ".y4m", "wb").write(b"YUV4MPEG2 W%d H%d\n" % (w, h) + b"".join(marks.get(k, b"FRAME\n") + f for k, f in enumerate(frames)))
open("short.y4m", "wb").write(open("long.y4m", "rb").read()[:-1])
open("long.yuv", "wb").write(b"".join(frames))
open("odd.y4m", "wb").write(y4m.replace(b"W38", b"W37"))
EOF
expect 0 "" "$INTRA" in.y4m --check --json -o y4m.264 --recon=y4m.yuv
expect 0 "" "$INTRA" in.yuv --size=38x22 --check --json --recon=raw.yuv
cmp -s y4m.yuv raw.yuv || bad "raw and Y4M input differ"
"$INTRA" - <in.y4m -o pipe.264 --json >out || bad "from stdin"
cmp -s pipe.264 y4m.264 || bad "another stream from stdin"
expect 0 "" "$INTRA" in.y4m --frames=3 --json -o three.264
for batch in 1 2 64; do
    expect 2 "frame 4 is cut short: 1154 of 1254 bytes; the 3 frames before it are coded" "$INTRA" cut.y4m -o cut.264 --batch=$batch
    cmp -s cut.264 three.264 || bad "frames before the cut"
    expect 2 "the 4 frames before it are coded" "$INTRA" late.y4m -o late.264 --batch=$batch
    cmp -s late.264 y4m.264 || bad "frames before half a line"
done
for batch in 1 4 64; do
    "$INTRA" - <long.y4m -o inorder.264 --json --batch=$batch >out || bad "from stdin"
    for input in long.y4m tag.y4m "long.yuv --size=32x20"; do
        # shellcheck disable=SC2086
        expect 0 "" "$INTRA" $input -o ahead.264 --json --batch=$batch
        same "frames of $input" "$(value frames)" 11
        cmp -s ahead.264 inorder.264 || bad "$input, batches of $batch: another stream than in order"
    done
    expect 2 "frame 7: no FRAME line where one should be; the 6 frames" "$INTRA" wrong.y4m --batch=$batch
    expect 2 "frame 11 is cut short: 959 of 960 bytes; the 10 frames" "$INTRA" short.y4m --batch=$batch
    expect 0 "" "$INTRA" long.y4m --frames=7 --repeat=2 --check --json --batch=$batch
    same "frames of seven" "$(value frames)" 7
done
expect 2 "frame 5: no FRAME line where one should be; the 4 frames" "$INTRA" junk.y4m
expect 2 "frame 4 is cut short" "$INTRA" cut.yuv --size=38x22

expect 2 "chroma 444 is not 8-bit 4:2:0; convert it: ffmpeg" "$INTRA" c444.y4m
sed '1s/ Ip / It /' in.y4m >fields.y4m
expect 0 "fields.y4m is interlaced; its frames are coded whole" "$INTRA" fields.y4m -o fields.264
expect 2 "37x22: 4:2:0 video has even sides; crop or pad it" "$INTRA" odd.y4m
expect 2 "even sides" "$INTRA" --size=15x16
expect 2 "raw 4:2:0 needs --size=WIDTHxHEIGHT" "$INTRA" in.yuv
expect 2 "--size is for raw files" "$INTRA" in.y4m --size=38x22
expect 2 "sides above 16384" "$INTRA" --size=20000x16
expect 2 "sides above 16384" "$INTRA" in.yuv --size=20000x16
expect 2 "16384x16384, 25 frames a second, is larger than the largest level" "$INTRA" --size=16384x16384
for rate in 2147483647:1:'2.14748e+09 frames a second' 1:2147483647:'4.65661e-10 frames a second' 100001:1:'100001 frames' 0:5:'not a frame rate' \
    5:0:'not a frame rate' 30:1:2:'not a frame rate'; do
    printf 'YUV4MPEG2 W16 H16 F%s\nFRAME\n%384s' "${rate%:*}" '' >rate.y4m
    expect 2 "rate.y4m: F${rate%:*}: ${rate##*:}" "$INTRA" rate.y4m
done
printf 'YUV4MPEG2 W640 H480 F100000:1\nFRAME\n%460800s' '' >rate.y4m
expect 2 "640x480, 100000 frames a second, is larger than the largest level" "$INTRA" rate.y4m
for rate in 0:0 1:1000 100000:1; do
    printf 'YUV4MPEG2 W16 H16 F%s A131070:131070\nFRAME\n%384s' $rate '' >rate.y4m
    expect 0 "" "$INTRA" rate.y4m --out=rate.264
done
printf 'YUV4MPEG2 W16 H16 A65537:1\nFRAME\n%384s' '' >rate.y4m
expect 2 "an aspect's sides are at most 65535" "$INTRA" rate.y4m
expect 2 "nofile: No such file" "$INTRA" nofile
: >empty.y4m
expect 2 "empty.y4m: empty file" "$INTRA" empty.y4m
head -n 1 in.y4m >head.y4m
expect 2 "head.y4m: no frames" "$INTRA" head.y4m
expect 2 "from 0 to 51" "$INTRA" --qp=52
expect 2 "--qp=-1: must be at least 0" "$INTRA" --qp=-1
expect 2 "a slice has whole rows of macroblocks, and there are 2" "$INTRA" in.y4m --slices=3
expect 2 "no/x.264: No such file" "$INTRA" in.y4m -o no/x.264
if [ -e /dev/full ]; then
    expect 2 "No space left on device" "$INTRA" in.y4m -o /dev/full
    expect 2 "No space left on device" "$INTRA" --size=640x480 -o /dev/full
    expect 2 "No space left on device" "$INTRA" in.y4m --recon=/dev/full
fi
finish
