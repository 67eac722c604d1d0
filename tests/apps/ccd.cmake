# SPDX-License-Identifier: Apache-2.0
# Tests of ccd.
set(ccd ${PROJECT_SOURCE_DIR}/apps/ccd)
heddle_add_test(NAME test-ccd SOURCES test_ccd.c ${ccd}/nest_jobs.c ${ccd}/persistent.c LIBRARIES ccd_parts LABELS app unit)
target_compile_definitions(test-ccd PRIVATE CCD_ON_GPU=1 CCD_GIVES_ALWAYS=1 CCD_BLOCKS_ELSEWHERE=1) # what GPUs do, beside processors' jobs
target_compile_options(test-ccd PRIVATE -Wno-unknown-pragmas -ffp-contract=off)
if(NOT HEDDLE_SANITIZE) # whose lanes are contexts
    foreach(warp 32 64)
        heddle_add_test(NAME test-ccd-lanes-${warp} SOURCES test_ccd_lanes.c ${ccd}/nest_jobs.c ${ccd}/persistent.c LIBRARIES ccd_parts LABELS app unit emulated)
        if(TARGET test-ccd-lanes-${warp})
            target_compile_definitions(test-ccd-lanes-${warp} PRIVATE CCD_BLOCKS_ELSEWHERE=3 HEDDLE_EMULATED_GPU HEDDLE_EMULATED_WARP=${warp}
                "HEDDLE_DEVICE_HEADER=\"${PROJECT_SOURCE_DIR}/tests/architecture/emulated.h\"")
            target_compile_options(test-ccd-lanes-${warp} PRIVATE -Wno-unknown-pragmas -ffp-contract=off)
        endif()
    endforeach()
endif()
heddle_add_test(NAME test-ccd-queries SOURCES ccd_queries.c LIBRARIES ccd_parts LABELS app data)
target_compile_options(test-ccd-queries PRIVATE -ffp-contract=off)
set(frame ${ccd}/frame.c ${ccd}/mesh.c)
heddle_add_test(NAME test-frame-fuzz-regression SOURCES fuzz_frame.c fuzz_frame_main.c ${fuzz}/fuzz.c LIBRARIES ccd_parts LABELS app unit fuzz)
if(HEDDLE_FUZZ)
    file(GLOB ccd_mesh ${PROJECT_SOURCE_DIR}/apps/mesh/*.c)
    add_executable(fuzz-frame fuzz_frame.c ${frame} ${ccd_mesh})
    target_link_libraries(fuzz-frame PRIVATE heddle_app_common m)
    target_include_directories(fuzz-frame PRIVATE ${ccd} ${PROJECT_SOURCE_DIR}/apps/bvh ${PROJECT_SOURCE_DIR}/apps/mesh)
    target_compile_options(fuzz-frame PRIVATE -fsanitize=fuzzer,address,undefined -ffp-contract=off)
    target_link_options(fuzz-frame PRIVATE -fsanitize=fuzzer,address,undefined)
endif()

# with devices on every machine
add_executable(ccd-devices ${ccd}/ccd.c ${ccd}/picture.c ${ccd}/resident.c ${ccd}/persistent.c ${ccd}/nest_jobs.c)
set_target_properties(ccd-devices PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
                      INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
target_compile_definitions(ccd-devices PRIVATE CCD_ON_GPU=1 CCD_GIVES_ALWAYS=1 CCD_BLOCKS_ELSEWHERE=1)
target_compile_options(ccd-devices PRIVATE -ffp-contract=off)
target_link_libraries(ccd-devices PRIVATE ccd_parts heddle_app_common heddle::heddle)
heddle_use_driver(ccd-devices x86_64)
heddle_add_script_test(NAME app-ccd_cli COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/ccd_cli.sh LABELS app TIMEOUT 300
    ENVIRONMENT "CCD=$<TARGET_FILE:ccd>;CCD_DEVICES=$<TARGET_FILE:ccd-devices>")
heddle_add_script_test(NAME app-ccd_data COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/ccd_data.sh LABELS app data TIMEOUT 300
    ENVIRONMENT "CCD=$<TARGET_FILE:ccd>")
