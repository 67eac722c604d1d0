#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page with a million spans in a headless Chromium: it opens without a network, counts, zooms and searches.
set -u
for c in chromium-headless-shell chromium chromium-browser google-chrome; do
    browser=$(command -v "$c") && break
done
[ -n "${browser:-}" ] || { echo "skipped: no Chromium here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 - "$work/m.trace" <<'PY'
import random, sys
r = random.Random(1)
tracks, each = 100, 10000
with open(sys.argv[1], "w") as f:
    f.write("heddle-trace 1\ntitle\tmillion\ndropped\t0\n")
    for t in range(tracks):
        f.write(f"track\tdevice {t % 2}\tSM {t}\n")
    for n in range(20):
        f.write(f"name\ttask {n}\n")
    for t in range(tracks):
        at = 0
        for _ in range(each):
            d = r.randrange(100, 9000)
            f.write(f"e\t{t}\t{r.randrange(19)}\t{at}\t{d}\n")
            at += d + r.randrange(200)
PY
"$HEDDLE_BUILD/bin/heddle" trace "$work/m.trace" -o "$work/m.html" || exit 1
# drives the page as a user would and leaves what it saw as text
cat >>"$work/m.html" <<'JS'
<script>
const report = {};
try {
  const t0 = performance.now(); paint(); report.paint = performance.now() - t0;
  report.about = document.getElementById("about").textContent;
  const whole = to - from;
  view.dispatchEvent(new WheelEvent("wheel", {deltaY: -4000, clientX: 600, clientY: 200}));
  report.zoomed = (to - from) < whole / 100;
  const t1 = performance.now(); paint(); report.paintZoomed = performance.now() - t1;
  report.found = search("TASK 7"); report.none = search("nothing of the kind");
  search(""); show(500000); report.shown = from <= begin[500000] && begin[500000] <= to;
  paint(); const t = trackOf(500000), y = t.y - top0 + RULER + 5, k = at(X(begin[500000] + dur[500000] / 2), y);
  report.hit = k === 500000;
  const c = view.getContext("2d").getImageData(Math.round(X(begin[k] + dur[k] / 2) * devicePixelRatio), Math.round(y * devicePixelRatio), 1, 1).data;
  report.painted = c[0] + c[1] + c[2] > 0 && !(c[0] === c[1] && c[1] === c[2]);
  report.rows = document.querySelectorAll("#foot tbody tr").length;
} catch (e) { report.error = String(e); }
document.body.setAttribute("data-report", JSON.stringify(report));
</script>
JS
timeout 200 "$browser" --no-sandbox --disable-gpu --window-size=1400,900 --dump-dom "file://$work/m.html" 2>/dev/null |
    grep -o 'data-report="[^"]*"' | sed 's/&quot;/"/g; s/^data-report="//; s/"$//' >"$work/report"
cat "$work/report"
python3 - "$work/report" <<'PY'
import json, sys
r = json.loads(open(sys.argv[1]).read())
assert "error" not in r, r
assert r["about"].startswith("1000000 spans on 100 tracks"), r
assert r["zoomed"] and r["shown"] and r["hit"] and r["painted"], r
assert 40000 < r["found"] < 65000 and r["none"] == 0 and r["rows"] == 19, r
PY
