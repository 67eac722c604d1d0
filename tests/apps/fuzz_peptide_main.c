/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzz target without libFuzzer: files named on the command line, then seeded mutations of a few small files. */
#include "fuzz.h"

static const char mzml[] =
    "<mzML><referenceableParamGroup id=\"g\"><cvParam accession=\"MS:1000511\" "
    "value=\"2\"/></referenceableParamGroup><run><spectrumList>\n"
    "<spectrum id=\"scan=7\" defaultArrayLength=\"6\"><referenceableParamGroupRef ref=\"g\"/><selectedIon>"
    "<cvParam accession=\"MS:1000744\" value=\"500.5\"/>\n"
    "<cvParam accession=\"MS:1000041\" value=\"2\"/></selectedIon><binaryDataArray><cvParam accession=\"MS:1000523\"/>"
    "<cvParam accession=\"MS:1000574\"/>\n"
    "<cvParam accession=\"MS:1000514\"/><binary>eJxjYAAChUgHEMVgkQihH6RC6I4sCG2QD6HfFDoAAIWuBsY=</binary>"
    "</binaryDataArray><binaryDataArray arrayLength=\"6\"><cvParam accession=\"MS:1000521\"/>\n"
    "<cvParam accession=\"MS:1000515\"/><binary>AAAgQQAAoEEAAPBBAAAgQgAASEIAAHBC</binary></binaryDataArray>"
    "</spectrum></spectrumList></run></mzML>";

static const char mgf[] = "CHARGE=2+ and 3+\nBEGIN IONS\nTITLE=a\nPEPMASS=500.25 "
                          "1e4\nCHARGE=2+\nRTINSECONDS=1.5\nSCANS=9\n100.5 1\n200.25 2e1\n"
                          "300 3 1+\nEND IONS\nBEGIN IONS\nPEPMASS=421.7\n150.1 7\n160.2 8\n170.3 9\nEND IONS\n";

static const char fasta[] = ">a one\nMKLYNLKDHNERQ\nVSFKA\n\n> b\nMQMRPKXBZUCCK*AAMKDE\n>c\nqqmmkrp\n";

int main(int argc, char **argv) {
    static const struct fuzz_seed seeds[] = {FUZZ_SEED(mzml), FUZZ_SEED(mgf), FUZZ_SEED(fasta)};
    return fuzz_run(&(struct fuzz_run){.style = {FUZZ_MARKS("<>/\"= \n&;0123456789.eE+-ABCxyz*=+/BEGIN IONS\0\377"),
                                                 .changes_least = 0, .changes_most = 4, .cut = true},
                                       .seeds = seeds,
                                       .count = 3,
                                       .rounds = 15000},
                    argc, argv);
}
