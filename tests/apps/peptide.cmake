# SPDX-License-Identifier: Apache-2.0
# Tests of apps/peptide, where libexpat is there to build it.
set(peptide ${PROJECT_SOURCE_DIR}/apps/peptide)
set(tsan "TSAN_OPTIONS=ignore_noninstrumented_modules=1") # of libomp's own (tests/tsan.supp)
heddle_add_test(NAME test-peptide SOURCES test_peptide.c LIBRARIES peptide_parts LABELS app unit
                ENVIRONMENT "${tsan}")
heddle_add_test(NAME test-peptide-fuzz-regression SOURCES fuzz_peptide.c fuzz_peptide_main.c ${fuzz}/fuzz.c LIBRARIES peptide_parts
                LABELS app unit fuzz ENVIRONMENT "OMP_NUM_THREADS=1;${tsan}")
if(HEDDLE_FUZZ)
    find_package(EXPAT REQUIRED)
    add_executable(fuzz-peptide fuzz_peptide.c ${peptide}/input.c ${peptide}/chemistry.c ${peptide}/proteins.c ${peptide}/masssort.c
                   ${peptide}/digest.c ${peptide}/candidates.c ${peptide}/spectra.c ${peptide}/mgf.c ${peptide}/mzml.c ${peptide}/binary.c)
    target_link_libraries(fuzz-peptide PRIVATE heddle_app_common ZLIB::ZLIB EXPAT::EXPAT m)
    target_include_directories(fuzz-peptide PRIVATE ${peptide})
    target_compile_options(fuzz-peptide PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_options(fuzz-peptide PRIVATE -fsanitize=fuzzer,address,undefined)
endif()
foreach(script peptide_cli peptide_known peptide_gcc)
    heddle_add_script_test(NAME app-${script} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/${script}.sh
                           LABELS app TIMEOUT 300 ENVIRONMENT "${tsan};PEPTIDE=$<TARGET_FILE:peptide>;PEPTIDE_DEVICES=$<TARGET_FILE:peptide-devices>")
endforeach()

# the program with devices on every machine
add_executable(peptide-devices ${peptide}/peptide.c ${peptide}/nest_score.c)
set_target_properties(peptide-devices PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
                      INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
target_link_libraries(peptide-devices PRIVATE peptide_parts heddle_app_common heddle::heddle)
heddle_use_driver(peptide-devices x86_64)
