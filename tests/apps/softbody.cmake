# SPDX-License-Identifier: Apache-2.0
# Tests of apps/softbody.
set(softbody ${PROJECT_SOURCE_DIR}/apps/softbody)
set(softbody_tsan "TSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/softbody_tsan.supp:ignore_noninstrumented_modules=1")
heddle_add_test(NAME test-softbody SOURCES test_softbody.c ${softbody}/nest_step.c LIBRARIES softbody_parts LABELS app unit
                ENVIRONMENT "${softbody_tsan}")
target_compile_definitions(test-softbody PRIVATE SOFTBODY_HOST)
target_compile_options(test-softbody PRIVATE -fopenmp -ffp-contract=off)
heddle_add_test(NAME test-tets-fuzz-regression SOURCES fuzz_tets.c fuzz_tets_main.c ${fuzz}/fuzz.c LIBRARIES softbody_parts LABELS app unit fuzz)
if(HEDDLE_FUZZ)
    file(GLOB softbody_bvh ${PROJECT_SOURCE_DIR}/apps/bvh/tree.c)
    add_executable(fuzz-tets fuzz_tets.c ${softbody}/tets.c ${softbody}/tetgen.c ${softbody}/gmsh.c ${softbody}/shape.c ${softbody}/mirror.c ${softbody}/elements.c ${softbody}/skin.c ${softbody}/body.c ${softbody_bvh})
    target_link_libraries(fuzz-tets PRIVATE heddle_app_common m)
    target_include_directories(fuzz-tets PRIVATE ${softbody} ${PROJECT_SOURCE_DIR}/apps/bvh)
    target_compile_options(fuzz-tets PRIVATE -fsanitize=fuzzer,address,undefined -ffp-contract=off)
    target_link_options(fuzz-tets PRIVATE -fsanitize=fuzzer,address,undefined)
endif()
heddle_add_script_test(NAME app-softbody_cli COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/softbody_cli.sh LABELS app TIMEOUT 300
                       ENVIRONMENT "SOFTBODY=$<TARGET_FILE:softbody>;${softbody_tsan}")
# the program itself on four devices of the processor
add_executable(softbody-devices ${softbody}/softbody.c ${softbody}/nest_step.c ${softbody}/nest_flow.c ${softbody}/launches.c ${softbody}/launcher.c ${softbody}/devices.c ${softbody}/unit.c ${softbody}/lists.c ${softbody}/split.c ${softbody}/touches.c ${softbody}/awake.c)
set_target_properties(softbody-devices PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests"
                      INSTALL_RPATH "${CMAKE_BINARY_DIR}/lib;${HEDDLE_LLVM_LIBDIR}")
target_compile_options(softbody-devices PRIVATE -fopenmp -ffp-contract=off)
target_link_libraries(softbody-devices PRIVATE softbody_parts heddle_app_common heddle::heddle)
heddle_use_driver(softbody-devices x86_64)
heddle_add_script_test(NAME app-softbody_devices COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/softbody_devices.sh LABELS app TIMEOUT 300
                       ENVIRONMENT "SOFTBODY=$<TARGET_FILE:softbody-devices>;${softbody_tsan}")
