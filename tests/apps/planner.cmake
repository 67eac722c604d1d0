# SPDX-License-Identifier: Apache-2.0
# Tests of apps/planner, where libexpat and libyaml are there to build it.
set(planner ${PROJECT_SOURCE_DIR}/apps/planner)
heddle_add_test(NAME test-planner SOURCES test_planner.c LIBRARIES planner_parts LABELS app unit)
target_compile_options(test-planner PRIVATE -ffp-contract=off)
heddle_add_test(NAME test-planner-fuzz-regression SOURCES fuzz_planner.c fuzz_planner_main.c ${fuzz}/fuzz.c LIBRARIES planner_parts
                LABELS app unit fuzz)
if(HEDDLE_FUZZ)
    add_executable(fuzz-planner fuzz_planner.c ${planner}/robot.c ${planner}/robot_read.c ${planner}/scene.c ${planner}/scene_read.c
                   ${planner}/plan_host.c)
    target_link_libraries(fuzz-planner PRIVATE heddle_app_common EXPAT::EXPAT ${YAML_LIBRARY} m)
    target_include_directories(fuzz-planner PRIVATE ${planner} ${YAML_INCLUDE})
    target_compile_options(fuzz-planner PRIVATE -fsanitize=fuzzer,address,undefined -ffp-contract=off)
    target_link_options(fuzz-planner PRIVATE -fsanitize=fuzzer,address,undefined)
endif()

# the program with devices on every machine
add_executable(planner-devices ${planner}/planner.c ${planner}/nest_plan.c)
set_target_properties(planner-devices PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
                      INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
target_compile_options(planner-devices PRIVATE -ffp-contract=off)
target_link_libraries(planner-devices PRIVATE planner_parts heddle_app_common heddle::heddle)
heddle_use_driver(planner-devices x86_64)
foreach(script planner_cli planner_gcc planner_panda)
    heddle_add_script_test(NAME app-${script} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/${script}.sh LABELS app TIMEOUT 300
                           ENVIRONMENT "PLANNER=$<TARGET_FILE:planner>;PLANNER_DEVICES=$<TARGET_FILE:planner-devices>;RAYTRACE=$<TARGET_FILE:raytrace>")
endforeach()
