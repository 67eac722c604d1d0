# SPDX-License-Identifier: Apache-2.0
# peptide from the command line: both formats of the same seeded spectra, all kinds of options against the serial
# program, what is found, bad input.
. "$(dirname "$0")/lib.sh"
[ -x "$PEPTIDE" ] || { echo "skipped: peptide is not built"; exit 77; }
export OMP_NUM_THREADS=2
checked() { # OPTIONS...
    expect 0 "" "$PEPTIDE" --check --json "$@"
    grep -q '"check": "ok"' out || bad "peptide $*: $(cat out)"
}
value() { sed "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/" out; }

for options in "" "--fragment=20ppm" "--fragment=0.02da --classes=2" "--tolerance=50da" "--tolerance=900da" "--tolerance=3mz --isotopes=-1,2" \
    "--variable=M+15.994915,nQ-17.026549 --mods=3" "--enzyme=none --length=8,10 --proteins=20"; do
    # shellcheck disable=SC2086
    checked --size=200 --proteins=100 $options
done
for size in 1 7 300; do
    checked --size=$size --proteins=50 --schedule=static --warm=1 --repeat=2
done

# four devices and the host, alone and together: the same hits to the bit (a sanitizer and the x86_64 devices do not go together)
grep -q '^HEDDLE_SANITIZE:[A-Z]*=.' "${HEDDLE_BUILD:-.}/CMakeCache.txt" 2>/dev/null && PEPTIDE_DEVICES=$PEPTIDE sanitized=1
expect 0 "" "$PEPTIDE" --size=150 --proteins=100 --tolerance=30da --json
value checksum >host
for how in auto,all static,all gss,all steal,all egs,0 auto,host auto,1; do
    case ${sanitized:-0}$how in 1*,[0-9]) continue ;; esac # there is no such device then
    expect 0 "" "$PEPTIDE_DEVICES" --size=150 --proteins=100 --tolerance=30da --json --check --schedule="${how%,*}" --device="${how#*,}"
    grep -q '"check": "ok"' out || bad "peptide $how: $(cat out)"
    [ "$(value checksum)" = "$(cat host)" ] || bad "peptide $how: other hits"
    case ${sanitized:-0}$how in 0static,all | 0egs,0) grep -q '"device_iterations": \[[1-9]' out || bad "peptide $how: no device took part: $(cat out)" ;; esac
done

# a data set of our own: proteins with decoys, spectra in both formats
"$PEPTIDE" --size=400 --proteins=200 --json >first || bad "seeded"
"$PEPTIDE" --proteins=150 --decoy-prefix=none_ --save-proteins=seeded.fa --synthesize=1 --out=one.mgf || bad "seeded proteins"
awk '/^>none_/ {exit} /^>/ {$0 = "> " substr($0, 2) " some protein\n"} {print}' seeded.fa >db.fa
for format in mgf mzML; do
    expect 0 "" "$PEPTIDE" db.fa --synthesize=300 --out=s.$format --variable=M+15.9949
    expect 0 "" "$PEPTIDE" db.fa s.$format --decoy --variable=M+15.9949 --out=$format.tsv --json --check
    value identified >identified.$format
done
gzip -k s.mzML
expect 0 "" "$PEPTIDE" db.fa s.mzML.gz --decoy --variable=M+15.9949 --out=gz.tsv --json
cmp -s mzML.tsv gz.tsv || bad "gzip"
# the same best hits: the MGF has five digits, the mzML all
awk -F'\t' '$2 == 1 && $13 <= 0.01 {print $1, $7}' mgf.tsv >a
awk -F'\t' '$2 == 1 && $13 <= 0.01 {print $1, $7}' mzML.tsv >b
[ "$(comm -12 a b | wc -l)" -ge 220 ] || bad "MGF and mzML agree on $(comm -12 a b | wc -l)"
# the truth is in the TITLE: nine in ten of the true peptides are found, next to nothing else is
awk -F'=' '/^TITLE=/ {split($2, t, " "); if (t[1] != "noise") print $3, t[1]}' s.mgf | sort >truth
sort a >a.sorted
true=$(wc -l <truth) found=$(comm -12 a.sorted truth | wc -l) wrong=$(comm -23 a.sorted truth | wc -l)
[ "$found" -ge $((true * 9 / 10)) ] || bad "$found of $true true peptides"
[ "$wrong" -le 6 ] || bad "$wrong wrong peptides at q <= 0.01"
# Windows line ends, standard input
for name in db.fa s.mgf; do
    awk '{printf "%s\r\n", $0}' $name >crlf.$name
done
expect 0 "" "$PEPTIDE" db.fa s.mgf --decoy --json
value checksum >unix
expect 0 "" "$PEPTIDE" crlf.db.fa crlf.s.mgf --decoy --json
[ "$(value checksum)" = "$(cat unix)" ] || bad "Windows line ends"
"$PEPTIDE" db.fa - --decoy --json <s.mgf >out || bad "standard input"
[ "$(value checksum)" = "$(cat unix)" ] || bad "standard input"
# without charges in the file; many charges of ions; many candidates, for which a CPU has another way
sed '/^CHARGE/d' s.mgf | awk '/BEGIN/ {n++} n <= 60' >guess.mgf
expect 0 "" "$PEPTIDE" db.fa guess.mgf --charges=1,6 --fragment-charges=4 --tolerance=200da --decoy --json --check
value checksum >wide # windows of several charges overlap: the same candidate is met more than once
expect 0 "" "$PEPTIDE_DEVICES" db.fa guess.mgf --charges=1,6 --fragment-charges=4 --tolerance=200da --decoy --json --check \
    --device=all --schedule=static
[ "$(value checksum)" = "$(cat wide)" ] || bad "devices, charges 1 to 6: $(cat out)"
grep -q '"check": "ok"' out || bad "devices, charges 1 to 6: $(cat out)"
expect 0 "" "$PEPTIDE" db.fa guess.mgf --charges=1,6 --decoy --variable=M+15.9949 --out=guess.tsv --json --check
awk -F'\t' '$2 == 1 {print $1, $7}' guess.tsv | sort >guessed
[ "$(comm -12 guessed truth | wc -l)" -ge 42 ] || bad "without charges $(comm -12 guessed truth | wc -l) of 60 spectra"
# several files, each hit with its own; fewer lines on request
expect 0 "" "$PEPTIDE" db.fa s.mgf s.mzML --top=1 --max-q=0.01 --decoy
[ "$(cut -f1 out | sort -u | tr '\n' ' ')" = "#file s.mgf s.mzML " ] || bad "files: $(cut -f1 out | sort -u)"
cut -f3 out | sed 1d | grep -qv '^1$' && bad "--top=1 lists more"
# decoys by name instead of --decoy; what has both is an error
expect 0 "" "$PEPTIDE" db.fa s.mgf --decoy --out=made.tsv --json
value checksum >made
awk '/^>/ {if (s) print r(s) > "rev"; n = $2; s = ""; print ">rev_" n > "rev"; next} {s = s $0} END {print r(s) > "rev"}
    function r(x, i, y) {y = ""; for (i = length(x); i; i--) y = y substr(x, i, 1); return y}' db.fa
cat db.fa rev >both.fa
expect 0 "" "$PEPTIDE" both.fa s.mgf --out=read.tsv --json
value checksum >found
cmp -s made found || bad "decoys made and read differ"
expect 2 "has 150 decoys already" "$PEPTIDE" both.fa s.mgf --decoy

# bad input: file and line or scan, status 2
expect 2 "nofile.fa: No such file" "$PEPTIDE" nofile.fa s.mgf
expect 2 "nofile.mgf: No such file" "$PEPTIDE" db.fa nofile.mgf
expect 2 "no spectra" "$PEPTIDE" db.fa
expect 2 "--size is for runs without files" "$PEPTIDE" --size=5 db.fa s.mgf
: >empty
expect 2 "empty: empty file" "$PEPTIDE" db.fa empty
expect 2 "empty: no protein" "$PEPTIDE" empty s.mgf
expect 2 "s.mgf:1: expected '>'" "$PEPTIDE" s.mgf s.mgf
printf '>a\nMKL\n>b\nMK7\n' >odd.fa
expect 2 "odd.fa:4: '7' is not a residue letter" "$PEPTIDE" odd.fa s.mgf
printf '>a\n>b\nMK\n' >none.fa
expect 2 "none.fa:1: protein a has no residues" "$PEPTIDE" none.fa s.mgf
printf '>a\nMK\n' >short.fa
expect 2 "no peptide of 6,50 residues" "$PEPTIDE" short.fa s.mgf
printf '>a\nAAXXKBBZZUUK*\n\n> b\nGGGGGGGK\r\nlower\n\n' >residues.fa
expect 0 "in 1 of them" "$PEPTIDE" residues.fa s.mgf
head -n 3 s.mgf >cut.mgf
expect 2 "cut.mgf:1: the file ends inside this spectrum" "$PEPTIDE" db.fa cut.mgf
sed '7s/.*/100.1 x/' s.mgf >word.mgf
expect 2 "word.mgf:7: a peak without intensity" "$PEPTIDE" db.fa word.mgf
for peak in '100.1 5x' '100.15e' '100.1x 5' '100.1 5,'; do
    sed "7s/.*/$peak/" s.mgf >word.mgf
    expect 2 "word.mgf:7: " "$PEPTIDE" db.fa word.mgf
done
for key in 'PEPMASS=500x' 'PEPMASS=nan' 'CHARGE=two' 'CHARGE=2x' 'SCANS=one' 'SCANS=1x'; do
    awk -v key="$key" '{print} /^BEGIN/ {print key}' s.mgf >word.mgf
    expect 2 "word.mgf:2: " "$PEPTIDE" db.fa word.mgf
done
for key in 'PEPMASS=500 1e4' 'CHARGE=2+ and 3+' 'CHARGE=' 'SCANS=7-9' 'RTINSECONDS=x'; do
    awk -v key="$key" '{print} /^BEGIN/ {print key}' s.mgf >word.mgf
    expect 0 "" "$PEPTIDE" db.fa word.mgf
done
sed '/PEPMASS/d' s.mgf >mass.mgf
expect 2 "spectrum 1 has no PEPMASS" "$PEPTIDE" db.fa mass.mgf
printf 'hello\n' >hello
expect 2 "hello: neither mzML nor MGF" "$PEPTIDE" db.fa hello
head -c 5000 s.mzML >cut.mzML
expect 2 "the file ends early" "$PEPTIDE" db.fa cut.mzML
head -c 5000 s.mzML.gz >cut.gz
expect 2 "truncated gzip" "$PEPTIDE" db.fa cut.gz
sed 's/<binary>eJ/<binary>e!/' s.mzML >base64.mzML
expect 2 "scan 1: m/z values: bad base64 at byte 1" "$PEPTIDE" db.fa base64.mzML
sed 's/<binary>eJ/<binary>eA/' s.mzML >zlib.mzML
expect 2 "scan 1: m/z values: zlib: " "$PEPTIDE" db.fa zlib.mzML
sed 's/defaultArrayLength="[0-9]*"/defaultArrayLength="1000"/' s.mzML >length.mzML
expect 2 "bytes where 8000 are announced" "$PEPTIDE" db.fa length.mzML
sed 's/defaultArrayLength="[0-9]*"/defaultArrayLength="99999999999"/' s.mzML >absurd.mzML
expect 2 "absurd.mzML:5: this array length is not from 0" "$PEPTIDE" db.fa absurd.mzML
sed 's/MS:1000515/MS:1000517/' s.mzML >array.mzML
expect 2 "scan 1: no array of intensities" "$PEPTIDE" db.fa array.mzML
sed 's/MS:1000574/MS:1002312/' s.mzML >numpress.mzML
expect 2 "compressed by MS-Numpress" "$PEPTIDE" db.fa numpress.mzML
sed 's/"ms level" value="2"/"ms level" value="1"/' s.mzML >survey.mzML
expect 2 "none of 300 spectra can be searched: 300 are MS1" "$PEPTIDE" db.fa survey.mzML
printf '<html></html>' >page.html
expect 2 "page.html:1: this XML is not mzML" "$PEPTIDE" db.fa page.html
for option in --tolerance=0ppm --tolerance=10 --fragment=0.5mz --fragment=5da --isotopes=2,1 --isotopes=0.5,1 --charges=0,3 \
    --length=6,99 --masses=x --enzyme=scissors --classes=4 --mods=9 --top=6 --tic=0 --max-q=2 --static=X+5 --variable=M --decoy-prefix=; do
    expect 2 "${option%%=*}" "$PEPTIDE" db.fa s.mgf --decoy "$option"
done
expect 2 "--max-q=0.05: no protein is a decoy" "$PEPTIDE" db.fa s.mgf --max-q=0.05
expect 2 "needs --out=FILE.mgf or FILE.mzML" "$PEPTIDE" db.fa --synthesize=5 --out=x.txt
[ -c /dev/full ] && expect 2 "cannot write: No space left" "$PEPTIDE" db.fa s.mgf --out=/dev/full
expect 2 "--schedule=dynamic: expected auto, static" "$PEPTIDE" db.fa s.mgf --schedule=dynamic
expect 2 "no/x.tsv: cannot write: No such file" "$PEPTIDE" db.fa s.mgf --out=no/x.tsv
expect 2 "so many spectra needs" "$PEPTIDE" --size=2000000000 --proteins=20
expect 2 "so many proteins needs" "$PEPTIDE" --proteins=2000000000
expect 0 "" "$PEPTIDE" --help
if [ -w /dev/full ]; then # a full disk, and what never ends
    ln -s /dev/full full.mgf
    ln -s /dev/full full.mzML
    expect 2 "full.mgf: cannot write: No space left" "$PEPTIDE" --proteins=50 --synthesize=1000000000 --out=full.mgf
    expect 2 "full.mzML: cannot write: No space left" "$PEPTIDE" --proteins=50 --synthesize=1 --out=full.mzML
    expect 2 "cannot write: No space left" "$PEPTIDE" --size=2 --proteins=5 --save-proteins=/dev/full
    expect 2 "so many spectra need 9e+12 GB at least" "$PEPTIDE" --proteins=50 --synthesize=9000000000000000000 --out=never.mgf
    "$PEPTIDE" --size=8 --proteins=20 --json >/dev/full 2>err
    grep -q 'the result cannot be written: No space left' err || bad "a full disk is not noticed: $(cat err)"
    ln -s /dev/zero zero.mgf
    ln -s /dev/zero zero.mzML
    expect 2 "/dev/zero: not a text" "$PEPTIDE" /dev/zero s.mgf
    expect 2 "zero.mgf: not a text" "$PEPTIDE" db.fa zero.mgf
    expect 2 "zero.mzML: not a text" "$PEPTIDE" db.fa zero.mzML
fi
finish
