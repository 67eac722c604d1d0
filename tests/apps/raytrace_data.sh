# SPDX-License-Identifier: Apache-2.0
# raytrace on public meshes: all are read and rendered as the serial program does; a plane is the same picture in 1800 and in 5000 triangles.
. "$(dirname "$0")/lib.sh"
data meshes/spot.obj >/dev/null || no_data meshes/spot.obj
for mesh in cornell_box fcl_env fcl_rob pbd_bunny_10k pbd_cube_5 pbd_sphere pbd_torus spot; do
    expect 0 "" "$RAYTRACE" "$(data meshes/$mesh.obj)" --size=120x90 --samples=2 --check --json
    grep -q '"check": "ok"' out || bad "$mesh: $(cat out)"
done
for n in 30 50; do
    expect 0 "" "$RAYTRACE" "$(data meshes/pbd_plane_${n}x$n.obj)" --size=200x150 --samples=4 --json
    sed 's/.*"checksum": \("[^"]*"\).*/\1/' out >plane.$n
done
cmp -s plane.30 plane.50 || bad "a plane is another picture in smaller triangles"
finish
