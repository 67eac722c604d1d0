# SPDX-License-Identifier: Apache-2.0
# Tests of apps/roadmap.
set(roadmap ${PROJECT_SOURCE_DIR}/apps/roadmap)
heddle_add_test(NAME test-roadmap SOURCES test_roadmap.c ${roadmap}/nest_jobs.c LIBRARIES roadmap_parts LABELS app unit)
target_compile_definitions(test-roadmap PRIVATE ROADMAP_ON_GPU=1) # the jobs of a GPU, beside those of processors
target_compile_options(test-roadmap PRIVATE -Wno-unknown-pragmas -ffp-contract=off)

# the program with devices on every machine
add_executable(roadmap-devices ${roadmap}/roadmap.c ${roadmap}/resident.c ${roadmap}/nest_jobs.c)
set_target_properties(roadmap-devices PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
                      INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
target_compile_definitions(roadmap-devices PRIVATE ROADMAP_ON_GPU=1)
target_compile_options(roadmap-devices PRIVATE -ffp-contract=off)
target_link_libraries(roadmap-devices PRIVATE roadmap_parts heddle_app_common heddle::heddle)
heddle_use_driver(roadmap-devices x86_64)
heddle_add_script_test(NAME app-roadmap_cli COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/roadmap_cli.sh LABELS app TIMEOUT 300
                       ENVIRONMENT "ROADMAP=$<TARGET_FILE:roadmap>;ROADMAP_DEVICES=$<TARGET_FILE:roadmap-devices>;RAYTRACE=$<TARGET_FILE:raytrace>")
