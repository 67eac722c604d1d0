# SPDX-License-Identifier: Apache-2.0
# No program writes over what it reads: every option that names an output, of every program with inputs, through names, links and
# standard streams. Whatever is refused leaves its files as they were.
. "$(dirname "$0")/lib.sh"
printf '>q1\nACGTACGT\n' >q.fa
printf '>t1\nGGGACGTACGTAAA\n' >t.fa
printf '1 2 3\n2 3 4\n' >s.txt
printf 'P2\n4 4\n9\n1 2 3 4\n5 6 7 8\n9 8 7 6\n5 4 3 2\n' >p.pgm
printf 'YUV4MPEG2 W2 H2 F25:1\nFRAME\nabcdef' >v.y4m
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >m.obj
printf 'mesh m.obj\n' >s.scene
printf '  A B\nA 1 0\nB 0 1\n' >m.txt
head -c 64 /dev/zero >a.bin
printf '>P1\nMAKRTESTPEPTIDEK\n' >p.fa
printf 'BEGIN IONS\nPEPMASS=500\nCHARGE=2+\n100 1\nEND IONS\n' >s.mgf

refused() { # INPUT OPTION COMMAND...: refused with a message that names the option, and the input stays
    input=$1 option=$2
    shift 2
    cp "$input" before
    expect 2 "$option would write over it" "$@"
    cmp -s "$input" before || bad "$*: $input was changed"
    rm -f "$input"
    mv before "$input"
}

every_way() { # INPUT OPTION COMMAND... that ends in OUT, for which names of the input stand
    file=$1 written=$2
    shift 2
    words=${*%OUT}
    for name in "$file" "./$file" "$scratch/$file" linked hard; do
        ln -sf "$file" linked
        ln -f "$file" hard
        refused "$file" "$written" $words"$name"
    done
}

every_way q.fa --out "$SW" q.fa t.fa -o OUT
every_way t.fa --out "$SW" q.fa t.fa --out=OUT
every_way m.txt --out "$SW" --matrix=m.txt q.fa t.fa --out=OUT
every_way q.fa --trace "$SW" q.fa t.fa --trace=OUT
every_way s.txt --out "$DTW" s.txt --out=OUT
every_way s.txt --matrix-out "$DTW" s.txt --matrix-out=OUT
every_way s.txt --trace "$DTW" s.txt --trace=OUT
for program in "$HEAT2D" "$SOR"; do
    every_way p.pgm --out "$program" p.pgm --out=OUT
    every_way p.pgm --residuals "$program" p.pgm --residuals=OUT
    every_way p.pgm --trace "$program" p.pgm --trace=OUT
done
for program in "$SAT" "$INTHIST"; do
    every_way p.pgm --out "$program" p.pgm --out=OUT
    every_way p.pgm --trace "$program" p.pgm --trace=OUT
done
every_way v.y4m --out "$INTRA" v.y4m --out=OUT
every_way v.y4m --recon "$INTRA" v.y4m --recon=OUT
every_way v.y4m --trace "$INTRA" v.y4m --trace=OUT
every_way m.obj --trace "$RAYTRACE" m.obj --trace=OUT
every_way s.scene --trace "$RAYTRACE" s.scene --trace=OUT
every_way m.obj --trace "$RAYTRACE" s.scene --trace=OUT # which the scene names
ln -sf s.scene picture.png
refused s.scene --out "$RAYTRACE" s.scene --out=picture.png
for operand in a b c; do
    every_way a.bin --out "$GEMM" --size=2 --type=fp64 --beta=1 --$operand=a.bin --out=OUT
    every_way a.bin --trace "$GEMM" --size=2 --type=fp64 --beta=1 --$operand=a.bin --trace=OUT
done
if [ -n "${PEPTIDE:-}" ]; then
    every_way p.fa --out "$PEPTIDE" p.fa s.mgf --out=OUT
    every_way s.mgf --out "$PEPTIDE" p.fa s.mgf --out=OUT
    every_way s.mgf --save-proteins "$PEPTIDE" p.fa s.mgf --save-proteins=OUT
    every_way p.fa --save-proteins "$PEPTIDE" p.fa s.mgf --save-proteins=OUT
    every_way s.mgf --trace "$PEPTIDE" p.fa s.mgf --trace=OUT
fi

# --- standard streams, the runtime's variables, and two outputs that are one file
refused q.fa --out sh -c '"$0" - t.fa -o q.fa <q.fa' "$SW"
refused q.fa "standard output" sh -c '"$0" q.fa t.fa >>q.fa' "$SW"
refused q.fa HEDDLE_TRACE env HEDDLE_TRACE=q.fa "$SW" q.fa t.fa
refused q.fa HEDDLE_RECORD env HEDDLE_RECORD=q.fa "$SW" q.fa t.fa
expect 2 "--trace and --out are one file" "$SW" q.fa t.fa --trace=new.html --out=./new.html
[ -e new.html ] && bad "what was refused made a file"
: >there.html
expect 2 "--trace and --out are one file" "$SW" q.fa t.fa --trace=there.html --out="$scratch/there.html"
expect 2 "--trace and --residuals are one file" "$HEAT2D" --size=8 --trace=x.txt --residuals=x.txt

# --- what loses nothing goes on as before
expect 0 "" "$SW" q.fa t.fa --out=/dev/null --trace=/dev/null
expect 0 "" "$SW" q.fa q.fa --out=other.tsv
expect 0 "" sh -c '"$0" q.fa t.fa >results.tsv' "$SW"
expect 0 "" "$DTW" s.txt s.txt --out=list.tsv --matrix-out=matrix.tsv

# --- no option that names a file is left out of this
for source in "$HEDDLE_SOURCE"/apps/*/*.c; do
    case $source in */common/*) continue ;; esac
    awk 'BEGIN {RS = "}"} /"FILE"/ && /APP_TEXT/ {bad = 1; print} END {exit bad}' "$source" ||
        bad "$source: an option that names a file is neither APP_INPUT nor APP_OUTPUT"
done
finish
