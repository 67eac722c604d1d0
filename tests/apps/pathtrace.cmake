# SPDX-License-Identifier: Apache-2.0
# Tests of pathtrace. The unit tests' heddle jobs are those of a GPU: they go through the hierarchy by groups, and leave paths off.
set(pathtrace ${PROJECT_SOURCE_DIR}/apps/pathtrace)
add_library(pathtrace_groups OBJECT ${pathtrace}/nest_jobs.c)
target_compile_definitions(pathtrace_groups PRIVATE TRAVERSE_GROUPS=1 RENDER_ON_GPU=1)
target_compile_options(pathtrace_groups PRIVATE -Wno-unknown-pragmas -ffp-contract=off)
target_include_directories(pathtrace_groups PRIVATE ${PROJECT_SOURCE_DIR}/runtime/include)
target_link_libraries(pathtrace_groups PRIVATE heddle_app_mesh)
heddle_add_test(NAME test-pathtrace SOURCES test_pathtrace.c ${pathtrace}/render.c $<TARGET_OBJECTS:pathtrace_groups>
                LIBRARIES pathtrace_parts LABELS app unit)
target_compile_options(test-pathtrace PRIVATE -ffp-contract=off)
heddle_add_test(NAME test-mtl-fuzz-regression SOURCES fuzz_mtl.c fuzz_mtl_main.c ${fuzz}/fuzz.c ${pathtrace}/render.c
                $<TARGET_OBJECTS:pathtrace_groups> LIBRARIES pathtrace_parts LABELS app unit fuzz)
if(HEDDLE_FUZZ)
    file(GLOB pathtrace_sources ${pathtrace}/scene.c ${pathtrace}/mtl.c ${pathtrace}/render.c ${PROJECT_SOURCE_DIR}/apps/bvh/*.c
         ${PROJECT_SOURCE_DIR}/apps/mesh/*.c)
    add_executable(fuzz-mtl fuzz_mtl.c ${pathtrace_sources} $<TARGET_OBJECTS:pathtrace_groups> $<TARGET_OBJECTS:pathtrace_serial>)
    target_link_libraries(fuzz-mtl PRIVATE heddle_app_common m)
    target_include_directories(fuzz-mtl PRIVATE ${pathtrace} ${PROJECT_SOURCE_DIR}/runtime/include ${PROJECT_SOURCE_DIR}/apps/bvh ${PROJECT_SOURCE_DIR}/apps/mesh)
    target_compile_options(fuzz-mtl PRIVATE -fsanitize=fuzzer,address,undefined -Wno-unknown-pragmas -ffp-contract=off)
    target_link_options(fuzz-mtl PRIVATE -fsanitize=fuzzer,address,undefined)
endif()

# with devices on every machine
add_executable(pathtrace-devices ${pathtrace}/pathtrace.c ${pathtrace}/film.c ${pathtrace}/render.c
    ${pathtrace}/resident.c ${pathtrace}/nest_jobs.c)
set_target_properties(pathtrace-devices PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
                      INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
target_compile_definitions(pathtrace-devices PRIVATE RENDER_ON_GPU=1)
target_compile_options(pathtrace-devices PRIVATE -ffp-contract=off)
target_link_libraries(pathtrace-devices PRIVATE pathtrace_parts heddle_app_common heddle::heddle)
heddle_use_driver(pathtrace-devices x86_64)
heddle_add_script_test(NAME app-pathtrace_cli COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/pathtrace_cli.sh LABELS app TIMEOUT 300
    ENVIRONMENT "PATHTRACE=$<TARGET_FILE:pathtrace>;PATHTRACE_DEVICES=$<TARGET_FILE:pathtrace-devices>")
