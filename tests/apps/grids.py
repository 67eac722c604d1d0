# SPDX-License-Identifier: Apache-2.0
# What the app scripts share on Python's side: table files, pictures, xoshiro-free brute force.
import array, struct, zlib

TYPES = {"int32": "i", "int64": "q", "float32": "f", "float64": "d"}

def table(path):
    """[planes][rows][cols] of a heddle-table file."""
    with open(path, "rb") as f:
        word, version, kind, planes, rows, cols = f.readline().split()
        assert (word, version) == (b"heddle-table", b"1"), word
        planes, rows, cols = int(planes), int(rows), int(cols)
        a = array.array(TYPES[kind.decode()], f.read())
    assert len(a) == planes * rows * cols
    return [[a[(p * rows + r) * cols:(p * rows + r + 1) * cols].tolist() for r in range(rows)] for p in range(planes)]

def pgm(path):
    """Rows of an 8 or 16 bit P5 file, and its white."""
    with open(path, "rb") as f:
        data = f.read()
    magic, width, height, most, pixels = data.split(None, 3)[0], *map(int, data.split(None, 4)[1:4]), None
    pixels = data[len(data) - width * height * (2 if most > 255 else 1):]
    assert magic == b"P5"
    flat = array.array("H", pixels) if most > 255 else list(pixels)
    if most > 255:
        flat.byteswap()
    return [list(flat[y * width:(y + 1) * width]) for y in range(height)], most

def save_pgm(path, rows, most=255):
    with open(path, "wb") as f:
        f.write(b"P5\n%d %d\n%d\n" % (len(rows[0]), len(rows), most))
        for row in rows:
            f.write(struct.pack(">%d%s" % (len(row), "H" if most > 255 else "B"), *row))

def save_png(path, rows, depth=8, colour=0, samples=1):
    """rows: flat samples of each row."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + struct.pack(">%d%s" % (len(r), "H" if depth == 16 else "B"), *r) for r in rows)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]) // samples, len(rows), depth, colour, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
