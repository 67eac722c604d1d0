# SPDX-License-Identifier: Apache-2.0
# Public data with known results: what OpenMS' SimpleSearchEngine and sage find in their test files, and what Comet finds with
# e <= 0.01 in an E. coli file with reversed decoys.
. "$(dirname "$0")/lib.sh"
[ -x "$PEPTIDE" ] || { echo "skipped: peptide is not built"; exit 77; }
simple=$(data massspec/openms_SimpleSearchEngine_1.mzML) && sage=$(data massspec/sage_LQSRPAAPPAPGPGQLTLR.mzML) &&
    ecoli=$(data massspec/openms_Ecoli_MS2_small.mzML) || no_data massspec
folder=$(dirname "$simple")
export OMP_NUM_THREADS=2

for fragment in 0.3da 20ppm; do # odd FASTA: blank lines, "> name", X
    expect 0 "" "$PEPTIDE" "$folder/openms_SimpleSearchEngine_1.fasta" "$simple" --tolerance=5ppm --fragment=$fragment --missed=1 \
        --variable=M+15.994915 --top=1
    same "SimpleSearchEngine, $fragment" "$(sed 1d out | cut -f7 | tr '\n' ' ')" \
        "-.DFASSGGYVLHLHR.E -.IALSRPNVEVVALNDPFITNDYAAYM[+15.9949]FK.E -.RPGADSDIGGFGGLFDLAQAGFR.A "
done

expect 0 "" "$PEPTIDE" "$folder/sage_Q99536.fasta" "$sage" --tolerance=50ppm --isotopes=-1,3 --fragment=10ppm --missed=1 --decoy --top=1
same "sage" "$(sed 1d out | cut -f1,7,12)" "$(printf '30069\tK.LQSRPAAPPAPGPGQLTLR.L\t0')"
[ "$(sed 1d out | cut -f10)" -ge 21 ] || bad "sage matches 21 peaks, here $(sed 1d out | cut -f10)"

expect 0 "139 spectra searched of 139" "$PEPTIDE" "$folder/openms_target_decoy_Ecoli_K12.fasta" "$ecoli" --isotopes=0,3 --length=5,63 --top=1 --check
mv out ecoli.tsv
grep -q 'check     ok' err || bad "E. coli: $(cat err)"
# I and L weigh the same
awk -F'\t' 'FNR > 2 && NF > 10 && $6 <= 0.01 {gsub("I", "L", $12); print $1, $12}' "$folder/comet_2019015_Ecoli_expected.txt" | sort >comet
same "Comet's identifications" "$(wc -l <comet)" 46
awk -F'\t' '!/^#/ {p = $7; sub(/^[^.]*\./, "", p); sub(/\.[^.]*$/, "", p); gsub("I", "L", p); print $1, p}' ecoli.tsv | sort >ours
agree=$(comm -12 comet ours | wc -l)
[ "$agree" -ge 44 ] || bad "$agree of Comet's 46 agree"
decoys=$(sed 1d ecoli.tsv | sort -t "$(printf '\t')" -k9,9gr | head -46 | awk -F'\t' '{n += $12} END {print n}')
same "decoys among our best 46" "$decoys" 0
echo "agree $agree of 46, at q <= 0.01: $(awk -F'\t' '!/^#/ && $13 <= 0.01 && !$12' ecoli.tsv | wc -l)"
finish
