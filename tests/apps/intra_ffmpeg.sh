# SPDX-License-Identifier: Apache-2.0
# ffmpeg decodes intra's streams to exactly the pictures that the encoder says.
. "$(dirname "$0")/lib.sh"
command -v ffmpeg >/dev/null || { echo "skipped: no ffmpeg here"; exit 77; }
decoded() { # INTRA'S ARGUMENTS...
    expect 0 "" "$INTRA" "$@" -o x.264 --recon=x.yuv --json
    ffmpeg -v error -nostdin -y -i x.264 -f rawvideo -pix_fmt yuv420p d.yuv 2>err || bad "ffmpeg: $(head -3 err)"
    [ -s err ] && bad "ffmpeg complains: $(head -3 err)"
    cmp -s x.yuv d.yuv || bad "intra $*: ffmpeg decodes other pictures"
}
for qp in 0 3 12 18 24 28 33 40 51; do
    decoded --size=178x100 --frames=4 --qp=$qp
    decoded --size=96x146 --frames=3 --qp=$qp --slices=4
done
for file in CiscoVT2people_160x96_6fps.yuv:160x96 CiscoVT2people_320x192_12fps.yuv:320x192 Static_152_100.yuv:152x100; do
    path=$(data video/${file%:*}) || continue
    for options in --qp=10 --qp=28 "--qp=37 --slices=3"; do
        # shellcheck disable=SC2086
        decoded "$path" --size=${file#*:} $options
    done
done
finish
