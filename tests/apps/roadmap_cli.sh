# SPDX-License-Identifier: Apache-2.0
# roadmap from the command line: the sofa on the host and on devices against the serial program, meshes of files, what is
# written, bad input.
. "$(dirname "$0")/lib.sh"
value() { sed "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/" out; }
checked() { # PROGRAM OPTIONS...
    expect 0 "" "$@" --check --json
    grep -q '"check": "ok"' out || bad "$*: $(cat out)"
}

for options in "" "--neighbours=1" "--neighbours=32 --step=0.2" "--turn-weight=0 --seed=5" "--threads=1 --schedule=steal"; do
    # shellcheck disable=SC2086
    checked "$ROADMAP" --size=1000 --triangles=3000 $options
done
for size in 2 3 12; do
    checked "$ROADMAP" --size=$size --triangles=500
done
checked "$ROADMAP" --size=8000 --triangles=5000 --obj=a.obj --out=p.tsv
[ "$(value path)" -ge 3 ] || bad "no path through the door: $(cat out)"
same "lines of the path" "$(sed 1d p.tsv | wc -l)" "$(value path)"
expect 0 "" "$RAYTRACE" a.obj --size=80x60 --out=a.png

# four devices and the host, alone and together: the same map to the bit (a sanitizer and the x86_64 devices do not go together)
grep -q '^HEDDLE_SANITIZE:[A-Z]*=.' "${HEDDLE_BUILD:-.}/CMakeCache.txt" 2>/dev/null && ROADMAP_DEVICES=$ROADMAP sanitized=1
checked "$ROADMAP_DEVICES" --size=600 --triangles=2000
value checksum >host
for how in lp,all lp_steal,all steal,all tan09,all lp,0 lp,auto lp,host; do
    case ${sanitized:-0}$how in 1*,[0-9]) continue ;; esac # there is no such device then
    for cut in --cut=0 --cut=1 --resident; do
        checked "$ROADMAP_DEVICES" --size=600 --triangles=2000 --schedule="${how%,*}" --device="${how#*,}" $cut
        [ "$(value checksum)" = "$(cat host)" ] || bad "roadmap $how $cut: another map"
    done
done

# batches that fail, and what a device that vanishes had
if [ "${sanitized:-0}" = 0 ]; then
    for fault in copy:7 vanish:9; do
        HEDDLE_FAULT=$fault "$ROADMAP_DEVICES" --size=600 --triangles=2000 --device=0,2 --json >out 2>err
        same "$fault" "$(value checksum)" "$(cat host)"
        grep -q "failed (\|holds no code" err || bad "$fault: no message: $(cat err)"
    done
fi

# a square tile through a slot, from files
cat >tile.obj <<'OBJ'
v -0.2 -0.2 0
v 0.2 -0.2 0
v 0.2 0.2 0
v -0.2 0.2 0
f 1 2 3 4
OBJ
cat >wall.obj <<'OBJ'
v 0 -1 -1
v 0 1 -1
v 0 1 -0.1
v 0 -1 -0.1
v 0 -1 0.1
v 0 1 0.1
v 0 1 1
v 0 -1 1
v 1 1 1
v -1 -1 -1
f 1 2 3 4
f 5 6 7 8
f 9 9 9
f 10 10 10
OBJ
checked "$ROADMAP" tile.obj wall.obj --start="-0.8 0 0" --goal="0.8 0 0" --size=3000
[ "$(value path)" -ge 2 ] || bad "no way through the slot: $(cat out)"
value checksum >slot
{
    printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n'
    printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
    sed -n 's/^v //p' tile.obj
    echo 4 0 1 2 3
} >tile.ply
checked "$ROADMAP" tile.ply wall.obj --start="-0.8 0 0" --goal="0.8 0 0" --size=3000
same "the tile as PLY" "$(value checksum)" "$(cat slot)"
printf 'v 0 -1 -0.1\nv 0 1 -0.1\nv 0 1 0.1\nv 0 -1 0.1\nf -4 -3 -2 -1\n' >>wall.obj # shut
checked "$ROADMAP" tile.obj wall.obj --start="-0.8 0 0" --goal="0.8 0 0" --size=500
same "states of a path through a wall" "$(value path)" 0
expect 0 "the start touches something" "$ROADMAP" tile.obj wall.obj --start="0 0 0" --goal="0.8 0 0" --size=100 --json
same "states of a path that is none" "$(value path)" 0

expect 2 "two OBJ or PLY files" "$ROADMAP" tile.obj
expect 2 "--start and --goal are needed" "$ROADMAP" tile.obj wall.obj
expect 2 "--start=1 2: expected" "$ROADMAP" tile.obj wall.obj --start="1 2" --goal="0 0 0"
expect 2 "--goal=0 0 nan: expected" "$ROADMAP" tile.obj wall.obj --start="1 2 3" --goal="0 0 nan"
expect 2 "--goal=0 0 0 0 0 0 0: expected" "$ROADMAP" tile.obj wall.obj --start="1 2 3" --goal="0 0 0 0 0 0 0"
expect 2 "nothing.obj: No such file" "$ROADMAP" nothing.obj wall.obj --start="1 2 3" --goal="0 0 0"
sed 's/^v 1 1 1/v 1 nan 1/' wall.obj >nan.obj
expect 2 "nan.obj:9: v: nan is out of range" "$ROADMAP" tile.obj nan.obj --start="1 2 3" --goal="0 0 0"
printf 'v 1 2 3\n' >point.obj
expect 2 "point.obj: the file has no faces" "$ROADMAP" tile.obj point.obj --start="1 2 3" --goal="0 0 0"
expect 2 "--neighbours=33" "$ROADMAP" --neighbours=33
expect 2 "--step=0" "$ROADMAP" --step=0
expect 2 "--step=1e-09: up to 2.07e+10 states between two places" "$ROADMAP" --step=1e-9
expect 2 "--step=0.05: up to 2e+31 states" "$ROADMAP" tile.obj wall.obj --start="1e30 0 0" --goal="0.8 0 0"
expect 2 "--step=0.05: up to inf states" "$ROADMAP" tile.obj wall.obj --start="1e200 0 0" --goal="0.8 0 0"
expect 2 "--size=1" "$ROADMAP" --size=1
expect 2 "--triangles is for runs without files" "$ROADMAP" tile.obj wall.obj --triangles=100
finish
