# SPDX-License-Identifier: Apache-2.0
# gemm from the command line: sizes, types, schedules and devices against the serial program and Freivalds' check, files,
# bad input. $GEMM is the program as it is built here, $GEMM_DEVICES the one with x86_64 devices.
. "$(dirname "$0")/lib.sh"
checked() { # PROGRAM OPTIONS...
    expect 0 "" "$@" --check --json
    grep -q '"check": "ok"' out || bad "$*: $(cat out)"
    [ -s err ] && bad "$*: $(head -3 err)"
}
export HEDDLE_MODELS=none OMP_NUM_THREADS=2
for size in 1 3x5x7 0x5x3 5x0x3 5x7x0 131x1x200 1x131x200 127x251x113; do
    for type in fp32 fp64; do
        checked "$GEMM" --size=$size --type=$type --device=host --threads=2
        checked "$GEMM_DEVICES" --size=$size --type=$type --device=all --tile=32 --beta=-2 --alpha=0.5 --warm=1 --repeat=2 # each run begins with C as it was
    done
done
for schedule in static capability chunk,3 gss fss steal lp auto; do
    checked "$GEMM_DEVICES" --size=300x200x100 --tile=32 --schedule=$schedule --device=all --whole
    sum=$(sed 's/.*"checksum": "\([^"]*\)".*/\1/' out)
    same "$schedule: whole numbers are exact" "$sum" "${first:-$sum}"
    first=$sum
done
checked "$GEMM" --size=300x200x100 --tile=32 --device=host --whole --blas=none
same "plain C: whole numbers are exact" "$(sed 's/.*"checksum": "\([^"]*\)".*/\1/' out)" "$first"
value() { sed "s/.*\"$1\": \([^,}]*\).*/\1/" out; }
# one device: everything fits, so each of the 7 + 5 panels is fetched once; with little memory they are fetched again
checked "$GEMM_DEVICES" --size=200x160x300 --tile=32 --device=1
same "panels fetched" "$(value fetched)" 12
same "tiles on the device" "$(value tiles_on_devices)" 35
same "bytes fetched" "$(value bytes_in)" $(((200 + 160) * 300 * 4))
checked "$GEMM_DEVICES" --size=200x160x300 --tile=32 --device=1 --cache=0.2 --slab=5000 --whole --beta=1
[ "$(value fetched)" -gt 12 ] || bad "a small cache: $(value fetched) fetched"
same "tiles with little memory" "$(value tiles_on_devices)" 35
# a device smaller than the matrices: the cache is as large as the device says
export HEDDLE_MEMORY_LIMIT=200K
checked "$GEMM_DEVICES" --size=200x160x300 --tile=32 --device=1 --whole --beta=1
[ "$(value fetched)" -gt 12 ] || bad "a small device: $(value fetched) fetched"
same "tiles on a small device" "$(value tiles_on_devices)" 35
checked "$GEMM_DEVICES" --size=400x300x1000 --tile=32 --device=all --type=fp64
export HEDDLE_MEMORY_LIMIT=10K
expect 2 "0.00922 MB are too little memory for tiles of 64 x 64" "$GEMM_DEVICES" --device=0 --tile=64 --size=200
unset HEDDLE_MEMORY_LIMIT
# two devices, half of C each: half of what both need of B is copied from the other device (which half is a matter of time)
checked "$GEMM_DEVICES" --size=512x512x700 --tile=64 --device=0,1 --schedule=static --slab=10000
same "what two devices need" $(($(value bytes_in) + $(value bytes_across))) $((3 * 512 * 700 * 4))
[ "$(value bytes_across)" -gt 0 ] || bad "nothing was exchanged"
checked "$GEMM_DEVICES" --size=150x150x90 --resident --device=2 --beta=2
checked "$GEMM_DEVICES" --size=150 --resident --type=fp64

# what is learnt is kept by size of a tile and type
for type in fp32 fp64; do
    expect 0 "" env HEDDLE_MODELS="$scratch" "$GEMM_DEVICES" --size=200x160x300 --tile=32 --type=$type --device=all --json
done
same "kept for each type" "$(cut -d, -f2 ./*.loops.csv | sed -n 's/.*nest_tiles.c:[0-9]* //p' | sort -u | tr '\n' ';')" "fp32 tile 32 depth 256;fp64 tile 32 depth 256;"

# files: A in C's order, B in Fortran's, C as .bin
python3 - <<'EOP' || bad "cannot write the matrices"
import random, struct
def npy(name, rows, cols, values, fortran=False, kind="f4", version=1):
    text = "{'descr': '<%s', 'fortran_order': %s, 'shape': (%d, %d), }" % (kind, fortran, rows, cols)
    text += " " * (63 - (len(text) + 10 + 2 * (version - 1)) % 64) + "\n"
    order = [(i, j) for i in range(rows) for j in range(cols)] if not fortran else [(i, j) for j in range(cols) for i in range(rows)]
    data = struct.pack("<%d%s" % (rows * cols, "f" if kind == "f4" else "d"), *(values[i][j] for i, j in order))
    head = struct.pack("<H" if version == 1 else "<I", len(text))
    open(name, "wb").write(b"\x93NUMPY" + bytes([version, 0]) + head + text.encode() + data)
random.seed(3)
m, n, k = 13, 9, 21
a = [[random.randint(-9, 9) for _ in range(k)] for _ in range(m)]
b = [[random.randint(-9, 9) for _ in range(n)] for _ in range(k)]
c = [[random.randint(-9, 9) for _ in range(n)] for _ in range(m)]
npy("a.npy", m, k, a)
npy("b.npy", k, n, b, fortran=True, version=2)
npy("d.npy", k, n, b, kind="f8")
npy("c.npy", m, n, c)
open("c.bin", "wb").write(struct.pack("<%df" % (m * n), *(v for r in c for v in r)))
right = [[2 * sum(a[i][p] * b[p][j] for p in range(k)) - c[i][j] for j in range(n)] for i in range(m)]
npy("right.npy", m, n, right)
b[0][0] = float("nan")
npy("nan.npy", k, n, b)
open("cut.npy", "wb").write(open("a.npy", "rb").read()[:-1])
open("head.npy", "wb").write(open("a.npy", "rb").read()[:30])
EOP
for c in c.npy c.bin; do
    checked "$GEMM_DEVICES" --a=a.npy --b=b.npy --c=$c --alpha=2 --beta=-1 --out=out.npy --device=all --tile=4
    cmp -s out.npy right.npy || bad "2 A B - C from $c"
done
checked "$GEMM" --a=a.npy --b=b.npy --c=c.npy --alpha=2 --beta=-1 --out=out.bin --device=host
same "elements alone" "$(wc -c <out.bin)" $((13 * 9 * 4))
tail -c $((13 * 9 * 4)) right.npy | cmp -s - out.bin || bad "2 A B - C as .bin"
checked "$GEMM" --a=a.npy --size=13x5x21 --device=host

expect 2 "--size=5x5: expected N or MxNxK" "$GEMM" --size=5x5
expect 2 "--size=5x5x-1: expected" "$GEMM" --size=5x5x-1
expect 2 "a product of this size needs" "$GEMM" --size=2000000
expect 2 "each from 0 to" "$GEMM" --size=99999999999999999999
expect 2 "of memory" "$GEMM" --size=100000000x0x100000000
expect 2 "--cache=-1: must be 0 or more" "$GEMM" --cache=-1
checked "$GEMM_DEVICES" --size=0 --device=all --beta=2
checked "$GEMM_DEVICES" --size=64 --tile=9223372036854775807 --slab=9223372036854775807 --step=9223372036854775807 --cache=1e300
same "a tile is not larger than C" "$(value tiles)" 1
expect 2 "of memory" "$GEMM" --size=2000000000
expect 2 "of memory" "$GEMM" --size=2000000000x1x2000000000
expect 2 "--type=half: expected fp32 or fp64" "$GEMM" --type=half
expect 2 "--tile=0: must be at least 1" "$GEMM" --tile=0
expect 2 "--lock=maybe: expected yes or no" "$GEMM" --lock=maybe
expect 2 "--out=c.txt: the name must end in .npy or .bin" "$GEMM" --out=c.txt
expect 2 "no/c.npy: No such file" "$GEMM" --size=5 --out=no/c.npy
expect 2 "none.npy: No such file" "$GEMM" --a=none.npy
expect 2 "--c without --beta" "$GEMM" --c=c.npy
expect 2 "b.npy: B is 21 x 9, which does not fit" "$GEMM" --a=b.npy --b=b.npy
expect 2 "d.npy: another type than the matrix before" "$GEMM" --a=a.npy --b=d.npy
expect 2 "a.npy: its type is not --type=fp64" "$GEMM" --a=a.npy --type=fp64
expect 2 "--size: the files say M = 13" "$GEMM" --a=a.npy --size=14x5x21
expect 2 "nan.npy: holds infinite values or NaN" "$GEMM" --a=a.npy --b=nan.npy --check
expect 0 "" "$GEMM" --a=a.npy --b=nan.npy
expect 2 "cut.npy: not 13 x 21 elements of 4 bytes" "$GEMM" --a=cut.npy
expect 2 "head.npy: the header is cut off" "$GEMM" --a=head.npy
expect 2 "c.bin: not 13 x 1024 elements" "$GEMM" --c=c.bin --beta=1 --size=13x1024x5
printf 'P5 1 1 1 ' >picture.npy
expect 2 "picture.npy: not a .npy file" "$GEMM" --a=picture.npy
expect 2 "--blas=nothing.so: " "$GEMM" --blas=nothing.so
expect 2 "too little memory for tiles of 64 x 64" "$GEMM_DEVICES" --device=0 --cache=0.01 --tile=64 --size=200
expect 2 "there is no device 77" "$GEMM_DEVICES" --device=77
expect 2 "a product of this size needs" "$GEMM" --size=2000000000
expect 2 "there is no device 77" "$GEMM_DEVICES" --device=77 --resident
# a full disk, and what never ends
if [ -w /dev/full ]; then
    ln -s /dev/full full.npy
    ln -s /dev/full full.bin
    expect 2 "full.npy: No space left" "$GEMM" --size=64 --out=full.npy
    expect 2 "full.bin: No space left" "$GEMM" --size=1 --out=full.bin
    "$GEMM" --size=8 --json >/dev/full 2>err
    same "a result that cannot be written" "$?:$(grep -c 'the result cannot be written: No space left' err)" 2:1
    ln -s /dev/zero zero.bin
    expect 2 "zero.bin: not 8 x 8 elements" "$GEMM" --size=8 --a=zero.bin
fi
expect 2 "--alpha=1e+308 --beta=0: too large for fp32" "$GEMM" --size=8 --alpha=1e308
checked "$GEMM" --size=8 --alpha=1e300 --type=fp64 --device=host
finish
