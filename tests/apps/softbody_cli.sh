# SPDX-License-Identifier: Apache-2.0
# softbody from the command line: scenes against the serial program, meshes from files, frames, bad input.
. "$(dirname "$0")/lib.sh"
checked() { # OPTIONS...
    expect 0 "" "$SOFTBODY" --check --json "$@"
    grep -q '"check": "ok"' out || bad "softbody $*: $(cat out)"
}
for scene in fall pairs pile mixed bars; do
    checked --scene=$scene --bodies=5 --size=150 --steps=12 --threads=2
    checked --scene=$scene --bodies=1 --size=1 --steps=3 --threads=3
done
checked --scene=pile --bodies=8 --size=150 --steps=12 --springs --self --threads=2
for scene in fall pairs pile mixed bars; do # as one graph of tasks
    checked --scene=$scene --bodies=5 --size=150 --steps=12 --threads=2 --groups=3
done
checked --scene=pile --bodies=8 --size=150 --steps=12 --springs --self --threads=2 --groups=8
for groups in 0 4; do
    checked --scene=bars --bodies=4 --size=64 --steps=6 --groups=$groups --energies=e$groups.tsv
done
cmp e0.tsv e4.tsv || bad "energies of the graph"
expect 2 "has numbers that are not finite after step 0" "$SOFTBODY" --scene=pile --bodies=2 --size=27 --steps=50 --damping=1e38 --groups=2 --out=k.obj
[ -s k-99999.obj ] || bad "no last frame of the graph"
checked --scene=pile --bodies=8 --size=150 --steps=12 --apart --iterations=3 --step=0.005

# frames, a table, a picture
checked --scene=bars --bodies=4 --size=64 --steps=6 --every=3 --out=f.obj --energies=e.tsv --picture=p.png --pixels=40 --views=3
same "rows of energies" "$(wc -l <e.tsv)" 7
for n in 0 1 2; do
    [ -s f-0000$n.obj ] || bad "no frame $n"
done
same "bodies of a frame" "$(grep -c '^o ' f-00002.obj)" 4
python3 - <<'END' || bad "picture"
import struct
head = open("p.png", "rb").read(24)
assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:24]) == (120, 40)
END
checked --scene=fall --bodies=2 --size=27 --steps=1 --out=g.ply
python3 - <<'END' || bad "PLY"
data = open("g-00001.ply", "rb").read()
head, body = data.split(b"end_header\n", 1)
points, faces = [int(line.split()[2]) for line in head.split(b"\n") if line.startswith(b"element")]
assert len(body) == 12 * points + 17 * faces and points > 50 and faces > 90, (len(body), points, faces)
END
if command -v ffmpeg >/dev/null; then
    checked --scene=bars --bodies=2 --size=27 --steps=3 --video=v.mp4 --pixels=64
    [ -s v.mp4 ] || bad "no video"
else
    expect 2 "needs the program ffmpeg" "$SOFTBODY" --scene=bars --bodies=2 --size=27 --steps=3 --video=v.mp4
fi

# the same mesh as TetGen's and Gmsh's files: the same bits
python3 - <<'END'
points = [(x, y, z) for z in range(3) for y in range(3) for x in range(3)]
tets = []
for c in (x + 3 * y + 9 * z for z in range(2) for y in range(2) for x in range(2)):
    for a, b in ((1, 3), (3, 1), (1, 9), (9, 1), (3, 9), (9, 3)):
        tets.append((c, c + a, c + a + b, c + 13))
with open("m.node", "w") as out:
    out.write(f"# made by a test\n{len(points)} 3 0 0\n\n")
    for k, p in enumerate(points):
        out.write(f"{k + 1} {p[0]} {p[1]} {p[2]}\n")
with open("m.ele", "w") as out:
    out.write(f"{len(tets)} 4 0\n")
    for k, t in enumerate(tets):
        out.write(f"{k + 1} " + " ".join(str(i + 1) for i in t) + "\n")
with open("m2.msh", "w") as out:
    out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all\"\n$EndPhysicalNames\n$Nodes\n{len(points)}\n")
    for k, p in enumerate(points):
        out.write(f"{k + 1} {p[0]} {p[1]} {p[2]}\n")
    out.write(f"$EndNodes\n$Elements\n{len(tets) + 1}\n1 2 2 1 1 1 2 3\n")
    for k, t in enumerate(tets):
        out.write(f"{k + 2} 4 2 1 1 " + " ".join(str(i + 1) for i in t) + "\n")
    out.write("$EndElements\n")
with open("m4.msh", "w") as out:
    out.write(f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {len(points)} 1 {len(points)}\n3 1 0 {len(points)}\n")
    out.write("".join(f"{k + 1}\n" for k in range(len(points))))
    out.write("".join("{} {} {}\n".format(*p) for p in points))
    out.write(f"$EndNodes\n$Elements\n1 {len(tets)} 1 {len(tets)}\n3 1 4 {len(tets)}\n")
    for k, t in enumerate(tets):
        out.write(f"{k + 1} " + " ".join(str(i + 1) for i in t) + "\n")
    out.write("$EndElements\n")
END
for mesh in m.node m.ele m2.msh m4.msh; do
    checked $mesh --steps=20 --bodies=2
    sum=$(sed 's/.*"checksum": \("[^"]*"\).*/\1/' out)
    same "$mesh" "$sum" "${first:=$sum}"
done
if real=$(data tet/armadillo_4k.node); then
    checked "$real" --steps=10 --bodies=2 --threads=2
    grep -q '"size": "2360x10"\|2360' out || bad "armadillo: $(cat out)"
fi

sed '5s/.*/3 1 nan 0/' m.node >bad.node && cp m.ele bad.ele
expect 2 "bad.node:5: number of a node: 3: expected a whole number from 2 to 2" "$SOFTBODY" bad.node
sed '5s/.*/2 1 nan 0/' m.node >bad.node
expect 2 "bad.node:5: nan is out of range" "$SOFTBODY" bad.node
cp m.node bad.node
sed '3s/.*/2 1 2 3 99/' m.ele >bad.ele
expect 2 "bad.ele:3: node: 99: expected a whole number from 1 to 27" "$SOFTBODY" bad.node
sed '3s/.*/2 1 2 3 3/' m.ele >bad.ele
expect 2 "bad.ele:3: node 3 is there twice" "$SOFTBODY" bad.ele
sed '3s/.*/2 1 2 3 4/' m.ele >bad.ele
expect 2 "is flat (nodes" "$SOFTBODY" bad.ele
head -5 m.ele >bad.ele
expect 2 "the file ends after 4 of 48 tetrahedra" "$SOFTBODY" bad.ele
expect 2 "none.ele: No such file" sh -c "cp m.node none.node; '$SOFTBODY' none.node"
sed 's/^2.2 0/2.2 1/' m2.msh >bad.msh
expect 2 "bad.msh:2: a binary .msh" "$SOFTBODY" bad.msh
sed 's/^4.1/3/' m4.msh >bad.msh
expect 2 "version 3 of .msh: 2.2 and 4.1 are read" "$SOFTBODY" bad.msh
head -20 m4.msh >bad.msh
expect 2 "the file ends too early" "$SOFTBODY" bad.msh
sed 's/^2 4 2 1 1 1 /2 4 2 1 1 77 /' m2.msh >bad.msh
expect 2 "node 77 does not exist" "$SOFTBODY" bad.msh
sed '/^[0-9]* 4 2 1 1/d; s/^49$/1/' m2.msh >bad.msh
expect 2 "has no tetrahedra" "$SOFTBODY" bad.msh
expect 2 "must end in .node, .ele or .msh" "$SOFTBODY" x.obj
expect 2 "No such file" "$SOFTBODY" nowhere.msh
expect 2 "expected fall, pairs, pile, mixed or bars" "$SOFTBODY" --scene=x
expect 2 "is for scenes without a file" "$SOFTBODY" m.node --size=3
expect 2 "must end in .png or .ppm" "$SOFTBODY" --picture=x.jpg
expect 2 "must end in .obj or .ply" "$SOFTBODY" --out=x.stl
expect 2 "expected more than 0 to 1" "$SOFTBODY" --step=0
expect 2 "there is no device 99" "$SOFTBODY" --device=99
expect 2 "No such file" "$SOFTBODY" --bodies=1 --size=8 --steps=1 --out=nowhere/x.obj
# a matrix that leaves the range of floats: the body is named, and the last whole frame is there
expect 2 "body 0 has numbers that are not finite after step 0" "$SOFTBODY" --scene=pile --bodies=2 --size=27 --steps=50 --damping=1e38 --out=n.obj
[ -s n-99999.obj ] || bad "no last frame"
expect 0 "" "$SOFTBODY" --help
finish
