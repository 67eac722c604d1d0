# SPDX-License-Identifier: Apache-2.0
# Tests of apps/gemm.
set(gemm ${PROJECT_SOURCE_DIR}/apps/gemm)
find_package(OpenMP REQUIRED COMPONENTS C)
heddle_add_test(NAME test-gemm SOURCES test_gemm.c LIBRARIES gemm_parts LABELS app unit)
heddle_add_test(NAME test-gemm-pipeline SOURCES test_gemm_pipeline.c ${gemm}/device.c ${gemm}/device_queue.c ${gemm}/device_work.c
                LIBRARIES gemm_parts LABELS app unit)
heddle_add_test(NAME test-npy-fuzz-regression SOURCES fuzz_npy.c fuzz_npy_main.c ${fuzz}/fuzz.c LIBRARIES gemm_parts LABELS app unit fuzz)
if(HEDDLE_FUZZ)
    add_executable(fuzz-npy fuzz_npy.c ${gemm}/npy.c)
    target_include_directories(fuzz-npy PRIVATE ${gemm})
    target_compile_options(fuzz-npy PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_options(fuzz-npy PRIVATE -fsanitize=fuzzer,address,undefined)
endif()

# gemm with devices on every machine
add_executable(gemm-devices ${gemm}/gemm.c ${gemm}/resident.c ${gemm}/pays.c ${gemm}/device.c ${gemm}/device_queue.c ${gemm}/device_work.c ${gemm}/port_cuda.c ${gemm}/port_omp.c
               ${gemm}/cublas.c ${gemm}/cublas_lt.c ${gemm}/kernel_target.c ${gemm}/nest_tiles.c)
set_target_properties(gemm-devices PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
                      INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
target_compile_definitions(gemm-devices PRIVATE _GNU_SOURCE)
target_link_libraries(gemm-devices PRIVATE gemm_parts heddle_app_common heddle::heddle)
heddle_use_driver(gemm-devices x86_64)
heddle_add_script_test(NAME app-gemm_cli COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/gemm_cli.sh LABELS app TIMEOUT 300
                       ENVIRONMENT "GEMM=$<TARGET_FILE:gemm>" "GEMM_DEVICES=$<TARGET_FILE:gemm-devices>")
